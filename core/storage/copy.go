package storage

// CopyTo makes another store an independent copy without the history and without the other objects, in the memory that it has. A
// rollback and a read from a cache that lags need the history: a copy cannot do either.
func (s *Store) CopyTo(to *Store) {
	leases, open := to.leases[:0], to.history.open[:0]
	*to = Store{revision: s.revision, uids: s.uids, loose: s.loose, metadata: s.metadata[:len(s.metadata):len(s.metadata)]}
	to.leases = append(leases, s.leases...)
	to.history.open = open
}
