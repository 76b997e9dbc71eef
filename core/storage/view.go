package storage

import (
	"slices"
	"sort"
	"strings"
)

// View is the state of a keyspace at one revision. Later writes do not change it, so a reader needs no lock, and views
// share almost all of their memory.
//
// The entries are in the order of their keys, in chunks. A write copies only the chunk that it changes.
type View[T any] struct {
	chunks [][]*Entry[T]
	undo   []Event[T] // the writes to undo in the entries
}

// mostInChunk is the maximum length of a chunk.
const mostInChunk = 256

// View returns the state at a revision that is at least Oldest.
func (k *Keyspace[T]) View(revision int64) View[T] {
	k.shared = true
	v := k.now
	if revision < k.revision {
		v.undo = k.After(revision, len(k.events))
	}
	return v
}

// IsPast reports whether the first read of the view takes long, because it undoes writes.
func (v *View[T]) IsPast() bool { return len(v.undo) > 0 }

// own makes the list of chunks the keyspace's own, before a write changes it.
func (k *Keyspace[T]) own() {
	if k.shared {
		k.now.chunks, k.shared = slices.Clone(k.now.chunks), false
	}
}

// find returns the position of the first entry whose key the function reached accepts. It accepts all later keys, too.
func (v *View[T]) find(reached func(key string) bool) (chunk, at int) {
	chunk = sort.Search(len(v.chunks), func(i int) bool {
		c := v.chunks[i]
		return reached(c[len(c)-1].Key)
	})
	if chunk < len(v.chunks) {
		c := v.chunks[chunk]
		at = sort.Search(len(c), func(i int) bool { return reached(c[i].Key) })
	}
	return chunk, at
}

// put adds an entry, or replaces the entry with its key.
func (v *View[T]) put(e *Entry[T]) {
	i, at := v.find(func(key string) bool { return key >= e.Key })
	if i == len(v.chunks) {
		if i == 0 {
			v.chunks = append(v.chunks, []*Entry[T]{e})
			return
		}
		i--
		at = len(v.chunks[i])
	}
	old := v.chunks[i]
	if at < len(old) && old[at].Key == e.Key {
		c := slices.Clone(old)
		c[at], v.chunks[i] = e, c
		return
	}
	c := append(append(append(make([]*Entry[T], 0, len(old)+1), old[:at]...), e), old[at:]...)
	if v.chunks[i] = c; len(c) > mostInChunk {
		half := len(c) / 2
		v.chunks[i] = c[:half:half]
		v.chunks = slices.Insert(v.chunks, i+1, c[half:])
	}
}

// remove removes the entry with an existing key.
func (v *View[T]) remove(key string) {
	i, at := v.find(func(k string) bool { return k >= key })
	if len(v.chunks[i]) == 1 {
		v.chunks = slices.Delete(v.chunks, i, i+1)
		return
	}
	v.chunks[i] = slices.Delete(slices.Clone(v.chunks[i]), at, at+1)
}

// Range calls yield for each entry whose key has the prefix and is not below the key "from", in order of keys, until
// yield returns false.
func (v *View[T]) Range(prefix, from string, yield func(Entry[T]) bool) {
	v.each(prefix, from, func(e *Entry[T]) bool { return yield(*e) })
}

func (v *View[T]) each(prefix, from string, yield func(*Entry[T]) bool) {
	v.settle(prefix)
	from = max(from, prefix)
	i, at := v.find(func(key string) bool { return key >= from })
	for ; i < len(v.chunks); i, at = i+1, 0 {
		for _, e := range v.chunks[i][at:] {
			if !strings.HasPrefix(e.Key, prefix) || !yield(e) {
				return
			}
		}
	}
}

// Count returns the number of keys that have the prefix and are not below the key "from".
func (v *View[T]) Count(prefix, from string) int {
	v.settle(prefix)
	from = max(from, prefix)
	i, at := v.find(func(key string) bool { return key >= from })
	end, rest := v.find(func(key string) bool { return key >= from && !strings.HasPrefix(key, prefix) })
	count := rest - at
	for ; i < end; i++ {
		count += len(v.chunks[i])
	}
	return count
}

// Get reads one key.
func (v *View[T]) Get(key string) (e Entry[T], has bool) {
	v.Range(key, key, func(found Entry[T]) bool {
		e, has = found, found.Key == key
		return false
	})
	return e, has
}

// settle undoes the writes under a prefix after the view's revision. From then on the view has no other keys.
func (v *View[T]) settle(prefix string) {
	if len(v.undo) == 0 {
		return
	}
	old := map[string]*Entry[T]{}
	for i := len(v.undo) - 1; i >= 0; i-- {
		if e := &v.undo[i]; strings.HasPrefix(e.Key, prefix) {
			old[e.Key] = e.Old
		}
	}
	v.undo = nil
	if len(old) == 0 {
		return
	}
	var then []*Entry[T]
	v.each(prefix, "", func(e *Entry[T]) bool {
		if was, changed := old[e.Key]; !changed {
			then = append(then, e)
		} else if was != nil {
			then = append(then, was)
		}
		delete(old, e.Key)
		return true
	})
	settled := len(then)
	for _, was := range old { // a later write deleted the object
		if was != nil {
			then = append(then, was)
		}
	}
	if len(then) > settled {
		sort.Slice(then, func(i, j int) bool { return then[i].Key < then[j].Key })
	}
	if v.chunks = nil; len(then) > 0 {
		v.chunks = [][]*Entry[T]{then}
	}
}
