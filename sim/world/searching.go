package world

import (
	"cmp"
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/restclient"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
)

// A search follows many continuations of one world. In an ordinary run, a seed and the total order make some
// decisions. In a search, the search itself makes these decisions. Ordinary runs use nothing in this file.

// CopyTo turns another world into an independent copy and reuses its memory. The copy keeps no history of the store,
// so it cannot roll back and its reads do not lag. It leaves out LeaseCandidates, controllers and heartbeats, and its
// trace hash stays fixed.
func (w *World) CopyTo(to *World) {
	to.setup, to.now, to.leaseWrittenNs = w.setup, w.now, w.leaseWrittenNs
	to.programs, to.restart, to.kept = w.programs, w.restart, nil
	to.nodes = append(to.nodes[:0], w.nodes...)
	to.settings, to.alike = slices.Clip(w.settings), w.alike // the list only grows
	to.timers.nodes, to.timers.tree = w.timers.nodes, append(to.timers.tree[:0], w.timers.tree...)
	to.queue, to.deferred = append(to.queue[:0], w.queue...), append(to.deferred[:0], w.deferred...)
	to.acts = w.acts.clone()
	w.net.copyTo(&to.net)
	w.store.CopyTo(&to.store)
	to.recorder.hash, to.recorder.mute, to.recorder.length = w.recorder.hash, true, 0
	to.recorder.counts, to.recorder.asked = w.recorder.counts, w.recorder.asked
	to.electors.locks, to.electors.usesConfigMap = append(to.electors.locks[:0], w.electors.locks...),
		w.electors.usesConfigMap
	to.resource.machine, to.resource.sent = w.resource.machine, w.resource.sent
	to.resource.writers = append(to.resource.writers[:0], w.resource.writers...)
	if len(w.resource.writers) > 0 {
		w.resource.rules.CopyTo(&to.resource.rules)
	}
}

// copyTo turns another transport into a copy and reuses its memory.
func (t *transport) copyTo(to *transport) {
	t.rules.CopyTo(&to.rules)
	to.list, to.free = append(to.list[:0], t.list...), append(to.free[:0], t.free...)
	to.bodies, to.freeBodies = append(to.bodies[:0], t.bodies...), append(to.freeBodies[:0], t.freeBodies...)
	to.sent, to.held = t.sent, t.held
	to.stopped = append(to.stopped[:0], t.stopped...)
	to.calls.list, to.calls.free = append(to.calls.list[:0], t.calls.list...),
		append(to.calls.free[:0], t.calls.free...)
}

// Room is memory that a world needs only during a step, and for its records until the next step.
type Room struct {
	records []trace.Record
	outputs []elector.Output
	calls   []restclient.Output
}

// Swap gives the world another Room and forgets the records of its last step. Worlds that take turns using one Room
// are smaller, and the Room stays in the CPU core's cache.
func (w *World) Swap(r *Room) {
	w.recorder.length = 0
	w.recorder.room, r.records = r.records, w.recorder.room
	w.electors.outputs, r.outputs = r.outputs, w.electors.outputs
	w.net.calls.outputs, r.calls = r.calls, w.net.calls.outputs
}

// DrawBy lets a function draw the jitter of every elector from now on.
func (w *World) DrawBy(draw func(candidate int32, nowNs int64) float64) {
	setup := *w.setup
	setup.Jitter = draw
	w.setup = &setup
}

// Redraw replaces the jitter draw of the wait that a node's elector began in this step. It reports false if the wait
// does not depend on a draw.
func (w *World) Redraw(node int32, draw float64) bool {
	n := &w.nodes[node]
	if n.process.Paused || !n.machine.Redraw(w.now, draw) {
		return false
	}
	w.timers.set(node, n.machine.NextWakeNs())
	return true
}

// PassTo lets time pass up to an instant. Nothing may be due before it.
func (w *World) PassTo(ns int64) { w.now = max(w.now, ns) }

// Ahead returns the acts that are still to come. The caller must not change them.
func (w *World) Ahead() []Control { return w.acts.list[w.acts.next:] }

// Replan replaces the acts that are still to come. The new ones must be in order of time.
func (w *World) Replan(ahead []Control) { w.acts = acts{list: slices.Clip(ahead)} }

// SetUntil changes when the rules of one act end; 0 means that the instant is unknown.
func (w *World) SetUntil(source int32, untilNs int64) { w.net.rules.SetUntil(source, untilNs) }

// Due is something that happens at the next instant of a world.
type Due struct {
	Node   int32 // the message's client; network.None for an act
	Seq    int32 // number of the elector's request, or 0
	Reads  bool  // a read reaches the API server
	Writes bool  // a write reaches the API server
	Leads  bool  // the event may begin or end a node's work as the leader
	Later  bool  // something else happens to its node first
	key    uint64
}

// IsAct reports whether it is an act of the scenario.
func (d *Due) IsAct() bool { return d.Node == network.None }

// Due appends what happens at the next instant, in its usual order: one act, and everything that happens to messages.
// It appends nothing if only one thing is due, or if the instant begins with a node's own timer, because timers come
// before everything else.
func (w *World) Due(all []Due) []Due {
	at, what := w.next()
	if what == ownTimer || at == never {
		return all
	}
	begin, count := len(all), 0
	for k := range w.queue {
		if w.queue[k].at == at {
			count++
		}
	}
	if w.acts.dueNs() == at {
		count++
	}
	if count < 2 {
		return all
	}
	if w.acts.dueNs() == at {
		all = append(all, Due{Node: network.None, key: orderKey(control, 0, 0)})
	}
	for k := range w.queue {
		if e := &w.queue[k]; e.at == at {
			all = append(all, w.due(e))
		}
	}
	slices.SortFunc(all[begin:], func(a, b Due) int { return cmp.Compare(a.key, b.key) })
	for i := begin; i < len(all); i++ {
		for k := begin; k < i; k++ {
			all[i].Later = all[i].Later || all[k].Node == all[i].Node
		}
	}
	return all
}

func (w *World) due(e *event) Due {
	d := Due{Node: e.candidate(), key: e.key}
	if !e.isOfMessage() {
		return d
	}
	m := &w.net.list[e.slot]
	from := &senders[m.sender]
	if from.isOneWay { // elections do not depend on writes to the resource
		return d
	}
	if from.isElectors {
		d.Seq = m.Seq
	}
	if e.class() == arrival {
		d.Reads, d.Writes = m.Verb == network.Get, m.Verb != network.Get
	} else {
		d.Leads = m.Verb != network.Get || w.nodes[d.Node].process.Active
	}
	return d
}

// StepDue is like Step, but handles a chosen event of the next instant first.
func (w *World) StepDue(d *Due) {
	w.recorder.length = 0
	w.now, _ = w.next()
	if d.IsAct() {
		w.acts.take().do(w)
		return
	}
	for k := range w.queue {
		if e := w.queue[k]; e.at == w.now && e.key == d.key {
			w.queue.remove(k)
			w.deliver(e)
			return
		}
	}
}

// remove removes the event at index k.
func (q *queue) remove(k int) {
	h := *q
	rest := queue(h[:k]) // the heap is valid up to here; push the others again
	for _, e := range slices.Clone(h[k+1:]) {
		rest.push(e)
	}
	*q = rest
}

// UnderWay returns the number of the request of a node's elector that an act can hold now. ok is false if the elector
// has no such request.
func (w *World) UnderWay(node int32) (seq int32, ok bool) {
	slot := w.net.underWay(node, network.Elector, 0)
	if slot < 0 {
		return 0, false
	}
	return w.net.list[slot].Seq, true
}

// WakesNs returns the instant at which the node's elector wants to wake, or step.Never if it only waits for an
// answer.
func (n Node) WakesNs() int64 { return n.machine.NextWakeNs() }
