// Package storage is the versioned store behind the API: one revision counter, compare-and-swap on resourceVersion,
// uid preconditions, and a history of every stored version.
//
// Guarantee: at most one of two writes with the same resourceVersion succeeds, and a write of an identical object
// stores nothing. Non-guarantee: nothing here knows who is allowed to write; an administrator may store anything valid.
// Source: apiserver v0.37.2 storage/etcd3 store GuaranteedUpdate, registry/generic/registry Store.
package storage

import "github.com/leaselab/leaselab/core/coordination"

// Outcome is the answer of the store.
type Outcome uint8

const (
	OK Outcome = iota
	Created
	Updated
	Unchanged
	Deleted
	NotFound
	AlreadyExists
	Conflict
	Invalid
)

var outcomeNames = [...]string{"ok", "created", "updated", "unchanged", "deleted", "404_not_found", "409_already_exists", "409_conflict", "422_invalid"}

func (o Outcome) String() string { return outcomeNames[o] }

// Accepted reports whether the request succeeded.
func (o Outcome) Accepted() bool { return o <= Deleted }

// Object is a stored Lease. With ResourceVersion 0 it does not exist.
type Object struct {
	ResourceVersion int64
	UID             uint64
	CreatedNs       int64 // virtual instant of creation
	Spec            coordination.Record
	Managers        [2]Manager // electors, then administrators
	Touches         int32      // metadata writes that left the spec alone
	// Metadata is the number of the metadata that a request to the API wrote, see Store.Metadata; 0 is none.
	Metadata int32
	// Taken are the fields of the spec that typed writes have changed since: those that Metadata names as owners of them
	// own them no longer.
	Taken coordination.Fields
}

// Manager is an entry of managedFields: a client, the fields of the spec that it owns, and its last change.
type Manager struct {
	Seconds int32 // virtual instant, whole seconds: all that the wire keeps of it
	Owned   coordination.Fields
}

// manage moves the ownership of the fields a write changed to its manager.
func (o *Object) manage(atNs int64, by int32, before *coordination.Record) {
	m := 0
	if by < 0 {
		m = 1
	}
	changed := o.Spec.Differing(before) & o.Spec.Present
	o.Managers[1-m].Owned &= o.Spec.Present &^ changed
	o.Managers[m].Owned = o.Managers[m].Owned&o.Spec.Present | changed
	o.Managers[m].Seconds = int32(atNs / 1_000_000_000)
	if o.Metadata != 0 {
		o.Taken |= o.Spec.Differing(before)
	}
}

// Version is one entry of the history.
type Version struct {
	AtNs    int64
	By      int32 // who wrote it: the caller's number
	Lease   int32
	Deleted bool
	Object  Object
}

// KeptVersions is the least number of versions that the history keeps. Older ones are compacted, as in etcd.
const KeptVersions = 1 << 16

// Store holds the Leases of one API server, numbered by the caller.
type Store struct {
	revision int64
	uids     uint64
	leases   []Object
	loose    int32 // from this number on they are no Leases: their records are not validated
	history  Log
	metadata []string
	others   []Other
	// forgottenNs is when Forget was last called: nothing can be rolled back to before it.
	forgottenNs int64
	// candidates are the LeaseCandidates, numbered by the caller.
	candidates []CandidateObject
}

// New returns a store for n Leases, none of which exists.
func New(n int) Store { return Store{leases: make([]Object, n), loose: int32(n)} }

// NewWithConfigMap returns a store for n Leases and, at index n, the lock ConfigMap. Its record is an annotation, which the
// API does not validate.
func NewWithConfigMap(n int) Store { return Store{leases: make([]Object, n+1), loose: int32(n)} }

func (s *Store) valid(lease int32, spec *coordination.Record) bool {
	return lease >= s.loose || spec.Valid()
}

// Clone returns an independent store that shares the history written so far.
func (s *Store) Clone() Store {
	c := *s
	c.leases = append([]Object(nil), s.leases...)
	c.history = s.history.Clone()
	c.metadata = s.metadata[:len(s.metadata):len(s.metadata)]
	c.others = s.others[:len(s.others):len(s.others)]
	c.candidates = append([]CandidateObject(nil), s.candidates...)
	return c
}

// Revision returns the resourceVersion of the newest write.
func (s *Store) Revision() int64 { return s.revision }

// History returns every version stored so far, oldest first.
func (s *Store) History() *Log { return &s.history }

// Get reads a Lease.
func (s *Store) Get(lease int32) (Object, Outcome) {
	o := s.leases[lease]
	if o.ResourceVersion == 0 {
		return Object{}, NotFound
	}
	return o, OK
}

// Create stores a new Lease.
func (s *Store) Create(atNs int64, by, lease int32, spec coordination.Record) (Object, Outcome) {
	if !s.valid(lease, &spec) {
		return Object{}, Invalid
	}
	if s.leases[lease].ResourceVersion != 0 {
		return Object{}, AlreadyExists
	}
	s.uids++
	o := &s.leases[lease]
	*o = Object{UID: s.uids, CreatedNs: atNs, Spec: spec}
	o.manage(atNs, by, &coordination.Record{})
	s.stored(atNs, by, lease)
	return *o, Created
}

// Update replaces the spec if resourceVersion and uid are still those of the stored Lease.
func (s *Store) Update(atNs int64, by, lease int32, resourceVersion int64, uid uint64, spec coordination.Record) (Object, Outcome) {
	if !s.valid(lease, &spec) {
		return Object{}, Invalid
	}
	o := &s.leases[lease]
	// An update of a deleted Lease is a conflict, too: its uid no longer exists.
	if o.ResourceVersion == 0 || o.UID != uid || o.ResourceVersion != resourceVersion {
		return Object{}, Conflict
	}
	outcome := s.replace(atNs, by, lease, &spec)
	return *o, outcome
}

// Put stores a spec unconditionally, creating the Lease if there is none.
func (s *Store) Put(atNs int64, by, lease int32, spec coordination.Record) (Object, Outcome) {
	if s.leases[lease].ResourceVersion == 0 {
		return s.Create(atNs, by, lease, spec)
	}
	if !s.valid(lease, &spec) {
		return Object{}, Invalid
	}
	outcome := s.replace(atNs, by, lease, &spec)
	return s.leases[lease], outcome
}

// Touch changes metadata only.
func (s *Store) Touch(atNs int64, by, lease int32) (Object, Outcome) {
	o := &s.leases[lease]
	if o.ResourceVersion == 0 {
		return Object{}, NotFound
	}
	o.Touches++
	s.stored(atNs, by, lease)
	return *o, Updated
}

// Delete removes the Lease.
func (s *Store) Delete(atNs int64, by, lease int32) (Object, Outcome) {
	o := s.leases[lease]
	if o.ResourceVersion == 0 {
		return Object{}, NotFound
	}
	s.revision++
	o.ResourceVersion = s.revision
	*s.history.Append() = Version{AtNs: atNs, By: by, Lease: lease, Deleted: true, Object: o}
	s.leases[lease] = Object{}
	return o, Deleted
}

// replace changes the stored Lease in place: it is the hot path of every renewal.
func (s *Store) replace(atNs int64, by, lease int32, spec *coordination.Record) Outcome {
	o := &s.leases[lease]
	if o.Spec == *spec {
		return Unchanged
	}
	before := o.Spec
	o.Spec = *spec
	o.manage(atNs, by, &before)
	s.stored(atNs, by, lease)
	return Updated
}

// stored gives what now stands in the lease's place its version.
func (s *Store) stored(atNs int64, by, lease int32) {
	o := &s.leases[lease]
	s.revision++
	o.ResourceVersion = s.revision
	v := s.history.Append()
	v.AtNs, v.By, v.Lease, v.Object = atNs, by, lease, *o
	if s.history.Len()-s.history.First() >= 2*KeptVersions {
		s.history.Compact(KeptVersions)
	}
}
