package apiserver

import (
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/wire"
)

// A server can mirror another store, such as a simulation's. The caller passes the other store's writes to Follow. It
// also gets the server's own writes from Changes and stores them in the other store.

// Change is one write to a server's store.
type Change struct {
	Key      string
	Revision int64
	Object   wire.Map // without kind, apiVersion and resourceVersion; nil for a deletion
}

// LeaseKey returns the storage key of a Lease.
func LeaseKey(namespace, name string) string { return leases.key(namespace, name) }

// CandidateKey returns the storage key of a LeaseCandidate.
func CandidateKey(namespace, name string) string { return leaseCandidates.key(namespace, name) }

// NamespaceKey returns the storage key of a namespace.
func NamespaceKey(name string) string { return namespaces.key("", name) }

// Place stores an object as part of the initial state: no watch reports it.
func (s *Server) Place(c Change) {
	s.store.Place(c.Key, c.Revision, &objectVersion{tree: c.Object})
}

// Reach sets the store's revision. Reads and watches begin at that revision.
func (s *Server) Reach(revision int64) { s.store.Reach(revision) }

// Follow applies a write of the other store.
func (s *Server) Follow(c Change) {
	if c.Object == nil {
		s.store.Follow(c.Key, c.Revision, nil)
		return
	}
	k := &objectVersion{tree: c.Object}
	s.store.Follow(c.Key, c.Revision, &k)
}

// Begin makes the server one that has just begun with the stored objects and a seed.
func (s *Server) Begin(seed uint64) {
	s.store.Forget()
	s.random = random.New(seed)
}

// Undo takes back the writes after a revision. It returns false if the server no longer keeps them all.
func (s *Server) Undo(revision int64) bool {
	s.all = nil
	return s.store.Undo(revision)
}

// Changes returns the writes after a revision, oldest first.
func (s *Server) Changes(after int64) []Change {
	var changes []Change
	for _, e := range s.store.After(after, int(s.store.Revision()-after)) {
		c := Change{Key: e.Key, Revision: e.Revision}
		if e.New != nil {
			c.Object = e.New.Value.read()
		}
		changes = append(changes, c)
	}
	return changes
}

// The map locked holds the resources of lock objects. Without Config.Core the server has no ConfigMaps; it only words
// errors about them.
var locked = map[string]*resource{leases.kind: leases, "ConfigMap": {name: "configmaps", kind: "ConfigMap"}}

// Exists returns the body of the 409 for a create of a Lease or a ConfigMap that already exists.
func Exists(kind, name string) []byte {
	return wire.Encode(nil, locked[kind].alreadyExists(name).status(), statusType)
}

// Failure returns the body of an answer with an error status about one Lease or ConfigMap.
func Failure(code int, kind, name string) []byte {
	f, r := &failure{code: code}, locked[kind]
	switch code {
	case 404:
		f = r.notFound(name)
	case 409:
		f = r.conflict(name, conflictMessage)
	case 422:
		f = r.invalid(name, nil)
	case 429:
		f.reason, f.message = "TooManyRequests", "too many requests, please try again later."
	case 500:
		f.reason, f.message = "InternalError", "Internal error occurred"
	case 503:
		f.reason, f.message = "ServiceUnavailable", "the server is currently unable to handle the request"
	case 504:
		f.reason, f.message = "Timeout",
			"the server was unable to return a response in the time allotted, but may still be processing the request"
	}
	return wire.Encode(nil, f.status(), statusType)
}

// ExpiredFrame returns the frame that ends a watch whose revision the server no longer keeps.
func ExpiredFrame(because string) string {
	f := fail(410, "Expired", "%s", because)
	return string(wire.Encode(nil, wire.Map{"type": "ERROR",
		"object": wire.Encoded(wire.Encode(nil, f.status(), statusType))}, frameType)) + "\n"
}
