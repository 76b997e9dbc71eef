//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// process starts the command as a separate process.
func process(t *testing.T, args ...string) (c *exec.Cmd, out, said *bytes.Buffer) {
	t.Helper()
	c, out, said = exec.Command(os.Args[0], args...), &bytes.Buffer{}, &bytes.Buffer{}
	c.Env, c.Stdout, c.Stderr = append(os.Environ(), asCommand+"=1"), out, said
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() }) // it may already have ended
	return c, out, said
}

// untilLines waits until a file has n lines.
func untilLines(t *testing.T, file string, lines int) {
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(file)
		return bytes.Count(text, []byte("\n")) >= lines
	}, time.Minute, time.Millisecond)
}

const endless = "sweep crash --set duration=100s,120s --seeds 1..500000"

// A process that is killed leaves every run that had ended in its file, and the next one goes on from there.
func TestKilledProcessKeepsItsRuns(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.runs")
	c, _, said := process(t, append(strings.Fields(endless), "--resume", file)...)
	untilLines(t, file, 200)
	require.NoError(t, c.Process.Kill())
	require.Error(t, c.Wait(), said)
	left, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(left), "\n")
	kept := len(lines) - 2 // the header, and what is after the last end of a line
	assert.GreaterOrEqual(t, kept, 199)

	c, out, said := process(t, append(strings.Fields(endless), "--resume", file, "-o", "json")...)
	untilLines(t, file, kept+100)
	require.NoError(t, c.Process.Signal(syscall.SIGINT))
	require.Error(t, c.Wait())
	assert.Equal(t, exitCancelled, c.ProcessState.ExitCode(), said)
	assert.Contains(t, said.String(), "has ")
	assert.Contains(t, said.String(), "run the same command again to continue")
	assert.Contains(t, out.String(), `"runs":`, "what was found")
}

// A hunt that is killed has every result in its file, but for those in flight; cut off anywhere, the file gives what one go gives.
func TestKilledHuntKeepsItsRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	t.Parallel()
	file := filepath.Join(t.TempDir(), "hunt.json")
	c, _, said := process(t, "hunt", "first-election", "--runs", "1000000", "--resume", file)
	untilLines(t, file, 100)
	require.NoError(t, c.Process.Kill())
	require.Error(t, c.Wait(), said)
	left, err := os.ReadFile(file)
	require.NoError(t, err)
	results := bytes.SplitAfter(left, []byte("\n"))[1:]
	assert.GreaterOrEqual(t, len(results), 100)
	whole, _ := huntedBy(t, "first-election", "--runs", "200")
	whole.Seconds = 0
	for _, size := range []int{len(left), len(left) - 1, len(left) * 2 / 3} {
		require.NoError(t, os.WriteFile(file, left[:size], 0o600))
		rest, _ := huntedBy(t, "first-election", "--runs", "200", "--resume", file)
		rest.Seconds = 0
		assert.Equal(t, whole, rest)
	}
}

// Ctrl-C prints the rows of the runs that were made.
func TestCancelKeepsWhatWasFound(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.runs")
	c, out, said := process(t, append(strings.Fields(endless), "--resume", file)...)
	untilLines(t, file, 50)
	require.NoError(t, c.Process.Signal(syscall.SIGINT))
	require.Error(t, c.Wait())
	assert.Equal(t, exitCancelled, c.ProcessState.ExitCode(), said)
	assert.Regexp(t, `100s +\d+\.\d % .* runs only`, out.String())
	assert.Contains(t, out.String(), "cancelled before its first run")
	assert.Regexp(t, `cancelled after \d+ of 1000000 runs`, said.String())
}

// Rows that cannot be written are an error.
func TestRowsOnAFullDisk(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("/dev/full is Linux's")
	}
	defer full.Close()
	for _, format := range []string{"text", "json", "csv"} {
		var said bytes.Buffer
		c := exec.Command(os.Args[0], "sweep", "crash", "--set", "duration=100s", "-o", format)
		c.Env, c.Stdout, c.Stderr = append(os.Environ(), asCommand+"=1"), full, &said
		require.Error(t, c.Run())
		assert.Equal(t, exitUsage, c.ProcessState.ExitCode())
		assert.Equal(t, 1, strings.Count(said.String(), "writing the rows: write"), "said once")
	}
}

// A search that is killed again and again, and goes on each time, gives what one go gives.
func TestKilledSearchGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("a search of some seconds: runs without -short")
	}
	t.Parallel()
	args := strings.Fields("explore b05-wiped-lease --set actions[0].for=10s..21s/1s --rule writeByNonHolder -o yaml")
	whole, _ := leaselab(args...)
	file := filepath.Join(t.TempDir(), "search.runs")
	args = append(args, "--resume", file)
	for range 3 {
		before, _ := os.ReadFile(file)
		c, out, said := process(t, args...)
		untilLines(t, file, bytes.Count(before, []byte("\n"))+20)
		require.NoError(t, c.Process.Kill())
		require.Error(t, c.Wait(), said)
		assert.Empty(t, out.String())
	}
	rest, _ := leaselab(args...)
	assert.Equal(t, whole, rest)
	assert.NoFileExists(t, file, "nothing is left to go on with")
}
