// Package leasecandidate is client-go's LeaseCandidate client as a step machine. It creates the LeaseCandidate of one
// program for one Lease, renews it every five minutes and acks pings. Machine.Step takes an Input and appends
// Outputs. Instants are nanoseconds on the node's monotonic clock.
//
// Guarantee: given the same objects and answers at the same instants, it sends the same requests as client-go v0.37.2
// tools/leaderelection leasecandidate.go. Their instants are equal to the nanosecond, their contents to the
// microsecond.
// Non-guarantee: it has client-go's gaps. It deletes nothing when it ends, keeps the versions and strategy of an
// existing object, and notices the deletion of its object late. It never resets its count of failures, so after a late
// failure it waits long. If its clock is behind the controller's, it acks one ping over and over until its clock has
// passed the ping's time. The caller runs the informer's list and watch; the package does not model their failures.
package leasecandidate

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/leaselab/leaselab/core/step"
)

// Constants of client-go, in ns.
// Source: client-go v0.37.2 tools/leaderelection leasecandidate.go requeueInterval and the informer factory's resync,
// tools/cache syncedPollPeriod.
const (
	requeueNs  = int64(300_000_000_000)
	resyncNs   = int64(300_000_000_000)
	syncPollNs = int64(100_000_000)
)

// Config holds the arguments of NewCandidate that decide behavior.
type Config struct {
	LeaseName        coordination.Symbol
	BinaryVersion    coordination.Symbol
	EmulationVersion coordination.Symbol
	Strategy         coordination.Symbol
	RenewEveryNs     int64 // 0 for upstream's 5 min
}

// Object is the LeaseCandidate with the metadata that an update needs.
type Object struct {
	ResourceVersion int64
	UID             uint64
	Spec            coordination.Candidate
}

// InputKind is the kind of an Input.
type InputKind uint8

const (
	Start  InputKind = iota // the program calls Run
	Listed                  // the informer has its first list; the caller has already passed its contents as Seen
	Seen                    // the informer shows the object: Object
	Gone                    // the informer shows its deletion
	Wake                    // the instant of NextWakeNs has come
	Answer                  // the request in flight ended: Result
	Stop                    // the context of Run ends
)

// Input is an event for a client.
type Input struct {
	Kind   InputKind
	Result step.Result // Answer
	Object Object      // Seen
}

// OutputKind is the kind of an Output.
type OutputKind uint8

const (
	Send  OutputKind = iota // a request: see Machine.Outgoing
	Abort                   // the client gives up the request in flight
)

// Output is an action of a client.
type Output struct {
	Kind OutputKind
	Verb elector.Verb // Create or Update
}

type phase uint8

const (
	idle phase = iota
	syncing
	working
	stopped
)

// item is the one key of the queue.
const item = 0

// Machine is one LeaseCandidate client. The zero value is not usable; see New.
type Machine struct {
	config   Config
	queue    flowcontrol.Queue[int]
	limiter  flowcontrol.Backoff
	phase    phase
	listed   bool
	cached   bool
	cache    Object // the informer's copy
	inFlight bool
	verb     elector.Verb
	sent     Object
	startNs  int64 // monotonic clock, like all instants here
	syncedNs int64 // when the client finds that its informer has synced
	resyncNs int64
}

// New returns a client that has not started.
func New(config Config) Machine { return Machine{config: config} }

// Clone returns an independent client.
func (m *Machine) Clone() Machine {
	c := *m
	c.queue = m.queue.Clone()
	return c
}

// Outgoing returns the request of the last Send: the object to create, or the updated object, whose
// resourceVersion names the version that it replaces.
func (m *Machine) Outgoing() (elector.Verb, Object) { return m.verb, m.sent }

// InFlight reports whether a request is in flight.
func (m *Machine) InFlight() bool { return m.inFlight }

// CachedObject returns the object that the informer shows.
func (m *Machine) CachedObject() (Object, bool) { return m.cache, m.cached }

// Failures returns how many requests have failed since the start.
func (m *Machine) Failures() int32 { return m.limiter.Failures() }

// NextWakeNs returns when the client wants to wake, by the node's monotonic clock, or Never if it only waits for an
// event.
func (m *Machine) NextWakeNs() int64 {
	switch m.phase {
	case idle, stopped:
		return step.Never
	case syncing:
		if !m.listed {
			return m.resyncNs
		}
		return min(m.syncedNs, m.resyncNs)
	}
	return min(m.resyncNs, m.queue.NextDueNs())
}

// Step takes one input at one instant and appends what the client does to out.
func (m *Machine) Step(at step.Reading, in Input, out []Output) []Output {
	switch in.Kind {
	case Start:
		m.phase, m.startNs, m.resyncNs = syncing, at.Mono, at.Mono+resyncNs
	case Listed:
		m.hasListed(at)
	case Seen:
		m.see(&in.Object)
	case Gone:
		m.cached = false // it has no handler; the next requeue creates the object again
	case Wake:
		m.wake(at)
	case Answer:
		m.answer(at, in.Result)
	case Stop:
		return m.stop(out)
	}
	return m.work(at, out)
}

// hasListed sets the instant at which the client notices that the informer has listed. It polls every 100 ms, and its
// first poll is too early. Deviation: in the library two goroutines race, so the first poll may be in time. In the
// recordings it never is. TestSyncIsSeenAtTheNextLook pins this. Source: client-go tools/cache
// WaitForNamedCacheSyncWithContext.
func (m *Machine) hasListed(at step.Reading) {
	if m.phase != syncing || m.listed {
		return
	}
	polls := max((at.Mono-m.startNs+syncPollNs-1)/syncPollNs, 1)
	m.listed, m.syncedNs = true, m.startNs+polls*syncPollNs
}

// see takes a version from the informer. Only an update can contain a ping, and only a ping after the renewal
// counts. Deviation: without a renewTime the library dereferences nil here and its process ends; this client sends
// an ack. TestPingWithoutRenewTime pins this.
func (m *Machine) see(o *Object) {
	update := m.cached
	m.cache, m.cached = *o, true
	if update {
		m.handle()
	}
}

// handle is client-go's update handler.
func (m *Machine) handle() {
	spec := &m.cache.Spec
	if spec.Has(coordination.HasPing) && spec.PingTime > spec.RenewTime {
		m.queue.Add(item)
	}
}

func (m *Machine) wake(at step.Reading) {
	if m.phase == syncing && m.listed && at.Mono >= m.syncedNs {
		m.phase = working
		m.queue.Add(item)
	}
	for at.Mono >= m.resyncNs && m.phase != idle && m.phase != stopped {
		m.resyncNs += resyncNs
		if m.cached {
			m.handle() // a resync shows the handler the cached object as an update
		}
	}
	m.queue.Due(at.Mono)
}

// answer ends the work on the item and enqueues it again after five minutes, or sooner after a failure. Source:
// client-go v0.37.2 leasecandidate.go processNextWorkItem.
func (m *Machine) answer(at step.Reading, result step.Result) {
	if !m.inFlight {
		return
	}
	m.inFlight = false
	wait := requeueNs
	if m.config.RenewEveryNs != 0 {
		wait = m.config.RenewEveryNs
	}
	if result != step.Success {
		wait = m.limiter.WaitNs(at.Mono)
	}
	m.queue.AddAt(item, at.Mono+wait)
	m.queue.Done(item)
}

// work begins the next request if there is something to do and no request is in flight. Source: client-go
// v0.37.2 leasecandidate.go ensureLease.
func (m *Machine) work(at step.Reading, out []Output) []Output {
	if m.phase != working || m.inFlight {
		return out
	}
	if _, ok := m.queue.Get(); !ok {
		return out
	}
	now := coordination.MicroTimeOf(at.Wall)
	if m.cached {
		m.verb, m.sent = elector.Update, m.cache
	} else {
		m.verb, m.sent = elector.Create, Object{Spec: coordination.Candidate{
			LeaseName: m.config.LeaseName, BinaryVersion: m.config.BinaryVersion,
			EmulationVersion: m.config.EmulationVersion, Strategy: m.config.Strategy,
		}}
	}
	m.sent.Spec.SetRenew(now)
	m.inFlight = true
	return append(out, Output{Kind: Send, Verb: m.verb})
}

func (m *Machine) stop(out []Output) []Output {
	m.phase = stopped
	if m.inFlight {
		m.inFlight = false
		out = append(out, Output{Kind: Abort})
	}
	return out
}
