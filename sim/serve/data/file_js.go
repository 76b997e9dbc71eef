//go:build js

package data

import (
	"errors"

	"github.com/leaselab/leaselab/core/apiserver"
)

// File stands for a file of objects. WebAssembly cannot open files.
type File struct{}

// Open returns an error.
func Open(string) (*File, error) {
	return nil, errors.New("this build of leaselab cannot keep objects in a file")
}

// Empty reports whether the file is new.
func (*File) Empty() bool { return true }

// Revision returns the revision of the newest write in the file.
func (*File) Revision() int64 { return 0 }

// Restore puts the objects of the file into a server.
func (*File) Restore(*apiserver.Server) error { return nil }

// Add puts writes into the queue.
func (*File) Add(int64, []apiserver.Change) {}

// Wait returns at once.
func (*File) Wait(int64) error { return nil }

// Failed returns a channel that never closes.
func (*File) Failed() <-chan struct{} { return nil }

// Close closes the file.
func (*File) Close() error { return nil }
