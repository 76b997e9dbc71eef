package storage

import "github.com/leaselab/leaselab/core/coordination"

// CandidateObject is a stored LeaseCandidate. A ResourceVersion of 0 means that it does not exist.
type CandidateObject struct {
	ResourceVersion int64
	UID             uint64
	CreatedNs       int64
	Spec            coordination.Candidate
}

// Candidate reads a LeaseCandidate by its number.
func (s *Store) Candidate(number int32) (CandidateObject, Outcome) {
	if int(number) >= len(s.candidates) || s.candidates[number].ResourceVersion == 0 {
		return CandidateObject{}, NotFound
	}
	return s.candidates[number], OK
}

// CreateCandidate stores a new LeaseCandidate.
func (s *Store) CreateCandidate(atNs int64, number int32, spec coordination.Candidate) (CandidateObject, Outcome) {
	for int(number) >= len(s.candidates) {
		s.candidates = append(s.candidates, CandidateObject{})
	}
	o := &s.candidates[number]
	if o.ResourceVersion != 0 {
		return CandidateObject{}, AlreadyExists
	}
	s.uids++
	s.revision++
	*o = CandidateObject{ResourceVersion: s.revision, UID: s.uids, CreatedNs: atNs, Spec: spec}
	return *o, Created
}

// UpdateCandidate replaces the spec of a LeaseCandidate if resourceVersion and uid match the stored object.
func (s *Store) UpdateCandidate(number int32, resourceVersion int64, uid uint64,
	spec coordination.Candidate) (CandidateObject, Outcome) {
	if int(number) >= len(s.candidates) {
		return CandidateObject{}, Conflict
	}
	o := &s.candidates[number]
	switch {
	case o.ResourceVersion == 0 || o.ResourceVersion != resourceVersion || o.UID != uid:
		return CandidateObject{}, Conflict
	case o.Spec == spec:
		return *o, Unchanged
	}
	s.revision++
	o.ResourceVersion, o.Spec = s.revision, spec
	return *o, Updated
}

// AdoptCandidate stores a LeaseCandidate that an API request wrote.
func (s *Store) AdoptCandidate(atNs int64, number int32, spec coordination.Candidate) CandidateObject {
	if o, outcome := s.CreateCandidate(atNs, number, spec); outcome == Created {
		return o
	}
	s.revision++
	o := &s.candidates[number]
	o.ResourceVersion, o.Spec = s.revision, spec
	return *o
}

// DeleteCandidate removes a LeaseCandidate.
func (s *Store) DeleteCandidate(number int32) (CandidateObject, Outcome) {
	o, outcome := s.Candidate(number)
	if outcome != OK {
		return o, outcome
	}
	s.revision++
	o.ResourceVersion = s.revision
	s.candidates[number] = CandidateObject{}
	return o, Deleted
}

// Note adds a version to Others, for reads and watches. The version has the revision of a write that the store
// already contains.
func (s *Store) Note(a Other) { s.others = append(s.others, a) }
