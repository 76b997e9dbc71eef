package storage

import "sort"

// Rollback returns the store to its state after an instant, as restoring a backup does. It assigns the later
// revisions again, but never reuses a UID. The history keeps the lost versions and appends the restored state of
// each Lease that changed. Rollback returns false, and does nothing, if the history no longer reaches back to toNs,
// or if the store has LeaseCandidates, whose past it does not keep. Source: etcd v3.5 snapshot restore without
// --bump-revision.
func (s *Store) Rollback(atNs, toNs int64) bool {
	if len(s.candidates) > 0 || toNs < s.forgottenNs {
		return false
	}
	newest := s.history.IndexAt(toNs)
	if newest < 0 && s.history.First() > 0 {
		return false
	}
	leases := make([]Object, len(s.leases))
	found, known := 0, s.never()
	for _, never := range known {
		if never {
			found++
		}
	}
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
	s.revision = 0
	if newest >= 0 {
		s.revision = s.history.At(newest).Object.ResourceVersion
	}
	others := len(s.others)
	for others > 0 && s.others[others-1].AtNs > toNs {
		others--
	}
	s.others = s.others[:others:others]
	if others > 0 {
		s.revision = max(s.revision, s.others[others-1].Revision)
	}
	s.appendRestored(atNs, leases)
	return true
}

// The result of never says which Leases do not exist and, according to the history, never did.
func (s *Store) never() []bool {
	never := make([]bool, len(s.leases))
	for i := range never {
		never[i] = s.leases[i].ResourceVersion == 0
	}
	for i := s.history.First(); i < s.history.Len(); i++ {
		never[s.history.At(i).Lease] = false
	}
	return never
}

// appendRestored appends the restored Leases to the history.
func (s *Store) appendRestored(atNs int64, leases []Object) {
	s.history.starts = append(s.history.starts[:len(s.history.starts):len(s.history.starts)], s.history.Len())
	var changed []int
	for i := range leases {
		if leases[i] != s.leases[i] {
			changed = append(changed, i)
		}
	}
	sort.SliceStable(changed, func(i, j int) bool {
		return leases[changed[i]].ResourceVersion < leases[changed[j]].ResourceVersion
	})
	for _, i := range changed {
		*s.history.Append() = Version{AtNs: atNs, By: -1, Lease: int32(i), Deleted: leases[i].ResourceVersion == 0,
			Object: leases[i]}
	}
	s.history.settled = s.history.Len()
	s.leases = leases
}

// Rollbacks returns the number of rollbacks. After each one, a follower of the store must start over.
func (s *Store) Rollbacks() int { return len(s.history.starts) }

// RollbackEnd returns the ordinal after the last rollback. After that ordinal, resourceVersions only grow.
func (l *Log) RollbackEnd() int { return l.settled }
