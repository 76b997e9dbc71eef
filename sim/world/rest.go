package world

import (
	"fmt"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/trace"
)

// Clock returns the wall clock of the API server at an instant of the run.
func Clock(ns int64) time.Time { return time.Unix(0, EpochUnixNs+ns).UTC() }

// `stamp` formats an instant the way metav1.Time does.
func stamp(ns int64) string { return Clock(ns).Format(wire.TimeLayout) }

// LeaseUID returns the UUID (version 4) of a Lease, drawn from the seed. `number` tells the creations of the Lease
// apart.
func (s *Setup) LeaseUID(lease int32, number uint64) string {
	stream := random.NamedStream(s.Seed, "uid", fmt.Sprint(s.Namespace, "/", s.objectName(lease), "/", number))
	return stream.UUID()
}

// namespaceNames lists the namespaces of every simulated cluster in addition to the scenario's.
var namespaceNames = []string{"default", "kube-node-lease", "kube-public", "kube-system"}

// API shows what a world has stored the way a kube-apiserver does. Like Records it is valid until the world's next
// step.
type API struct {
	setup      *Setup
	store      *storage.Store
	candidates []storedCandidate
}

// API returns the API of the world.
func (w *World) API() API {
	return API{setup: w.setup, store: &w.store, candidates: w.clients.objects}
}

// Server returns an API server with all stored objects. Writes to it do not reach the store: only acts change the
// world.
func (p API) Server() *apiserver.Server {
	config := p.config()
	s := apiserver.New(config)
	p.placeNamespaces(s)
	p.placeOthers(s, len(p.store.Others()))
	for i := range p.setup.LeaseNames {
		if o, outcome := p.store.Get(int32(i)); outcome == storage.OK {
			s.Place(apiserver.Change{Key: p.leaseKey(int32(i)), Revision: o.ResourceVersion,
				Object: p.Tree(int32(i), &o)})
		}
	}
	p.placeConfigMap(s, &config)
	s.Reach(p.store.Revision())
	return s
}

// These limits of request bodies are the same everywhere, because a run must be the same in the page. In the page,
// the stack overflows at about 1,600 levels. The page must also stay responsive.
const (
	maxBodyBytes = 1 << 20
	maxBodyDepth = 400
)

func (p API) config() apiserver.Config {
	config := apiserver.Config{
		BodyBytes: maxBodyBytes, BodyDepth: maxBodyDepth, Coordinated: true, Versions: p.setup.candidateVersions(),
		Seed: p.setup.Seed ^ uint64(p.store.Revision()),
		UID: func(key string) string {
			if lease := p.leaseOf(key); lease >= 0 {
				return p.setup.LeaseUID(lease, p.store.NextUID())
			}
			if p.isCandidate(key) {
				return p.setup.LeaseUID(0, p.store.NextUID())
			}
			return ""
		},
	}
	if p.setup.ConfigureAPI != nil {
		p.setup.ConfigureAPI(&config)
	}
	return config
}

func (p API) placeNamespaces(s *apiserver.Server) {
	for _, name := range append(namespaceNames[:len(namespaceNames):len(namespaceNames)], p.setup.Namespace) {
		s.Place(apiserver.Change{Key: apiserver.NamespaceKey(name), Object: namespaceTree(p.setup.Seed, name)})
	}
}

// placeOthers places the other objects: the newest version of each among the first versions. The argument count is the
// number of these versions.
func (p API) placeOthers(s *apiserver.Server, count int) {
	others, seen := p.store.Others(), map[string]bool{}
	for i := count - 1; i >= 0; i-- {
		if a := &others[i]; !seen[a.Key] {
			seen[a.Key] = true
			if !a.Deleted() {
				s.Place(p.OtherChange(i))
			}
		}
	}
}

func (p API) leaseKey(i int32) string {
	if i == p.setup.ConfigMap() {
		return p.configMapKey()
	}
	return apiserver.LeaseKey(p.setup.namespaceOf(i), p.setup.LeaseNames[i])
}

// namespaceOf returns the namespace of a Lease. The controllers' own Lease is in kube-system.
func (s *Setup) namespaceOf(lease int32) string {
	if lease == controllerLease && len(s.Servers) > 0 {
		return "kube-system"
	}
	return s.Namespace
}

// candidateVersions lists the API versions of LeaseCandidates.
func (s *Setup) candidateVersions() []string {
	if s.Lists {
		return []string{"v1alpha1"}
	}
	return []string{"v1beta1", "v1alpha2"}
}

func namespaceTree(seed uint64, name string) wire.Map {
	stream := random.NamedStream(seed, "uid", "namespace/"+name)
	return wire.Map{
		"metadata": wire.Map{
			"name": name, "uid": stream.UUID(),
			"creationTimestamp": stamp(0), "labels": wire.Map{"kubernetes.io/metadata.name": name},
		},
		"spec": wire.Map{"finalizers": []any{"kubernetes"}}, "status": wire.Map{"phase": "Active"},
	}
}

// OtherChange returns a version of an object other than a Lease, by its number among the store's Others.
func (p API) OtherChange(number int) apiserver.Change {
	a := &p.store.Others()[number]
	c := apiserver.Change{Key: a.Key, Revision: a.Revision}
	switch {
	case a.Deleted():
		return c
	case a.Object == "":
		c.Object = p.candidateTree(a)
		return c
	}
	n, err := wire.Parse([]byte(a.Object))
	if err != nil {
		panic(err) // written by the engine itself
	}
	c.Object = wire.Tree(n).(wire.Map)
	for _, entry := range wire.List(c.Object, "metadata", "managedFields") {
		setOwned(entry.(wire.Map), ownedBy(entry.(wire.Map)))
	}
	return c
}

// LeaseChange returns a version of a Lease.
func (p API) LeaseChange(v *storage.Version) apiserver.Change {
	c := apiserver.Change{Key: p.leaseKey(v.Lease), Revision: v.Object.ResourceVersion}
	if !v.Deleted {
		c.Object = p.Tree(v.Lease, &v.Object)
	}
	return c
}

// The cost of an administrator's request to the API, counted in requests of candidates: askCost, plus one for every
// bytesARequest bytes.
const (
	askCost       = 20
	bytesARequest = 10
)

// Work returns the cost of the run so far, in requests of candidates.
func (w *World) Work() int64 { return w.recorder.counts.Requests + w.recorder.asked }

// `request` sends an administrator's request to the API and stores what it writes.
func (c *Control) request(w *World) apiserver.Response {
	api, s := w.API(), w.keptServer()
	before := s.Revision()
	defer w.undo(before)
	answer := s.Finish(Clock(w.now), c.Request)
	w.recorder.asked += askCost + int64(len(c.Request.Body)+len(answer.Body))/bytesARequest
	r := trace.Record{Kind: trace.Asked, Candidate: trace.NoCandidate, Control: c.Source,
		Payload: trace.Write{Op: trace.Requested, Status: int64(answer.Status)}.Payload()}
	for _, change := range s.Changes(before) {
		lease, outcome, spec := w.adopt(api, &change, trace.NoCandidate)
		if lease >= 0 {
			r.Kind, r.Outcome = trace.Written, outcome
		}
		if lease >= 0 && change.Object != nil {
			r.Spec = spec
		}
		switch lease {
		case 0:
			w.leaseChanged()
		case w.setup.ConfigMap():
			r.Object, w.electors.usesConfigMap = elector.ConfigMap, true
		}
	}
	r.ResourceVersion = w.store.Revision()
	w.emit(r)
	return answer
}

// adopt stores a change that a client or an administrator made through the API. For a Lease or the ConfigMap it returns
// the number, what the store did and the stored spec; for any other object the number is -1.
func (w *World) adopt(api API, change *apiserver.Change, by int32) (lease int32, outcome storage.Outcome,
	spec coordination.Record) {
	lease = api.leaseOf(change.Key)
	switch {
	case lease < 0 && api.isCandidate(change.Key):
		w.clients.adopt(w, change)
	case lease < 0 && change.Object == nil:
		w.store.PutOther(w.now, change.Key, "")
	case lease < 0:
		w.store.PutOther(w.now, change.Key, string(wire.Encode(nil, change.Object, nil)))
	case change.Object == nil:
		_, outcome = w.store.Delete(w.now, by, lease)
	default:
		outcome = storage.Updated
		if _, had := w.store.Get(lease); had != storage.OK {
			outcome = storage.Created
		}
		v, metadata := storage.Version{AtNs: w.now, By: by, Lease: lease}, ""
		if by != trace.NoCandidate && lease != w.setup.ConfigMap() && w.setup.onlyPrograms() {
			// nothing rebuilds the Lease from the store, because the mirror keeps the Lease's metadata
			v.Object.Spec = RecordOf(wire.Object(change.Object, "spec"), w.setup.Symbols)
		} else {
			v.Object, metadata = api.fromTree(lease, change.Object)
		}
		spec = w.store.Adopt(v, metadata).Spec
	}
	return lease, outcome, spec
}

// leaseOf returns the number of the Lease or ConfigMap with that key, or -1 for any other object.
func (p API) leaseOf(key string) int32 {
	for i := range p.setup.LeaseNames {
		if p.leaseKey(int32(i)) == key {
			return int32(i)
		}
	}
	if key == p.configMapKey() {
		return p.setup.ConfigMap()
	}
	return -1
}

// keptAPI is the server behind the requests to a world's API. The world keeps it from one request to the next, because
// it takes long to build for many objects.
type keptAPI struct {
	Mirror
	of               *World // a copy of the world needs its own
	setup            *Setup
	namespace, lease string
}

// keptServer returns the server that API.Server would build. After the request, the caller calls undo.
func (w *World) keptServer() *apiserver.Server {
	k, s, history := w.kept, w.setup, w.store.History()
	if k == nil || k.of != w || k.setup != s || k.namespace != s.Namespace || k.lease != s.objectName(0) ||
		!k.Follows(w) || k.versions < history.First() {
		p := w.API()
		w.kept = &keptAPI{of: w, setup: s, namespace: s.Namespace, lease: s.objectName(0), Mirror: Mirror{
			Server: p.Server(), versions: history.Len(), others: len(w.store.Others()), core: p.config().Core,
			rollbacks: w.store.Rollbacks(), restarts: w.restart.count}}
		return w.kept.Server
	}
	k.Follow(w)
	k.Server.Begin(s.Seed ^ uint64(w.store.Revision()))
	return k.Server
}

// undo takes back what a request wrote to the kept server, which then follows the world again. The world may keep the
// objects in another form.
func (w *World) undo(before int64) {
	if !w.kept.Server.Undo(before) {
		w.kept = nil
	}
}

// Try is API.Try for a world that gets many requests.
func (w *World) Try(ns int64, r *apiserver.Request) (answer apiserver.Response, wrote bool) {
	s := w.keptServer()
	before := s.Revision()
	defer w.undo(before)
	answer = s.Finish(Clock(ns), r)
	return answer, s.Revision() != before
}

// Try answers a request as the API would answer it at instant ns if nothing else happened before then. The world
// does not change; wrote says whether the request would store anything.
func (p API) Try(ns int64, r *apiserver.Request) (answer apiserver.Response, wrote bool) {
	s := p.Server()
	before := s.Revision()
	answer = s.Finish(Clock(ns), r)
	return answer, s.Revision() != before
}
