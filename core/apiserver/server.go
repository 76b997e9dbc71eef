// Package apiserver is one kube-apiserver for coordination.k8s.io as a function: a request and an instant in, a response
// out. Watches are cursors that the caller polls.
//
// Guarantee: for the requests recorded in testdata the answers are those of kube-apiserver v1.36, byte for byte after
// uids, resourceVersions, continue tokens and the wall clock are bound; the same requests at the same instants with the
// same seed give the same bytes. Non-guarantee: only leases, leasecandidates and as much of namespaces as creates need
// are served; there is no protobuf and no CBOR, and no admission beyond the namespace's lifecycle. With Config.Roles there
// are two roles: an administrator may do everything, any other user may read discovery only. Without it everybody whom the
// server knows is an administrator.
// Source: kube-apiserver v1.36.2, staging/src/k8s.io/apiserver pkg/endpoints and pkg/registry.
package apiserver

import (
	"time"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
)

// Config is what a server is started with.
type Config struct {
	// Coordinated is the feature gate CoordinatedLeaderElection: without it strategy and preferredHolder are dropped.
	Coordinated bool
	// Versions are the versions of coordination.k8s.io that are served beside v1.
	Versions []string
	// Tokens are the bearer tokens of administrators. With none, everybody is one.
	Tokens []string
	// SameToken compares two tokens in a time that does not depend on where they differ; nil compares them as texts.
	SameToken func(a, b string) bool
	// Strangers are bearer tokens of users without any rights, by token; only with Roles do they get past 401.
	Strangers map[string]string
	// Roles says that who may do what is decided by roles: administrators everything, others discovery only.
	Roles bool
	// Anonymous lets requests without a token in as system:anonymous; with Roles only.
	Anonymous bool
	// Seed is where uids and generated names come from.
	Seed uint64
	// FirstRevision is the revision before the first write.
	FirstRevision int64
	// KeptEvents is how many events reads and watches of the past can go back at least; 0 is 65,536.
	KeptEvents int
	// KeptBytes is how much memory the events may take, about; beyond it fewer are kept. 0 is 512 MiB.
	KeptBytes int64
	// Quota is how much memory all objects may take, about; 0: any. ObjectBytes is how long the JSON of one may be; 0: any
	// length that a body can have.
	Quota, ObjectBytes int64
	// UID chooses the uid of the object that is created at a key; "" leaves it to the server's random stream.
	UID func(key string) string
	// Today is the instant that the ages in tables are told by; nil takes that of the request, and of the poll for watches.
	Today func() time.Time
	// YAML turns YAML into JSON. Without it a body in YAML is read as JSON, which is YAML too.
	YAML func([]byte) ([]byte, error)
	// StrictYAML says what is wrong with YAML that YAML lets pass: keys that stand twice.
	StrictYAML func([]byte) error
	// Address is host and port of the server, as discovery names it.
	Address string
	// OpenAPI returns the OpenAPI v3 document of a path like apis/coordination.k8s.io/v1, nil where there is none.
	// Without it /openapi is not found.
	OpenAPI func(path string) []byte
	// InParts answers long lists in Response.Parts instead of Body, and deletes large collections in pages, by Response.Resume.
	InParts bool
	// BodyBytes and BodyDepth limit a body, for a server whose own stack and time are small; 0 is as upstream.
	BodyBytes int
	BodyDepth int
}

// object is a stored object: its tree in the stored version, without kind, apiVersion and resourceVersion.
type object = wire.Map

// Server is one API server with its storage.
type Server struct {
	config Config
	store  *storage.Keyspace[object]
	random random.Stream
}

// New returns a server without any objects.
func New(config Config) *Server {
	if config.KeptEvents == 0 {
		config.KeptEvents = 1 << 16
	}
	if config.KeptBytes == 0 {
		config.KeptBytes = 512 << 20
	}
	store := storage.NewKeyspace[object](config.FirstRevision, config.KeptEvents)
	store.Bound(config.KeptBytes, func(o object) int64 { return wire.Bytes(o) })
	return &Server{config: config, store: store, random: random.New(config.Seed)}
}

// Revision is the resourceVersion of the newest write.
func (s *Server) Revision() int64 { return s.store.Revision() }

// Restart empties the watch cache, as a server does that starts again over the same etcd.
func (s *Server) Restart() { s.store.Forget() }

// uidFor is the uid of the object that is created at a key.
func (s *Server) uidFor(key string) string {
	if s.config.UID != nil {
		if uid := s.config.UID(key); uid != "" {
			return uid
		}
	}
	return s.random.UUID()
}

// suffix is what generateName appends: five characters without vowels and what looks like them.
func (s *Server) suffix() string {
	const alphabet = "bcdfghjklmnpqrstvwxz2456789"
	var b [5]byte
	for i := range b {
		b[i] = alphabet[s.random.Uint64()%uint64(len(alphabet))]
	}
	return string(b[:])
}

// call is one request on its way through the server.
type call struct {
	*Server
	r    *Request
	now  time.Time
	verb string // get, list, watch, create, update, patch, delete, deletecollection

	res             *resource
	version         *version
	namespace, name string
	legacyWatch     bool
	finalizes       bool // the path is a namespace's /finalize

	form     form
	warnings []string
	warned   map[string]bool
	dryRun   bool
}

// warn adds a Warning header.
func (c *call) warn(text string) {
	if c.warned[text] || len(c.warnings) > mostWarningRunes { // more than fit, whatever they say
		return
	}
	if c.warned == nil {
		c.warned = map[string]bool{}
	}
	c.warned[text] = true
	c.warnings = append(c.warnings, text)
}

// instant is now as metav1.Time prints it.
func (c *call) instant() string { return c.now.UTC().Format(wire.TimeLayout) }

// Handle answers a request at an instant of the wall clock.
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
	about, f := c.r.about()
	if f != nil {
		return text(500, f.message+"\n")
	}
	c.verb = about.verb
	if c.verb != "watch" {
		if f := c.r.badTimeout(); f != nil {
			return c.failed(f)
		}
	}
	u, f := c.authenticate()
	if f != nil {
		return c.failed(f)
	}
	if f := c.authorize(u, about, c.r.Path); f != nil {
		return c.failed(f)
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
		return c.failed(f)
	}
	if c.res.namespaced && c.namespace == "" && (c.name != "" || c.verb == "deletecollection") {
		return c.failed(badRequest("Namespace parameter required."))
	}
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
		return c.answer(c.patch())
	case "delete":
		return c.delete()
	}
	return c.deleteCollection()
}

// answer sends one stored object or a failure.
func (c *call) answer(a answered, f *failure) Response {
	if f != nil {
		return c.failed(f)
	}
	return c.send(a.code, a.stored)
}

// stored is an object with its resourceVersion, 0 for one that a dry run would have created.
type stored struct {
	object
	revision int64
}
