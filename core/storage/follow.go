package storage

// Place puts a value of another store into the keyspace, at its revision and without an event. Before the first
// Follow, a caller places the other store's values.
func (k *Keyspace[T]) Place(key string, revision int64, value T) {
	k.enter(key, revision, value)
	k.revision = max(k.revision, revision)
	k.oldest = k.revision
}

// Reach raises the keyspace's revision to the other store's.
func (k *Keyspace[T]) Reach(revision int64) {
	k.revision = max(k.revision, revision)
	k.oldest = k.revision
}

// Follow repeats a write of another store at its revision; a nil value is a deletion. Revisions must grow.
func (k *Keyspace[T]) Follow(key string, revision int64, value *T) {
	k.revision = revision - 1
	if value != nil {
		k.Put(key, *value)
		return
	}
	k.Delete(key)
	k.revision = revision
}

// Undo takes back the writes after a revision. It returns false if the keyspace no longer has all their events.
func (k *Keyspace[T]) Undo(revision int64) bool {
	if revision < k.oldest {
		return false
	}
	k.own()
	for ; k.revision > revision; k.revision-- {
		e := &k.events[len(k.events)-1]
		k.bytes -= k.weight(e)
		k.held -= k.weightOf(e.Key)
		if e.Old == nil {
			k.now.remove(e.Key)
			delete(k.live, e.Key)
		} else {
			k.now.put(e.Old)
			k.live[e.Key] = e.Old
			k.held += e.Old.weight
		}
		k.events = k.events[:len(k.events)-1]
	}
	return true
}
