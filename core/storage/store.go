// Package storage is the versioned store behind the API. It has one revision counter, compare-and-swap on
// resourceVersion, uid preconditions, and a history of every stored version. Store holds numbered Leases for the
// simulation; Keyspace holds any objects under keys for the API server. Instants are nanoseconds of virtual time.
//
// Guarantee: at most one of two writes with the same resourceVersion succeeds, and a write of an identical object
// stores nothing. Non-guarantee: the store does not authorize; an administrator may store any valid object. Source:
// apiserver v0.37.2 storage/etcd3 store GuaranteedUpdate, registry/generic/registry Store.
package storage

import "github.com/leaselab/leaselab/core/coordination"

// Outcome is the store's answer to a request.
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

var outcomeNames = [...]string{"ok", "created", "updated", "unchanged", "deleted", "404_not_found",
	"409_already_exists", "409_conflict", "422_invalid"}

// String returns the outcome. For a failure it includes the HTTP status: "409_conflict".
func (o Outcome) String() string { return outcomeNames[o] }

// Accepted reports whether the request succeeded.
func (o Outcome) Accepted() bool { return o <= Deleted }

// Object is a stored Lease. A ResourceVersion of 0 means that it does not exist.
type Object struct {
	ResourceVersion int64
	UID             uint64
	CreatedNs       int64 // virtual time of creation in ns
	Spec            coordination.Record
	Managers        [2]Manager // first the electors' entries, then the administrators'
	Touches         int32      // metadata writes that did not change the spec
	// Metadata is the number of the metadata that an API request wrote, or 0 if none: see Store.Metadata.
	Metadata int32
	// Taken is the set of spec fields that typed writes have changed since that request. The owners that Metadata names
	// for these fields no longer own them.
	Taken coordination.Fields
}

// Manager is an entry of managedFields: a client, the spec fields that it owns, and the time of its last change.
type Manager struct {
	Seconds int32 // virtual time in whole seconds, which is all that the wire keeps
	Owned   coordination.Fields
}

// manage makes a write's manager the owner of the fields that the write changed (the argument differing).
func (o *Object) manage(atNs int64, by int32, differing coordination.Fields) {
	m := 0
	if by < 0 {
		m = 1
	}
	changed := differing & o.Spec.Present
	o.Managers[1-m].Owned &= o.Spec.Present &^ changed
	o.Managers[m].Owned = o.Managers[m].Owned&o.Spec.Present | changed
	o.Managers[m].Seconds = int32(atNs / 1_000_000_000)
	if o.Metadata != 0 {
		o.Taken |= differing
	}
}

// Version is one entry of the history.
type Version struct {
	AtNs    int64
	By      int32 // the writer, numbered by the caller
	Lease   int32
	Deleted bool
	Object  Object
}

// KeptVersions is the minimum number of versions in the history. The store compacts older ones, as etcd does.
const KeptVersions = 1 << 16

// Store holds the Leases of one API server. The caller numbers them from 0.
type Store struct {
	revision int64
	uids     uint64
	leases   []Object
	loose    int32 // objects from this number on are not Leases, so the store does not validate them
	history  Log
	forgets  bool // this store keeps no history: see CopyTo
	metadata []string
	others   []Other
	// forgottenNs is the time of the last Forget: Rollback refuses an earlier instant.
	forgottenNs int64
	// candidates are the LeaseCandidates; the caller numbers them.
	candidates []CandidateObject
}

// New returns a store for n Leases and, at index n, the lock ConfigMap. The ConfigMap's record is in an
// annotation, which the API does not validate. None of these objects exists yet.
func New(n int) Store { return Store{leases: make([]Object, n+1), loose: int32(n)} }

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

// Read returns a Lease without copying it, or nil if it does not exist. It is valid until the next write; the caller
// must not change it.
func (s *Store) Read(lease int32) *Object {
	if o := &s.leases[lease]; o.ResourceVersion != 0 {
		return o
	}
	return nil
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
	o.manage(atNs, by, o.Spec.Differing(&coordination.Record{}))
	s.record(atNs, by, lease)
	return *o, Created
}

// Update says who writes a Lease, and which version of the Lease that writer has seen.
type Update struct {
	AtNs            int64
	By              int32 // the writer
	Lease           int32
	ResourceVersion int64
	UID             uint64
}

// Update replaces the spec if the Lease is still the version that its writer has seen. Read then returns the result.
func (s *Store) Update(u Update, spec *coordination.Record) Outcome {
	if !s.valid(u.Lease, spec) {
		return Invalid
	}
	o := &s.leases[u.Lease]
	// An update of a deleted Lease is also a conflict, because its uid no longer exists.
	if o.ResourceVersion == 0 || o.UID != u.UID || o.ResourceVersion != u.ResourceVersion {
		return Conflict
	}
	return s.replace(u.AtNs, u.By, u.Lease, spec)
}

// Put stores a spec unconditionally and creates the Lease if necessary.
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

// Touch changes only the metadata.
func (s *Store) Touch(atNs int64, by, lease int32) (Object, Outcome) {
	o := &s.leases[lease]
	if o.ResourceVersion == 0 {
		return Object{}, NotFound
	}
	o.Touches++
	s.record(atNs, by, lease)
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
	if !copies || !s.forgets {
		*s.history.Append() = Version{AtNs: atNs, By: by, Lease: lease, Deleted: true, Object: o}
	}
	s.leases[lease] = Object{}
	return o, Deleted
}

// replace changes the stored Lease in place, because every renewal takes this path.
func (s *Store) replace(atNs int64, by, lease int32, spec *coordination.Record) Outcome {
	o := &s.leases[lease]
	differing := o.Spec.Differing(spec)
	if differing == 0 {
		return Unchanged
	}
	o.Spec = *spec
	o.manage(atNs, by, differing)
	s.record(atNs, by, lease)
	return Updated
}

// record appends the Lease's current state to the history.
func (s *Store) record(atNs int64, by, lease int32) {
	o := &s.leases[lease]
	s.revision++
	o.ResourceVersion = s.revision
	if copies && s.forgets {
		return
	}
	v := s.history.Append()
	v.AtNs, v.By, v.Lease, v.Deleted, v.Object = atNs, by, lease, false, *o
	if s.history.Len()-s.history.First() >= 2*KeptVersions {
		s.history.Compact(KeptVersions)
	}
}
