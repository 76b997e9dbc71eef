package apiserver

import "github.com/leaselab/leaselab/core/wire"

// A server can stand before a store that is not its own, a simulation's: it is told what is there and what is written
// there, and its own writes are read from it and stored there.

// Change is a write to the store of a server.
type Change struct {
	Key      string
	Revision int64
	Object   wire.Map // without kind, apiVersion and resourceVersion; nil: deleted
}

// LeaseKey is where a Lease is stored.
func LeaseKey(namespace, name string) string { return leases.key(namespace, name) }

// CandidateKey is where a LeaseCandidate is stored.
func CandidateKey(namespace, name string) string { return leaseCandidates.key(namespace, name) }

// NamespaceKey is where a namespace is stored.
func NamespaceKey(name string) string { return namespaces.key("", name) }

// Place puts an object there from the beginning: no watch sees it come.
func (s *Server) Place(c Change) { s.store.Place(c.Key, c.Revision, c.Object) }

// Reach says that the store has reached a revision: reads and watches begin there.
func (s *Server) Reach(revision int64) { s.store.Reach(revision) }

// Follow repeats a write that was made elsewhere.
func (s *Server) Follow(c Change) {
	if c.Object == nil {
		s.store.Follow(c.Key, c.Revision, nil)
		return
	}
	s.store.Follow(c.Key, c.Revision, &c.Object)
}

// Changes are the writes after a revision, oldest first.
func (s *Server) Changes(after int64) []Change {
	var changes []Change
	for _, e := range s.store.After(after, int(s.store.Revision()-after)) {
		c := Change{Key: e.Key, Revision: e.Revision}
		if e.New != nil {
			c.Object = e.New.Value
		}
		changes = append(changes, c)
	}
	return changes
}

// locked are the resources that electors keep their records in. ConfigMaps are not served: only their errors are written.
var locked = map[string]*resource{leases.kind: leases, "ConfigMap": {name: "configmaps", kind: "ConfigMap"}}

// Exists is the body of the answer to a create of a Lease or a ConfigMap that is there.
func Exists(kind, name string) []byte {
	return wire.Encode(nil, locked[kind].alreadyExists(name).status(), statusType)
}

// Failure is the body of the usual answers with an error status about one Lease or ConfigMap.
func Failure(code int, kind, name string) []byte {
	f, r := &failure{code: code}, locked[kind]
	switch code {
	case 404:
		f = r.notFound(name)
	case 409:
		f = r.conflict(name, "the object has been modified; please apply your changes to the latest version and try again")
	case 422:
		f = r.invalid(name, nil)
	case 429:
		f.reason, f.message = "TooManyRequests", "too many requests, please try again later."
	case 500:
		f.reason, f.message = "InternalError", "Internal error occurred"
	case 503:
		f.reason, f.message = "ServiceUnavailable", "the server is currently unable to handle the request"
	case 504:
		f.reason, f.message = "Timeout", "the server was unable to return a response in the time allotted, but may still be processing the request"
	}
	return wire.Encode(nil, f.status(), statusType)
}

// Expired is the frame that ends a watch which cannot go on.
func Expired(because string) string {
	f := fail(410, "Expired", "%s", because)
	return string(wire.Encode(nil, wire.Map{"type": "ERROR", "object": wire.Encoded(wire.Encode(nil, f.status(), statusType))}, frameType)) + "\n"
}

// frameType is metav1.WatchEvent.
var frameType = &wire.Type{Shape: wire.AStruct, Fields: []wire.Field{{Name: "type", Type: wire.StringType}, {Name: "object"}}}
