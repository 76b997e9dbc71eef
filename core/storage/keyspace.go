package storage

import "sort"

// Keyspace holds every object of an API server under its key, one revision counter for all of them, and the latest
// events. It combines etcd with the watch cache in front of it.
//
// Guarantee: revisions only grow, an event never changes, and every state from Oldest on is readable. The keyspace
// owns its values: neither writers nor readers may change them. Non-guarantee: events before Oldest are gone. The
// caller decides whether to allow a write. Source: etcd mvcc, apiserver v0.36 pkg/storage/cacher watch_cache.go.
type Keyspace[T any] struct {
	revision int64
	oldest   int64 // the first revision that reads and watches can start from
	now      View[T]
	shared   bool // whether a view may still read the memory of now
	live     map[string]*Entry[T]
	events   []Event[T]
	kept     int
	bytes    int64 // total size of the values in events
	held     int64 // total size of the live values
	most     int64
	sizes    func(T) int64
}

// Entry is a stored value with the revision of its last write.
type Entry[T any] struct {
	Key      string
	Revision int64
	Value    T
	weight   int64
}

// Event is one write. A creation has no Old. A deletion has the last value in Old and no New.
type Event[T any] struct {
	Key      string
	Revision int64
	Old, New *Entry[T]
}

// NewKeyspace returns an empty keyspace. The argument "kept" is the minimum number of events that it keeps. Its first
// revision is first+1.
func NewKeyspace[T any](first int64, kept int) *Keyspace[T] {
	return &Keyspace[T]{revision: first, oldest: first, live: map[string]*Entry[T]{}, kept: kept}
}

// Bound limits the memory of all event values, in bytes. The argument sizes is a function that measures a value. Beyond
// the limit, the keyspace drops the oldest events, even if fewer than that minimum remain, but never the newest one.
func (k *Keyspace[T]) Bound(most int64, sizes func(T) int64) { k.most, k.sizes = most, sizes }

// Revision returns the revision of the newest write.
func (k *Keyspace[T]) Revision() int64 { return k.revision }

// Oldest returns the first revision that reads and watches can start from.
func (k *Keyspace[T]) Oldest() int64 { return k.oldest }

// Len returns the number of keys.
func (k *Keyspace[T]) Len() int { return len(k.live) }

// Get reads one key.
func (k *Keyspace[T]) Get(key string) (Entry[T], bool) {
	if e := k.live[key]; e != nil {
		return *e, true
	}
	return Entry[T]{}, false
}

// Size returns the approximate bytes of a value, or 0 without a Bound.
func (k *Keyspace[T]) Size(value T) int64 {
	if k.sizes == nil {
		return 0
	}
	return k.sizes(value)
}

// Fits reports whether the live values would stay within a limit in bytes if the key had this value. A value no larger
// than the one it replaces always fits.
func (k *Keyspace[T]) Fits(key string, value T, most int64) bool {
	grows := k.Size(value) - k.weightOf(key)
	return grows <= 0 || k.held+grows <= most
}

// Put stores a value and returns it with its revision.
func (k *Keyspace[T]) Put(key string, value T) Entry[T] {
	k.revision++
	old := k.live[key]
	e := k.enter(key, k.revision, value)
	k.append(Event[T]{Key: key, Revision: k.revision, Old: old, New: e})
	return *e
}

// weightOf returns the size of a key's live value, or 0.
func (k *Keyspace[T]) weightOf(key string) int64 {
	if e := k.live[key]; e != nil {
		return e.weight
	}
	return 0
}

// enter sets the live value of a key.
func (k *Keyspace[T]) enter(key string, revision int64, value T) *Entry[T] {
	e := &Entry[T]{Key: key, Revision: revision, Value: value, weight: k.Size(value)}
	k.held += e.weight - k.weightOf(key)
	k.own()
	k.now.put(e)
	k.live[key] = e
	return e
}

// Delete removes an existing key; its value becomes the event's Old.
func (k *Keyspace[T]) Delete(key string) {
	old := k.live[key]
	if old == nil {
		return
	}
	k.revision++
	k.own()
	k.now.remove(key)
	delete(k.live, key)
	k.held -= old.weight
	k.append(Event[T]{Key: key, Revision: k.revision, Old: old})
}

func (k *Keyspace[T]) append(e Event[T]) {
	k.events = append(k.events, e)
	k.bytes += k.weight(&e)
	gone := 0
	if len(k.events) >= 2*k.kept {
		gone = len(k.events) - k.kept
	}
	if left := k.bytes; left > k.most && k.sizes != nil { // drop down to half the limit, so that this is rare
		at := 0
		for ; at < len(k.events)-1 && left > k.most/2; at++ {
			left -= k.weight(&k.events[at])
		}
		gone = max(gone, at)
	}
	if gone == 0 {
		return
	}
	for i := range k.events[:gone] {
		k.bytes -= k.weight(&k.events[i])
	}
	k.oldest = k.events[gone-1].Revision
	k.events = append(make([]Event[T], 0, 2*(len(k.events)-gone)), k.events[gone:]...)
}

func (k *Keyspace[T]) weight(e *Event[T]) int64 {
	if e.New == nil {
		return 0
	}
	return e.New.weight
}

// Forget drops all events so far, as a watch cache does when it restarts over the same etcd.
func (k *Keyspace[T]) Forget() {
	k.events, k.oldest, k.bytes = nil, k.revision, 0
}

// Range and Count read the newest state: see View.
func (k *Keyspace[T]) Range(prefix, from string, yield func(Entry[T]) bool) {
	k.now.Range(prefix, from, yield)
}

// Count returns the number of keys that have the prefix and are not below the key "from".
func (k *Keyspace[T]) Count(prefix, from string) int { return k.now.Count(prefix, from) }

// Changed reports whether a write under the prefix came after a revision, which must be at least Oldest.
func (k *Keyspace[T]) Changed(prefix string, revision int64) bool {
	for i := len(k.events) - 1; i >= 0 && k.events[i].Revision > revision; i-- {
		if key := k.events[i].Key; len(key) >= len(prefix) && key[:len(prefix)] == prefix {
			return true
		}
	}
	return false
}

// After returns the events after a revision, oldest first, up to a maximum number of events. The caller must not
// change them.
func (k *Keyspace[T]) After(revision int64, most int) []Event[T] {
	at := sort.Search(len(k.events), func(i int) bool { return k.events[i].Revision > revision })
	return k.events[at:min(len(k.events), at+most)]
}
