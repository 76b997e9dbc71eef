package world

import (
	"slices"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/leasecandidate"
	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
)

// The clients in this file keep LeaseCandidates alive. Each runs beside the elector of its process.

// client is a LeaseCandidate client.
type client struct {
	informer
	object    int32 // number in the store of the client's LeaseCandidate
	machine   leasecandidate.Machine
	latencies random.Stream
	armedNs   int64
	shown     int64  // newest resourceVersion from the informer; the client ignores older ones that arrive late
	flight    int32  // slot of the request in flight, or -1
	sent      int32  // number of requests that the client has sent
	term      uint32 // value of Starts in the process in which the client runs
	running   bool
}

// storedCandidate is a LeaseCandidate. It belongs to all clients with its identity, unless an administrator created
// it.
type storedCandidate struct {
	name  coordination.Symbol
	key   string // key under which the API shows the LeaseCandidate
	based int32  // number, from 1, of the newest version by an administrator among the store's Others, or 0
}

// candidateClients holds the clients of all LeaseCandidates.
type candidateClients struct {
	list    []client
	objects []storedCandidate // indexed by number in the store
}

func (l *candidateClients) clone() candidateClients {
	c := candidateClients{list: slices.Clone(l.list), objects: slices.Clone(l.objects)}
	for k := range c.list {
		c.list[k].machine = l.list[k].machine.Clone()
	}
	return c
}

// isUp reports whether the client runs and its process is alive.
func (c *client) isUp(w *World) bool {
	p := &w.nodes[c.node].process
	return c.running && p.Alive && p.Starts == c.term
}

// clientLatency names the random stream for the latencies of a client's requests.
const clientLatency = "latency of the LeaseCandidate"

// add adds a LeaseCandidate client to a node whose candidate has a strategy.
func (l *candidateClients) add(w *World, i int32, c *Candidate) {
	if c.Strategy == 0 {
		return
	}
	w.nodes[i].client = int32(len(l.list))
	l.list = append(l.list, client{informer: informer{node: i}, object: l.objectNumber(w, w.nodes[i].identity),
		armedNs: never, flight: -1, latencies: c.stream(w.setup, clientLatency)})
}

// objectNumber returns the number of the LeaseCandidate with that name, and assigns a new one if it does not
// exist. Clients with the same identity share it.
func (l *candidateClients) objectNumber(w *World, name coordination.Symbol) int32 {
	if number := l.objectNamed(name); number >= 0 {
		return number
	}
	l.objects = append(l.objects, storedCandidate{name: name,
		key: apiserver.CandidateKey(w.setup.Namespace, w.setup.Symbols.Text(name))})
	return int32(len(l.objects) - 1)
}

// objectNamed returns the number of the LeaseCandidate with that name, or -1.
func (l *candidateClients) objectNamed(name coordination.Symbol) int32 {
	for k := range l.objects {
		if l.objects[k].name == name {
			return int32(k)
		}
	}
	return -1
}

// nodeOf returns the newest node that owns a LeaseCandidate, or trace.NoCandidate if an administrator created it.
func (l *candidateClients) nodeOf(number int32) int32 {
	for k := len(l.list) - 1; k >= 0; k-- {
		if l.list[k].object == number {
			return l.list[k].node
		}
	}
	return trace.NoCandidate
}

// `begin` starts a client together with its process. The client's informer lists first.
func (l *candidateClients) begin(w *World, number int32) {
	c := &l.list[number]
	n := &w.nodes[c.node]
	settings := &w.settings[n.settings]
	c.machine = leasecandidate.New(leasecandidate.Config{
		LeaseName: w.setup.Symbols.Intern(w.setup.LeaseNames[0]), BinaryVersion: settings.BinaryVersion,
		EmulationVersion: settings.EmulationVersion, Strategy: settings.Strategy,
		RenewEveryNs: w.setup.RenewEveryNs,
	})
	c.term, c.armedNs, c.running, c.shown, c.flight, c.againNs = n.process.Starts, never, true, -1, -1, never
	l.step(w, number, leasecandidate.Input{Kind: leasecandidate.Start})
	l.sendList(w, number)
}

// sendList sends the list request of a client's informer.
func (l *candidateClients) sendList(w *World, number int32) {
	slot, m := w.net.add(w, candidateList, l.list[number].node, network.Get)
	m.body = w.net.newBody(body{})
	w.net.leave(w, slot)
}

// handleListDue lists again after the back-off.
func (l *candidateClients) handleListDue(w *World, e event) {
	if c := &l.list[e.slot]; c.isUp(w) && c.takeDue(w, &e) {
		l.sendList(w, e.slot)
	}
}

// loseCandidateRead starts a new list of a client's informer, because a list or an event got lost.
func loseCandidateRead(w *World, slot int32) {
	m, _ := w.net.drop(slot)
	number := w.nodes[m.client].client
	w.clients.list[number].listLater(w, number)
}

// `relist` starts a new list of a client's informer on a new connection.
func (l *candidateClients) relist(w *World, number int32) {
	if l.list[number].running {
		l.sendList(w, number)
	}
}

// `stop` stops a client with its process.
func (l *candidateClients) stop(number int32) { l.list[number].running = false }

// resume wakes a client when its process resumes.
func (l *candidateClients) resume(w *World, number int32) {
	if l.list[number].running {
		l.step(w, number, leasecandidate.Input{Kind: leasecandidate.Wake})
	}
}

// rearm queues a client's next wake again after the clock of its node changed.
func (l *candidateClients) rearm(w *World, number int32) {
	if l.list[number].running {
		l.arm(w, number)
	}
}

// `renumber` updates the numbers of the versions written by administrators.
func (l *candidateClients) renumber(renumber func(int32) int32) {
	for i := range l.objects {
		l.objects[i].based = renumber(l.objects[i].based)
	}
}

// `reseed` gives the clients new latency streams.
func (l *candidateClients) reseed(w *World) {
	for k := range l.list {
		c := &l.list[k]
		c.latencies = w.settings[w.nodes[c.node].settings].stream(w.setup, clientLatency)
	}
}

// serveCandidateList carries out a list request.
func serveCandidateList(w *World, slot int32) {
	l, m := &w.clients, &w.net.list[slot]
	c := &l.list[w.nodes[m.client].client]
	o, outcome := w.store.Candidate(c.object)
	if m.lagNs != 0 {
		o, outcome = l.readBehind(w, m, c.object)
	}
	seen := leasecandidate.Input{Kind: leasecandidate.Gone}
	if outcome == storage.OK {
		seen = leasecandidate.Input{Kind: leasecandidate.Seen, Object: clientObject(&o)}
	}
	w.net.bodies[m.body].seen, m.version = seen, w.store.Revision()
	if m.lagNs != 0 {
		m.version = o.ResourceVersion
	}
}

// readBehind answers a read of a LeaseCandidate from a lagging cache.
func (l *candidateClients) readBehind(w *World, m *message, number int32) (storage.CandidateObject, storage.Outcome) {
	versions := w.store.Others()
	for k := len(versions) - 1; k >= 0; k-- {
		if a := &versions[k]; a.Key == l.objects[number].key && a.AtNs <= w.now-m.lagNs {
			if a.Deleted() {
				break
			}
			return a.Candidate, storage.OK
		}
	}
	return storage.CandidateObject{}, storage.NotFound
}

// takeCandidateList passes the result of a list to a client.
func takeCandidateList(w *World, slot int32) {
	m, b := w.net.drop(slot)
	l, number := &w.clients, w.nodes[m.client].client
	c := &l.list[number]
	if !c.running {
		return
	}
	if m.result != step.Success {
		c.listLater(w, number)
		return
	}
	c.shown = m.version
	l.step(w, number, b.seen)
	l.step(w, number, leasecandidate.Input{Kind: leasecandidate.Listed})
}

// clientObject converts a LeaseCandidate to the form that its client reads.
func clientObject(o *storage.CandidateObject) leasecandidate.Object {
	return leasecandidate.Object{ResourceVersion: o.ResourceVersion, UID: o.UID, Spec: o.Spec}
}

// `step` passes an input to a client and carries out its outputs.
func (l *candidateClients) step(w *World, number int32, in leasecandidate.Input) {
	c := &l.list[number]
	n := &w.nodes[c.node]
	for _, o := range c.machine.Step(n.clock.read(w.now), in, nil) {
		if o.Kind == leasecandidate.Abort {
			l.abandon(w, c)
			continue
		}
		verb, object := c.machine.Outgoing()
		w.recorder.counts.Requests++
		slot, m := w.net.add(w, candidateRequest, c.node, network.Verb(verb))
		c.sent++
		m.Seq, m.body, c.flight = c.sent, w.net.newBody(body{candidate: object}), slot
		if timeoutNs := w.settings[n.settings].RequestTimeoutNs; timeoutNs > 0 {
			m.timeoutNs = w.now + timeoutNs
		}
		w.net.leave(w, slot)
	}
	l.arm(w, number)
}

// abandon gives up a client's request in flight. The server still carries it out.
func (l *candidateClients) abandon(w *World, c *client) {
	if c.flight >= 0 {
		w.net.list[c.flight].waited = false
		w.net.release(c.flight)
		c.flight = -1
	}
}

// `arm` queues the client's next wake.
func (l *candidateClients) arm(w *World, number int32) {
	c := &l.list[number]
	w.arm(&c.armedNs, c.node, c.machine.NextWakeNs(), event{slot: number, what: clientWakes})
}

// `arm` queues the wake of what runs beside the elector of a node, unless the queue already has it.
func (w *World) arm(armedNs *int64, node int32, due int64, wake event) {
	if due == never {
		*armedNs = never
	} else if at := max(w.nodes[node].clock.reaches(due), w.now); at != *armedNs {
		*armedNs = at
		wake.at, wake.key = at, orderKey(ownTimer, node, 1<<31)
		w.queue.push(wake)
	}
}

// handleWake wakes a client.
func (l *candidateClients) handleWake(w *World, number int32) {
	c := &l.list[number]
	n := &w.nodes[c.node]
	if c.armedNs != w.now || !c.isUp(w) {
		return
	}
	c.armedNs = never
	if n.process.Paused {
		return // resume will queue it again
	}
	l.step(w, number, leasecandidate.Input{Kind: leasecandidate.Wake})
}

// serveCandidateWrite carries out a client's write.
func serveCandidateWrite(w *World, slot int32) {
	l, m := &w.clients, &w.net.list[slot]
	node, verb := m.client, m.verb()
	number := l.list[w.nodes[node].client].object
	object := &w.net.bodies[m.body].candidate
	var o storage.CandidateObject
	var outcome storage.Outcome
	if verb == elector.Create {
		o, outcome = w.store.CreateCandidate(w.now, number, object.Spec)
	} else {
		o, outcome = w.store.UpdateCandidate(number, object.ResourceVersion, object.UID, object.Spec)
	}
	m.result = outcomeResult[outcome]
	if outcome == storage.Created || outcome == storage.Updated {
		w.emit(trace.Record{
			Kind: trace.CandidateStored, Candidate: node, Verb: verb, Outcome: outcome,
			ResourceVersion: o.ResourceVersion,
			Payload:         trace.Candidacy{PingTime: o.Spec.PingTime, RenewTime: o.Spec.RenewTime}.Payload(),
		})
		l.tellChange(w, number, &o)
	}
}

// answerCandidate hands a client the answer to its write.
func answerCandidate(w *World, slot int32) {
	m, _ := w.net.drop(slot)
	l, number := &w.clients, w.nodes[m.client].client
	c := &l.list[number]
	c.flight = -1
	if !w.nodes[c.node].process.Alive || !c.running || !c.machine.InFlight() {
		return
	}
	if m.result != step.Success {
		w.emit(trace.Record{Kind: trace.CandidateFailed, Candidate: c.node, Run: w.nodes[c.node].process.Run,
			Verb: m.verb(), Result: m.result, Payload: trace.Exchange{SentNs: m.SentNs}.Payload()})
	}
	l.step(w, number, leasecandidate.Input{Kind: leasecandidate.Answer, Result: m.result})
}

// tellChange stores a new version of a LeaseCandidate, or its deletion, for later reads, and tells the informers.
func (l *candidateClients) tellChange(w *World, number int32, o *storage.CandidateObject) {
	l.note(w, number, o)
	l.tellNoted(w, number, o)
}

// tellNoted tells the informers of a version of a LeaseCandidate, or of its deletion.
func (l *candidateClients) tellNoted(w *World, number int32, o *storage.CandidateObject) {
	seen := leasecandidate.Input{Kind: leasecandidate.Seen, Object: clientObject(o)}
	in := coordinator.Input{Kind: coordinator.CandidateSeen, Candidate: w.candidateInput(number, o)}
	if _, outcome := w.store.Candidate(number); outcome != storage.OK {
		seen, in.Kind = leasecandidate.Input{Kind: leasecandidate.Gone}, coordinator.CandidateGone
	}
	for k := range l.list {
		if c := &l.list[k]; c.object == number && c.isUp(w) {
			l.tell(w, int32(k), seen)
		}
	}
	w.servers.tell(w, in)
}

// `tell` sends a watch event to a client's informer. If the event does not get through, the informer lists again.
func (l *candidateClients) tell(w *World, number int32, seen leasecandidate.Input) {
	c := &l.list[number]
	slot, m := w.net.add(w, candidateEvent, c.node, network.Get)
	m.body, m.version = w.net.newBody(body{seen: seen}), w.store.Revision()
	m.extraNs = w.settings[w.nodes[c.node].settings].PingAckNs
	w.net.tell(w, slot)
}

// takeCandidateEvent hands a client what its informer has heard.
func takeCandidateEvent(w *World, slot int32) {
	m, b := w.net.drop(slot)
	l, number := &w.clients, w.nodes[m.client].client
	if c := &l.list[number]; c.running && w.nodes[m.client].process.Alive && m.version > c.shown {
		c.shown = m.version
		l.step(w, number, b.seen)
	}
}
