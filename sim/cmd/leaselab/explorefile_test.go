//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/study/explore"
)

// fullDisk has room for so many bytes.
type fullDisk struct {
	to   io.Writer
	room int
}

func (d *fullDisk) Write(data []byte) (int, error) {
	n, err := d.to.Write(data[:min(len(data), d.room)])
	if d.room -= n; err == nil && n < len(data) {
		err = syscall.ENOSPC
	}
	return n, err
}

// A full disk ends a search with what to do, and leaves the file as it was before: from there the search goes on to the same end.
func TestExploreOnAFullDisk(t *testing.T) {
	path := cutOffFile(t)
	s, err := load(path)
	require.NoError(t, err)
	begin := func() *explore.Explorer {
		x, err := explore.New(explore.Plan{Scenario: s, Draws: []float64{explore.Middle, explore.Low}, Order: true, FromNs: 3e9, ToNs: 20e9})
		require.NoError(t, err)
		return x
	}
	saved := func(x *explore.Explorer) string {
		for !x.Go(1_000_000) {
		}
		var all bytes.Buffer
		require.NoError(t, x.Save(&all))
		return all.String()
	}
	whole := saved(begin())
	for _, room := range []int{0, 1, 500, 3_000, 10_000} {
		name := filepath.Join(t.TempDir(), "kept")
		x := begin()
		file, err := openExplore(name, x)
		require.NoError(t, err)
		file.to = &fullDisk{file.file, room}
		var failed error
		size := file.size
		for failed == nil {
			require.False(t, x.Go(50), "the disk is full before")
			size = file.size
			failed = file.keep(x, true)
		}
		file.close()
		require.ErrorIs(t, failed, syscall.ENOSPC)
		assert.Contains(t, failed.Error(), "the same command goes on from there")
		info, err := os.Stat(name)
		require.NoError(t, err)
		assert.Equal(t, size, info.Size())
		again := begin()
		file, err = openExplore(name, again)
		require.NoError(t, err)
		file.close()
		assert.Equal(t, whole, saved(again), "room for %d bytes", room)
	}
}

// A search that is killed again and again, and goes on each time, gives what one go gives.
func TestKilledSearchGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("a search of some seconds: runs without -short")
	}
	t.Parallel()
	dir := t.TempDir()
	args := strings.Fields("explore b05-wiped-lease --set actions[0].for=10s..21s/1s --rule writeByNonHolder -o yaml")
	whole, _ := leaselab(args...)
	file := filepath.Join(dir, "kept")
	args = append(args, "--resume", file)
	size := func() int64 {
		info, err := os.Stat(file)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	for range 3 {
		before := size()
		c, out, said := process(t, args...)
		require.Eventually(t, func() bool { return size() > before+1_000 || c.ProcessState != nil }, time.Minute, time.Millisecond, said)
		require.NoError(t, c.Process.Kill())
		require.Error(t, c.Wait(), said)
		assert.Empty(t, out.String())
	}
	rest, _ := leaselab(args...)
	assert.Equal(t, whole, rest)
	assert.NoFileExists(t, file)
}
