package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/leaselab/leaselab/sim/study/hunt"
)

// huntFile keeps a hunt: a line with its state between two rounds, and a line for each result since. A process that is
// killed, or a disk that is full, loses at most the runs in flight.
type huntFile struct {
	name  string
	mutex sync.Mutex // results come from all cores
	file  *os.File
	size  int64 // of the whole lines
	state int64 // of the first one
}

// openHunt lets a new hunt go on from its file, and creates the file if there is none.
func openHunt(name string, h *hunt.Hunt) (*huntFile, error) {
	f := &huntFile{name: name}
	if err := regular(name); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return f, f.write(h)
	case err != nil:
		return nil, err
	}
	first, rest, more := bytes.Cut(data, []byte("\n"))
	var s hunt.State
	if err := json.Unmarshal(first, &s); err != nil {
		return nil, fmt.Errorf("this is no hunt: %w", err)
	}
	if err := h.Resume(s); err != nil {
		return nil, err
	}
	if !more { // an earlier leaselab wrote the state alone, without the end of its line
		return f, f.write(h)
	}
	f.state = int64(len(first) + 1)
	f.size = f.state
	for {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole { // cut off, or the end
			break
		}
		var r hunt.Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("this is no hunt: %w", err)
		}
		h.Know(r)
		f.size += int64(len(line) + 1)
		rest = after
	}
	return f, f.open()
}

// open opens the file for what comes after its whole lines.
func (f *huntFile) open() (err error) {
	if f.file, err = os.OpenFile(f.name, os.O_WRONLY|os.O_APPEND, 0o644); err != nil {
		return err
	}
	return f.file.Truncate(f.size)
}

// write writes the hunt between two rounds beside the file first: a full disk or a kill leaves the last one whole.
func (f *huntFile) write(h *hunt.Hunt) error {
	data, err := json.Marshal(h.State())
	if err != nil {
		return err
	}
	if err := os.WriteFile(f.name+".new", append(data, '\n'), 0o644); err != nil {
		return err
	}
	f.close()
	if err := os.Rename(f.name+".new", f.name); err != nil {
		return err
	}
	f.state = int64(len(data) + 1)
	f.size = f.state
	return f.open()
}

// append adds the result of a trial. On an error the file keeps the results before it.
func (f *huntFile) append(t *hunt.Trial) error {
	line, err := json.Marshal(t.Record())
	if err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if _, err := f.file.Write(append(line, '\n')); err != nil {
		_ = f.file.Truncate(f.size) // the next openHunt drops the line as well
		return err
	}
	f.size += int64(len(line) + 1)
	return nil
}

// manyResults is how many bytes of results a file has at least before they become part of its first line.
const manyResults = 1 << 20

// shorten puts the results of a file with many of them into its first line.
func (f *huntFile) shorten(h *hunt.Hunt) error {
	if f == nil || f.size-f.state < max(manyResults, 2*f.state) || !h.Whole() {
		return nil
	}
	return f.write(h)
}

func (f *huntFile) close() {
	if f.file != nil {
		f.file.Close()
	}
}
