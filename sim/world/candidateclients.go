package world

import (
	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/leasecandidate"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
)

// The clients that keep a LeaseCandidate alive, each beside the elector of its process.

// client is a LeaseCandidate client.
type client struct {
	node    int32
	object  int32 // the number of its LeaseCandidate in the store
	machine leasecandidate.Machine
	armedNs int64
	shown   int64 // resourceVersion of what its informer showed last: what comes late is no news
	serial  int32 // of the request in flight
	term    int16 // the run of the process it belongs to
	running bool
}

// stored is a LeaseCandidate by its number in the store: that of every identity that has clients, and what administrators
// created.
type stored struct {
	name  coordination.Symbol
	key   string // under which the API serves it
	based int32  // its newest version that a request left, among the store's asides from 1; 0: none since it was created
}

// addClient makes a LeaseCandidate client for a node whose candidate has a strategy.
func (w *World) addClient(i int32, c *Candidate) {
	if c.Strategy == 0 {
		return
	}
	w.nodes[i].client = int32(len(w.clients)) + 1
	w.clients = append(w.clients, client{node: i, object: w.candidateNumber(w.nodes[i].identity), armedNs: never})
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
	return NoCandidate
}

// beginClient runs a new LeaseCandidate client; its informer's list takes one round.
func (w *World) beginClient(number int32) {
	c := &w.clients[number]
	n := &w.nodes[c.node]
	settings := &w.settings[n.settings]
	c.machine = leasecandidate.New(leasecandidate.Config{
		LeaseName: w.setup.Symbols.Intern(w.setup.LeaseNames[0]), BinaryVersion: settings.BinaryVersion, EmulationVersion: settings.EmulationVersion, Strategy: settings.Strategy,
		RenewEveryNs: w.setup.RenewEveryNs,
	})
	c.term, c.armedNs, c.running, c.shown = n.born, never, true, -1
	w.stepClient(number, leasecandidate.Input{Kind: leasecandidate.Start})
	w.tripIn(settings.RequestNs+settings.ResponseNs, clientLists, trip{number: number, term: n.born})
}

// relistNs is how long an informer waits before it lists again when its list or its watch did not get through.
// Source: client-go tools/cache reflector, the first step of its back-off.
const relistNs = 800_000_000

// clientListed shows a client what its informer's list found: the first one, or one after the watch broke.
func (w *World) clientListed(t *trip) {
	c := &w.clients[t.number]
	if !c.running {
		return
	}
	up, refused := w.cutOff(c.node, Up)
	down, _ := w.cutOff(c.node, Down)
	if up || refused || down {
		w.tripIn(relistNs, clientLists, *t)
		return
	}
	o, outcome := w.store.Candidate(c.object)
	c.shown = w.store.Revision()
	if outcome == storage.OK {
		w.stepClient(t.number, leasecandidate.Input{Kind: leasecandidate.Seen, Object: clientObject(&o)})
	} else {
		w.stepClient(t.number, leasecandidate.Input{Kind: leasecandidate.Gone})
	}
	w.stepClient(t.number, leasecandidate.Input{Kind: leasecandidate.Listed})
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
			c.serial++
			continue
		}
		verb, object := c.machine.Outgoing()
		c.serial++
		w.counts.Requests++
		settings := &w.settings[n.settings]
		t := trip{number: number, term: c.term, serial: c.serial, verb: verb, object: object, sentNs: w.now}
		lost, refused := w.cutOff(c.node, Up)
		switch {
		case refused:
			t.result = elector.ConnRefused
			w.tripIn(settings.RequestNs, clientHears, t)
		case lost:
			w.clientLoses(t, clientAsks, Up)
		default:
			w.tripIn(settings.RequestNs, clientAsks, t)
		}
	}
	w.armClient(number)
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
	w.queue.push(message{at: at, key: orderKey(ownTimer, c.node, 1<<31), slot: number, what: clientWakes})
}

func (w *World) clientWoken(number int32) {
	c := &w.clients[number]
	n := &w.nodes[c.node]
	if c.armedNs != w.now || !c.running || !n.alive || n.born != c.term {
		return
	}
	c.armedNs = never
	if n.paused {
		return // it is armed again when the process goes on
	}
	w.stepClient(number, leasecandidate.Input{Kind: leasecandidate.Wake})
}

// clientAsked serves a client's request.
func (w *World) clientAsked(t trip) {
	c := &w.clients[t.number]
	settings := &w.settings[w.nodes[c.node].settings]
	switch lost, refused := w.cutOff(c.node, Up); {
	case lost:
		w.clientLoses(t, clientAsks, Up)
		return
	case refused:
		t.result = elector.ConnRefused
		w.tripIn(settings.ResponseNs, clientHears, t)
		return
	}
	var o storage.CandidateObject
	var outcome storage.Outcome
	if t.verb == elector.Create {
		o, outcome = w.store.CreateCandidate(w.now, c.object, t.object.Spec)
	} else {
		o, outcome = w.store.UpdateCandidate(c.object, t.object.ResourceVersion, t.object.UID, t.object.Spec)
	}
	t.result = outcomeResult[outcome]
	if outcome == storage.Created || outcome == storage.Updated {
		w.emit(Record{
			Kind: CandidateStored, Candidate: c.node, Verb: t.verb, Outcome: outcome, ResourceVersion: o.ResourceVersion,
			Payload: trace.Candidacy{PingTime: o.Spec.PingTime, RenewTime: o.Spec.RenewTime}.Payload(),
		})
		w.candidateChanged(c.object, &o)
	}
	if lost, _ := w.cutOff(c.node, Down); lost {
		w.clientLoses(t, clientHears, Down)
		return
	}
	w.tripIn(settings.ResponseNs, clientHears, t)
}

// clientLoses is a client's request, or its answer, that does not get through: it is lost or held. The client waits for as
// long as a request may take.
func (w *World) clientLoses(t trip, what messageKind, direction Direction) {
	node := w.clients[t.number].node
	if mode := w.holdMode(node, direction); mode != Lost {
		w.heldTrips = append(w.heldTrips, heldTrip{trip: t, what: what, direction: direction, late: mode == HeldForAll})
	}
	if timeoutNs := w.settings[w.nodes[node].settings].RequestTimeoutNs; timeoutNs > 0 {
		t.result = elector.ClientTimeout
		w.tripIn(max(t.sentNs+timeoutNs-w.now, 0), clientHears, t)
	}
}

// clientWaits reports whether a client still waits for what a trip is about.
func (w *World) clientWaits(t *trip) bool {
	c := &w.clients[t.number]
	n := &w.nodes[c.node]
	return n.alive && n.born == t.term && c.running && c.serial == t.serial && c.machine.InFlight()
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
		if c := &w.clients[k]; c.object == number && c.running && w.nodes[c.node].alive && w.nodes[c.node].born == c.term {
			w.tellClient(int32(k), trip{number: int32(k), term: c.term, seen: seen, version: w.store.Revision()})
		}
	}
	w.tellServers(in)
}

// tellClient shows a client's informer what has changed. If the watch does not get through it lists, as soon as it can.
func (w *World) tellClient(number int32, t trip) {
	c := &w.clients[number]
	settings := &w.settings[w.nodes[c.node].settings]
	stopped, gone := w.silent(c.node)
	if lost, _ := w.cutOff(c.node, Down); lost || stopped || gone {
		w.tripIn(relistNs, clientLists, trip{number: number, term: t.term})
		return
	}
	w.tripIn(settings.ResponseNs+settings.PingAckNs, clientSees, t)
}

// CandidateOf is the LeaseCandidate of a node as it is stored, false if there is none.
func (w *World) CandidateOf(node int32) (coordination.Candidate, bool) {
	k := w.nodes[node].client
	if k == 0 {
		return coordination.Candidate{}, false
	}
	o, outcome := w.store.Candidate(w.clients[k-1].object)
	return o.Spec, outcome == storage.OK
}
