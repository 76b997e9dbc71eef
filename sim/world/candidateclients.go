package world

import (
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
	node      int32
	object    int32 // the number of its LeaseCandidate in the store
	machine   leasecandidate.Machine
	latencies random.Stream
	armedNs   int64
	shown     int64  // resourceVersion of what its informer showed last: what comes late is no news
	flight    int32  // slot of the request in flight, -1
	term      uint32 // the start of the process it belongs to
	running   bool
	listNs    int64 // when its informer lists once more, never: not by itself
}

// stored is a LeaseCandidate by its number in the store: that of every identity that has clients, and what administrators
// created.
type stored struct {
	name  coordination.Symbol
	key   string // under which the API serves it
	based int32  // its newest version that a request left, by its number among the store's Others, from 1; 0: none since it was created
}

// clientLatency is the concern of the stream that a client's latencies are drawn from.
const clientLatency = "latency of the LeaseCandidate"

// addClient makes a LeaseCandidate client for a node whose candidate has a strategy.
func (w *World) addClient(i int32, c *Candidate) {
	if c.Strategy == 0 {
		return
	}
	w.nodes[i].client = int32(len(w.clients))
	w.clients = append(w.clients, client{node: i, object: w.candidateNumber(w.nodes[i].identity), armedNs: never, flight: -1, latencies: random.Named(w.setup.Seed, clientLatency, c.Name)})
}

// candidateNumber is the number of the LeaseCandidate of a name, a new one if nobody had it before. Clients with one
// identity share an object.
func (w *World) candidateNumber(name coordination.Symbol) int32 {
	if number := w.candidateNamed(name); number >= 0 {
		return number
	}
	w.candidates = append(w.candidates, stored{name: name, key: apiserver.CandidateKey(w.setup.Namespace, w.setup.Symbols.Text(name))})
	return int32(len(w.candidates) - 1)
}

// candidateNamed is the number of the LeaseCandidate of a name, -1 if it has none.
func (w *World) candidateNamed(name coordination.Symbol) int32 {
	for k := range w.candidates {
		if w.candidates[k].name == name {
			return int32(k)
		}
	}
	return -1
}

// clientOf is the newest node whose LeaseCandidate that is, NoCandidate if it is an administrator's.
func (w *World) clientOf(number int32) int32 {
	for k := len(w.clients) - 1; k >= 0; k-- {
		if w.clients[k].object == number {
			return w.clients[k].node
		}
	}
	return trace.NoCandidate
}

// beginClient runs a new LeaseCandidate client; its informer lists first.
func (w *World) beginClient(number int32) {
	c := &w.clients[number]
	n := &w.nodes[c.node]
	settings := &w.settings[n.settings]
	c.machine = leasecandidate.New(leasecandidate.Config{
		LeaseName: w.setup.Symbols.Intern(w.setup.LeaseNames[0]), BinaryVersion: settings.BinaryVersion, EmulationVersion: settings.EmulationVersion, Strategy: settings.Strategy,
		RenewEveryNs: w.setup.RenewEveryNs,
	})
	c.term, c.armedNs, c.running, c.shown, c.flight, c.listNs = n.process.Starts, never, true, -1, -1, never
	w.stepClient(number, leasecandidate.Input{Kind: leasecandidate.Start})
	w.listCandidate(number)
}

// listCandidate lets a client's informer list.
func (w *World) listCandidate(number int32) {
	slot, m := w.newMessage(candidateList, w.clients[number].node, network.Get, LeaseCandidates)
	m.body = w.newBody(body{})
	w.leave(slot)
}

// listCandidateLater lets a client's informer list once more, after its back-off.
func (w *World) listCandidateLater(number int32) {
	c := &w.clients[number]
	if c.listNs != never {
		return
	}
	c.listNs = w.now + relistNs
	w.sent++
	w.queue.push(event{at: c.listNs, key: orderKey(response, c.node, w.sent), slot: number, what: candidateListDue})
}

func (w *World) listCandidateNow(e event) {
	c := &w.clients[e.slot]
	n := &w.nodes[c.node]
	switch {
	case c.listNs != e.at || !c.running || !n.process.Alive || n.process.Starts != c.term:
	case n.process.Paused:
		w.deferred = append(w.deferred, deferred{at: w.now, class: response, candidate: c.node, slot: e.slot, what: candidateListDue})
	default:
		c.listNs = never
		w.listCandidate(e.slot)
	}
}

// serveCandidateList reads what a list shows.
func (w *World) serveCandidateList(slot int32) {
	m := &w.messages[slot]
	c := &w.clients[w.nodes[m.client].client]
	o, outcome := w.store.Candidate(c.object)
	if m.lagNs != 0 {
		o, outcome = w.candidateBehind(m, c.object)
	}
	seen := leasecandidate.Input{Kind: leasecandidate.Gone}
	if outcome == storage.OK {
		seen = leasecandidate.Input{Kind: leasecandidate.Seen, Object: clientObject(&o)}
	}
	w.bodies[m.body].seen, m.version = seen, w.store.Revision()
	if m.lagNs != 0 {
		m.version = o.ResourceVersion
	}
}

// candidateBehind answers a read of a LeaseCandidate from a cache that is so far behind.
func (w *World) candidateBehind(m *message, number int32) (storage.CandidateObject, storage.Outcome) {
	versions := w.store.Others()
	for k := len(versions) - 1; k >= 0; k-- {
		if a := &versions[k]; a.Key == w.candidates[number].key && a.AtNs <= w.now-m.lagNs {
			if a.Deleted() {
				break
			}
			return a.Candidate, storage.OK
		}
	}
	return storage.CandidateObject{}, storage.NotFound
}

// endCandidateList shows a client what its informer's list found: the first one, or one after the watch broke.
func (w *World) endCandidateList(slot int32) {
	m, b := w.drop(slot)
	number := w.nodes[m.client].client
	c := &w.clients[number]
	if !c.running {
		return
	}
	if m.result != step.Success {
		w.listCandidateLater(number)
		return
	}
	c.shown = m.version
	w.stepClient(number, b.seen)
	w.stepClient(number, leasecandidate.Input{Kind: leasecandidate.Listed})
}

func clientObject(o *storage.CandidateObject) leasecandidate.Object {
	return leasecandidate.Object{ResourceVersion: o.ResourceVersion, UID: o.UID, Spec: o.Spec}
}

// stepClient hands a client an input and sends what it asks for.
func (w *World) stepClient(number int32, in leasecandidate.Input) {
	c := &w.clients[number]
	n := &w.nodes[c.node]
	for _, o := range c.machine.Step(n.clock.read(w.now), in, nil) {
		if o.Kind == leasecandidate.Abort {
			w.abandonCandidate(c)
			continue
		}
		verb, object := c.machine.Outgoing()
		w.counts.Requests++
		slot, m := w.newMessage(candidateRequest, c.node, network.Verb(verb), LeaseCandidates)
		m.body, c.flight = w.newBody(body{candidate: object}), slot
		if timeoutNs := w.settings[n.settings].RequestTimeoutNs; timeoutNs > 0 {
			m.timeoutNs = w.now + timeoutNs
		}
		w.leave(slot)
	}
	w.armClient(number)
}

// abandonCandidate gives up a client's request in flight. What is on the wire is still served.
func (w *World) abandonCandidate(c *client) {
	if c.flight >= 0 {
		w.messages[c.flight].waited = false
		w.release(c.flight)
		c.flight = -1
	}
}

// armClient queues the client's next wake.
func (w *World) armClient(number int32) {
	c := &w.clients[number]
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

func (w *World) wakeClient(number int32) {
	c := &w.clients[number]
	n := &w.nodes[c.node]
	if c.armedNs != w.now || !c.running || !n.process.Alive || n.process.Starts != c.term {
		return
	}
	c.armedNs = never
	if n.process.Paused {
		return // it is armed again when the process goes on
	}
	w.stepClient(number, leasecandidate.Input{Kind: leasecandidate.Wake})
}

// serveCandidate carries a client's write out.
func (w *World) serveCandidate(slot int32) {
	m := &w.messages[slot]
	node, verb := m.client, m.verb()
	number := w.clients[w.nodes[node].client].object
	object := &w.bodies[m.body].candidate
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
		w.candidateChanged(number, &o)
	}
}

// endCandidate hands a client the answer to its write.
func (w *World) endCandidate(slot int32) {
	m, _ := w.drop(slot)
	number := w.nodes[m.client].client
	c := &w.clients[number]
	c.flight = -1
	if !w.nodes[c.node].process.Alive || !c.running || !c.machine.InFlight() {
		return
	}
	if m.result != step.Success {
		w.emit(trace.Record{Kind: trace.CandidateFailed, Candidate: c.node, Run: w.nodes[c.node].process.Run, Verb: m.verb(), Result: m.result, Payload: trace.Exchange{SentNs: m.sentNs}.Payload()})
	}
	w.stepClient(number, leasecandidate.Input{Kind: leasecandidate.Answer, Result: m.result})
}

// candidateChanged tells the informers of a version of a LeaseCandidate, or of its deletion.
func (w *World) candidateChanged(number int32, o *storage.CandidateObject) {
	w.noteCandidate(number, o)
	w.candidateNoted(number, o)
}

// candidateNoted is candidateChanged for a version that is kept for readers already.
func (w *World) candidateNoted(number int32, o *storage.CandidateObject) {
	seen := leasecandidate.Input{Kind: leasecandidate.Seen, Object: clientObject(o)}
	in := coordinator.Input{Kind: coordinator.CandidateSeen, Candidate: w.candidateInput(number, o)}
	if _, outcome := w.store.Candidate(number); outcome != storage.OK {
		seen, in.Kind = leasecandidate.Input{Kind: leasecandidate.Gone}, coordinator.CandidateGone
	}
	for k := range w.clients {
		if c := &w.clients[k]; c.object == number && c.running && w.nodes[c.node].process.Alive && w.nodes[c.node].process.Starts == c.term {
			w.tellClient(int32(k), seen)
		}
	}
	w.tellServers(in)
}

// tellClient sends a client's informer what has changed. If the watch does not get through it lists, as soon as it can.
func (w *World) tellClient(number int32, seen leasecandidate.Input) {
	c := &w.clients[number]
	slot, m := w.newMessage(candidateEvent, c.node, network.Get, LeaseCandidates)
	m.body, m.version = w.newBody(body{seen: seen}), w.store.Revision()
	m.extraNs = w.settings[w.nodes[c.node].settings].PingAckNs
	w.tell(slot)
}

// endCandidateEvent shows a client's informer what has changed.
func (w *World) endCandidateEvent(slot int32) {
	m, b := w.drop(slot)
	number := w.nodes[m.client].client
	if c := &w.clients[number]; c.running && w.nodes[m.client].process.Alive && m.version > c.shown {
		c.shown = m.version
		w.stepClient(number, b.seen)
	}
}
