package storage

// Other is a version of an object that is not one of the numbered Leases. The API serves it; no elector reads it.
type Other struct {
	AtNs      int64
	Revision  int64
	Key       string
	Object    string          // its JSON as a request left it, or
	Candidate CandidateObject // the LeaseCandidate that a client or a controller wrote; neither: it was deleted
	Based     int32           // with Candidate: the version whose metadata it keeps, among all of them from 1; 0: none
}

// Deleted reports whether this version is the object's deletion.
func (a *Other) Deleted() bool { return a.Object == "" && a.Candidate.ResourceVersion == 0 }

// NextUID returns the number that the next created Lease gets.
func (s *Store) NextUID() uint64 { return s.uids + 1 }

// Adopt stores a Lease that a request to the API wrote: its spec, its owners and, as JSON, the metadata that the compact
// form cannot hold ("" for none). UID and CreatedNs are kept where the Lease was there before.
func (s *Store) Adopt(atNs int64, by, lease int32, o Object, metadata string) Object {
	if live := s.leases[lease]; live.ResourceVersion != 0 {
		o.UID, o.CreatedNs = live.UID, live.CreatedNs
	} else {
		s.uids++
		o.UID, o.CreatedNs = s.uids, atNs
	}
	o.Metadata, o.Taken = 0, 0
	if metadata != "" {
		s.metadata = append(s.metadata, metadata)
		o.Metadata = int32(len(s.metadata))
	}
	s.leases[lease] = o
	s.stored(atNs, by, lease)
	return s.leases[lease]
}

// Metadata returns the JSON that Object.Metadata numbers, "" for 0.
func (s *Store) Metadata(number int32) string {
	if number == 0 {
		return ""
	}
	return s.metadata[number-1]
}

// PutOther stores a version of an object that is not one of the numbered Leases, and returns its revision.
func (s *Store) PutOther(atNs int64, key, object string) int64 {
	s.revision++
	s.others = append(s.others, Other{AtNs: atNs, Revision: s.revision, Key: key, Object: object})
	return s.revision
}

// Others returns all versions of such objects, oldest first.
func (s *Store) Others() []Other { return s.others }
