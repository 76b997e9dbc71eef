// Package world runs a cluster on virtual time: candidates with their clocks and processes, LeaseCandidate clients, API servers
// with their controllers, kubelets and monitors, one store behind them, and the acts that are done to them.
//
// A World is a queue, a clock and dispatch. Electors, their processes, clients, controllers, kubelets and monitors are machines
// that it steps;
// package network decides what becomes of their messages.
//
// Guarantee: a World is a function of its Setup and the controls inserted into it. Every step is the next event in one total
// order (time, class, node, that node's number), and the trace hash names the run on every platform. Clone makes an
// independent copy. Non-guarantee: all API servers share one store, which carries one request out at a time and at once; what
// takes time is their queue and the network.
package world

import (
	"slices"
	"sort"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/heartbeat"
	"github.com/leaselab/leaselab/sim/world/process"
)

const never = step.Never

// node is one node: its process and what runs in it. What every request reads stands first.
type node struct {
	machine   elector.Machine
	process   process.Process
	clock     clock
	seq       int32 // requests issued
	flight    int32 // slot of the request in flight, -1
	identity  coordination.Symbol
	lease     int32
	settings  int32 // what its next elector is made of
	running   int32 // what its elector was made of
	kind      nodeKind
	special   special
	lock      elector.Lock
	name      coordination.Symbol
	drawn     int32 // explicit draws used
	number    int32 // among the nodes of its kind that are no candidates
	client    int32 // number of its LeaseCandidate client, -1: none
	jitter    random.Stream
	link      network.Link
	latencies random.Stream
	limiter   limiter
}

// nodeKind is what a node runs.
type nodeKind uint8

const (
	candidateNode nodeKind = iota // an elector, and its LeaseCandidate client if it has one
	serverNode                    // an API server: an elector and the controllers that it lets run
	kubeletNode
	monitorNode
)

// deferred is something that reached a stopped process.
type deferred struct {
	at        int64
	class     class
	candidate int32
	slot      int32
	seq       uint32 // the number of the event; of a message: its order
	what      eventKind
}

// World is one run at one instant. Clone makes an independent one.
type World struct {
	setup    *Setup
	now      int64
	nodes    []node
	settings []Candidate // what each node's next elector is made of; append-only
	timers   timers
	queue    queue
	messages []message
	free     []int32
	deferred []deferred
	store    storage.Store

	servers    []apiServer
	clients    []client
	candidates []stored // the LeaseCandidates by their numbers
	bodies     []body   // of messages
	freeBodies []int32
	sent       uint32 // messages that no client numbers itself

	leaseWrittenNs int64 // when the server last stored the first Lease

	controls    []Control // by time, then order of insertion; shared until inserted into
	nextControl int

	net      network.Rules
	holding  int32 // messages that a rule holds
	resource resource

	hash    trace.Hash
	records []trace.Record
	counts  Counts
	asked   int64 // what requests of administrators have cost, in requests of candidates
	outputs []elector.Output

	kubelets []kubelet
	monitors []monitor
	changes  []heartbeat.Change // of the last evaluation

	locks  []elector.MultiLock // by candidate, as far as one has needed it
	mapped bool                // something has been done with the ConfigMap
}

// Counts are totals of a run so far.
type Counts struct {
	Requests int64 // issued, also those a context forbade
	Records  int64
}

// New returns the world of a setup at instant 0, before anything has happened.
func New(setup *Setup) *World {
	w := &World{setup: setup, store: storage.NewWithConfigMap(len(setup.LeaseNames)), hash: trace.EmptyHash}
	w.net = network.New(setup.Seed, max(1, len(setup.Servers)), setup.Capacity, slices.Clone(setup.Cuts), slices.Clone(setup.Faults), slices.Clone(setup.Latencies))
	w.nodes = make([]node, 0, len(setup.Candidates))
	w.controls = make([]Control, 0, len(setup.Candidates)+len(setup.Controls))
	for i := range setup.Servers {
		w.controls = append(w.controls, Control{AtNs: setup.Servers[i].Node.StartNs, Kind: DoStart, Target: int32(len(setup.Candidates) + i), Source: -1})
	}
	for i := range setup.Candidates {
		w.addNode(&setup.Candidates[i])
		w.controls = append(w.controls, Control{AtNs: setup.Candidates[i].StartNs, Kind: DoStart, Target: int32(i), Source: -1})
	}
	for i := range setup.Servers {
		w.addServer(i)
	}
	w.addHeartbeats(setup.Heartbeats)
	w.controls = append(w.controls, setup.Controls...)
	sort.SliceStable(w.controls, func(i, j int) bool { return w.controls[i].AtNs < w.controls[j].AtNs })
	return w
}

func (w *World) addNode(c *Candidate) int32 {
	i := int32(len(w.nodes))
	jitter := random.Named(w.setup.Seed, "jitter", c.Name)
	if w.setup.Recorded {
		jitter = random.Recorded(w.setup.Seed, int(i))
	}
	rate := c.RatePpm
	if rate == 0 {
		rate = trueRatePpm
	}
	w.settings = append(w.settings, *c)
	w.nodes = append(w.nodes, node{
		clock:     clock{offsetNs: c.OffsetNs, ratePpm: rate},
		jitter:    jitter,
		flight:    -1,
		client:    -1,
		name:      w.setup.Symbols.Intern(c.Name),
		identity:  w.setup.Symbols.Intern(c.Identity),
		lease:     c.Lease,
		settings:  int32(len(w.settings) - 1),
		running:   int32(len(w.settings) - 1),
		link:      network.Link{Client: i, Server: network.None, Queue: c.Server},
		latencies: random.Named(w.setup.Seed, "latency", c.Name),
	})
	w.timers.add()
	if w.setup.Resource.WriteEveryNs > 0 {
		w.resource.writers = append(w.resource.writers, writer{})
	}
	w.addClient(i, c)
	return i
}

// Clone returns a world that continues independently from the same state.
func (w *World) Clone() *World {
	c := *w
	c.nodes = slices.Clone(w.nodes)
	c.settings = slices.Clip(w.settings) // only ever appended to
	c.timers = w.timers.clone()
	c.queue = slices.Clone(w.queue)
	c.messages = slices.Clone(w.messages)
	c.free = slices.Clone(w.free)
	c.deferred = slices.Clone(w.deferred)
	c.store = w.store.Clone()
	c.bodies, c.freeBodies = slices.Clone(w.bodies), slices.Clone(w.freeBodies)
	c.servers, c.clients, c.candidates = slices.Clone(w.servers), slices.Clone(w.clients), slices.Clone(w.candidates)
	for k := range c.servers {
		c.servers[k].machine = w.servers[k].machine.Clone()
	}
	for k := range c.clients {
		c.clients[k].machine = w.clients[k].machine.Clone()
	}
	c.controls = slices.Clip(w.controls)
	c.net = w.net.Clone()
	c.kubelets, c.monitors, c.changes = slices.Clone(w.kubelets), slices.Clone(w.monitors), nil
	for k := range c.monitors {
		c.monitors[k].machine = w.monitors[k].machine.Clone()
	}
	c.resource, c.locks = w.resource.clone(), slices.Clone(w.locks)
	c.records, c.outputs = nil, nil
	return &c
}

// Insert adds what is done to the world. It must lie after the last processed instant. The controls are copied once for all
// that is added: copies of the world share them.
func (w *World) Insert(added ...Control) {
	byTime := make([]int32, 0, len(added))
	for i := range added {
		at := sort.Search(len(byTime), func(k int) bool { return added[byTime[k]].AtNs > added[i].AtNs })
		byTime = slices.Insert(byTime, at, int32(i))
	}
	all, old := make([]Control, 0, len(w.controls)+len(added)), 0
	for _, i := range byTime {
		from := old
		old += sort.Search(len(w.controls)-old, func(k int) bool { return w.controls[old+k].AtNs > added[i].AtNs })
		if old < w.nextControl {
			panic("world: a control lies in the past")
		}
		all = append(append(all, w.controls[from:old]...), added[i])
	}
	w.controls = append(all, w.controls[old:]...)
}

// Now is the instant of the last step.
func (w *World) Now() int64 { return w.now }

// Records are the trace records of the last step, valid until the next one.
func (w *World) Records() []trace.Record { return w.records }

// Hash is the trace hash so far.
func (w *World) Hash() trace.Hash { return w.hash }

// Counts are the totals so far.
func (w *World) Counts() Counts { return w.counts }

// Setup is what the run was made from.
func (w *World) Setup() *Setup { return w.setup }

// Store is the API server's store.
func (w *World) Store() *storage.Store { return &w.store }

// NextAt is the instant of the next event, elector.Never if nothing will ever happen again.
func (w *World) NextAt() int64 {
	at, _ := w.next()
	return at
}

func (w *World) next() (at int64, what class) {
	_, at = w.timers.next()
	what = ownTimer
	if len(w.queue) > 0 {
		m := &w.queue[0]
		c := class(m.key >> 56)
		if m.at < at || m.at == at && c < what {
			at, what = m.at, c
		} else if m.at == at && c == ownTimer {
			// A delay of the process itself: candidate order decides.
			if first, _ := w.timers.next(); m.candidate() < first {
				what = arrival
			}
		}
	}
	if w.nextControl < len(w.controls) {
		if c := w.controls[w.nextControl].AtNs; c < at || c == at && what > control {
			at, what = c, control
		}
	}
	return at, what
}

// Step processes the next event if it lies at or before limitNs and reports whether it did. Records then holds what
// happened.
func (w *World) Step(limitNs int64) bool {
	at, what := w.next()
	if at > limitNs || at == never {
		return false
	}
	w.records = w.records[:0]
	w.now = at
	switch what {
	case ownTimer:
		if i, t := w.timers.next(); t == at {
			w.wake(i, at)
			break
		}
		w.deliver(w.queue.pop())
	case control:
		c := &w.controls[w.nextControl]
		w.nextControl++
		w.control(c)
	default:
		w.deliver(w.queue.pop())
	}
	return true
}

// deliver hands an event of the queue to the machine that waits for it.
func (w *World) deliver(e event) {
	switch e.what {
	case requestArrives:
		w.arrive(e.slot)
	case requestServed:
		w.serve(e.slot)
	case responseArrives, clientGivesUp:
		w.hear(e)
	case runDue, startDue, drainDue, probeDue:
		w.processDue(e.candidate(), processInputs[e.what], e.number())
	case limiterAdmits, limiterRefuses:
		w.endThrottle(e)
	case resourceDue:
		w.writeResource(e.candidate(), e.slot)
	case clientWakes:
		w.wakeClient(e.slot)
	case serverWakes:
		w.wakeServer(e.slot)
	case beatDue:
		w.sendHeartbeat(e)
	case evaluates:
		w.evaluate(e)
	case candidateListDue:
		w.listCandidateNow(e)
	case heartbeatListDue:
		w.listHeartbeatsNow(e)
	}
}

// Run steps until nothing is left at or before limitNs, handing every step's records to observe.
func (w *World) Run(limitNs int64, observe func([]trace.Record)) {
	for w.Step(limitNs) {
		observe(w.records)
	}
}

func (w *World) emit(r trace.Record) { w.emitted(&r) }

// emitted takes the record where it lies: the hot path fills it in place.
func (w *World) emitted(r *trace.Record) {
	if len(w.servers) > 0 && r.Candidate >= 0 && w.nodes[r.Candidate].kind == serverNode && quiet[r.Kind] {
		return
	}
	r.At = w.now
	w.hash.Add(r, w.setup.Symbols)
	w.records = append(w.records, *r)
	w.counts.Records++
}

// say emits a record of a candidate that carries nothing else.
func (w *World) say(kind trace.Kind, candidate int32) {
	w.emit(trace.Record{Kind: kind, Candidate: candidate, Run: w.nodes[candidate].process.Run})
}

func (w *World) wake(i int32, dueNs int64) {
	n := &w.nodes[i]
	if n.process.Paused { // noticed at the resume instant: the elector knows its own timers
		w.timers.set(i, never)
		return
	}
	w.step(i, elector.Input{Kind: elector.Wake, DueNs: dueNs})
}

// step hands an input to a candidate's elector and carries out what it says.
func (w *World) step(i int32, in elector.Input) {
	n := &w.nodes[i]
	reading := n.clock.read(w.now)
	for {
		w.outputs = n.machine.Step(reading, in, w.outputs[:0])
		again := elector.Send
		for k := range w.outputs {
			if kind := w.outputs[k].Kind; kind == elector.NeedDraw || kind == elector.AwaitWork {
				again = kind
				continue
			}
			w.output(i, &w.outputs[k])
		}
		if again == elector.Send || again == elector.AwaitWork && n.process.Draining {
			break
		}
		if again == elector.AwaitWork {
			in = elector.Input{Kind: elector.WorkOver}
			continue
		}
		in = elector.Input{Kind: elector.Draw, Draw: w.draw(i)}
	}
	w.timers.set(i, n.machine.NextWakeNs())
}

func (w *World) draw(i int32) float64 {
	n := &w.nodes[i]
	if draws := w.settings[n.settings].Draws; int(n.drawn) < len(draws) {
		n.drawn++
		return draws[n.drawn-1]
	}
	return n.jitter.Float64()
}

func (w *World) output(i int32, o *elector.Output) {
	n := &w.nodes[i]
	switch o.Kind {
	case elector.Send:
		w.send(i, o.Verb)
	case elector.NotSent:
		record, version, _ := n.machine.Outgoing()
		w.notSentPart(i, &elector.Part{Object: n.lock.First(), Verb: o.Verb, Record: record, ResourceVersion: version}, o.Result)
	case elector.Abort:
		w.abandon(i, o.Result)
	case elector.Jitter:
		w.emit(trace.Record{Kind: trace.JitterDrawn, Candidate: i, Run: n.process.Run, Payload: trace.Jitter{Draw: o.Draw, DelayNs: o.DelayNs}.Payload()})
	case elector.LeadingDone:
		if n.kind == serverNode {
			w.say(trace.ControllerEnds, i)
			w.stopControllers(i)
			return
		}
		w.countWork(i)
		w.stepProcess(i, process.Input{Kind: process.ContextEnded, Cancelled: n.machine.Cancelled(), Releases: w.settings[n.settings].ReleaseAfterWork}, -1)
	case elector.NewLeader:
		w.emit(trace.Record{Kind: trace.NewLeader, Candidate: i, Run: n.process.Run, Name: o.Name})
	case elector.RunReturned:
		w.emit(trace.Record{Kind: trace.RunReturned, Candidate: i, Run: n.process.Run, Payload: trace.Return{RunsAgain: w.Node(i).runsAgain()}.Payload()})
		w.stepProcess(i, process.Input{Kind: process.Returned, Cancelled: n.machine.Cancelled()}, -1)
	case elector.StartedLeading:
		if n.kind == serverNode {
			w.say(trace.ControllerLeads, i)
			w.startControllers(i)
			return
		}
		n.limiter.workNs = w.now
		w.stepProcess(i, process.Input{Kind: process.Leads}, -1)
		w.net.LeaderStarted(w.now)
		w.emit(trace.Record{Kind: trace.StartedLeading, Candidate: i, Run: n.process.Run, Payload: trace.Term{CandidateVersion: w.Node(i).candidateVersion(), MarginNs: w.Node(i).marginNs()}.Payload()})
		w.startWrites(i)
	default:
		w.say(plainKind[o.Kind], i)
	}
}

var plainKind = [...]trace.Kind{
	elector.BecameLeader:    trace.EventBecameLeader,
	elector.MetricLeaderOn:  trace.MetricLeaderOn,
	elector.MetricLeaderOff: trace.MetricLeaderOff,
	elector.MetricSlowPath:  trace.MetricSlowPath,
	elector.StoppedEvent:    trace.EventStoppedLeading,
	elector.StoppedLeading:  trace.StoppedLeading,
}

// begin makes a new elector for a node and runs it, or reports why client-go would not.
func (w *World) begin(i int32) {
	n := &w.nodes[i]
	if !w.Node(i).HasElector() {
		w.beginHeartbeats(i)
		return
	}
	n.running = n.settings
	c := &w.settings[n.settings]
	config := c.Config
	config.Identity = n.identity
	if err := config.Validate(); err != nil {
		w.emit(trace.Record{Kind: trace.ConfigError, Candidate: i, Run: n.process.Run, Name: w.setup.Symbols.Intern(err.Error())})
		return
	}
	retry, deadline := w.Node(i).timerLengths()
	n.machine = elector.New(config, retry, deadline)
	n.special = c.special()
	w.takeLock(i, c.Lock)
	w.stepProcess(i, process.Input{Kind: process.Begun}, -1)
	w.say(trace.MetricLeaderOff, i)
	w.step(i, elector.Input{Kind: elector.Start})
}
