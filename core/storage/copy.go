package storage

// CopyTo turns another store into an independent copy without the history and the other objects. It reuses the memory
// of that other store. Rollbacks and reads from a lagging cache need the history, so a copy can do neither. It keeps no
// history of later writes.
func (s *Store) CopyTo(to *Store) {
	leases := append(to.leases[:0], s.leases...)
	*to = Store{leases: leases, revision: s.revision, uids: s.uids, loose: s.loose,
		metadata: s.metadata[:len(s.metadata):len(s.metadata)], forgets: true}
}
