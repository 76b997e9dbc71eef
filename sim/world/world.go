package world

import (
	"cmp"
	"slices"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/process"
)

const never = step.Never

// node is one node: its process and what runs in it. Everything that a follower's request reads is together, from
// the end of the process to the start of the elector, in three cache lines (see TestHotFields). With 10,000 nodes
// every cache line that a request reads counts.
type node struct {
	clock clock
	link  network.Link
	drawn int32 // number of draws used from the scenario's list
	name  coordination.Symbol

	process      process.Process
	heardNs      int64 // when the latest answer came; the link gets it only when needed
	jitter       random.Stream
	seq          int32 // number of requests that the elector has issued
	flight       int32 // slot of the request in flight, or -1
	identity     coordination.Symbol
	lease        int32
	alike        int32 // index of the first settings that make the same requests as next
	runningAlike int32 // index of the first settings that make the same requests as running
	kind         nodeKind
	special      special
	lock         elector.Lock
	plainClock   bool // the clock has always been true, without an offset
	programRuns  bool // the program has not returned
	machine      elector.Machine

	settings  int32 // settings of the next elector: index in World.settings
	running   int32 // settings of the running elector
	number    int32 // index of an API server, kubelet or monitor among its kind
	client    int32 // index of the node's LeaseCandidate client, or -1
	latencies random.Stream
	limiter   limiter
}

// nodeKind is what a node runs.
type nodeKind uint8

const (
	candidateNode nodeKind = iota // an elector, and its LeaseCandidate client if it has one
	serverNode                    // an API server: an elector, and the controllers that lead when it does
	kubeletNode
	monitorNode
)

// World is one run at one instant. Clone makes an independent one.
//
// A World holds the clock, the queue and what every actor needs: the nodes, the store and the network. Each kind of
// actor is its own type with its own state. dispatch.go passes to each actor whatever is due or arrives.
type World struct {
	setup          *Setup
	now            int64
	nodes          []node
	settings       []Candidate // append-only; nodes refer to theirs by index
	alike          int32       // index of the newest settings whose requests differ from the previous ones: see set
	timers         timers
	queue          queue
	deferred       deferrals
	acts           acts
	net            transport
	store          storage.Store
	leaseWrittenNs int64 // when the server last stored the first Lease
	recorder       recorder

	electors   electors
	clients    candidateClients
	servers    controlPlane
	heartbeats heartbeats
	resource   resource
	programs   programs // nil if no node runs a program
	restart    restart
	kept       *keptAPI // nil before the first request to the API
}

// New returns the world of a setup at instant 0, before anything has happened.
func New(setup *Setup) *World {
	w := &World{setup: setup, store: storage.New(len(setup.LeaseNames)), net: newTransport(setup)}
	w.recorder.hash = trace.EmptyHash
	w.nodes, w.settings = make([]node, 0, len(setup.Candidates)), make([]Candidate, 0, len(setup.Candidates))
	w.recorder.room = make([]trace.Record, usualRecords)
	w.acts.list = make([]Control, 0, len(setup.Candidates)+len(setup.Controls))
	for i := range setup.Servers {
		w.acts.addStart(setup.Servers[i].Node.StartNs, int32(len(setup.Candidates)+i))
	}
	for i := range setup.Candidates {
		w.addNode(&setup.Candidates[i])
		w.acts.addStart(setup.Candidates[i].StartNs, int32(i))
	}
	for i := range setup.Servers {
		w.servers.add(w, i)
	}
	w.heartbeats.add(w, setup.Heartbeats)
	w.acts.list = append(w.acts.list, setup.Controls...)
	w.acts.sort()
	return w
}

// addNode adds a node and returns its number.
func (w *World) addNode(c *Candidate) int32 {
	i := int32(len(w.nodes))
	jitter := c.stream(w.setup, "jitter")
	if w.setup.Recorded {
		jitter = random.RecordedStream(w.setup.Seed, int(i))
	}
	rate := cmp.Or(c.RatePpm, trueRatePpm)
	w.nodes = append(w.nodes, node{
		clock:      clock{offsetNs: c.OffsetNs, ratePpm: rate},
		plainClock: c.OffsetNs == 0 && rate == trueRatePpm,
		jitter:     jitter,
		flight:     -1,
		client:     -1,
		name:       w.setup.Symbols.Intern(c.Name),
		identity:   w.setup.Symbols.Intern(c.Identity),
		lease:      c.Lease,
		link:       network.Link{Client: i, Server: network.None, Queue: c.Server},
		latencies:  c.stream(w.setup, "latency"),
	})
	w.nodes[i].set(w, c)
	w.nodes[i].take()
	w.timers.add()
	w.resource.add(w)
	w.clients.add(w, i, c)
	return i
}

// `set` gives a node its next settings. Nearly all candidates of a scenario make the same requests. Those requests then
// read the settings of just one candidate, because the settings of 10,000 candidates do not fit into a cache.
func (n *node) set(w *World, c *Candidate) {
	w.settings = append(w.settings, *c)
	n.settings = int32(len(w.settings) - 1)
	if n.settings == 0 || !c.asksLike(&w.settings[w.alike]) {
		w.alike = n.settings
	}
	n.alike = w.alike
}

// `take` makes the next settings the current ones.
func (n *node) take() { n.running, n.runningAlike = n.settings, n.alike }

// Clone returns an independent copy.
func (w *World) Clone() *World {
	c := *w
	c.nodes = slices.Clone(w.nodes)
	c.settings = slices.Clip(w.settings) // the list only grows
	c.timers = w.timers.clone()
	c.queue = slices.Clone(w.queue)
	c.deferred = slices.Clone(w.deferred)
	c.acts = w.acts.clone()
	c.net = w.net.clone()
	c.store = w.store.Clone()
	c.recorder.room, c.recorder.length = nil, 0
	c.electors = w.electors.clone()
	c.clients, c.servers = w.clients.clone(), w.servers.clone()
	c.heartbeats, c.resource = w.heartbeats.clone(), w.resource.clone()
	return &c
}

// Now returns the instant of the last step.
func (w *World) Now() int64 { return w.now }

// Records returns the trace records of the last step, valid until the next one.
func (w *World) Records() []trace.Record { return w.recorder.room[:w.recorder.length] }

// Hash returns the trace hash so far.
func (w *World) Hash() trace.Hash { return w.recorder.hash }

// Counts returns the totals so far.
func (w *World) Counts() Counts { return w.recorder.counts }

// Setup returns the setup of the run. Reseed replaces it.
func (w *World) Setup() *Setup { return w.setup }

// Store returns the API server's store.
func (w *World) Store() *storage.Store { return &w.store }

// NextAt returns the instant of the next event, or step.Never.
func (w *World) NextAt() int64 {
	at, _ := w.next()
	return at
}

// `next` returns the instant and the class of the next event.
func (w *World) next() (at int64, what class) {
	_, at = w.timers.next()
	what = ownTimer
	if len(w.queue) > 0 {
		m := &w.queue[0]
		c := m.class()
		if m.at < at || m.at == at && c < what {
			at, what = m.at, c
		} else if m.at == at && c == ownTimer {
			// Process timers follow the same order: the lower node comes first.
			if first, _ := w.timers.next(); m.candidate() < first {
				what = arrival
			}
		}
	}
	if c := w.acts.dueNs(); c < at || c == at && what > control {
		at, what = c, control
	}
	return at, what
}

// Step handles the next event if it is due at or before limitNs, and reports whether it did. Records then returns the
// records of the step.
func (w *World) Step(limitNs int64) bool {
	at, what := w.next()
	if at > limitNs || at == never {
		return false
	}
	w.recorder.length = 0
	w.now = at
	switch what {
	case ownTimer:
		if i, t := w.timers.next(); t == at {
			w.handleTimer(i, at)
			break
		}
		w.deliver(w.queue.pop())
	case control:
		w.acts.take().do(w)
	default:
		w.deliver(w.queue.pop())
	}
	return true
}

// Run handles every event up to limitNs and passes the records of each step to observe.
func (w *World) Run(limitNs int64, observe func([]trace.Record)) {
	for w.Step(limitNs) {
		observe(w.Records())
	}
}

// handleTimer wakes the elector of a node. A paused process gets nothing: after it resumes, the world asks its
// machine for the timer again.
func (w *World) handleTimer(i int32, dueNs int64) {
	n := &w.nodes[i]
	if n.process.Paused { // the elector notices after it resumes, because it knows its own timers
		w.timers.set(i, never)
		return
	}
	w.electors.stepOf(w, n, i, &elector.Input{Kind: elector.Wake, DueNs: dueNs})
}
