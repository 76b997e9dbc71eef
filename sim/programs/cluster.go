package programs

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Cluster is a world whose candidates are real programs. Any goroutine may call its exported methods. The lock mu
// protects the fields after it. The fields before it never change, or have their own synchronization.
type Cluster struct {
	options  Options
	scenario scenario.Scenario
	begun    time.Time // real time of instant 0
	endNs    int64
	finished chan struct{} // closed when the scenario has ended
	closed   chan struct{} // closed when everything is over
	quit     chan struct{} // closed to end the driver
	driven   chan struct{} // closed when the driver has ended
	running  sync.WaitGroup
	turns    atomic.Uint64 // number of the driver's turns, for a watchdog
	isOver   atomic.Bool   // the cluster has closed, so later calls have no effect

	mu        sync.Mutex
	timer     *time.Timer // the driver's timer; nil before its first turn
	turnNs    int64       // the instant of its next turn
	run       *run.Run
	desk      *replay.Desk
	ops       []op
	due       []op // memory for the ops that the driver carries out
	ordered   uint64
	numbered  uint64
	exchanges map[uint64]*exchange
	events    map[uint64]event
	streams   []*stream
	polled    int64 // the streams have sent the writes up to this revision
	steps     int64 // number of the world's steps since the last call
	atNs      int64 // instant of the current op
	nodes     []*Node
	programs  []program
	started   chan struct{} // closed when the next process starts
	spans     []span
	observed  replay.Observed
	conduct   conduct.Fold
	asked     int32 // number of administrators' writes
	written   int64 // bytes of writes since the world last forgot its past
	versions  int   // number of versions in the store at that time

	holder     coordination.Symbol
	acquiredNs int64   // when the Lease last got another holder
	wrote      []*Node // nodes whose writes to other objects the last step stored

	attendance Attendance

	judged bool // writes of clients that are not candidates no longer count
}

// Options configure a Cluster beyond its scenario. The zero value is for programs in this process.
type Options struct {
	// Handler returns the handler of requests for anything but coordination.k8s.io; nil means the API server. These
	// requests travel through the same network.
	Handler func() http.Handler
	// If Unknown is not nil, it receives the path of each request for a kind that the API server does not have.
	// Besides, the API server then answers discovery at once, without the network: a client holds a mutex while it
	// waits for discovery, and virtual time does not pass while another goroutine waits for that mutex.
	Unknown func(path string)
	// Failed receives the reason when a program has failed.
	Failed func(why string)
	// Processes starts and stops programs that are separate processes; nil if no program is one.
	Processes Processes
	// Record receives every call to the world, in order. It may be nil.
	Record func(*replay.Call)
	// See receives every record of the trace while the cluster holds its lock. It may be nil.
	See func(*run.Run, *trace.Record, explain.Note)
	// The cluster calls Changed after a turn that has changed objects of the API. It does not hold its lock then.
	// Changed may be nil.
	Changed func()
	// Administered means that clients other than candidates also write: see Administrator.
	Administered bool
	// PieceLasts is the longest time that one piece of work may take; 0 means the default, 1 s.
	PieceLasts time.Duration
	// WritesAreWork counts each write as a piece of work, unless it writes an Event or an object of an election.
	WritesAreWork bool
	// ConfigureAPI adds to the API server's configuration. It may be nil.
	ConfigureAPI func(*apiserver.Config)
	// Serves says what the API server serves; nil means the same as in a simulation.
	Serves *replay.Serves
	// Guard refuses requests of candidates and of other clients, but not of Components. A nil Guard refuses nothing.
	Guard apiserver.Guard

	recorder *Recorder // set by RecordTo
}

// Processes is the operating system's side of programs. The cluster calls these methods during its turn, so they must
// not call the cluster.
type Processes interface {
	Start(n *Node)
	Stop(n *Node) // asks the process to end
	Kill(n *Node)
	Pause(n *Node)
	Resume(n *Node)
}

// program is a program that Start has registered.
type program struct {
	names []string // if empty, every candidate
	run   func(context.Context, *Node)
}

func (p *program) runs(name string) bool { return len(p.names) == 0 || slices.Contains(p.names, name) }

// op is something that a program has done but that the world does not know yet.
type op struct {
	atNs  int64
	node  int32
	order uint64
	does  func()
	sends *exchange // used in place of does
}

// New returns a cluster at instant 0, which is the time of the call. Drive makes time pass.
func New(s scenario.Scenario, options Options) *Cluster {
	setup := replay.Setup(s, options.Administered, options.Serves, options.ConfigureAPI)
	c := &Cluster{
		options: options, scenario: s, begun: time.Now(), endNs: int64(s.Duration),
		run:      run.New(setup, run.Watchers{Explanation: true, Clauses: s.Expect}),
		finished: make(chan struct{}), closed: make(chan struct{}), quit: make(chan struct{}),
		driven: make(chan struct{}), started: make(chan struct{}),
		exchanges: map[uint64]*exchange{}, events: map[uint64]event{},
		conduct: conduct.Fold{SlackNs: options.slackNs()},
	}
	c.desk = replay.NewDesk(&c.scenario, c.run.World)
	c.run.World.Attach(programs{c})
	return c
}

// Now returns the time since the scenario began.
func (c *Cluster) Now() time.Duration { return time.Duration(c.nowNs()) }

func (c *Cluster) nowNs() int64 { return int64(time.Since(c.begun)) }

// Until waits until an instant of the scenario.
func (c *Cluster) Until(instant time.Duration) { time.Sleep(instant - c.Now()) }

// Launch runs a program in this process, as the process of each candidate with one of these names, or of every
// candidate. The scenario decides when each process starts and restarts. When the program returns, its process has
// ended.
func (c *Cluster) Launch(run func(ctx context.Context, n *Node), names ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := program{names: names, run: run}
	c.programs = append(c.programs, p)
	for n := range c.processes() {
		if !n.taken && p.runs(n.name) {
			c.launch(n, run)
		}
	}
}

// processes yields the newest process of every candidate that has had one.
func (c *Cluster) processes() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, n := range c.nodes {
			if n != nil && !yield(n) {
				return
			}
		}
	}
}

// Node waits until the scenario has started the process with that name, and returns it. After a crash it returns the
// next process.
func (c *Cluster) Node(name string) *Node {
	for {
		c.mu.Lock()
		n, started := c.alive(name), c.started
		c.mu.Unlock()
		if n != nil {
			return n
		}
		select {
		case <-started:
		case <-c.finished:
			panic(TooLate("no process " + name + " has started by the end of the scenario"))
		}
	}
}

// Holder returns the name of the candidate that the Lease names, or its holderIdentity if no candidate has it. Without
// a holder it returns "".
func (c *Cluster) Holder() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.run.World
	_, o, exists := w.Holder()
	if !exists || o.Spec.HolderIdentity == 0 {
		return ""
	}
	return w.DisplayName(o.Spec.HolderIdentity)
}

// Workers returns the names of the candidates that work now.
func (c *Cluster) Workers() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var names []string
	for _, i := range c.run.Checks.Active() {
		names = append(names, c.run.World.Node(i).Name())
	}
	return names
}

// Work returns the spans in which a candidate has worked so far, in order. The end of an open span is 0.
func (c *Cluster) Work(name string) []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Span
	for _, s := range c.spans {
		if s.name == name {
			all = append(all, s.Span)
		}
	}
	return all
}

// Span is a stretch of time, counted from the beginning of the scenario.
type Span struct{ From, Until time.Duration }

type span struct {
	Span
	name string
}

// TooLate is the value of the panic in a call that waits for something that never happens in the scenario.
type TooLate string

// `post` tells the driver about something that a program does now.
func (c *Cluster) post(n *Node, does func()) { c.hand(op{node: n.index, does: does}) }

// `hand` gives the driver an op of the present instant, and wakes the driver if its next turn would come later.
func (c *Cluster) hand(o op) {
	if c.isOver.Load() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.nowNs()
	c.ordered++
	o.atNs, o.order = now, c.ordered
	c.ops = append(c.ops, o)
	if c.timer != nil && c.turnNs > now+1 {
		c.turnNs = now + 1
		c.timer.Reset(1)
	}
}

// pulse is the maximum virtual time between two turns of the driver. The turns show the watchdog that time passes.
const pulse = int64(10 * time.Second)

// Drive advances the world as time passes, until Quit.
//
// What the programs do at an instant reaches the world a nanosecond later, when all goroutines of the bubble are
// waiting, and in the order of the nodes. So the order in which goroutines run within an instant does not matter. For
// the world, each op happens at its original instant.
func (c *Cluster) Drive() {
	defer close(c.driven)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for lastRevision := int64(0); ; {
		c.turns.Add(1)
		c.mu.Lock()
		now := c.catchUp()
		next := min(c.nextNs(), c.soonest(now), now+pulse)
		if len(c.ops) > 0 {
			next = now + 1
		}
		revision := c.run.World.Store().Revision()
		c.timer, c.turnNs = timer, next
		timer.Reset(time.Duration(next - now))
		c.mu.Unlock()
		if revision != lastRevision && c.options.Changed != nil {
			lastRevision = revision
			c.options.Changed()
		}
		select {
		case <-timer.C:
		case <-c.quit:
			return
		}
	}
}

// `apply` passes to the world what the programs did before an instant. Ops at exactly that instant wait for the next
// turn, since more of them may follow. In real time, a late turn may have ops of several instants. The world then
// advances from one op to the next, as if each had come on time.
func (c *Cluster) apply(now int64) {
	count := 0
	for count < len(c.ops) && c.ops[count].atNs < now {
		count++
	}
	if count == 0 {
		c.expire(now)
		c.tellAttempts(now)
		return
	}
	due := append(c.due[:0], c.ops[:count]...)
	left := copy(c.ops, c.ops[count:])
	clear(c.ops[left:])
	c.ops = c.ops[:left]
	slices.SortFunc(due, func(a, b op) int {
		return cmp.Or(cmp.Compare(a.atNs, b.atNs), cmp.Compare(a.node, b.node), cmp.Compare(a.order, b.order))
	})
	for k := range due {
		if k == 0 || due[k-1].atNs != due[k].atNs {
			c.expire(due[k].atNs)
			c.tellAttempts(due[k].atNs)
			c.advance(due[k].atNs) // in real time, a turn may come late
		}
		c.atNs = due[k].atNs
		if x := due[k].sends; x != nil {
			c.send(x)
		} else {
			due[k].does()
		}
		if k+1 == len(due) || due[k+1].atNs != due[k].atNs {
			for n := range c.processes() {
				if n.worked {
					n.tellWork(due[k].atNs)
				}
			}
		}
	}
	clear(due)
	c.due = due
	c.expire(now)
	c.tellAttempts(now)
}

// tellAttempts tells the world which attempts ended before an instant.
func (c *Cluster) tellAttempts(now int64) {
	for n := range c.processes() {
		n.tellAttempt(now)
	}
}

// advance runs the world up to an instant.
func (c *Cluster) advance(now int64) {
	for {
		c.tellStreams()
		at, frames := c.run.World.NextAt(), c.framesDueNs()
		switch {
		case min(at, frames) > now:
			return
		case frames < at:
			c.run.World.At(frames)
			c.desk.Mirror.Show(frames)
			c.pollStreams()
		default:
			c.step(now)
		}
	}
}

// `step` lets the world process its own next event.
func (c *Cluster) step(limitNs int64) {
	c.run.Step(limitNs, c.seeFunc())
	c.steps++
	records := c.run.World.Records()
	c.notice(records)
	for len(c.wrote) > 0 {
		n := c.wrote[0]
		c.wrote = c.wrote[1:]
		c.atNs = c.run.World.Now()
		c.piece(n)
		n.tellWork(c.atNs)
	}
}

// seeFunc returns Options.See for a step of the run.
func (c *Cluster) seeFunc() func(*trace.Record, explain.Note) {
	if c.options.See == nil {
		return nil
	}
	return func(r *trace.Record, note explain.Note) { c.options.See(c.run, r, note) }
}

// Look calls the function look with the current run, while nothing changes the run.
func (c *Cluster) Look(look func(r *run.Run, ns int64)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	look(c.run, max(c.nowNs(), c.run.World.Now()))
}

// notice handles the records of one step.
func (c *Cluster) notice(records []trace.Record) {
	c.observed.Observe(records)
	c.conduct.Observe(c.run.World, records)
	for i := range records {
		r := &records[i]
		c.signal(r)
		if r.Kind != trace.RequestServed || !r.Outcome.Accepted() || r.Verb == elector.Get {
			continue
		}
		if r.Spec.HolderIdentity != c.holder {
			c.holder, c.acquiredNs = r.Spec.HolderIdentity, r.At
			c.attendance.Held = c.attendance.Held || c.holder != 0
		}
		c.nodes[r.Candidate].leaseEndsNs = r.At + int64(r.Spec.LeaseDurationSeconds)*1e9
	}
	c.keepLines(records)
}

// `signal` tells a process about an act that targets it.
func (c *Cluster) signal(r *trace.Record) {
	i := int(r.Candidate)
	switch {
	case c.options.Processes == nil || i < 0 || i >= len(c.nodes) || c.nodes[i] == nil:
	case r.Kind == trace.Paused:
		c.options.Processes.Pause(c.nodes[i])
	case r.Kind == trace.Resumed:
		c.options.Processes.Resume(c.nodes[i])
	}
}

// nextNs returns the instant of the world's own next event.
func (c *Cluster) nextNs() int64 { return min(c.run.World.NextAt(), c.framesDueNs()) }

// programs is the cluster from the world's point of view. The driver calls its methods while it holds the lock.
type programs struct{ *Cluster }

// Begin makes the node's next process.
func (c programs) Begin(i int32) {
	for int(i) >= len(c.nodes) {
		c.nodes = append(c.nodes, nil)
	}
	c.desk.Begin(i)
	n := newNode(c.Cluster, i)
	if before := c.nodes[i]; before != nil {
		n.number = before.number + 1
	}
	if c.nodes[i] = n; c.attendance.BegunAt == 0 {
		c.attendance.BegunAt = time.Duration(c.run.World.Now())
	}
	if c.options.Processes != nil {
		n.taken = true
		c.options.Processes.Start(n)
	}
	close(c.started)
	c.started = make(chan struct{})
	for k := range c.Cluster.programs {
		if p := &c.Cluster.programs[k]; p.runs(n.name) {
			c.launch(n, p.run)
			return
		}
	}
}

// Cancel tells the process to stop.
func (c programs) Cancel(i int32) {
	c.nodes[i].cancel()
	if c.options.Processes != nil {
		c.options.Processes.Stop(c.nodes[i])
	}
}

// End silences the process.
func (c programs) End(i int32) {
	if n := c.nodes[i]; n != nil {
		n.end(c.run.World.Now())
		if c.options.Processes != nil {
			c.options.Processes.Kill(n)
		}
	}
}

// Disconnect breaks the watches of a node.
func (c programs) Disconnect(i int32) {
	for _, s := range c.streams {
		if s.node.index == i {
			s.end(errLost)
		}
	}
}

// Event passes an event to a watch.
func (c programs) Event(number uint64, lost bool) {
	e := c.events[number]
	delete(c.events, number)
	if lost {
		e.stream.end(errLost)
		return
	}
	e.stream.receive(e.place, e.frame)
}

// `launch` runs a program in a process.
func (c *Cluster) launch(n *Node, run func(context.Context, *Node)) {
	n.taken = true
	c.running.Add(1)
	go func() {
		defer c.running.Done()
		defer func() {
			if why := recover(); why != nil {
				n.notePanic(why)
				return
			}
			n.NoteReturn()
		}()
		run(n.ctx, n)
	}()
}

var _ world.Programs = programs{}
