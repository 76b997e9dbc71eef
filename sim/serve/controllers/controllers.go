// Package controllers runs the controllers that finish what clients of a kube-apiserver begin: they elect holders of
// Leases from LeaseCandidates, empty deleted namespaces, collect garbage, and delete old Events. A Set has the
// controllers of one server. Call its Advance after each write, and at the instant that the last call returned.
//
// Guarantee: a controller acts only through requests, which the server answers like any client's. It starts from the
// stored objects, so you may start and stop it at any time. Non-guarantee: the server answers a controller at once,
// without a network that could fail. So no run shows an order of events that only a slow controller could cause.
package controllers

import (
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// Cluster is the server that controllers act on.
type Cluster interface {
	// Objects is the server whose objects the controllers see.
	Objects() *apiserver.Server
	// Do answers a request of a controller.
	Do(now time.Time, r *apiserver.Request) apiserver.Response
}

// A controller gets every change, in order, and acts on its knowledge of the objects.
type controller interface {
	// `begin` makes the controller forget everything. Then it gets every stored object as a change.
	begin(now time.Time)
	see(c *apiserver.Change)
	// `act` sends the due requests. It returns when it wants to act again without a change; zero means never.
	act(now time.Time) time.Time
}

// Set has the controllers of one server. Only one caller at a time may use it, and nothing else may use the server
// meanwhile.
type Set struct {
	cluster Cluster
	all     []controller
	server  *apiserver.Server // the controllers know its changes up to seen
	seen    int64
}

// Options say which controllers run.
type Options struct {
	// Candidates is the apiVersion of the LeaseCandidates for elections, such as coordination.k8s.io/v1beta1. If it
	// is "", the controllers hold no elections.
	Candidates string
	// Core is true if the server serves ConfigMaps and Events.
	Core bool
	// Ahead is how far the clients' clocks, from which their renewTimes come, are ahead of the server's.
	Ahead time.Duration
	// Spared reports whether another controller elects the holder of a Lease; nil means that none does.
	Spared func(namespace, name string) bool
}

// New returns the controllers of a server. They begin with the first Advance.
func New(cluster Cluster, o Options) *Set {
	s := &Set{cluster: cluster}
	if o.Spared == nil {
		o.Spared = func(string, string) bool { return false }
	}
	if o.Core {
		s.all = append(s.all, &expiry{cluster: cluster})
	}
	s.all = append(s.all, &terminations{cluster: cluster}, &collector{cluster: cluster})
	if o.Candidates != "" {
		s.all = append(s.all, &elections{cluster: cluster, version: o.Candidates, ahead: o.Ahead, spared: o.Spared})
	}
	return s
}

// NewExpiry returns a Set that only deletes old Events. Servers without controllers need it, too, because upstream
// leaves this to etcd.
func NewExpiry(cluster Cluster) *Set {
	return &Set{cluster: cluster, all: []controller{&expiry{cluster: cluster}}}
}

// controllerManager is the user agent, and therefore the field manager, of the controllers that upstream runs in
// kube-controller-manager.
const controllerManager = "kube-controller-manager/v1.36.2 (linux/amd64) kubernetes/98b3519"

// Alone is a Cluster without a simulation: only clients and controllers write to its server.
type Alone struct{ *apiserver.Server }

// Objects returns the server.
func (a Alone) Objects() *apiserver.Server { return a.Server }

// Do answers a request of a controller.
func (a Alone) Do(now time.Time, r *apiserver.Request) apiserver.Response {
	return a.Local(now, r).Finished()
}

// Begin answers a request of a controller like Do, but leaves the rest of a long one to the caller.
func (a Alone) Begin(now time.Time, r *apiserver.Request) apiserver.Response { return a.Local(now, r) }

// begin begins a request where the cluster can do a part of it, or else does it.
func begin(cluster Cluster, now time.Time, r *apiserver.Request) apiserver.Response {
	if part, can := cluster.(interface {
		Begin(now time.Time, r *apiserver.Request) apiserver.Response
	}); can {
		return part.Begin(now, r)
	}
	return cluster.Do(now, r)
}

// mostAtOnce is how many objects a controller deletes before others may use the server.
const mostAtOnce = 200

// Advance tells the controllers what has changed and lets them act. It returns the instant at which they want to act
// again without a change; the zero time means never. The controllers act in rounds until a round writes nothing,
// because one controller's write may give another controller work: after a namespace's objects are gone, the
// namespace can go, too. A controller with much work does a part of it. Then Advance returns the present, so that the
// caller can let others use the server in between.
func (s *Set) Advance(now time.Time) (next time.Time) {
	if len(s.all) == 0 {
		return next
	}
	for quiet := false; !quiet; quiet = s.seen == s.cluster.Objects().Revision() {
		s.catchUp(now)
		next = time.Time{}
		for _, c := range s.all {
			if at := c.act(now); !at.IsZero() && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
		if !next.IsZero() && !next.After(now) {
			return now
		}
	}
	return next
}

// catchUp passes on the changes since the last call. If the server has forgotten these changes, it passes on every
// object.
func (s *Set) catchUp(now time.Time) {
	server := s.cluster.Objects()
	if server != s.server || s.seen < server.Oldest() {
		s.server = server
		for _, c := range s.all {
			c.begin(now)
		}
		server.Each(func(o apiserver.Change) bool {
			s.tell(&o)
			return true
		})
		s.seen = server.Revision()
		return
	}
	for _, o := range server.Changes(s.seen) {
		s.tell(&o)
		s.seen = o.Revision
	}
	s.seen = server.Revision()
}

func (s *Set) tell(o *apiserver.Change) {
	for _, c := range s.all {
		c.see(o)
	}
}

// request returns a controller's request; a nil body means that the request has no body.
func request(agent, method, path string, body wire.Map) *apiserver.Request {
	r := &apiserver.Request{
		Method: method, Path: path,
		Header: map[string]string{"accept": "application/json", "user-agent": agent},
	}
	if body != nil {
		r.Header["content-type"] = "application/json"
		if method == "PATCH" {
			r.Header["content-type"] = "application/merge-patch+json"
		}
		r.Body = wire.Encode(nil, body, nil)
	}
	return r
}

// place is the resource, namespace and name of a storage key: /registry/leases/default/demo, or
// /registry/namespaces/default.
type place struct{ resource, namespace, name string }

func placeOf(key string) place {
	parts := strings.Split(key, "/")
	p := place{name: parts[len(parts)-1]}
	if len(parts) > 2 {
		p.resource = parts[2]
	}
	if len(parts) > 4 {
		p.namespace = parts[3]
	}
	return p
}

// objectPath returns the path of an object in a version like coordination.k8s.io/v1 or v1. An empty name means the
// collection.
func objectPath(version, namespace, resource, name string) string {
	p := "/apis/" + version
	if !strings.Contains(version, "/") {
		p = "/api/" + version
	}
	if namespace != "" {
		p += "/namespaces/" + namespace
	}
	p += "/" + resource
	if name != "" {
		p += "/" + name
	}
	return p
}

// precondition returns the metadata for a merge patch that fails if the object has changed.
func precondition(revision int64) wire.Map {
	return wire.Map{"resourceVersion": strconv.FormatInt(revision, 10)}
}
