package storage

// Other is one version of an object that is not a numbered Lease. The API serves it; no elector reads it.
type Other struct {
	AtNs     int64
	Revision int64
	Key      string
	Object   string // its JSON in the form in which a request wrote it; "" if Candidate is set
	// the LeaseCandidate that a client or a controller wrote; if Object is also "", this version is a deletion
	Candidate CandidateObject
	Based     int32 // for a Candidate: ordinal, from 1, of the Other whose metadata this version keeps; 0 if none
}

// Deleted reports whether this version is a deletion.
func (a *Other) Deleted() bool { return a.Object == "" && a.Candidate.ResourceVersion == 0 }

// NextUID returns the UID that the next new Lease will get.
func (s *Store) NextUID() uint64 { return s.uids + 1 }

// Adopt stores a version of a Lease that an API request wrote: its spec, its owners and, as JSON, the metadata that
// the compact form cannot hold, or "". An existing Lease keeps its UID and CreatedNs.
func (s *Store) Adopt(v Version, metadata string) Object {
	o := v.Object
	if live := s.leases[v.Lease]; live.ResourceVersion != 0 {
		o.UID, o.CreatedNs = live.UID, live.CreatedNs
	} else {
		s.uids++
		o.UID, o.CreatedNs = s.uids, v.AtNs
	}
	o.Metadata, o.Taken = 0, 0
	if metadata != "" {
		s.metadata = append(s.metadata, metadata)
		o.Metadata = int32(len(s.metadata))
	}
	s.leases[v.Lease] = o
	s.record(v.AtNs, v.By, v.Lease)
	return s.leases[v.Lease]
}

// Metadata returns the JSON that an Object.Metadata stands for, or "" for 0.
func (s *Store) Metadata(number int32) string {
	if number == 0 {
		return ""
	}
	return s.metadata[number-1]
}

// PutOther stores a version of an object that is not a numbered Lease, and returns its revision.
func (s *Store) PutOther(atNs int64, key, object string) int64 {
	s.revision++
	s.others = append(s.others, Other{AtNs: atNs, Revision: s.revision, Key: key, Object: object})
	return s.revision
}

// Others returns all versions of the objects that are not numbered Leases, oldest first.
func (s *Store) Others() []Other { return s.others }
