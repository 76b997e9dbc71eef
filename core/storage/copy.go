package storage

// CopyTo makes another store an independent copy without the history and without the other objects, in the memory that
// it has. A rollback and a read from a cache that lags need the history: a copy cannot do either, and keeps none of
// what it stores.
func (s *Store) CopyTo(to *Store) {
	leases := append(to.leases[:0], s.leases...)
	*to = Store{leases: leases, revision: s.revision, uids: s.uids, loose: s.loose,
		metadata: s.metadata[:len(s.metadata):len(s.metadata)], forgets: true}
}
