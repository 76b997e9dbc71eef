package storage

import "sort"

// Place puts a value that was stored elsewhere at a revision into the keyspace without an event: where following begins.
func (k *Keyspace[T]) Place(key string, revision int64, value T) {
	if _, has := k.live[key]; !has {
		at := sort.SearchStrings(k.keys, key)
		k.keys = append(k.keys, "")
		copy(k.keys[at+1:], k.keys[at:])
		k.keys[at] = key
	}
	k.enter(key, revision, value)
	k.revision = max(k.revision, revision)
	k.oldest = k.revision
}

// Reach says that there were writes elsewhere, up to a revision.
func (k *Keyspace[T]) Reach(revision int64) {
	k.revision = max(k.revision, revision)
	k.oldest = k.revision
}

// Follow stores what a write elsewhere left at a revision: a value, or nothing for a deletion. Revisions must grow.
func (k *Keyspace[T]) Follow(key string, revision int64, value *T) {
	k.revision = revision - 1
	if value != nil {
		k.Put(key, *value)
		return
	}
	k.Delete(key)
	k.revision = revision
}
