// Package world is the simulator: candidates with their clocks, a network, one API server's store, and what is done to
// them, run on virtual time by one queue of values.
//
// Guarantee: a World is a function of its Setup and the controls inserted into it; every step is the next event in one
// total order (time, class, candidate, that candidate's number), and the trace hash names the run on every platform.
// Non-guarantee: the store serves one request at a time and at once; load, several API servers and watches are not
// modelled here.
package world

import (
	"slices"
	"sort"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
)

const never = elector.Never

// node is the state of one candidate.
type node struct {
	machine     elector.Machine
	clock       clock
	jitter      Stream
	seq         int32 // requests issued
	drawn       int32 // explicit draws used
	run         int16
	flight      int32 // slot of the request in flight, -1
	name        coordination.Symbol
	identity    coordination.Symbol
	lease       int32
	pauseSource int32
	life        life
	active      bool // it works: from StartedLeading until its context and its work tail have ended
	special     special
	lock        elector.Lock
	alive       bool // a process is there
	paused      bool
	stopAsked   bool  // its context is cancelled
	tail        bool  // its work goes on after its context ended
	tailRun     int16 // of the run whose work that is
	settings    int32 // what its next elector is made of
	server      int32 // number of the API server it is, from 1; 0: none
	client      int32 // number of its LeaseCandidate client, from 1; 0: none
	born        int16 // processes so far
	running     int32 // what its elector was made of
	peer        int32 // the API server it is connected to
	heardNs     int64 // when something last came back on its connection
	connectedNs int64 // when that was opened
	stoodNs     int64 // when it was last paused
	kubelet     int32 // number of its heartbeats, from 1; 0: it sends none
	monitor     int32 // number of the monitor it is, from 1; 0: none
	way         Stream
}

// life is what became of a node's process.
type life uint8

const (
	unborn life = iota
	living
	gone // Run returned and nothing restarts it
	crashed
	removed
)

// request is one request from issue until the wire and the client have both let go of it.
type request struct {
	sentNs     int64
	servedNs   int64 // -1: not served
	returnsNs  int64 // -1: no answer on the way
	timeoutNs  int64 // never: none
	reachesNs  int64
	uid        uint64
	version    int64
	answer     storage.Object
	record     coordination.Record
	candidate  int32
	seq        int32
	responseNs int64
	verb       elector.Verb
	object     elector.Object
	fault      FaultKind
	result     elector.Result
	outcome    storage.Outcome
	onWire     bool
	waited     bool // the client still waits
	timeoutSet bool // a clientGivesUp message is queued
	refused    bool
	lostUp     bool
	lostDown   bool
	throttled  bool // it waits for the client's rate limiter
	expired    bool // the server would let a TTL lock go
	requestNs  int64
	lagNs      int64 // it is read from a cache that is so far behind
	hangs      bool  // it waits at the server
	late       bool  // what is held is delivered whether or not the client waits
	held       held
}

// deferred is something that reached a stopped process.
type deferred struct {
	at        int64
	class     class
	candidate int32
	slot      int32
	seq       int32 // of the request in the slot
	what      messageKind
	cancel    bool
}

// World is one run at one instant. Clone makes an independent one.
type World struct {
	setup    *Setup
	now      int64
	nodes    []node
	settings []Candidate // what each node's next elector is made of; append-only
	timers   timers
	queue    queue
	requests []request
	free     []int32
	deferred []deferred
	store    storage.Store

	servers    []apiServer
	clients    []client
	candidates []stored // the LeaseCandidates by their numbers
	trips      []trip
	tripped    uint32
	heldTrips  []heldTrip // that a cut holds

	processes      []process // by candidate
	leaseWrittenNs int64     // when the server last stored the first Lease

	controls    []Control // by time, then order of insertion; shared until inserted into
	nextControl int

	latencies []Latency
	faults    []Fault
	cuts      []Cut
	resource  resource

	hash    Hash
	records []Record
	counts  Counts
	asked   int64 // what requests of administrators have cost, in requests of candidates
	outputs []elector.Output

	capacity Capacity
	lanes    []lane // by API server
	ledNs    int64  // when a leader last started, -1: never
	slow     bool   // requests may stay at the server
	holding  int32  // requests that are held

	kubelets []kubelet
	monitors []monitor
	views    []view // of each monitor, by kubelet

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
	w := &World{setup: setup, store: storage.NewBeside(len(setup.LeaseNames)), hash: trace.EmptyHash, capacity: setup.Capacity, ledNs: -1}
	w.lanes = make([]lane, max(1, len(setup.Servers)))
	w.slow = w.capacity.limited()
	w.latencies = append(w.latencies, setup.Latencies...)
	w.faults = append(w.faults, setup.Faults...)
	w.cuts = append(w.cuts, setup.Cuts...)
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
	jitter := NamedStream(w.setup.Seed, "jitter", c.Name)
	if w.setup.Recorded {
		jitter = RecordedStream(w.setup.Seed, int(i))
	}
	rate := c.RatePpm
	if rate == 0 {
		rate = trueRatePpm
	}
	w.settings = append(w.settings, *c)
	w.settings[len(w.settings)-1].varied = c.varies()
	w.nodes = append(w.nodes, node{
		clock:    clock{offsetNs: c.OffsetNs, ratePpm: rate},
		jitter:   jitter,
		flight:   -1,
		name:     w.setup.Symbols.Intern(c.Name),
		identity: w.setup.Symbols.Intern(c.Identity),
		lease:    c.Lease,
		settings: int32(len(w.settings) - 1),
		running:  int32(len(w.settings) - 1),
		peer:     c.Server,
		way:      NamedStream(w.setup.Seed, "latency", c.Name),
	})
	w.timers.add()
	w.processes = append(w.processes, process{})
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
	c.requests = slices.Clone(w.requests)
	c.free = slices.Clone(w.free)
	c.deferred = slices.Clone(w.deferred)
	c.store = w.store.Clone()
	c.servers, c.clients, c.trips = slices.Clone(w.servers), slices.Clone(w.clients), slices.Clone(w.trips)
	c.candidates, c.heldTrips = slices.Clone(w.candidates), slices.Clone(w.heldTrips)
	c.processes = slices.Clone(w.processes)
	for k := range c.servers {
		c.servers[k].machine = w.servers[k].machine.Clone()
	}
	for k := range c.clients {
		c.clients[k].machine = w.clients[k].machine.Clone()
	}
	c.controls = slices.Clip(w.controls)
	c.latencies = slices.Clone(w.latencies)
	c.faults = slices.Clone(w.faults)
	c.cuts = slices.Clone(w.cuts)
	c.lanes = slices.Clone(w.lanes)
	c.kubelets, c.monitors, c.views = slices.Clone(w.kubelets), slices.Clone(w.monitors), slices.Clone(w.views)
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
func (w *World) Records() []Record { return w.records }

// Hash is the trace hash so far.
func (w *World) Hash() Hash { return w.hash }

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

// Run steps until nothing is left at or before limitNs, handing every step's records to observe.
func (w *World) Run(limitNs int64, observe func([]Record)) {
	for w.Step(limitNs) {
		observe(w.records)
	}
}

func (w *World) emit(r Record) { w.emitted(&r) }

// emitted takes the record where it lies: the hot path fills it in place.
func (w *World) emitted(r *Record) {
	if len(w.servers) > 0 && r.Candidate >= 0 && w.nodes[r.Candidate].server != 0 && quiet[r.Kind] {
		return
	}
	r.At = w.now
	w.hash.Add(r, w.setup.Symbols)
	w.records = append(w.records, *r)
	w.counts.Records++
}

// say emits a record of a candidate that carries nothing else.
func (w *World) say(kind Kind, candidate int32) {
	w.emit(Record{Kind: kind, Candidate: candidate, Run: w.nodes[candidate].run})
}

func (w *World) wake(i int32, dueNs int64) {
	n := &w.nodes[i]
	if n.paused { // noticed at the resume instant: the elector knows its own timers
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
		if again == elector.Send || again == elector.AwaitWork && n.tail {
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
		w.emit(Record{Kind: JitterDrawn, Candidate: i, Run: n.run, Payload: trace.Jitter{Draw: o.Draw, DelayNs: o.DelayNs}.Payload()})
	case elector.LeadingDone:
		if n.server != 0 {
			w.say(ControllerEnds, i)
			w.loses(i)
			return
		}
		tail := w.drainNs(i)
		w.workSends(i)
		n.active = tail != 0
		w.emit(Record{Kind: LeadingDone, Candidate: i, Run: n.run, Payload: trace.Work{LeftNs: tail}.Payload()})
		if tail > 0 {
			n.tail, n.tailRun = true, n.run
			w.queue.push(message{at: w.now + tail, key: orderKey(ownTimer, i, uint32(n.run)), what: workEnds})
		} else if tail < 0 { // to the end of the process
			n.tail, n.tailRun = true, n.run
		} else {
			w.workOver(i)
		}
	case elector.NewLeader:
		w.emit(Record{Kind: NewLeader, Candidate: i, Run: n.run, Name: o.Name})
	case elector.RunReturned:
		w.emit(Record{Kind: RunReturned, Candidate: i, Run: n.run, Payload: trace.Return{RunsAgain: w.runsAgain(i)}.Payload()})
		w.runReturned(i)
	case elector.StartedLeading:
		if n.server != 0 {
			w.say(ControllerLeads, i)
			w.leads(i)
			return
		}
		w.processes[i].workNs = w.now
		n.active, w.ledNs = true, w.now
		w.emit(Record{Kind: StartedLeading, Candidate: i, Run: n.run, Payload: trace.Term{CandidateVersion: w.behavesAs(i), MarginNs: w.marginNs(i)}.Payload()})
		w.workBegins(i)
	default:
		w.say(plainKind[o.Kind], i)
	}
}

var plainKind = [...]Kind{
	elector.BecameLeader:    EventBecameLeader,
	elector.MetricLeaderOn:  MetricLeaderOn,
	elector.MetricLeaderOff: MetricLeaderOff,
	elector.MetricSlowPath:  MetricSlowPath,
	elector.StoppedEvent:    EventStoppedLeading,
	elector.StoppedLeading:  StoppedLeading,
}

// begin makes a new elector for a node and runs it, or reports why client-go would not.
func (w *World) begin(i int32) {
	n := &w.nodes[i]
	if n.kubelet|n.monitor != 0 {
		w.beginHeartbeats(i)
		return
	}
	n.running = n.settings
	c := &w.settings[n.settings]
	config := c.Config
	config.Identity = n.identity
	if err := config.Validate(); err != nil {
		w.emit(Record{Kind: ConfigError, Candidate: i, Run: n.run, Name: w.setup.Symbols.Intern(err.Error())})
		return
	}
	retry, deadline := w.timerLengths(n)
	n.machine = elector.New(config, retry, deadline)
	n.special = c.special()
	w.takeLock(i, c.Conduct.Lock)
	n.alive, n.life = true, living
	w.say(MetricLeaderOff, i)
	w.step(i, elector.Input{Kind: elector.Start})
}

func (w *World) timerLengths(n *node) (retryNs, deadlineNs int64) {
	c := &w.settings[n.running]
	retryNs, deadlineNs = c.RetryPeriodTimerNs, c.RenewDeadlineTimerNs
	if retryNs == 0 {
		retryNs = n.clock.timer(int64(c.RetryPeriod))
	}
	if deadlineNs == 0 {
		deadlineNs = n.clock.timer(int64(c.RenewDeadline))
	}
	return retryNs, deadlineNs
}

// runReturned lets the process end or run again.
func (w *World) runReturned(i int32) {
	n := &w.nodes[i]
	c := &w.settings[n.settings]
	lost := !n.machine.Cancelled()
	switch {
	case lost && !n.stopAsked && c.Conduct.OnLoss == ExitProcess && c.Restart != Exit:
		n.alive, n.life = false, gone
		w.ended(i)
		w.startsLater(i, c.RestartAfterNs)
		return
	case n.stopAsked || c.Restart == Exit:
		if n.tail && c.Conduct.OnLoss == IgnoreLoss && !n.stopAsked {
			return // the process lives on for its work
		}
		n.alive, n.life = false, gone
		w.ended(i)
		return
	}
	w.queue.push(message{at: w.now + w.restartWaitNs(i, c.RestartAfterNs), key: orderKey(ownTimer, i, uint32(n.run)), what: processReturns})
}

func (w *World) rerun(i int32) {
	n := &w.nodes[i]
	n.run++
	if n.server == 0 { // an API server goes on when its controllers run for election again
		identity := n.identity
		if w.settings[n.settings].Restart == NewElector && w.settings[n.settings].Conduct.FreshIdentity {
			identity = w.nextIdentity(i)
		}
		w.emit(Record{Kind: Restarted, Candidate: i, Run: n.run, Name: identity})
	}
	if w.settings[n.settings].Restart == NewElector {
		w.freshIdentity(i)
		w.processes[i].begunNs = w.now
		w.begin(i)
		return
	}
	w.step(i, elector.Input{Kind: elector.Start})
}
