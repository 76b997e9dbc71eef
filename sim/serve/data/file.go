//go:build !js

package data

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bberrors "go.etcd.io/bbolt/errors"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// File stores the objects of one server.
type File struct {
	db       *bbolt.DB
	revision int64 // of the newest write in the file

	mu      sync.Mutex
	pending []apiserver.Change
	added   int64 // revision of the newest queued write
	synced  int64
	waiting []waiting
	failure error
	closing bool
	more    chan struct{} // with a buffer of one
	ended   chan struct{}
	failed  chan struct{}
}

// waiting is a caller of Wait.
type waiting struct {
	revision int64
	done     chan struct{}
}

// The buckets and members of the file. A value in objects is eight bytes with the object's revision, followed by the
// object's JSON in the stored version. The digest is the sum of the hashes of all objects and of the revision.
var (
	objectsBucket = []byte("objects")
	stateBucket   = []byte("state")
	formatKey     = []byte("format")
	revisionKey   = []byte("revision")
	digestKey     = []byte("digest")
)

const format = 1

// lockTimeout is how long Open waits for another process to close the file.
const lockTimeout = time.Second

// options are the options of bbolt. The file does not contain the list of free pages, because damage to that list
// would do harm, too.
func options(readOnly bool) *bbolt.Options {
	return &bbolt.Options{Timeout: lockTimeout, ReadOnly: readOnly, NoFreelistSync: true,
		FreelistType: bbolt.FreelistMapType}
}

// Open opens a file, or makes it if it is missing or empty. If it returns an error, the error says what is wrong and
// what to do, and Open has not changed the file.
func Open(path string) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Mode().IsRegular() && info.Size() == 0:
		if err := create(path); err != nil {
			return nil,
				fmt.Errorf(
					"--data %s: cannot create the file: %w; name a file in a folder that leaselab may write to",
					path, err)
		}
	case err != nil:
		return nil, fmt.Errorf("--data: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("--data %s is not a regular file; name a file", path)
	}
	if err := check(path); err != nil {
		return nil, describeError(path, err)
	}
	db, err := open(path, false)
	if err != nil {
		return nil, describeError(path, err)
	}
	f := &File{db: db, more: make(chan struct{}, 1), ended: make(chan struct{}), failed: make(chan struct{})}
	if err := db.View(func(tx *bbolt.Tx) error {
		f.revision = int64(number(tx.Bucket(stateBucket).Get(revisionKey)))
		return nil
	}); err != nil {
		return nil, describeError(path, errors.Join(err, db.Close()))
	}
	f.added, f.synced = f.revision, f.revision
	go f.write()
	return f, nil
}

// describeError rewords an error that occurred while opening a file.
func describeError(path string, err error) error {
	switch {
	case errors.Is(err, bberrors.ErrTimeout):
		return fmt.Errorf("--data %s is in use by another process; stop it, or name another file", path)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("--data %s: cannot open the file: %w", path, err)
	}
	return fmt.Errorf(
		"--data %s is damaged or not a file of leaselab serve: %w. leaselab left it alone; name another file, or "+
			"restore a copy", path, err)
}

// `open` opens the file with bbolt. bbolt panics on some damage, and then keeps the file locked until the process ends.
func open(path string, readOnly bool) (db *bbolt.DB, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			db, err = nil, fmt.Errorf("%v", r)
		}
	}()
	return bbolt.Open(path, 0o600, options(readOnly))
}

// create first makes an empty file in a new folder beside it, so that the file is never half made, even if the process
// dies. If the path is a link to a missing file, create makes the file that the link names.
func create(path string) error {
	if to, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		return create(to)
	}
	folder, err := os.MkdirTemp(filepath.Dir(path), ".leaselab-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	making := filepath.Join(folder, "new")
	db, err := bbolt.Open(making, 0o600, options(false))
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		state, err := tx.CreateBucket(stateBucket)
		if err != nil {
			return err
		}
		if _, err := tx.CreateBucket(objectsBucket); err != nil {
			return err
		}
		return errors.Join(state.Put(formatKey, eight(format)), state.Put(revisionKey, eight(0)),
			state.Put(digestKey, eight(hash(revisionKey, eight(0)))))
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := os.Rename(making, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes the name of a new file durable, where the system can.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = folder.Sync() // Windows cannot sync a folder
	return folder.Close()
}

// `check` reads the whole file before anything uses it, and checks its format and the digest of its objects. bbolt
// trusts its pages: because of a damaged page it may panic or read beyond its memory. `check` turns such a read into a
// panic.
func check(path string) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	db, err := open(path, true) // locks the file against writers
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return db.View(func(tx *bbolt.Tx) error {
		// Later writes would use the pages that a truncated file has lost, even if no object uses them now.
		if info, err := os.Stat(path); err != nil || info.Size() < tx.Size() {
			return errors.Join(err, fmt.Errorf("the file has fewer than its %d bytes", tx.Size()))
		}
		state, objects := tx.Bucket(stateBucket), tx.Bucket(objectsBucket)
		if state == nil || objects == nil {
			return errors.New("its two buckets are missing")
		}
		if have := number(state.Get(formatKey)); have != format {
			return fmt.Errorf("its format is %d; this leaselab reads %d", have, format)
		}
		digest := hash(revisionKey, state.Get(revisionKey))
		astray := false // an object exists, but a lookup does not find it
		err := objects.ForEach(func(key, value []byte) error {
			digest += hash(key, value)
			astray = astray || !bytes.Equal(objects.Get(key), value)
			return nil
		})
		if err == nil && (astray || digest != number(state.Get(digestKey))) {
			return errors.New("its objects differ from the ones that leaselab wrote")
		}
		return err
	})
}

// Empty reports whether no server has stored anything in the file.
func (f *File) Empty() bool { return f.revision == 0 }

// Revision returns the revision of the newest write in the file at the time of Open.
func (f *File) Revision() int64 { return f.revision }

// Restore puts the objects and the revision of the file into an empty server.
func (f *File) Restore(server *apiserver.Server) error {
	err := f.db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(objectsBucket).ForEach(func(key, value []byte) error {
			o, err := tree(bytes.Clone(value[8:]))
			if err != nil {
				return fmt.Errorf("the object %s: %w", key, err)
			}
			server.Place(apiserver.Change{Key: string(key), Revision: int64(number(value)), Object: o})
			return nil
		})
	})
	server.Reach(f.revision)
	return err
}

// tree returns an object in the form that the server uses: the field sets of managedFields stay JSON.
func tree(document []byte) (wire.Map, error) {
	n, err := wire.Parse(document)
	if err != nil {
		return nil, err
	}
	o, _ := wire.Tree(n).(wire.Map)
	entries := wire.List(o, "metadata", "managedFields")
	if entries == nil {
		return o, nil
	}
	for i, entry := range n.Member("metadata").Member("managedFields").Items {
		if fields := entry.Member("fieldsV1"); fields != nil {
			wire.Set(entries[i].(wire.Map), wire.Encoded(fields.Raw(document)), "fieldsV1")
		}
	}
	return o, nil
}

// Add puts writes into the queue, in order, up to a revision. It does not wait. After the call, nobody may change the
// objects.
func (f *File) Add(revision int64, changes []apiserver.Change) {
	f.mu.Lock()
	f.pending = append(f.pending, changes...)
	f.added = revision
	f.mu.Unlock()
	f.wake()
}

// wake lets the goroutine of `write` look at the queue.
func (f *File) wake() {
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// Wait returns when the disk has every write up to a revision. It returns an error if that is impossible. After the
// first failure the file stores nothing more, because a later write must not survive if an earlier one did not.
func (f *File) Wait(revision int64) error {
	f.mu.Lock()
	if f.failure != nil || f.synced >= revision {
		defer f.mu.Unlock()
		return f.failure
	}
	w := waiting{revision, make(chan struct{})}
	f.waiting = append(f.waiting, w)
	f.mu.Unlock()
	<-w.done
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.synced >= revision {
		return nil
	}
	return f.failure
}

// Failed returns a channel that closes when a write fails. Then Err says why.
func (f *File) Failed() <-chan struct{} { return f.failed }

// Err returns why a write failed, or nil.
func (f *File) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failure
}

// Close stores the queued writes and closes the file.
func (f *File) Close() error {
	f.mu.Lock()
	f.closing = true
	f.mu.Unlock()
	f.wake()
	<-f.ended
	return errors.Join(f.Err(), f.db.Close())
}

// `write` stores queued writes until the file closes. Each transaction stores all writes in the queue, so they share
// one sync. While the disk syncs for a few milliseconds, more writes arrive in the queue, and the next transaction
// stores those together.
func (f *File) write() {
	defer close(f.ended)
	for range f.more {
		f.mu.Lock()
		changes, revision, closing, failed := f.pending, f.added, f.closing, f.failure != nil
		f.pending = nil
		f.mu.Unlock()
		if revision > f.synced && !failed {
			f.settle(revision, f.store(revision, changes))
		}
		if closing {
			return
		}
	}
}

// settle wakes the callers of Wait whose writes the disk has, or all callers if err is not nil.
func (f *File) settle(revision int64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.failure = fmt.Errorf("--data %s: %w", f.db.Path(), err)
		close(f.failed)
	} else {
		f.synced = revision
	}
	f.waiting = slices.DeleteFunc(f.waiting, func(w waiting) bool {
		over := w.revision <= f.synced || f.failure != nil
		if over {
			close(w.done)
		}
		return over
	})
}

// `store` stores changes in one transaction. Since the digest is a sum of hashes, `store` can update it without reading
// the rest of the file: it subtracts the old object's hash and adds the new one's.
func (f *File) store(revision int64, changes []apiserver.Change) error {
	return f.db.Update(func(tx *bbolt.Tx) error {
		state, objects := tx.Bucket(stateBucket), tx.Bucket(objectsBucket)
		digest := number(state.Get(digestKey)) - hash(revisionKey, state.Get(revisionKey))
		for i := range changes {
			c := &changes[i]
			key := []byte(c.Key)
			if old := objects.Get(key); old != nil {
				digest -= hash(key, old)
			}
			if c.Object == nil {
				if err := objects.Delete(key); err != nil {
					return err
				}
				continue
			}
			value := wire.Encode(eight(uint64(c.Revision)), c.Object, nil)
			digest += hash(key, value)
			if err := objects.Put(key, value); err != nil {
				return err
			}
		}
		return errors.Join(state.Put(revisionKey, eight(uint64(revision))),
			state.Put(digestKey, eight(digest+hash(revisionKey, eight(uint64(revision))))))
	})
}

// hash is FNV-1a over a key, its length and a value.
func hash(key, value []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(eight(uint64(len(key)))) // a hash never fails
	_, _ = h.Write(key)
	_, _ = h.Write(value)
	return h.Sum64()
}

func eight(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// `number` reads the first eight bytes of a value. If the value is shorter, it returns 0.
func number(value []byte) uint64 {
	if len(value) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(value)
}
