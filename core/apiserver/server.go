// Package apiserver is one kube-apiserver for coordination.k8s.io as a function: it takes a request and an instant
// and returns a response.
//
// A Server answers a Request with Server.Handle. A Watch is a cursor that the caller polls with Server.Poll. Times
// are wall-clock times; the caller chooses them.
//
// Guarantee: the answers to the recorded requests (sim/testsupport/recorded/exchange) are the same as kube-apiserver
// v1.36's, byte for byte, except for uids, resourceVersions, continue tokens and the wall clock. The same requests at
// the same instants with the same seed give the same bytes. Non-guarantee: the server has schemas only for leases,
// leasecandidates, configmaps, events and the parts of namespaces that creates need; Config.Kinds adds kinds without a
// schema. It has no protobuf, no CBOR, and no admission beyond the namespace lifecycle. It leaves authentication and
// authorization to a Config.Guard. Source: kube-apiserver v1.36.2, staging/src/k8s.io/apiserver pkg/endpoints and
// pkg/registry.
package apiserver

import (
	"time"

	"github.com/leaselab/leaselab/core/apiserver/fieldmanager"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// Config is the configuration of a server.
type Config struct {
	// Coordinated is the feature gate CoordinatedLeaderElection. Without it the server drops strategy and
	// preferredHolder.
	Coordinated bool
	// Versions lists the served versions of coordination.k8s.io in addition to v1.
	Versions []string
	// Guard refuses requests. If Guard is nil, the server refuses no request: every client is an administrator.
	Guard Guard
	// Reviews lists resources to serve in addition to the stored ones.
	Reviews []Review
	// Seed is the seed of uids and generated names.
	Seed uint64
	// FirstRevision is the revision before the first write.
	FirstRevision int64
	// KeptEvents is the minimum number of past events that reads and watches can start from; 0 means 65,536.
	KeptEvents int
	// KeptBytes is the approximate memory limit for these events; 0 means 512 MiB. Beyond the limit the server keeps
	// fewer events.
	KeptBytes int64
	// Quota is the approximate memory limit for all objects in bytes, or 0 for none. ObjectBytes limits the JSON of
	// one object; 0 means the same limit as for a body.
	Quota, ObjectBytes int64
	// UID returns the uid of the object that a request creates at a storage key. If UID returns "", the server draws
	// a uid from Seed.
	UID func(key string) string
	// Today returns the current time, from which tables compute ages. If Today is nil, the server uses the time of
	// the request or poll.
	Today func() time.Time
	// YAML converts YAML to JSON. If it is nil, the server decodes YAML bodies as JSON.
	YAML func([]byte) ([]byte, error)
	// StrictYAML returns an error for YAML with duplicate keys.
	StrictYAML func([]byte) error
	// Address is the "host:port" of the server in discovery.
	Address string
	// Core makes the server serve ConfigMaps and Events too. With IdleBookmarks, each watch gets a bookmark every
	// minute even if nobody wrote anything. Upstream behaves like that when other objects change all the time. The
	// page uses neither.
	Core, IdleBookmarks bool
	// Kinds lists kinds without a schema to serve: see ParseKinds. With Kinds, the server also serves the kinds of
	// CustomResourceDefinitions; it starts with Definitions (see Definition).
	Kinds       Kinds
	Definitions []wire.Map
	// OpenAPI returns the OpenAPI v3 document of a path like apis/coordination.k8s.io/v1, or nil. If OpenAPI is nil,
	// /openapi answers 404.
	OpenAPI func(path string) []byte
	// InParts makes the server answer long lists with Response.Parts and delete large collections with Response.Resume.
	InParts bool
	// BodyBytes and BodyDepth limit a body, for hosts with little stack and time; 0 means upstream's limit.
	BodyBytes int
	BodyDepth int
}

// object is a stored object: its tree in the stored version, without kind, apiVersion and resourceVersion.
type object = wire.Map

// objectVersion is a version of an object in the store.
type objectVersion struct{ tree object }

// read returns the tree of a version, or nil for no version.
func (k *objectVersion) read() object {
	if k == nil {
		return nil
	}
	return k.tree
}

// weight returns the approximate memory of a version.
func (k *objectVersion) weight() int64 { return wire.Bytes(k.tree) }

// Server is one API server with its storage.
type Server struct {
	config    Config
	resources []*resource
	store     *storage.Keyspace[*objectVersion]
	random    random.Stream
	frames    SharedFrames
	memo      fieldmanager.Memo
	wrote     lastWrite
	accepts   lastAccept
	all       []*resource // with Config.Kinds: the resources at the revision defined
	defined   int64
}

// New returns a server without objects.
func New(config Config) *Server {
	if config.KeptEvents == 0 {
		config.KeptEvents = 1 << 16
	}
	if config.KeptBytes == 0 {
		config.KeptBytes = 512 << 20
	}
	store := storage.NewKeyspace[*objectVersion](config.FirstRevision, config.KeptEvents)
	store.Bound(config.KeptBytes, (*objectVersion).weight)
	s := &Server{config: config, resources: withReviews(config.Reviews), store: store,
		random: random.New(config.Seed)}
	s.placeDefinitions()
	return s
}

// Revision returns the resourceVersion of the newest write.
func (s *Server) Revision() int64 { return s.store.Revision() }

// Restart empties the watch cache, as a restart of kube-apiserver on the same etcd does.
func (s *Server) Restart() { s.store.Forget() }

// uidFor returns the uid of the object that a request creates at a key.
func (s *Server) uidFor(key string) string {
	if s.config.UID != nil {
		if uid := s.config.UID(key); uid != "" {
			return uid
		}
	}
	return s.random.UUID()
}

// suffix returns the suffix for generateName: five characters without vowels and look-alikes.
func (s *Server) suffix() string {
	const alphabet = "bcdfghjklmnpqrstvwxz2456789"
	var b [5]byte
	for i := range b {
		b[i] = alphabet[s.random.Uint64()%uint64(len(alphabet))]
	}
	return string(b[:])
}

// call is the state of one request.
type call struct {
	*Server
	r     *Request
	now   time.Time
	today time.Time // from which tables compute ages
	verb  string    // get, list, watch, create, update, patch, delete, deletecollection

	res             *resource
	version         *version
	namespace, name string
	legacyWatch     bool
	subresource     string

	form     form
	warnings []string
	warned   map[string]bool
	dryRun   bool
	yaml     *yamlBody // nil until readYAML
	sound    bool      // whether an earlier check found the metadata of an update valid
}

// warn adds a Warning header.
func (c *call) warn(text string) {
	if c.warned[text] || len(c.warnings) > mostWarningRunes { // more warnings than headers can hold
		return
	}
	if c.warned == nil {
		c.warned = map[string]bool{}
	}
	c.warned[text] = true
	c.warnings = append(c.warnings, text)
}

// instant returns the current time as metav1.Time prints it.
func (c *call) instant() string { return c.now.UTC().Format(wire.TimeLayout) }

// Handle answers a request at the wall-clock time now.
func (s *Server) Handle(now time.Time, r *Request) Response {
	c := &call{Server: s, r: r, now: now}
	answer := c.handle()
	if r.Method == "HEAD" {
		answer.Body, answer.Parts = nil, nil
	}
	return answer
}

// handle runs the steps of upstream's handler chain in its order.
// Source: apiserver v0.36 pkg/server config.go DefaultBuildHandlerChain.
func (c *call) handle() Response {
	asks, f := c.r.attributes()
	if f != nil {
		answer := text(500, f.message+"\n")
		answer.Header = append(answer.Header, Param{"cache-control", ""})
		return answer
	}
	c.verb = asks.Verb
	if c.verb != "watch" {
		if f := c.r.badTimeout(); f != nil {
			return c.sendFailure(f)
		}
	}
	if f := c.checkGuard(asks); f != nil {
		return c.sendFailure(f)
	}
	if answer, done := c.route(); done {
		return answer
	}
	if c.version.warning != "" {
		c.warn(c.version.warning)
	}
	return c.serve()
}

// serve answers a request for a resource.
func (c *call) serve() Response {
	var f *failure
	if c.form, f = c.negotiate(); f != nil {
		return c.sendFailure(f)
	}
	if c.res.namespaced && c.namespace == "" && (c.name != "" || c.verb == "deletecollection") {
		return c.sendFailure(badRequest("Namespace parameter required."))
	}
	if c.subresource == "scale" {
		return c.scale()
	}
	if c.yamlLong() {
		return Response{Free: true, Resume: func() Response {
			c.readYAML(c.r.Body)
			return Response{Resume: c.do}
		}}
	}
	return c.do()
}

// do carries out a request for a resource.
func (c *call) do() Response {
	switch c.verb {
	case "get":
		return c.answer(c.get())
	case "list":
		return c.list()
	case "watch":
		return c.watch()
	case "create":
		return c.answer(c.create())
	case "update":
		return c.answer(c.update())
	case "patch":
		return c.patch()
	case "delete":
		return c.delete()
	}
	return c.deleteCollection()
}

// answer sends one stored object or a failure.
func (c *call) answer(a objectResult, f *failure) Response {
	if f != nil {
		return c.sendFailure(f)
	}
	return c.send(a.code, a.storedObject)
}

// storedObject is an object with its resourceVersion, which is 0 for an object that a dry run would have created. The
// field kept is the version in the store, or nil if the object is not in the store.
type storedObject struct {
	object
	revision int64
	kept     *objectVersion
}
