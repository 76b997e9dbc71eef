package world

import (
	"slices"

	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
)

// stoppedMessage is a message that an act has dropped or holds.
type stoppedMessage struct {
	slot   int32
	client int32
	seq    int32 // distinguishes the message from later ones in the same slot
	source int32 // source of the act that stopped the message
	sender sender
	atNs   int64 // when the act stopped it
	leftNs int64 // for a held message: time left on the wire or at the server
	held   bool
}

// `is` reports whether the slot still holds this message.
func (s *stoppedMessage) is(m *message) bool {
	return s.client == m.client && s.seq == m.Seq && s.sender == m.sender
}

// underWay returns the slot of a node's newest request that an act can stop now, or -1. Such a request has no answer
// yet, and no act holds it. It considers only requests of the given client of the node. If nth is not 0, it considers
// only the request with that number.
func (t *transport) underWay(node int32, of network.Sender, nth int32) int32 {
	found := int32(-1)
	for k := range t.list {
		m := &t.list[k]
		if m.client == node && m.canBeStopped() && m.sender.isFrom(of) && (nth == 0 || m.Seq == nth) &&
			!t.isHeldByAct(int32(k)) && (found < 0 || m.Seq > t.list[found].Seq) {
			found = int32(k)
		}
	}
	return found
}

// canBeStopped reports whether an act can drop or hold the message. It can if a request or its answer is on the wire.
func (m *message) canBeStopped() bool {
	return m.client >= 0 && senders[m.sender].client != network.AnySender && m.onWire && !m.unsent && m.broke == 0
}

// place returns where on its way the message is.
func (m *message) place() network.HeldAt {
	switch {
	case m.held != network.NotHeld:
		return m.held
	case m.servedNs >= 0:
		return network.HeldDown
	case m.hangs:
		return network.HeldServer
	}
	return network.HeldUp
}

// intercept drops or holds the message in a slot, or drops its answer.
func (t *transport) intercept(w *World, slot int32, effect network.Effect, source int32) {
	m := &t.list[slot]
	at := m.place()
	if effect == network.LoseAnswer && at != network.HeldDown {
		m.losesAnswer = true
		if m.Fault == network.NoFault {
			m.Fault = network.DropResponse
		}
		return
	}
	by := stoppedMessage{slot: slot, client: m.client, seq: m.Seq, sender: m.sender, source: source, atNs: w.now}
	if m.held != network.NotHeld { // a rule already holds the message
		m.held = network.NotHeld
		t.held--
		by.leftNs = m.RequestNs
		if at == network.HeldDown {
			by.leftNs = m.ResponseNs
		}
	} else {
		by.leftNs = w.queue.withdraw(slot) - w.now
	}
	t.stopped = slices.DeleteFunc(t.stopped, func(s stoppedMessage) bool {
		return s.slot == slot || !s.is(&t.list[s.slot])
	})
	by.held = effect == network.HoldMessage || effect == network.HoldMessageForAll
	t.stopped = append(t.stopped, by)
	fate := network.Fate{Kind: network.Lost}
	if by.held {
		fate = network.Fate{Kind: network.Held, Hold: network.Hold}
		if effect == network.HoldMessageForAll {
			fate.Hold = network.HoldForAll
		}
	}
	t.stop(w, slot, at, fate)
}

// isHeldByAct reports whether an act holds the message in a slot. The end of a rule does not free such a message.
func (t *transport) isHeldByAct(slot int32) bool {
	return t.findHeld(0, func(s *stoppedMessage) bool { return s.slot == slot }) >= 0
}

// `deliver` releases a message that an act holds. From then on the message takes as long as it would have taken without
// the act, unless a rule stops it now.
func (t *transport) deliver(w *World, k int) {
	by := t.stopped[k]
	t.stopped = append(t.stopped[:k], t.stopped[k+1:]...)
	m := &t.list[by.slot]
	w.sayIntercepted(trace.Delivered, m, by.source, trace.Interception{At: m.held})
	if m.held == network.HeldServer && m.Fault != network.Stall {
		m.held = network.NotHeld
		t.held--
		t.carry(w, by.slot, requestServed, w.now+by.leftNs)
		return
	}
	t.resumeOne(w, by.slot, by.leftNs)
}

// deliverHeldBy delivers the messages that one act holds.
func (t *transport) deliverHeldBy(w *World, source int32) {
	t.deliverAll(w, func(s *stoppedMessage) bool { return s.source == source })
}

// deliverAll delivers every held message that the function meant accepts. It reports whether it found one.
func (t *transport) deliverAll(w *World, meant func(*stoppedMessage) bool) (delivered bool) {
	for k := t.findHeld(0, meant); k >= 0; k = t.findHeld(k, meant) {
		t.deliver(w, k)
		delivered = true
	}
	return delivered
}

// findHeld searches the list of stopped messages from an index on. It returns the index of the first held message that
// the function meant accepts, or -1.
func (t *transport) findHeld(from int, meant func(*stoppedMessage) bool) int {
	for k := from; k < len(t.stopped); k++ {
		if s := &t.stopped[k]; s.held && meant(s) && s.is(&t.list[s.slot]) {
			return k
		}
	}
	return -1
}

// sayIntercepted records what an act does to a message. It records the verb only for electors, because each of the
// other clients sends only one kind of request.
func (w *World) sayIntercepted(kind trace.Kind, m *message, source int32, what trace.Interception) {
	said := trace.Record{Kind: kind, Candidate: m.client, Run: w.nodes[m.client].process.Run, Seq: m.Seq,
		Control: source}
	if what.Sender = senders[m.sender].client; what.Sender == network.Elector {
		said.Verb, said.Object = m.verb(), m.object
	}
	said.Payload = what.Payload()
	w.emit(said)
}

// intercept stops a node's newest message that is under way. Writes to the resource have no answer to lose.
func (c *Control) intercept(w *World, i int32) {
	of := c.Sender
	if of == network.Elector && !w.Node(i).HasElector() {
		of = network.Kubelet
	}
	slot := w.net.underWay(i, of, c.Nth)
	if k := w.net.findHeld(0, func(s *stoppedMessage) bool {
		return s.client == i && s.sender.isFrom(of) && s.seq == c.Nth
	}); k >= 0 && c.Effect == network.LoseMessage {
		slot = w.net.stopped[k].slot
	}
	if slot < 0 || of == network.ResourceWriter && c.Effect == network.LoseAnswer {
		c.skip(w, i)
		return
	}
	m := &w.net.list[slot]
	w.sayIntercepted(trace.Intercepted, m, c.Source,
		trace.Interception{UntilNs: c.UntilNs, Effect: c.Effect, At: m.place()})
	w.net.intercept(w, slot, c.Effect, c.Source)
}

// `deliver` delivers the messages of a node that acts hold.
func (c *Control) deliver(w *World, i int32) {
	if !w.net.deliverAll(w, func(s *stoppedMessage) bool {
		return s.client == i && s.sender.isFrom(c.Sender) && (c.Nth == 0 || s.seq == c.Nth)
	}) {
		c.skip(w, i)
	}
}

// Intercepts reports whether a node has a message under way that an act can stop.
func (w *World) Intercepts(node int32) bool { return w.net.underWay(node, network.AnySender, 0) >= 0 }

// Holds reports whether an act holds a message of a node.
func (w *World) Holds(node int32) bool {
	return w.net.findHeld(0, func(s *stoppedMessage) bool { return s.client == node }) >= 0
}
