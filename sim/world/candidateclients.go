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

// The clients that keep a LeaseCandidate alive, each beside the elector of its process.

// client is a LeaseCandidate client.
type client struct {
	informer
	object    int32 // the number of its LeaseCandidate in the store
	machine   leasecandidate.Machine
	latencies random.Stream
	armedNs   int64
	shown     int64  // resourceVersion of what its informer showed last: what comes late is no news
	flight    int32  // slot of the request in flight, -1
	term      uint32 // the start of the process it belongs to
	running   bool
}

// stored is a LeaseCandidate by its number in the store: that of every identity that has clients, and what administrators
// created.
type stored struct {
	name  coordination.Symbol
	key   string // under which the API serves it
	based int32  // its newest version that a request left, by its number among the store's Others, from 1; 0: none since it was created
}

// candidateClients are the clients of all LeaseCandidates.
type candidateClients struct {
	list    []client
	objects []stored // the LeaseCandidates by their numbers in the store
}

func (l *candidateClients) clone() candidateClients {
	c := candidateClients{list: slices.Clone(l.list), objects: slices.Clone(l.objects)}
	for k := range c.list {
		c.list[k].machine = l.list[k].machine.Clone()
	}
	return c
}

// isUp reports whether the process that the client runs in still lives.
func (c *client) isUp(w *World) bool {
	p := &w.nodes[c.node].process
	return c.running && p.Alive && p.Starts == c.term
}

// clientLatency is the concern of the stream that a client's latencies are drawn from.
const clientLatency = "latency of the LeaseCandidate"

// add makes a LeaseCandidate client for a node whose candidate has a strategy.
func (l *candidateClients) add(w *World, i int32, c *Candidate) {
	if c.Strategy == 0 {
		return
	}
	w.nodes[i].client = int32(len(l.list))
	l.list = append(l.list, client{informer: informer{node: i}, object: l.objectNumber(w, w.nodes[i].identity), armedNs: never, flight: -1, latencies: random.Named(w.setup.Seed, clientLatency, c.Name)})
}

// objectNumber is the number of the LeaseCandidate of a name, a new one if nobody had it before. Clients with one
// identity share an object.
func (l *candidateClients) objectNumber(w *World, name coordination.Symbol) int32 {
	if number := l.objectNamed(name); number >= 0 {
		return number
	}
	l.objects = append(l.objects, stored{name: name, key: apiserver.CandidateKey(w.setup.Namespace, w.setup.Symbols.Text(name))})
	return int32(len(l.objects) - 1)
}

// objectNamed is the number of the LeaseCandidate of a name, -1 if it has none.
func (l *candidateClients) objectNamed(name coordination.Symbol) int32 {
	for k := range l.objects {
		if l.objects[k].name == name {
			return int32(k)
		}
	}
	return -1
}

// nodeOf is the newest node whose LeaseCandidate that is, NoCandidate if it is an administrator's.
func (l *candidateClients) nodeOf(number int32) int32 {
	for k := len(l.list) - 1; k >= 0; k-- {
		if l.list[k].object == number {
			return l.list[k].node
		}
	}
	return trace.NoCandidate
}

// begin runs a new LeaseCandidate client; its informer lists first.
func (l *candidateClients) begin(w *World, number int32) {
	c := &l.list[number]
	n := &w.nodes[c.node]
	settings := &w.settings[n.settings]
	c.machine = leasecandidate.New(leasecandidate.Config{
		LeaseName: w.setup.Symbols.Intern(w.setup.LeaseNames[0]), BinaryVersion: settings.BinaryVersion, EmulationVersion: settings.EmulationVersion, Strategy: settings.Strategy,
		RenewEveryNs: w.setup.RenewEveryNs,
	})
	c.term, c.armedNs, c.running, c.shown, c.flight, c.againNs = n.process.Starts, never, true, -1, -1, never
	l.step(w, number, leasecandidate.Input{Kind: leasecandidate.Start})
	l.sendList(w, number)
}

// sendList lets a client's informer list.
func (l *candidateClients) sendList(w *World, number int32) {
	slot, m := w.net.add(w, candidateList, l.list[number].node, network.Get, LeaseCandidates)
	m.body = w.net.newBody(body{})
	w.net.leave(w, slot)
}

// handleListDue lets a client's informer list again.
func (l *candidateClients) handleListDue(w *World, e event) {
	if c := &l.list[e.slot]; c.isUp(w) && c.takeDue(w, &e) {
		l.sendList(w, e.slot)
	}
}

// serveList reads what a list shows.
func (l *candidateClients) serveList(w *World, slot int32) {
	m := &w.net.list[slot]
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

// readBehind answers a read of a LeaseCandidate from a cache that is so far behind.
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

// handleList shows a client what its informer's list found: the first one, or one after the watch broke.
func (l *candidateClients) handleList(w *World, slot int32) {
	m, b := w.net.drop(slot)
	number := w.nodes[m.client].client
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

func clientObject(o *storage.CandidateObject) leasecandidate.Object {
	return leasecandidate.Object{ResourceVersion: o.ResourceVersion, UID: o.UID, Spec: o.Spec}
}

// step hands a client an input and sends what it asks for.
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
		slot, m := w.net.add(w, candidateRequest, c.node, network.Verb(verb), LeaseCandidates)
		m.body, c.flight = w.net.newBody(body{candidate: object}), slot
		if timeoutNs := w.settings[n.settings].RequestTimeoutNs; timeoutNs > 0 {
			m.timeoutNs = w.now + timeoutNs
		}
		w.net.leave(w, slot)
	}
	l.arm(w, number)
}

// abandon gives up a client's request in flight. What is on the wire is still served.
func (l *candidateClients) abandon(w *World, c *client) {
	if c.flight >= 0 {
		w.net.list[c.flight].waited = false
		w.net.release(c.flight)
		c.flight = -1
	}
}

// arm queues the client's next wake.
func (l *candidateClients) arm(w *World, number int32) {
	c := &l.list[number]
	due := c.machine.NextWakeNs()
	if due == step.Never {
		c.armedNs = never
		return
	}
	at := max(w.nodes[c.node].clock.reaches(due), w.now)
	if at == c.armedNs {
		return
	}
	c.armedNs = at
	w.queue.push(event{at: at, key: orderKey(ownTimer, c.node, 1<<31), slot: number, what: clientWakes})
}

func (l *candidateClients) handleWake(w *World, number int32) {
	c := &l.list[number]
	n := &w.nodes[c.node]
	if c.armedNs != w.now || !c.isUp(w) {
		return
	}
	c.armedNs = never
	if n.process.Paused {
		return // it is armed again when the process goes on
	}
	l.step(w, number, leasecandidate.Input{Kind: leasecandidate.Wake})
}

// serveWrite carries a client's write out.
func (l *candidateClients) serveWrite(w *World, slot int32) {
	m := &w.net.list[slot]
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
			Kind: trace.CandidateStored, Candidate: node, Verb: verb, Outcome: outcome, ResourceVersion: o.ResourceVersion,
			Payload: trace.Candidacy{PingTime: o.Spec.PingTime, RenewTime: o.Spec.RenewTime}.Payload(),
		})
		l.tellChange(w, number, &o)
	}
}

// handleAnswer hands a client the answer to its write.
func (l *candidateClients) handleAnswer(w *World, slot int32) {
	m, _ := w.net.drop(slot)
	number := w.nodes[m.client].client
	c := &l.list[number]
	c.flight = -1
	if !w.nodes[c.node].process.Alive || !c.running || !c.machine.InFlight() {
		return
	}
	if m.result != step.Success {
		w.emit(trace.Record{Kind: trace.CandidateFailed, Candidate: c.node, Run: w.nodes[c.node].process.Run, Verb: m.verb(), Result: m.result, Payload: trace.Exchange{SentNs: m.sentNs}.Payload()})
	}
	l.step(w, number, leasecandidate.Input{Kind: leasecandidate.Answer, Result: m.result})
}

// tellChange tells the informers of a version of a LeaseCandidate, or of its deletion.
func (l *candidateClients) tellChange(w *World, number int32, o *storage.CandidateObject) {
	l.note(w, number, o)
	l.tellNoted(w, number, o)
}

// tellNoted is candidateChanged for a version that is kept for readers already.
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

// tell sends a client's informer what has changed. If the watch does not get through it lists, as soon as it can.
func (l *candidateClients) tell(w *World, number int32, seen leasecandidate.Input) {
	c := &l.list[number]
	slot, m := w.net.add(w, candidateEvent, c.node, network.Get, LeaseCandidates)
	m.body, m.version = w.net.newBody(body{seen: seen}), w.store.Revision()
	m.extraNs = w.settings[w.nodes[c.node].settings].PingAckNs
	w.net.tell(w, slot)
}

// handleEvent shows a client's informer what has changed.
func (l *candidateClients) handleEvent(w *World, slot int32) {
	m, b := w.net.drop(slot)
	number := w.nodes[m.client].client
	if c := &l.list[number]; c.running && w.nodes[m.client].process.Alive && m.version > c.shown {
		c.shown = m.version
		l.step(w, number, b.seen)
	}
}
