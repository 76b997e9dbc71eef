// Package coordinator is the part of kube-apiserver that runs coordinated leader election, as a step machine over
// cached Leases and LeaseCandidates. A controller elects, and a collector deletes candidates that no longer renew.
//
// Machine.Step takes an Input (an informer event, an answer, a wake) and appends Outputs (requests, reports). With
// Look, each reconcile leaves a Decision, which says why it did what it did. One reconcile:
//
// \tcandidates renewed within 30 min? -> election needed? -> all acked within 5 s? -> pick electee -> write Lease
// \t        none: nothing to do            no: wait             no: ping, wait
//
// Guarantee: given the same objects and answers at the same instants, it sends the same requests as kube-apiserver
// v1.36, in an order in which v1.36 may also send them. One controller works on one key at a time and remembers
// nothing between two reconciles: each starts from the cached objects. Non-guarantee: it compares instants written
// by different clocks. A candidate whose clock is 5 s away from the controller's never counts as acked. If a
// holder's clock is leaseDurationSeconds behind, its Lease counts as expired. The controller does not write an
// expired Lease again if the holder is the electee. A holder that ignores the request to step down keeps the Lease
// as long as it renews. With Crash, one Lease without holderIdentity ends the whole API server. Source: kubernetes
// v1.36.2 pkg/controlplane/controller/leaderelection.
package coordinator

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/step"
)

// Upstream's constants, in ns. Source: kubernetes v1.36.2 leaderelection_controller.go,
// pkg/controlplane/instance.go (the collector's period).
const (
	second                 = int64(1_000_000_000)
	requeueNs              = 5 * second
	electionNs             = 5 * second
	validNs                = 1800 * second
	collectEveryNs         = 1800 * second
	defaultDurationSeconds = int32(5)
)

// Terms overrides the controller's timing constants; a zero field keeps upstream's default.
type Terms struct {
	RequeueNs       int64 // time before a repeated reconcile: 5 s
	ElectionNs      int64 // how long a ping waits for its ack, and how long an ack counts: 5 s
	ValidNs         int64 // how long a candidate counts if it does not renew: 30 min
	CollectEveryNs  int64 // the collector's period: 30 min
	DurationSeconds int32 // leaseDurationSeconds of a Lease that the controller assigns: 5
}

func (c *Config) requeueNs() int64      { return either(c.Terms.RequeueNs, requeueNs) }
func (c *Config) electionNs() int64     { return either(c.Terms.ElectionNs, electionNs) }
func (c *Config) validNs() int64        { return either(c.Terms.ValidNs, validNs) }
func (c *Config) collectEveryNs() int64 { return either(c.Terms.CollectEveryNs, collectEveryNs) }
func (c *Config) durationSeconds() int32 {
	return either(c.Terms.DurationSeconds, defaultDurationSeconds)
}

func either[T int32 | int64](value, upstream T) T {
	if value == 0 {
		return upstream
	}
	return value
}

// Body is the version of the controller's source to follow where versions differ.
type Body uint8

const (
	Newer Body = iota // v1.36: it sends all pings at once, and an ack at the instant of the ping counts
	Older             // v1.31, 7a4c962: it sends one ping after another, and an ack must be later than the ping
)

// NilHolder says what the controller does when it would assign a Lease without holderIdentity.
type NilHolder uint8

const (
	Crash    NilHolder = iota // what upstream does: the API server's process ends
	Intended                  // what the source intends: the Lease had no holder, so the electee gets it
)

// Config configures the controllers of an API server.
type Config struct {
	Symbols   *coordination.Symbols
	Body      Body
	Lists     bool // v1alpha1: a candidate names preferredStrategies, a list
	NilHolder NilHolder
	Terms     Terms
	// With Flaps, each reconcile lists the candidates in an order that it draws from Chance, as upstream lists them in
	// the order of a map. Otherwise creationTimestamp and name decide the order.
	Flaps  bool
	Chance random.Stream
	_      struct{}
}

// Key is a namespace and a name.
type Key struct{ Namespace, Name coordination.Symbol }

// Lease is a Lease with the metadata that an update needs.
type Lease struct {
	Key
	ResourceVersion int64
	UID             uint64
	Spec            coordination.Record
}

// Candidate is a LeaseCandidate with the metadata that an update needs.
type Candidate struct {
	Key
	ResourceVersion int64
	UID             uint64
	CreatedSeconds  int64 // creationTimestamp, whole seconds since the Unix epoch: all that the API keeps
	Spec            coordination.Candidate
}

// Verb is the verb of a request to the API.
type Verb uint8

const (
	Ping Verb = iota // replaces a LeaseCandidate with a copy that has pingTime set
	CreateLease
	GetLease
	UpdateLease
	GetCandidate    // the collector's live read
	DeleteCandidate // deletes by name, without preconditions
)

var verbNames = [...]string{"ping", "create lease", "get lease", "update lease", "get candidate", "delete candidate"}

// String returns the verb with its object: "update lease".
func (v Verb) String() string { return verbNames[v] }

// Request is one request. Lease or Candidate holds the object to store, depending on the verb.
type Request struct {
	Serial          int32
	Verb            Verb
	Key             Key
	ResourceVersion int64
	UID             uint64
	Lease           coordination.Record
	Candidate       coordination.Candidate
}

// InputKind is the kind of an Input.
type InputKind uint8

const (
	Boot          InputKind = iota // the process runs and its informers have synced, so the collector begins
	Lead                           // this API server leads, so the controller begins
	Lose                           // it no longer leads, so the controller ends and drops its queue
	LeaseSeen                      // the informer shows a Lease: Lease
	LeaseGone                      // the informer shows the deletion of a Lease: Lease
	CandidateSeen                  // the informer shows a LeaseCandidate: Candidate
	CandidateGone
	Wake   // the instant of NextWakeNs has come
	Answer // a request ended: Serial, Result and, for a read that succeeded, Lease or Candidate
)

// Input is an event for the controllers.
type Input struct {
	Kind      InputKind
	Serial    int32
	Result    step.Result
	Lease     Lease
	Candidate Candidate
}

// OutputKind is the kind of an Output.
type OutputKind uint8

const (
	Send       OutputKind = iota // Request
	Abort                        // the controller gave up Request.Serial; the server may or may not have carried it out
	Reconciled                   // a reconcile is over: Key, Outcome, RequeueNs and, while Looking, Decision
	Crashed                      // the process ends here; do not step this machine again
)

// Output is an action or a report of the controllers.
type Output struct {
	Kind      OutputKind
	Request   Request
	Key       Key
	Outcome   Outcome
	RequeueNs int64
	Decision  *Decision
}

// Machine is the controllers of one API server. The zero value is not usable; see New.
type Machine struct {
	config  Config
	cache   cache
	queue   flowcontrol.Queue[Key]
	leading bool
	crashed bool
	serial  int32
	job     job
	gc      collector
	looking bool
}

// New returns the controllers of a process that has just started.
func New(config Config) Machine { return Machine{config: config, gc: collector{nextNs: step.Never}} }

// Clone returns independent controllers that share the symbols.
func (m *Machine) Clone() Machine {
	c := *m
	c.cache = m.cache.clone()
	c.queue = m.queue.Clone()
	c.job = m.job.clone()
	c.gc.left = append([]Candidate(nil), m.gc.left...)
	return c
}

// Look turns the recording of decisions on or off, from the next reconcile on. When off, it costs nothing.
func (m *Machine) Look(on bool) { m.looking = on }

// Reseed replaces the stream that decides among equal candidates.
func (m *Machine) Reseed(chance random.Stream) { m.config.Chance = chance }

// Leading reports whether this API server's controller leads.
func (m *Machine) Leading() bool { return m.leading }

// Working returns the key of the current reconcile.
func (m *Machine) Working() (Key, bool) { return m.job.key, m.job.phase != resting }

// Waiting returns how many keys wait in the queue.
func (m *Machine) Waiting() int { return m.queue.Len() }

// RequeueDueNs returns when a key gets another reconcile without an event, or Never.
func (m *Machine) RequeueDueNs(key Key) int64 { return m.queue.DueNs(key) }

// NextWakeNs returns when the controllers want to wake, on the node's monotonic clock.
func (m *Machine) NextWakeNs() int64 { return min(m.queue.NextDueNs(), m.gc.nextNs) }

// Step takes one input at one instant and appends what the controllers do to out.
func (m *Machine) Step(at step.Reading, in Input, out []Output) []Output {
	if m.crashed {
		return out
	}
	switch in.Kind {
	case Boot:
		out = m.collect(at, out)
	case Lead:
		m.lead()
	case Lose:
		out = m.lose(out)
	case LeaseSeen:
		m.cache.seeLease(&in.Lease)
		m.enqueueLease(&in.Lease)
	case LeaseGone:
		m.cache.dropLease(in.Lease.Key)
		m.enqueueLease(&in.Lease)
	case CandidateSeen:
		m.cache.seeCandidate(&in.Candidate, m.config.Symbols)
		m.enqueueCandidate(&in.Candidate)
	case CandidateGone:
		m.cache.dropCandidate(in.Candidate.Key)
		m.enqueueCandidate(&in.Candidate)
	case Wake:
		m.queue.Due(at.Mono)
		if at.Mono >= m.gc.nextNs {
			out = m.collect(at, out)
		}
	case Answer:
		if in.Serial == m.gc.serial && m.gc.phase != resting {
			out = m.collectorAnswer(at, &in, out)
		} else {
			out = m.answer(at, &in, out)
		}
	}
	return m.work(at, out)
}

// lead enqueues every cached object, because informers show all of them to the handlers of a new controller.
// Deviation: Leases come first, each kind in the cache's order; upstream's two informers have no order.
// TestLeadingBeginsWithEverything pins this.
func (m *Machine) lead() {
	if m.leading {
		return
	}
	m.leading = true
	for i := range m.cache.leases {
		m.enqueueLease(&m.cache.leases[i])
	}
	for i := range m.cache.candidates {
		m.enqueueCandidate(&m.cache.candidates[i].Candidate)
	}
}

// lose drops the queue and gives up the requests in flight, because the controller's context has ended.
func (m *Machine) lose(out []Output) []Output {
	m.leading = false
	m.queue = flowcontrol.Queue[Key]{}
	out = m.abort(out)
	m.job = job{}
	return out
}

// enqueueLease enqueues every Lease, coordinated or not.
func (m *Machine) enqueueLease(l *Lease) {
	if m.leading {
		m.queue.Add(l.Key)
	}
}

// enqueueCandidate ignores a candidate with an unanswered ping: the controller itself changed it, and the ack
// enqueues it again.
func (m *Machine) enqueueCandidate(c *Candidate) {
	if m.leading && !c.Spec.Unacked() {
		m.queue.Add(Key{c.Namespace, c.Spec.LeaseName})
	}
}

// work takes keys from the queue until a reconcile has to wait for an answer or the queue is empty.
func (m *Machine) work(at step.Reading, out []Output) []Output {
	for m.leading && m.job.phase == resting {
		key, ok := m.queue.Get()
		if !ok {
			break
		}
		out = m.reconcile(at, key, out)
	}
	return out
}

// send numbers a request and sends it.
func (m *Machine) send(r Request, out []Output) []Output {
	m.serial++
	r.Serial = m.serial
	return append(out, Output{Kind: Send, Request: r})
}
