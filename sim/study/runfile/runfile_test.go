package runfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/world"
)

type plan struct {
	Scenario string `json:"scenario"`
}

func header(t *testing.T, of plan, shard study.Shard) Header {
	h, err := NewHeader(Header{Study: "test", Runs: 10}, shard, of)
	require.NoError(t, err)
	return h
}

// openFile opens a file and returns the runs that it has.
func openFile(t *testing.T, name string, h Header) (*File[string], map[int]string) {
	runs := map[int]string{}
	f, err := Open(name, h, func(number int, result string) { runs[number] = result })
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f, runs
}

// Opening a file again returns what was appended, wherever the file was cut off, except the run that the cut damaged.
func TestResumeAfterACut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.runs")
	h := header(t, plan{"<crash>"}, study.Shard{})
	f, runs := openFile(t, name, h)
	assert.Empty(t, runs)
	for i := range 3 {
		require.NoError(t, f.Append(i, fmt.Sprint("result ", i)))
	}
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Contains(t, string(whole), "<crash>", "no character is escaped")
	step := 1
	if testing.Short() {
		step = 11
	}
	for cut := 0; cut <= len(whole); cut += step {
		require.NoError(t, os.WriteFile(name, whole[:cut], 0o600))
		f, runs := openFile(t, name, h)
		lines := max(0, bytes.Count(whole[:cut], []byte("\n"))-1)
		require.Len(t, runs, lines, "cut at %d", cut)
		for i := lines; i < 3; i++ {
			require.NoError(t, f.Append(i, fmt.Sprint("result ", i)))
		}
		again, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, string(whole), string(again), "cut at %d", cut)
	}
}

// A file of another study, of another shard or of no study does not change.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.runs")
	h := header(t, plan{"crash"}, study.Shard{Index: 1, Of: 7})
	f, _ := openFile(t, name, h)
	require.NoError(t, f.Append(1, "one"))
	text := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(text, []byte("shopping list"), 0o600))
	older := filepath.Join(dir, "older")
	require.NoError(t, os.WriteFile(older, []byte("{\"of\":\"0123456789abcdef\",\"runs\":16}\n"), 0o600))
	search := filepath.Join(dir, "search")
	require.NoError(t, os.WriteFile(search, []byte("{\"format\":\"leaselab.dev/exploration/v2\",\"engine\":3}\n"), 0o600))
	engine := h
	engine.Engine++
	engine.Again = "leaselab test"
	for _, c := range []struct {
		name string
		h    Header
		says string
	}{
		{name, header(t, plan{"pause"}, study.Shard{Index: 1, Of: 7}), "another scenario, or other arguments"},
		{name, header(t, plan{"crash"}, study.Shard{Index: 2, Of: 7}), "keeps shard 1/7, not shard 2/7"},
		{name, header(t, plan{"crash"}, study.Shard{}), "keeps shard 1/7, not the whole study"},
		{name, engine, fmt.Sprintf("engine %d, not %d", world.Engine, world.Engine+1) + "; name another file, or delete this one and start again: leaselab test"},
		{older, engine, "an older leaselab wrote it, and this one cannot continue it; name another file, or delete this one and start again: leaselab test"},
		{search, engine, "an older leaselab wrote it"},
		{text, h, "not a file of runs, and not empty"},
		{dir, h, "is a directory"},
	} {
		before, _ := os.ReadFile(c.name)
		_, err := Open(c.name, c.h, func(int, string) {})
		require.Error(t, err)
		assert.Contains(t, strings.ToLower(err.Error()), c.says)
		after, _ := os.ReadFile(c.name)
		assert.Equal(t, string(before), string(after))
	}
}

// A line in the middle that is not a run is an error with its number.
func TestReadRefuses(t *testing.T) {
	h, err := encode(header(t, plan{}, study.Shard{}))
	require.NoError(t, err)
	for text, says := range map[string]string{
		"":     "not a file of runs",
		"{}\n": "not a file of runs",
		string(h) + "{\"run\":1,\"result\":\n{}\n":    "a:2: not a run",
		string(h) + "{\"run\":10,\"result\":\"x\"}\n": "a:2: no run 10: the study has 10",
		string(h) + "{\"run\":-1,\"result\":\"x\"}\n": "a:2: no run -1: the study has 10",
	} {
		err := Read(strings.NewReader(text), "a", nil, func(int, string) {})
		assert.ErrorContains(t, err, says)
	}
}

// full is a disk with limited room.
type full struct {
	*os.File
	room int
}

func (d *full) Write(data []byte) (int, error) {
	fits := min(len(data), d.room)
	n, _ := d.File.Write(data[:fits])
	d.room -= n
	if n < len(data) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// A full disk costs the run that does not fit, and no other.
func TestFullDisk(t *testing.T) {
	h := header(t, plan{}, study.Shard{})
	for room := range 60 {
		name := filepath.Join(t.TempDir(), "a.runs")
		f, _ := openFile(t, name, h)
		f.to = &full{f.file, room}
		kept := 0
		for i := range 3 {
			if f.Append(i, "result") == nil {
				kept++
			}
		}
		f.Close()
		f, runs := openFile(t, name, h)
		require.Len(t, runs, kept, "room for %d bytes", room)
		require.NoError(t, f.Append(9, "later"))
	}
}

// endless is a reader of zeros.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// A line without an end is neither a run nor a header, and reading stops there.
func TestEndlessLine(t *testing.T) {
	err := Read(endless{}, "zero", nil, func(int, int) {})
	assert.ErrorContains(t, err, "zero: not a file of runs")
	h, err := NewHeader(Header{Study: "sweep", Runs: 2}, study.Shard{}, 1)
	require.NoError(t, err)
	first, err := encode(h)
	require.NoError(t, err)
	err = Read(io.MultiReader(bytes.NewReader(first), endless{}), "zero", nil, func(int, int) {})
	assert.ErrorContains(t, err, "zero: a line is longer than 16777216 bytes: not a file of runs")
}
