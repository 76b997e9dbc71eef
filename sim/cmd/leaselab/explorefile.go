package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/leaselab/leaselab/sim/study/explore"
)

// keptEvery is how often a search with a file writes what is new: a process that is killed loses no more.
const keptEvery = time.Second

// exploreFile keeps a search: what was new since the last time is appended. A process that is killed, or a disk that is
// full, leaves what was appended before.
type exploreFile struct {
	name string
	file *os.File
	to   io.Writer // the file, but for tests of a disk that is full
	size int64     // of what is whole
	at   time.Time // of the last time
}

// openExplore lets a new search go on from its file, and creates the file if there is none.
func openExplore(name string, x *explore.Explorer) (*exploreFile, error) {
	f := &exploreFile{name: name, at: time.Now()}
	if err := regular(name); err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err := saveExplore(name, x); err != nil {
			return nil, err
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		f.size = info.Size()
	case err != nil:
		return nil, err
	default:
		f.size, err = x.Resume(file)
		file.Close()
		if err != nil {
			return nil, err
		}
	}
	if f.file, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0o644); err != nil {
		return nil, err
	}
	f.to = f.file
	x.Logs()
	return f, f.file.Truncate(f.size)
}

// saveExplore writes a whole search beside the file first: a full disk or a kill leaves none that is cut off.
func saveExplore(name string, x *explore.Explorer) error {
	file, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	err = x.Save(file)
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return errors.Join(err, os.Remove(name+".new"))
	}
	return os.Rename(name+".new", name)
}

// Write implements io.Writer.
func (f *exploreFile) Write(data []byte) (int, error) {
	n, err := f.to.Write(data)
	f.size += int64(n)
	return n, err
}

// keep writes what is new, if it is time.
func (f *exploreFile) keep(x *explore.Explorer, now bool) error {
	if f == nil || !now && time.Since(f.at) < keptEvery {
		return nil
	}
	whole := f.size
	if err := x.Append(f); err != nil {
		f.size = whole
		_ = f.file.Truncate(whole) // the next openExplore drops it as well
		return fmt.Errorf(
			"--resume %s: %w; it keeps the search until %s before, and the same command goes on from there", f.name,
			err, time.Since(f.at).Round(time.Second/10))
	}
	f.at = time.Now()
	return nil
}

// remove removes the file of a search that is over: it has nothing to go on with.
func (f *exploreFile) remove() error {
	if err := os.Remove(f.name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func (f *exploreFile) close() {
	if f != nil {
		f.file.Close()
	}
}
