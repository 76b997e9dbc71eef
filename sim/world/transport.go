package world

import (
	"slices"

	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
)

// transport carries every message between a client and its server. The rules of package network decide the fate of a
// message. transport keeps the message while it is under way and queues its next event.
type transport struct {
	rules      network.Rules
	list       []message        // indexed by slot
	free       []int32          // free slots of list
	bodies     []body           // bodies of messages
	freeBodies []int32          // free places of bodies
	sent       uint32           // number of the last message that its client does not number
	held       int32            // number of messages that a rule or an act holds
	stopped    []stoppedMessage // messages that an act has dropped or holds
	calls      calls
}

func newTransport(s *Setup) transport {
	return transport{rules: network.New(s.Seed, max(1, len(s.Servers)), s.Capacity, network.Scripted{
		Cuts: slices.Clone(s.Cuts), Faults: slices.Clone(s.Faults), Latencies: slices.Clone(s.Latencies)})}
}

func (t *transport) clone() (c transport) {
	t.copyTo(&c)
	return c
}

// `take` returns a free slot for a message.
func (t *transport) take() int32 {
	if n := len(t.free); n > 0 {
		slot := t.free[n-1]
		t.free = t.free[:n-1]
		return slot
	}
	t.list = append(t.list, message{})
	return int32(len(t.list) - 1)
}

// newBody stores the body of a message and returns its index.
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

// add creates a message of a sender other than an elector and returns its slot.
func (t *transport) add(w *World, s sender, client int32, verb network.Verb) (int32, *message) {
	slot := t.take()
	m := &t.list[slot]
	*m = message{Request: network.Request{SentNs: w.now}, sender: s, client: client, servedNs: -1, returnsNs: -1,
		timeoutNs: never, body: -1, call: -1, onWire: true, waited: true}
	m.Verb, m.Resource = verb, senders[s].resource
	return slot, m
}

// `release` frees a slot unless its message is on the wire, the client waits for it, or its timeout is pending. These
// three may end in any order: a client may give up before its request arrives. The last of them frees the slot.
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

// isOpen reports whether no rule can touch a message. That is the common case: a request to the only API server.
func (t *transport) isOpen(w *World, m *message) bool {
	return len(w.servers.list) == 0 && t.rules.Clear() && !senders[m.sender].isOneWay
}

// orderOf returns the number of a message in the total order of its next instant. Messages that their senders do not
// number share one counter, and writes to the resource have another.
func (t *transport) orderOf(w *World, m *message) uint32 {
	switch from := &senders[m.sender]; {
	case from.isNumbered:
	case from.isOneWay:
		m.order = w.resource.nextNumber()
	default:
		t.sent++
		m.order = t.sent
	}
	return m.order
}

// `carry` queues the next event of a message.
func (t *transport) carry(w *World, slot int32, what eventKind, atNs int64) {
	m, c := &t.list[slot], arrival
	if what == responseArrives {
		c = response
	}
	w.queue.push(event{at: atNs, key: orderKey(c, m.client, t.orderOf(w, m)), slot: slot, what: what})
}

// timeoutIfBefore queues the client's timeout if it comes before the message's next event. So an answered
// request costs no timer.
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

// `leave` sends a request. The rules decide its latencies and its fault now. But for nearly every request, no rule
// applies at all.
func (t *transport) leave(w *World, slot int32) {
	m := &t.list[slot]
	settings := &w.settings[w.nodes[m.client].alike]
	m.lagNs = settings.ReadLagNs
	fate := network.Fate{}
	if settings.DeadPeerNs == 0 && settings.RequestDraw == nil && settings.ResponseDraw == nil && t.isOpen(w, m) {
		m.RequestNs, m.ResponseNs = settings.RequestNs, settings.ResponseNs
	} else {
		fate = t.decide(w, slot)
		m = &t.list[slot] // the list may have grown, because informers list on a new connection
	}
	m.RequestNs += m.extraNs
	m.reachesNs = w.now + m.RequestNs
	switch fate.Kind {
	case network.Delivered:
		t.carry(w, slot, requestArrives, m.reachesNs)
		t.timeoutIfBefore(w, slot, m.reachesNs)
	case network.Refused, network.Reset, network.Closed:
		m.broke = brokenBy[fate.Kind]
		t.carry(w, slot, responseArrives, m.reachesNs)
		t.timeoutIfBefore(w, slot, m.reachesNs)
	default:
		t.stop(w, slot, network.HeldUp, fate)
	}
}

// `decide` asks the rules for the latencies, the fault and the fate of a request that leaves.
func (t *transport) decide(w *World, slot int32) network.Fate {
	from := &senders[t.list[slot].sender]
	if !from.isOneWay {
		t.reconnectIfDead(w, t.list[slot].client)
	}
	m := &t.list[slot]
	way := from.path.way(w, m)
	fate := from.path.rules(w).Leave(w.now, from.path.link(w, m), &way, &m.Request)
	if from.isOneWay && fate.Kind == network.Lost {
		// the trace reports the loss at the instant at which the write would have arrived
		m.lostUp, fate.Kind = true, network.Delivered
	}
	m.retryAfter = fate.After
	return fate
}

// brokenBy maps the end of a connection to what a client notices.
var brokenBy = [...]step.Result{network.Refused: step.ConnRefused, network.Reset: step.ConnReset,
	network.Closed: step.ConnEOF}

// `stop` takes a message off the wire, or holds it until a rule ends.
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
	from := &senders[m.sender]
	if from.lose != nil {
		from.lose(w, slot)
		return
	}
	if deadPeerNs := w.settings[w.nodes[m.client].settings].DeadPeerNs; deadPeerNs > 0 {
		m.timeoutNs = min(m.timeoutNs, t.rules.GivesUpNs(w.now, from.path.link(w, m), deadPeerNs))
	}
	t.timeoutIfBefore(w, slot, never)
	t.release(slot)
}

// `arrive` handles a request that reaches the server. Its client may have stopped waiting. The rules decide again here,
// because a cut may have begun, or an API server may have died, while the request was traveling.
func (t *transport) arrive(w *World, slot int32) {
	m := &t.list[slot]
	if t.isOpen(w, m) && m.Fault == network.NoFault && !m.lostUp {
		t.answer(w, slot)
		return
	}
	path := senders[m.sender].path
	fate := path.rules(w).Arrive(w.now, path.link(w, m), &m.Request)
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
		t.carry(w, slot, requestServed, fate.AtNs)
		t.timeoutIfBefore(w, slot, fate.AtNs)
	case network.Refused:
		m.broke = step.ConnRefused
		t.carry(w, slot, responseArrives, fate.AtNs)
	default:
		at := network.HeldUp
		if fate.Kind == network.Held && m.Fault == network.Stall && fate.Hold == network.Drop {
			at, m.hangs = network.HeldServer, true
		}
		t.stop(w, slot, at, fate)
	}
}

// `serve` handles the end of a request's stay at the server.
func (t *transport) serve(w *World, slot int32) {
	m := &t.list[slot]
	m.hangs = false
	switch fate := t.rules.Serve(w.now, senders[m.sender].path.link(w, m)); fate.Kind {
	case network.Closed:
		m.broke = step.ConnEOF
		t.carry(w, slot, responseArrives, fate.AtNs)
	case network.Lost:
		t.stop(w, slot, network.HeldDown, fate)
	default:
		t.answer(w, slot)
	}
}

// `answer` makes the server carry out a request and sends the answer. If a fault refuses the request, the store does
// not change.
func (t *transport) answer(w *World, slot int32) {
	m := &t.list[slot]
	m.servedNs = w.now
	from := &senders[m.sender]
	switch {
	case from.isOneWay:
		m.onWire = false
		from.serve(w, slot)
		return
	case m.Fault == network.NoFault, from.seesFaults:
		from.serve(w, slot)
		m = &t.list[slot] // the list may have grown, because informers learned of the write
	case m.Fault.Stores():
		from.serve(w, slot)
		m = &t.list[slot]
		m.result = asFaulted(m.Fault, m.result, m.Verb != network.Get && m.result == step.Success)
	default:
		m.result = faultResult[m.Fault]
	}
	t.sendBack(w, slot, m)
}

// sendBack sends an answer or a watch event to the client.
func (t *transport) sendBack(w *World, slot int32, m *message) {
	m.returnsNs = w.now + m.ResponseNs
	if m.Fault != network.NoFault || m.losesAnswer || !t.isOpen(w, m) {
		fate := t.rules.Answer(w.now, senders[m.sender].path.link(w, m), &m.Request)
		if m.losesAnswer {
			fate = network.Fate{Kind: network.Lost}
		}
		if fate.Kind != network.Delivered {
			t.stop(w, slot, network.HeldDown, fate)
			return
		}
	}
	t.carry(w, slot, responseArrives, m.returnsNs)
	t.timeoutIfBefore(w, slot, m.returnsNs)
}

// `tell` sends a watch event. An event from a silent or dead server does not get through.
func (t *transport) tell(w *World, slot int32) {
	m := &t.list[slot]
	path := senders[m.sender].path
	way := path.way(w, m)
	l := path.link(w, m)
	t.rules.Draw(w.now, l.Client, &way, &m.Request)
	m.ResponseNs += m.extraNs
	m.servedNs = w.now
	if l.State != network.Serving {
		t.stop(w, slot, network.HeldDown, network.Fate{Kind: network.Lost})
		return
	}
	t.sendBack(w, slot, m)
}

// `hear` handles the end of a request at its client: the answer, a refusal or the client's own timeout. If the process
// pauses, the event waits in deferrals, or in the connection's buffer for a watch event.
func (t *transport) hear(w *World, e event) {
	m := &t.list[e.slot]
	n := &w.nodes[m.client]
	if e.what == clientGivesUp {
		m.timeoutSet = false
		if m.waited && m.timeoutNs > w.now { // its node has slept in the meantime
			t.timeoutIfBefore(w, e.slot, never)
			return
		}
		m.result = step.ClientTimeout
	} else {
		m.onWire = false
		if m.broke == step.Success && m.waited && !t.isOpen(w, m) {
			fate := t.rules.Hear(w.now, w.now, senders[m.sender].path.link(w, m), &m.Request)
			if fate.Kind != network.Delivered {
				m.onWire = true
				t.stop(w, e.slot, network.HeldDown, fate)
				return
			}
		}
		n.heardNs = w.now
		if m.broke != step.Success {
			m.result = m.broke
			if w.settings[n.settings].DeadPeerNs > 0 && len(w.servers.list) > 0 {
				t.reconnect(w, m.client)
				m = &t.list[e.slot]
			}
		}
	}
	switch from := &senders[m.sender]; {
	case !m.waited:
		t.release(e.slot)
	case !n.process.Paused:
		from.hear(w, e.slot, m)
	case from.keep != nil:
		from.keep(w, e.slot)
	default:
		w.deferred.add(w.now, event{key: orderKey(e.class(), m.client, m.order), slot: e.slot, what: e.what})
	}
}

// `drop` ends a message at its client and returns the message and its body.
func (t *transport) drop(slot int32) (m message, b body) {
	m = t.list[slot]
	if m.body >= 0 {
		b = t.bodies[m.body]
	}
	t.list[slot].waited = false
	t.release(slot)
	return m, b
}

// reconnectIfDead opens a new connection for a node that is about to send and has found its connection dead.
func (t *transport) reconnectIfDead(w *World, i int32) {
	if deadPeerNs := w.settings[w.nodes[i].settings].DeadPeerNs; deadPeerNs > 0 &&
		t.rules.FoundDead(w.now, t.link(w, i), deadPeerNs) {
		t.reconnect(w, i)
	}
}

// reconnect opens a new connection from a node to the next API server.
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

// resumeHeld sends on the messages that no rule holds any longer.
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

// resumeOne asks the rules again about a held message. The message arrives after its latency, or after leftNs if
// that is not negative.
func (t *transport) resumeOne(w *World, slot int32, leftNs int64) {
	m := &t.list[slot]
	at := m.held
	path := senders[m.sender].path
	fate := path.rules(w).Resume(w.now, path.link(w, m), &m.Request, at)
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
		t.carry(w, slot, requestArrives, fate.AtNs)
		t.timeoutIfBefore(w, slot, fate.AtNs)
	case at == network.HeldServer:
		t.carry(w, slot, requestServed, fate.AtNs)
	default:
		m.returnsNs = fate.AtNs
		t.carry(w, slot, responseArrives, fate.AtNs)
		t.timeoutIfBefore(w, slot, fate.AtNs)
	}
}
