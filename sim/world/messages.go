package world

import (
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

// sender says whose message it is: who carries it out at the server, and who hears the answer.
type sender uint8

const (
	electorRequest    sender = iota
	candidateRequest         // a LeaseCandidate client's write
	candidateList            // its informer's list
	candidateEvent           // an event of its informer's watch
	controllerRequest        // a controller's, inside its API server
	controllerEvent          // an event of a controller's informer
	heartbeatRequest         // a kubelet's renewal
	heartbeatList            // a monitor's list
	heartbeatEvent           // an event of a monitor's watch
	resourceRequest          // a leader's write to the resource
)

// isRead reports whether an informer takes the answer: when it does not get through, the informer lists again.
func (s sender) isRead() bool {
	return s == candidateList || s == candidateEvent || s == heartbeatList || s == heartbeatEvent
}

// The resources that rules tell apart.
const (
	Leases network.Resource = iota + 1
	LeaseCandidates
	ConfigMaps
)

// message is one request and its answer, or one event of a watch, from its send until the wire and the client have both let go
// of it.
type message struct {
	network.Request
	sentNs    int64
	reachesNs int64
	servedNs  int64 // -1: not served
	returnsNs int64 // -1: no answer on the way
	timeoutNs int64 // never: none
	lagNs     int64 // it reads from a cache that is so far behind
	extraNs   int64 // what the client adds to its request, or the server to an event
	uid       uint64
	version   int64 // resourceVersion; of a heartbeat's event: renewals; of a write to the resource: the token
	answer    storage.Object
	record    coordination.Record
	client    int32  // the node that sent it, -1 in a free slot
	order     uint32 // its number in the total order of an instant
	body      int32  // number in bodies, -1: none
	subject   int32  // the kubelet that an event is about
	run       int16  // of the process that writes to the resource
	sender    sender
	object    elector.Object
	result    step.Result
	outcome   storage.Outcome
	held      network.HeldAt
	hold      network.HoldMode

	onWire     bool
	waited     bool // the client still waits
	timeoutSet bool // a clientGivesUp event is queued
	refused    bool
	lostUp     bool
	lostDown   bool
	throttled  bool // it waits for the client's rate limiter
	expired    bool // the server would let a TTL lock go
	hangs      bool // it waits at the server
	cleansUp   bool // it gives the resource up
}

// verb is the verb of a request; the two packages number them alike.
func (m *message) verb() elector.Verb { return elector.Verb(m.Verb) }

var _ = [1]struct{}{}[elector.Verb(network.Get)-elector.Get]
var _ = [1]struct{}{}[elector.Verb(network.Create)-elector.Create]
var _ = [1]struct{}{}[elector.Verb(network.Update)-elector.Update]

// body is what only messages about LeaseCandidates and those of controllers carry.
type body struct {
	candidate leasecandidate.Object // a client's write
	seen      leasecandidate.Input  // what its informer hears
	request   coordinator.Request
	input     coordinator.Input // what a controller hears
}

// slot takes a free slot for a message.
func (w *World) slot() int32 {
	if n := len(w.free); n > 0 {
		slot := w.free[n-1]
		w.free = w.free[:n-1]
		return slot
	}
	w.messages = append(w.messages, message{})
	return int32(len(w.messages) - 1)
}

// newBody takes a free place for what a message carries.
func (w *World) newBody(b body) int32 {
	if n := len(w.freeBodies); n > 0 {
		k := w.freeBodies[n-1]
		w.freeBodies = w.freeBodies[:n-1]
		w.bodies[k] = b
		return k
	}
	w.bodies = append(w.bodies, b)
	return int32(len(w.bodies) - 1)
}

// newMessage takes a slot for a message that is not an elector's.
func (w *World) newMessage(s sender, client int32, verb network.Verb, about network.Resource) (int32, *message) {
	slot := w.slot()
	m := &w.messages[slot]
	*m = message{sender: s, client: client, sentNs: w.now, servedNs: -1, returnsNs: -1, timeoutNs: never, body: -1, onWire: true, waited: true}
	m.Verb, m.Resource = verb, about
	return slot, m
}

// release frees a slot that neither the wire, the client nor a queued timeout refers to.
func (w *World) release(slot int32) {
	m := &w.messages[slot]
	if m.onWire || m.waited || m.timeoutSet {
		return
	}
	if m.body >= 0 {
		w.bodies[m.body] = body{}
		w.freeBodies = append(w.freeBodies, m.body)
	}
	m.client = -1
	w.free = append(w.free, slot)
}

// link returns a node's connection, with the state of its API server now.
func (w *World) link(i int32) *network.Link {
	n := &w.nodes[i]
	if len(w.servers) > 0 && n.kind != serverNode {
		server := w.servers[n.link.Queue].node
		s := &w.nodes[server]
		n.link.Server, n.link.State = server, network.Serving
		if !s.process.Alive {
			n.link.State = network.Gone
		} else if s.process.Paused {
			n.link.State, n.link.SilentNs = network.Silent, s.process.PausedNs
		}
	}
	return &n.link
}

// linkOf returns the connection that a message takes.
func (w *World) linkOf(m *message) *network.Link {
	switch m.sender {
	case controllerRequest, controllerEvent:
		s := &w.servers[w.nodes[m.client].number]
		s.loopback.State = network.Serving
		if !w.nodes[m.client].process.Alive {
			s.loopback.State = network.Gone
		}
		return &s.loopback
	case resourceRequest:
		return &w.resource.writers[m.client].link
	}
	return w.link(m.client)
}

// isOpen reports whether nothing stands between an elector and the store: the common case, which asks no rule.
func (w *World) isOpen(m *message) bool {
	return m.sender == electorRequest && len(w.servers) == 0 && w.net.Clear()
}

// rulesOf returns the rules of the network that a message takes.
func (w *World) rulesOf(m *message) *network.Rules {
	if m.sender == resourceRequest {
		return &w.resource.rules
	}
	return &w.net
}

// wayOf returns how a message travels, and the stream that its latencies are drawn from.
func (w *World) wayOf(m *message) (network.Way, *random.Stream) {
	n := &w.nodes[m.client]
	switch m.sender {
	case resourceRequest:
		return network.Way{RequestNs: w.setup.Resource.LatencyNs}, &n.latencies
	case controllerRequest, controllerEvent:
		return network.Way{RequestNs: controllerLatencyNs, ResponseNs: controllerLatencyNs}, &w.servers[n.number].latencies
	}
	settings := &w.settings[n.settings]
	way := network.Way{RequestNs: settings.RequestNs, ResponseNs: settings.ResponseNs, RequestDraw: settings.RequestDraw, ResponseDraw: settings.ResponseDraw}
	if m.sender == candidateRequest || m.sender == candidateList || m.sender == candidateEvent {
		return way, &w.clients[n.client].latencies
	}
	return way, &n.latencies
}

// numbered gives a message its number in the total order of the instant of its next event. Electors and kubelets number their
// requests themselves; those of all others count together.
func (w *World) numbered(m *message) uint32 {
	switch m.sender {
	case electorRequest, heartbeatRequest, heartbeatEvent:
	case resourceRequest:
		w.resource.sent++
		m.order = ownNumber | w.resource.sent&(ownNumber-1)
	default:
		w.sent++
		m.order = w.sent
	}
	return m.order
}

// carry queues the next event of a message.
func (w *World) carry(atNs int64, c class, slot int32, what eventKind) {
	m := &w.messages[slot]
	w.queue.push(event{at: atNs, key: orderKey(c, m.client, w.numbered(m)), slot: slot, what: what})
}

// timeoutIfBefore queues the client's timeout once it is known that nothing comes before it; until then an answered
// request costs no timer.
func (w *World) timeoutIfBefore(slot int32, nextNs int64) {
	m := &w.messages[slot]
	if m.timeoutNs < nextNs && m.waited && !m.timeoutSet {
		m.timeoutSet = true
		w.queue.push(event{at: max(m.timeoutNs, w.now), key: orderKey(clientTimeout, m.client, m.order), slot: slot, what: clientGivesUp})
	}
}

// leave lets a request go out. The rules decide its latencies and its fault now.
func (w *World) leave(slot int32) {
	m := &w.messages[slot]
	i := m.client
	settings := &w.settings[w.nodes[i].settings]
	m.lagNs = settings.ReadLagNs
	if settings.DeadPeerNs == 0 && settings.RequestDraw == nil && settings.ResponseDraw == nil && w.isOpen(m) {
		m.RequestNs, m.ResponseNs, m.reachesNs = settings.RequestNs, settings.ResponseNs, w.now+settings.RequestNs
		w.queue.push(event{at: m.reachesNs, key: orderKey(arrival, i, m.order), slot: slot, what: requestArrives})
		w.timeoutIfBefore(slot, m.reachesNs)
		return
	}
	if m.sender != controllerRequest && m.sender != resourceRequest {
		w.reconnectIfDead(i)
		m = &w.messages[slot] // it may have moved: informers list on a new connection
	}
	way, latencies := w.wayOf(m)
	l := w.linkOf(m)
	fate := w.rulesOf(m).Leave(w.now, l, &way, latencies, &m.Request)
	m.RequestNs += m.extraNs
	m.reachesNs = w.now + m.RequestNs
	if m.sender == resourceRequest && fate.Kind == network.Lost { // it tells when the write would have been there
		m.lostUp, fate.Kind = true, network.Delivered
	}
	switch fate.Kind {
	case network.Delivered:
		w.carry(m.reachesNs, arrival, slot, requestArrives)
		w.timeoutIfBefore(slot, m.reachesNs)
	case network.Refused:
		m.refused = true
		w.carry(m.reachesNs, response, slot, responseArrives)
		w.timeoutIfBefore(slot, m.reachesNs)
	default:
		w.stop(slot, network.HeldUp, fate)
	}
}

// stop takes a message off the wire, or keeps it there until a rule ends.
func (w *World) stop(slot int32, at network.HeldAt, fate network.Fate) {
	m := &w.messages[slot]
	if fate.Kind == network.Held {
		m.held, m.hold = at, fate.Hold
		w.holding++
		w.timeoutIfBefore(slot, never)
		return
	}
	m.onWire = false
	m.lostUp, m.lostDown = at != network.HeldDown, at == network.HeldDown
	switch {
	case m.sender.isRead():
		w.loseRead(slot)
		return
	case m.sender == resourceRequest:
		w.endResource(slot)
		return
	default:
		if deadPeerNs := w.settings[w.nodes[m.client].settings].DeadPeerNs; deadPeerNs > 0 && m.sender != controllerRequest {
			m.timeoutNs = min(m.timeoutNs, w.net.GivesUpNs(w.now, w.linkOf(m), deadPeerNs))
		}
		w.timeoutIfBefore(slot, never)
	}
	w.release(slot)
}

// arrive handles a request that reaches the server, whether or not its client still waits.
func (w *World) arrive(slot int32) {
	m := &w.messages[slot]
	if w.isOpen(m) {
		w.answer(slot)
		return
	}
	fate := w.rulesOf(m).Arrive(w.now, w.linkOf(m), &m.Request)
	if m.lostUp {
		fate = network.Fate{Kind: network.Lost}
	}
	switch fate.Kind {
	case network.Delivered:
		w.answer(slot)
	case network.Queued:
		m.hangs = true
		w.carry(fate.AtNs, arrival, slot, requestServed)
		w.timeoutIfBefore(slot, fate.AtNs)
	case network.Refused:
		m.refused = true
		w.carry(fate.AtNs, response, slot, responseArrives)
	default:
		at := network.HeldUp
		if fate.Kind == network.Held && m.Fault == network.Stall && fate.Hold == network.Drop {
			at, m.hangs = network.HeldServer, true
		}
		w.stop(slot, at, fate)
	}
}

// serve handles the end of a request's stay at the server.
func (w *World) serve(slot int32) {
	m := &w.messages[slot]
	m.hangs = false
	switch fate := w.net.Serve(w.now, w.linkOf(m)); fate.Kind {
	case network.Refused:
		m.refused = true
		w.carry(fate.AtNs, response, slot, responseArrives)
	case network.Lost:
		w.stop(slot, network.HeldDown, fate)
	default:
		w.answer(slot)
	}
}

// answer carries a request out and sends the answer.
func (w *World) answer(slot int32) {
	w.messages[slot].servedNs = w.now
	w.carryOut(slot)
	m := &w.messages[slot] // it may have moved: others have been told of what it wrote
	if m.sender == resourceRequest {
		m.onWire = false
		w.endResource(slot)
		return
	}
	w.sendBack(slot, m)
}

// sendBack puts an answer or an event of a watch on its way to the client.
func (w *World) sendBack(slot int32, m *message) {
	m.returnsNs = w.now + m.ResponseNs
	if w.isOpen(m) && m.Fault == network.NoFault {
		w.queue.push(event{at: m.returnsNs, key: orderKey(response, m.client, m.order), slot: slot, what: responseArrives})
		w.timeoutIfBefore(slot, m.returnsNs)
		return
	}
	fate := w.net.Answer(w.now, w.linkOf(m), &m.Request)
	if fate.Kind != network.Delivered {
		w.stop(slot, network.HeldDown, fate)
		return
	}
	w.carry(fate.AtNs, response, slot, responseArrives)
	w.timeoutIfBefore(slot, fate.AtNs)
}

// tell sends an event of a watch. A watch on a server that is silent or gone does not get through.
func (w *World) tell(slot int32) {
	m := &w.messages[slot]
	way, latencies := w.wayOf(m)
	l := w.linkOf(m)
	w.net.Draw(w.now, l, &way, latencies, &m.Request)
	m.ResponseNs += m.extraNs
	m.servedNs = w.now
	if l.State != network.Serving {
		w.stop(slot, network.HeldDown, network.Fate{Kind: network.Lost})
		return
	}
	w.sendBack(slot, m)
}

// carryOut lets the server carry a request out. A fault that refuses it leaves the store alone.
func (w *World) carryOut(slot int32) {
	m := &w.messages[slot]
	if m.sender == electorRequest {
		w.serveElector(slot)
		return
	}
	if !m.Fault.Stores() {
		m.result = faultResult[m.Fault]
		return
	}
	switch m.sender {
	case candidateRequest:
		w.serveCandidate(slot)
	case candidateList:
		w.serveCandidateList(slot)
	case controllerRequest:
		w.serveController(slot)
	case heartbeatRequest:
		w.serveHeartbeat(slot)
	}
	if m := &w.messages[slot]; m.Fault == network.Http504Applied && m.Verb != network.Get && m.result == step.Success {
		m.result = step.GatewayTimeout
	}
}

// hear handles the end of a request at its client: the answer, a refusal or the client's own timeout.
func (w *World) hear(e event) {
	m := &w.messages[e.slot]
	if e.what == clientGivesUp {
		m.timeoutSet = false
		if m.waited && m.timeoutNs > w.now { // its node has slept meanwhile
			w.timeoutIfBefore(e.slot, never)
			return
		}
		m.result = step.ClientTimeout
	} else {
		m.onWire = false
		l := w.linkOf(m)
		if !m.refused && m.waited && !w.isOpen(m) {
			if fate := w.net.Hear(w.now, w.now, l); fate.Kind != network.Delivered {
				m.onWire = true
				w.stop(e.slot, network.HeldDown, fate)
				return
			}
		}
		l.HeardNs = w.now
		if m.refused {
			m.result = step.ConnRefused
			if w.settings[w.nodes[m.client].settings].DeadPeerNs > 0 && len(w.servers) > 0 && m.sender != controllerRequest {
				w.reconnect(m.client)
				m = &w.messages[e.slot]
			}
		}
	}
	if !m.waited {
		w.release(e.slot)
		return
	}
	if w.nodes[m.client].process.Paused {
		if m.sender == heartbeatEvent {
			w.keepHeartbeatEvent(e.slot)
			return
		}
		w.deferred = append(w.deferred, deferred{at: w.now, class: class(e.key >> 56), candidate: m.client, slot: e.slot, seq: m.order, what: e.what})
		return
	}
	w.end(e.slot)
}

// end hands the answer to the client.
func (w *World) end(slot int32) {
	m := &w.messages[slot]
	switch m.sender {
	case electorRequest:
		w.endElector(slot)
	case candidateRequest:
		w.endCandidate(slot)
	case candidateList:
		w.endCandidateList(slot)
	case candidateEvent:
		w.endCandidateEvent(slot)
	case controllerRequest, controllerEvent:
		w.endController(slot)
	case heartbeatRequest:
		w.endHeartbeat(slot)
	case heartbeatList:
		w.endHeartbeatList(slot)
	case heartbeatEvent:
		w.endHeartbeatEvent(slot)
	}
}

// drop ends a message at its client and returns what it said.
func (w *World) drop(slot int32) (m message, b body) {
	m = w.messages[slot]
	if m.body >= 0 {
		b = w.bodies[m.body]
	}
	w.messages[slot].waited = false
	w.release(slot)
	return m, b
}

// loseRead ends a list or an event that does not get through: its informer lists again.
func (w *World) loseRead(slot int32) {
	m, _ := w.drop(slot)
	if m.sender == heartbeatList || m.sender == heartbeatEvent {
		w.listHeartbeatsLater(w.nodes[m.client].number)
		return
	}
	w.listCandidateLater(w.nodes[m.client].client)
}

// relistNs is how long an informer waits before it lists again when its list or its watch did not get through.
// Source: client-go tools/cache reflector, the first step of its back-off.
const relistNs = 800_000_000

// reconnectIfDead gives a node that is about to send a new connection if it has noticed that the old one is dead.
func (w *World) reconnectIfDead(i int32) {
	if deadPeerNs := w.settings[w.nodes[i].settings].DeadPeerNs; deadPeerNs > 0 && w.net.FoundDead(w.now, w.link(i), deadPeerNs) {
		w.reconnect(i)
	}
}

// reconnect opens a new connection, to the next API server.
func (w *World) reconnect(i int32) {
	n := &w.nodes[i]
	to := trace.Connection{HeardNs: n.link.HeardNs, Server: trace.NoCandidate}
	n.link.Open(w.now)
	if len(w.servers) > 0 {
		n.link.Queue = (n.link.Queue + 1) % int32(len(w.servers))
		to.Server = w.servers[n.link.Queue].node
	}
	w.emit(trace.Record{Kind: trace.Reconnected, Candidate: i, Run: n.process.Run, Payload: to.Payload()})
	w.watchAnew(n)
}

// watchAnew lets the informers of a node list: their watches were on a connection that is closed.
func (w *World) watchAnew(n *node) {
	if n.client >= 0 && w.clients[n.client].running {
		w.listCandidate(n.client)
	}
	if n.kind == monitorNode {
		w.listHeartbeats(n.number)
	}
}

// resumeHeld sends on the messages that nothing holds any longer.
func (w *World) resumeHeld() {
	if w.holding == 0 {
		return
	}
	for k := range w.messages {
		if m := &w.messages[k]; m.client >= 0 && m.held != network.NotHeld {
			w.resumeOne(int32(k))
		}
	}
}

func (w *World) resumeOne(slot int32) {
	m := &w.messages[slot]
	at := m.held
	fate := w.rulesOf(m).Resume(w.now, w.linkOf(m), &m.Request, at)
	if at == network.HeldServer && fate.Kind == network.Held {
		return
	}
	m.held = network.NotHeld
	w.holding--
	switch {
	case fate.Kind != network.Delivered:
		w.stop(slot, at, fate)
	case at != network.HeldServer && m.hold != network.HoldForAll && !m.waited:
		w.stop(slot, at, network.Fate{Kind: network.Lost})
	case at == network.HeldUp:
		m.reachesNs = fate.AtNs
		w.carry(fate.AtNs, arrival, slot, requestArrives)
		w.timeoutIfBefore(slot, fate.AtNs)
	case at == network.HeldServer:
		w.carry(fate.AtNs, arrival, slot, requestServed)
	default:
		m.returnsNs = fate.AtNs
		w.carry(fate.AtNs, response, slot, responseArrives)
		w.timeoutIfBefore(slot, fate.AtNs)
	}
}
