package storage

// Rollback makes the store what it was after an instant, as a restored backup does: what was stored since is gone from the
// history too, and its revisions are given out again. UIDs are not. It reports false, and does nothing, if the history no
// longer reaches back that far, or if there are LeaseCandidates, whose past is not kept.
// Source: etcd v3.5 snapshot restore without --bump-revision.
func (s *Store) Rollback(toNs int64) bool {
	if len(s.candidates) > 0 {
		return false
	}
	newest := s.history.IndexAt(toNs)
	if newest < 0 && s.history.First() > 0 {
		return false
	}
	leases := make([]Object, len(s.leases))
	found, known := 0, make([]bool, len(s.leases))
	for i := newest; i >= s.history.First() && found < len(leases); i-- {
		v := s.history.At(i)
		if known[v.Lease] {
			continue
		}
		known[v.Lease] = true
		found++
		if !v.Deleted {
			leases[v.Lease] = v.Object
		}
	}
	if found < len(leases) && s.history.First() > 0 {
		return false
	}
	s.leases = leases
	s.revision = 0
	if newest >= 0 {
		s.revision = s.history.At(newest).Object.ResourceVersion
	}
	s.history.truncate(newest + 1)
	asides := len(s.asides)
	for asides > 0 && s.asides[asides-1].AtNs > toNs {
		asides--
	}
	s.asides = s.asides[:asides:asides]
	if asides > 0 {
		s.revision = max(s.revision, s.asides[asides-1].Revision)
	}
	s.rollbacks++
	return true
}

// Rollbacks is how often the store has gone back: what followed it before must begin anew.
func (s *Store) Rollbacks() int { return s.rollbacks }

// truncate forgets the versions from an ordinal on. Clones keep theirs: the chunk that is cut is copied.
func (l *Log) truncate(length int) {
	if length >= l.length {
		return
	}
	inLast := (length - l.base()) % chunkSize
	l.chunks = append([][]Version(nil), l.chunks[:(length-l.base()+chunkSize-1)/chunkSize]...)
	if inLast > 0 {
		last := &l.chunks[len(l.chunks)-1]
		*last = append(make([]Version, 0, chunkSize), (*last)[:inLast]...)
	}
	l.length = length
}
