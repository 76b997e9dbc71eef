package world

import (
	"slices"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
)

// transport carries every message between a client and its server. The rules of package network decide the fate of a
// message; transport keeps it while it is under way and queues its next event.
type transport struct {
	rules      network.Rules
	list       []message // by slot
	free       []int32   // slots in list
	bodies     []body    // of messages
	freeBodies []int32   // places in bodies
	sent       uint32    // the number of the last message that its client does not number
	held       int32     // messages that a rule or an act holds
	stopped    []stopped // messages that an act has lost or holds
	calls      calls
}

func newTransport(s *Setup) transport {
	return transport{rules: network.New(s.Seed, max(1, len(s.Servers)), s.Capacity, slices.Clone(s.Cuts),
		slices.Clone(s.Faults), slices.Clone(s.Latencies))}
}

func (t *transport) clone() transport {
	c := *t
	c.rules = t.rules.Clone()
	c.list, c.free = slices.Clone(t.list), slices.Clone(t.free)
	c.bodies, c.freeBodies = slices.Clone(t.bodies), slices.Clone(t.freeBodies)
	c.calls = t.calls.clone()
	c.stopped = slices.Clone(t.stopped)
	return c
}

// take returns a free slot for a message.
func (t *transport) take() int32 {
	if n := len(t.free); n > 0 {
		slot := t.free[n-1]
		t.free = t.free[:n-1]
		return slot
	}
	t.list = append(t.list, message{})
	return int32(len(t.list) - 1)
}

// newBody keeps the body of a message and returns its place.
func (t *transport) newBody(b body) int32 {
	if n := len(t.freeBodies); n > 0 {
		k := t.freeBodies[n-1]
		t.freeBodies = t.freeBodies[:n-1]
		t.bodies[k] = b
		return k
	}
	t.bodies = append(t.bodies, b)
	return int32(len(t.bodies) - 1)
}

// add makes a message that is not an elector's, and returns its slot.
func (t *transport) add(w *World, s sender, client int32, verb network.Verb, about network.Resource) (int32, *message) {
	slot := t.take()
	m := &t.list[slot]
	*m = message{Request: network.Request{SentNs: w.now}, sender: s, client: client, servedNs: -1, returnsNs: -1,
		timeoutNs: never, body: -1, call: -1, onWire: true, waited: true}
	m.Verb, m.Resource = verb, about
	return slot, m
}

// release frees a slot unless its message is on the wire, its client waits or a timeout is queued.
func (t *transport) release(slot int32) {
	m := &t.list[slot]
	if m.onWire || m.waited || m.timeoutSet {
		return
	}
	if m.body >= 0 {
		t.bodies[m.body] = body{}
		t.freeBodies = append(t.freeBodies, m.body)
	}
	if m.call >= 0 {
		t.calls.release(m.call)
	}
	m.client = -1
	t.free = append(t.free, slot)
}

// link returns a node's connection, with the state of its API server now.
func (t *transport) link(w *World, i int32) *network.Link {
	n := &w.nodes[i]
	n.link.HeardNs = max(n.link.HeardNs, n.heardNs)
	if len(w.servers.list) > 0 && n.kind != serverNode {
		server := w.servers.nodeOf(n.link.Queue)
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
func (t *transport) linkOf(w *World, m *message) *network.Link {
	switch m.sender {
	case controllerRequest, controllerEvent:
		s := &w.servers.list[w.nodes[m.client].number]
		s.loopback.State = network.Serving
		if !w.nodes[m.client].process.Alive {
			s.loopback.State = network.Gone
		}
		return &s.loopback
	case resourceRequest:
		return &w.resource.writers[m.client].link
	}
	return t.link(w, m.client)
}

// isOpen reports whether no rule can touch a message: the common case, an elector's request to the only API server.
func (t *transport) isOpen(w *World, m *message) bool {
	return m.sender == electorRequest && len(w.servers.list) == 0 && t.rules.Clear()
}

// rulesOf returns the rules of the network that a message takes.
func (t *transport) rulesOf(w *World, m *message) *network.Rules {
	if m.sender == resourceRequest {
		return &w.resource.rules
	}
	return &t.rules
}

// wayOf returns how a message travels, and the stream that its latencies are drawn from.
func (t *transport) wayOf(w *World, m *message) (network.Way, *random.Stream) {
	n := &w.nodes[m.client]
	switch m.sender {
	case resourceRequest:
		return network.Way{RequestNs: w.setup.Resource.LatencyNs}, &n.latencies
	case controllerRequest, controllerEvent:
		return network.Way{RequestNs: controllerLatencyNs, ResponseNs: controllerLatencyNs},
			&w.servers.list[n.number].latencies
	}
	settings := &w.settings[n.settings]
	way := network.Way{RequestNs: settings.RequestNs, ResponseNs: settings.ResponseNs,
		RequestDraw: settings.RequestDraw, ResponseDraw: settings.ResponseDraw}
	if m.sender == candidateRequest || m.sender == candidateList || m.sender == candidateEvent {
		return way, &w.clients.list[n.client].latencies
	}
	return way, &n.latencies
}

// numbered is the number of a message in the total order of the instant of its next event. Electors and kubelets number
// their own messages; those of all others are counted together.
func (t *transport) numbered(w *World, m *message) uint32 {
	switch m.sender {
	case electorRequest, heartbeatRequest, heartbeatEvent:
	case resourceRequest:
		m.order = w.resource.nextNumber()
	default:
		t.sent++
		m.order = t.sent
	}
	return m.order
}

// carry queues the next event of a message.
func (t *transport) carry(w *World, atNs int64, c class, slot int32, what eventKind) {
	m := &t.list[slot]
	w.queue.push(event{at: atNs, key: orderKey(c, m.client, t.numbered(w, m)), slot: slot, what: what})
}

// timeoutIfBefore queues the client's timeout if it comes before the next event of the message. So a request that is
// answered costs no timer.
func (t *transport) timeoutIfBefore(w *World, slot int32, nextNs int64) {
	if t.list[slot].timeoutNs < nextNs {
		t.setTimeout(w, slot)
	}
}

func (t *transport) setTimeout(w *World, slot int32) {
	if m := &t.list[slot]; m.waited && !m.timeoutSet {
		m.timeoutSet = true
		w.queue.push(event{at: max(m.timeoutNs, w.now), key: orderKey(clientTimeout, m.client, m.order), slot: slot,
			what: clientGivesUp})
	}
}

// leaveOpen sends an elector's request, without detours if no rule can touch it: nearly every one.
func (t *transport) leaveOpen(w *World, n *node, slot int32, m *message) {
	settings := &w.settings[n.alike]
	if settings.DeadPeerNs != 0 || settings.RequestDraw != nil || settings.ResponseDraw != nil || !t.isOpen(w, m) {
		t.leave(w, slot)
		return
	}
	m.lagNs = settings.ReadLagNs
	m.RequestNs, m.ResponseNs, m.reachesNs = settings.RequestNs, settings.ResponseNs, w.now+settings.RequestNs
	w.queue.push(event{at: m.reachesNs, key: orderKey(arrival, m.client, m.order), slot: slot, what: requestArrives})
	if m.timeoutNs < m.reachesNs {
		t.setTimeout(w, slot)
	}
}

// leave sends a request. The rules decide its latencies and its fault now.
func (t *transport) leave(w *World, slot int32) {
	m := &t.list[slot]
	i := m.client
	m.lagNs = w.settings[w.nodes[i].settings].ReadLagNs
	if m.sender != controllerRequest && m.sender != resourceRequest {
		t.reconnectIfDead(w, i)
		m = &t.list[slot] // it may have moved: informers list on the new connection
	}
	way, latencies := t.wayOf(w, m)
	l := t.linkOf(w, m)
	fate := t.rulesOf(w, m).Leave(w.now, l, &way, latencies, &m.Request)
	m.RequestNs += m.extraNs
	m.reachesNs = w.now + m.RequestNs
	if m.sender == resourceRequest && fate.Kind == network.Lost {
		// the loss is reported when the write would have arrived
		m.lostUp, fate.Kind = true, network.Delivered
	}
	m.retryAfter = fate.After
	switch fate.Kind {
	case network.Delivered:
		t.carry(w, m.reachesNs, arrival, slot, requestArrives)
		t.timeoutIfBefore(w, slot, m.reachesNs)
	case network.Refused, network.Reset, network.Closed:
		m.broke = brokenBy[fate.Kind]
		t.carry(w, m.reachesNs, response, slot, responseArrives)
		t.timeoutIfBefore(w, slot, m.reachesNs)
	default:
		t.stop(w, slot, network.HeldUp, fate)
	}
}

// brokenBy is what a client learns of a connection that breaks.
var brokenBy = [...]step.Result{network.Refused: step.ConnRefused, network.Reset: step.ConnReset,
	network.Closed: step.ConnEOF}

// stop takes a message off the wire, or holds it until a rule ends.
func (t *transport) stop(w *World, slot int32, at network.HeldAt, fate network.Fate) {
	m := &t.list[slot]
	if fate.Kind == network.Held {
		m.held, m.hold = at, fate.Hold
		t.held++
		t.timeoutIfBefore(w, slot, never)
		return
	}
	m.onWire = false
	m.lostUp, m.lostDown = at != network.HeldDown, at == network.HeldDown
	switch {
	case m.sender.isRead():
		w.handleLostRead(slot)
		return
	case m.sender == resourceRequest:
		w.resource.handleWrite(w, slot)
		return
	default:
		if deadPeerNs := w.settings[w.nodes[m.client].settings].DeadPeerNs; deadPeerNs > 0 &&
			m.sender != controllerRequest {
			m.timeoutNs = min(m.timeoutNs, t.rules.GivesUpNs(w.now, t.linkOf(w, m), deadPeerNs))
		}
		t.timeoutIfBefore(w, slot, never)
	}
	t.release(slot)
}

// arrive handles a request that reaches the server. Its client may have stopped waiting. An open request takes a path
// without detours: it is nearly every one.
func (t *transport) arrive(w *World, slot int32) {
	m := &t.list[slot]
	if t.isOpen(w, m) && m.Fault == network.NoFault && !m.lostUp {
		m.servedNs = w.now
		w.electors.serve(w, m)
		m = &t.list[slot] // it may have moved: informers have been told of the write
		m.returnsNs = w.now + m.ResponseNs
		w.queue.push(event{at: m.returnsNs, key: orderKey(response, m.client, m.order), slot: slot,
			what: responseArrives})
		if m.timeoutNs < m.returnsNs {
			t.setTimeout(w, slot)
		}
		return
	}
	fate := t.rulesOf(w, m).Arrive(w.now, t.linkOf(w, m), &m.Request)
	if m.lostUp {
		fate = network.Fate{Kind: network.Lost}
	}
	if fate.After != 0 {
		m.retryAfter = fate.After
	}
	switch fate.Kind {
	case network.Delivered:
		t.answer(w, slot)
	case network.Queued:
		m.hangs = true
		t.carry(w, fate.AtNs, arrival, slot, requestServed)
		t.timeoutIfBefore(w, slot, fate.AtNs)
	case network.Refused:
		m.broke = step.ConnRefused
		t.carry(w, fate.AtNs, response, slot, responseArrives)
	default:
		at := network.HeldUp
		if fate.Kind == network.Held && m.Fault == network.Stall && fate.Hold == network.Drop {
			at, m.hangs = network.HeldServer, true
		}
		t.stop(w, slot, at, fate)
	}
}

// serve handles the end of a request's stay at the server.
func (t *transport) serve(w *World, slot int32) {
	m := &t.list[slot]
	m.hangs = false
	switch fate := t.rules.Serve(w.now, t.linkOf(w, m)); fate.Kind {
	case network.Closed:
		m.broke = step.ConnEOF
		t.carry(w, fate.AtNs, response, slot, responseArrives)
	case network.Lost:
		t.stop(w, slot, network.HeldDown, fate)
	default:
		t.answer(w, slot)
	}
}

// answer carries a request out and sends the answer.
func (t *transport) answer(w *World, slot int32) {
	t.list[slot].servedNs = w.now
	w.serve(slot)
	m := &t.list[slot] // it may have moved: informers have been told of the write
	if m.sender == resourceRequest {
		m.onWire = false
		w.resource.handleWrite(w, slot)
		return
	}
	t.sendBack(w, slot, m)
}

// sendBack puts an answer or an event of a watch on its way to the client.
func (t *transport) sendBack(w *World, slot int32, m *message) {
	m.returnsNs = w.now + m.ResponseNs
	fate := t.rules.Answer(w.now, t.linkOf(w, m), &m.Request)
	if m.losesAnswer {
		fate = network.Fate{Kind: network.Lost}
	}
	if fate.Kind != network.Delivered {
		t.stop(w, slot, network.HeldDown, fate)
		return
	}
	t.carry(w, fate.AtNs, response, slot, responseArrives)
	t.timeoutIfBefore(w, slot, fate.AtNs)
}

// tell sends an event of a watch. It does not get through from a server that is silent or gone.
func (t *transport) tell(w *World, slot int32) {
	m := &t.list[slot]
	way, latencies := t.wayOf(w, m)
	l := t.linkOf(w, m)
	t.rules.Draw(w.now, l, &way, latencies, &m.Request)
	m.ResponseNs += m.extraNs
	m.servedNs = w.now
	if l.State != network.Serving {
		t.stop(w, slot, network.HeldDown, network.Fate{Kind: network.Lost})
		return
	}
	t.sendBack(w, slot, m)
}

// hear handles the end of a request at its client: the answer, a refusal or the client's own timeout.
func (t *transport) hear(w *World, e event) {
	m := &t.list[e.slot]
	n := &w.nodes[m.client]
	if e.what == responseArrives && m.waited && m.broke == step.Success && !n.process.Paused && t.isOpen(w, m) {
		// nearly every one
		m.onWire = false
		n.heardNs = w.now
		w.electors.handleAnswer(w, n, e.slot, m)
		return
	}
	if e.what == clientGivesUp {
		m.timeoutSet = false
		if m.waited && m.timeoutNs > w.now { // its node was suspended meanwhile
			t.timeoutIfBefore(w, e.slot, never)
			return
		}
		m.result = step.ClientTimeout
	} else {
		m.onWire = false
		l := t.linkOf(w, m)
		if m.broke == step.Success && m.waited && !t.isOpen(w, m) {
			if fate := t.rules.Hear(w.now, w.now, l, &m.Request); fate.Kind != network.Delivered {
				m.onWire = true
				t.stop(w, e.slot, network.HeldDown, fate)
				return
			}
		}
		l.HeardNs = w.now
		if m.broke != step.Success {
			m.result = m.broke
			if w.settings[w.nodes[m.client].settings].DeadPeerNs > 0 && len(w.servers.list) > 0 &&
				m.sender != controllerRequest {
				t.reconnect(w, m.client)
				m = &t.list[e.slot]
			}
		}
	}
	if !m.waited {
		t.release(e.slot)
		return
	}
	if w.nodes[m.client].process.Paused {
		if m.sender == heartbeatEvent {
			w.heartbeats.keepEvent(w, e.slot)
			return
		}
		w.deferred.add(w.now, e.class(), m.client, e.slot, m.order, e.what)
		return
	}
	w.handleMessage(e.slot)
}

// drop ends a message at its client, and returns the message and its body.
func (t *transport) drop(slot int32) (m message, b body) {
	m = t.list[slot]
	if m.body >= 0 {
		b = t.bodies[m.body]
	}
	t.list[slot].waited = false
	t.release(slot)
	return m, b
}

// reconnectIfDead opens a new connection for a node that sends now, if the node has found its connection dead.
func (t *transport) reconnectIfDead(w *World, i int32) {
	if deadPeerNs := w.settings[w.nodes[i].settings].DeadPeerNs; deadPeerNs > 0 &&
		t.rules.FoundDead(w.now, t.link(w, i), deadPeerNs) {
		t.reconnect(w, i)
	}
}

// reconnect opens a new connection of a node, to the next API server.
func (t *transport) reconnect(w *World, i int32) {
	n := &w.nodes[i]
	to := trace.Connection{HeardNs: max(n.link.HeardNs, n.heardNs), Server: trace.NoCandidate}
	n.link.Open(w.now)
	if len(w.servers.list) > 0 {
		n.link.Queue = (n.link.Queue + 1) % int32(len(w.servers.list))
		to.Server = w.servers.nodeOf(n.link.Queue)
	}
	w.emit(trace.Record{Kind: trace.Reconnected, Candidate: i, Run: n.process.Run, Payload: to.Payload()})
	w.relist(n)
}

// resumeHeld lets the messages travel on that no rule holds any longer.
func (t *transport) resumeHeld(w *World) {
	if t.held == 0 {
		return
	}
	for k := range t.list {
		if m := &t.list[k]; m.client >= 0 && m.held != network.NotHeld && !t.isHeldByAct(int32(k)) {
			t.resumeOne(w, int32(k), -1)
		}
	}
}

// resumeOne asks the rules again about a message that is held. It arrives after its latency, or after leftNs if that is
// not negative.
func (t *transport) resumeOne(w *World, slot int32, leftNs int64) {
	m := &t.list[slot]
	at := m.held
	fate := t.rulesOf(w, m).Resume(w.now, t.linkOf(w, m), &m.Request, at)
	if fate.Kind == network.Delivered && at != network.HeldServer && leftNs >= 0 {
		fate.AtNs = w.now + leftNs
	}
	if at == network.HeldServer && fate.Kind == network.Held {
		return
	}
	m.held = network.NotHeld
	t.held--
	switch {
	case fate.Kind != network.Delivered:
		t.stop(w, slot, at, fate)
	case at != network.HeldServer && m.hold != network.HoldForAll && !m.waited:
		t.stop(w, slot, at, network.Fate{Kind: network.Lost})
	case at == network.HeldUp:
		m.reachesNs = fate.AtNs
		t.carry(w, fate.AtNs, arrival, slot, requestArrives)
		t.timeoutIfBefore(w, slot, fate.AtNs)
	case at == network.HeldServer:
		t.carry(w, fate.AtNs, arrival, slot, requestServed)
	default:
		m.returnsNs = fate.AtNs
		t.carry(w, fate.AtNs, response, slot, responseArrives)
		t.timeoutIfBefore(w, slot, fate.AtNs)
	}
}
