package storage

import "slices"

// Forget drops what only rollbacks and views of the past need: older versions of Others, and, in older versions of
// Leases, the metadata that came from requests. From then on, Rollback refuses an instant before atNs. The function
// renumber maps the old number of each Other to its new one; both count from 1, and 0 means none.
func (s *Store) Forget(atNs int64) (renumber func(int32) int32) {
	s.forgottenNs = atNs
	newest, based := map[string]int{}, map[int]bool{}
	for i := range s.others {
		newest[s.others[i].Key] = i
	}
	for _, i := range newest {
		based[int(s.others[i].Based)-1] = true
	}
	var kept []Other
	numbers := map[int32]int32{}
	for i := range s.others {
		a := s.others[i]
		if (newest[a.Key] != i || a.Deleted()) && !based[i] {
			continue
		}
		kept = append(kept, a)
		numbers[int32(i)+1] = int32(len(kept))
	}
	for i := range kept {
		kept[i].Based = numbers[kept[i].Based]
	}
	s.others = kept
	s.forgetMetadata()
	return func(old int32) int32 { return numbers[old] }
}

// RememberedCount returns how many versions and pieces of metadata the store holds, including the ones that Forget
// would keep.
func (s *Store) RememberedCount() int { return len(s.others) + len(s.metadata) }

// forgetMetadata keeps only the metadata of the stored Leases.
func (s *Store) forgetMetadata() {
	var kept []string
	for i := range s.leases {
		if o := &s.leases[i]; o.Metadata != 0 {
			kept = append(kept, s.metadata[o.Metadata-1])
			o.Metadata = int32(len(kept))
		}
	}
	s.metadata = kept
	s.history.change(func(v *Version) bool { return v.Object.Metadata != 0 }, func(v *Version) {
		v.Object.Metadata = 0
		if live := &s.leases[v.Lease]; !v.Deleted && live.ResourceVersion == v.Object.ResourceVersion {
			v.Object.Metadata = live.Metadata
		}
	})
}

// change modifies the versions for which the function due returns true. It copies their chunks first, because clones
// share the old ones.
func (l *Log) change(due func(*Version) bool, change func(*Version)) {
	apply := func(versions []Version) (any bool) {
		for i := range versions {
			if due(&versions[i]) {
				change(&versions[i])
				any = true
			}
		}
		return any
	}
	l.sealed = slices.Clone(l.sealed)
	for k, c := range l.sealed {
		if versions := c.unpack(); apply(versions) {
			l.sealed[k] = pack(versions)
		}
	}
	l.open, l.shared = append(make([]Version, 0, chunkSize), l.open...), false
	apply(l.open)
}
