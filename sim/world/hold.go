package world

import "github.com/leaselab/leaselab/core/elector"

// What is held: messages of a cut with mode hold or late wait on the wire, requests of a fail with error stall at the
// server, until the act is over.

// held says where a request waits.
type held uint8

const (
	notHeld    held = iota
	heldUp          // on its way to the server
	heldServer      // at the server
	heldDown        // its answer, on the way back
)

// heldTrip is a request of a LeaseCandidate client, or its answer, that a cut holds.
type heldTrip struct {
	trip      trip
	what      messageKind
	direction Direction
	late      bool // delivered whether or not the client still waits
}

// holdMode is what the cut that stops a node's messages does with them, Lost if none does.
func (w *World) holdMode(candidate int32, direction Direction) HoldMode {
	for k := range w.cuts {
		if c := &w.cuts[k]; c.stops(w, candidate, w.now, direction) {
			return c.Hold
		}
	}
	return Lost
}

// holds keeps a message that a cut has stopped, if the cut is of that kind.
func (w *World) holds(slot int32, direction Direction) bool {
	r := &w.requests[slot]
	mode := w.holdMode(r.candidate, direction)
	if mode == Lost {
		return false
	}
	r.held, r.late = heldUp, mode == HeldForAll
	if direction == Down {
		r.held = heldDown
	}
	w.holding++
	w.timeoutIfBefore(slot, never)
	return true
}

// deliversTrips does for the clients of LeaseCandidates what delivers does for the electors.
func (w *World) deliversTrips() {
	held := w.heldTrips
	w.heldTrips = nil
	for k := range held {
		h := &held[k]
		node := w.clients[h.trip.number].node
		if lost, refused := w.cutOff(node, h.direction); lost || refused {
			if w.holdMode(node, h.direction) != Lost { // another cut; else that one stops it for good
				w.heldTrips = append(w.heldTrips, *h)
			}
			continue
		}
		if !h.late && !w.clientWaits(&h.trip) {
			continue
		}
		settings := &w.settings[w.nodes[node].settings]
		wayNs := settings.RequestNs
		if h.direction == Down {
			wayNs = settings.ResponseNs
		}
		w.tripIn(wayNs, h.what, h.trip)
	}
}

// letsGo delivers what is held no longer.
func (w *World) letsGo() {
	if w.holding > 0 {
		w.delivers()
	}
	if len(w.heldTrips) > 0 {
		w.deliversTrips()
	}
}

// delivers sends on what nothing holds any longer.
func (w *World) delivers() {
	for k := range w.requests {
		r := &w.requests[k]
		if r.candidate < 0 || r.held == notHeld {
			continue
		}
		slot, i := int32(k), r.candidate
		direction := Up
		if r.held == heldDown {
			direction = Down
		}
		if r.held == heldServer && w.stalls(r) {
			continue
		}
		if lost, refused := w.cutOff(i, direction); r.held != heldServer && (lost || refused) {
			was := r.held
			r.held = notHeld
			w.holding--
			if !w.holds(slot, direction) { // another cut stops it for good
				r.lostUp, r.lostDown = was == heldUp, was == heldDown
				w.lost(slot)
			}
			continue
		}
		was := r.held
		r.held = notHeld
		w.holding--
		if was != heldServer && !r.late && !r.waited {
			r.lostUp, r.lostDown = was == heldUp, was == heldDown
			w.lost(slot)
			continue
		}
		switch was {
		case heldUp:
			r.reachesNs = w.now + r.requestNs
			w.queue.push(message{at: r.reachesNs, key: orderKey(arrival, i, uint32(r.seq)), slot: slot, what: requestArrives})
			w.timeoutIfBefore(slot, r.reachesNs)
		case heldServer:
			r.fault = NoFault
			w.queue.push(message{at: w.now, key: orderKey(arrival, i, uint32(r.seq)), slot: slot, what: requestServed})
		case heldDown:
			r.returnsNs = w.now + r.responseNs
			w.queue.push(message{at: r.returnsNs, key: orderKey(response, i, uint32(r.seq)), slot: slot, what: responseArrives})
			w.timeoutIfBefore(slot, r.returnsNs)
		}
	}
}

// stalls reports whether a fault still keeps a request at the server.
func (w *World) stalls(r *request) bool {
	for k := range w.faults {
		f := &w.faults[k]
		if f.Kind == Stall && concerns(f.Candidate, r.candidate) && within(w.now, f.FromNs, f.UntilNs) && isVerb(f.Verb, r.verb) {
			return true
		}
	}
	return false
}

// AnyRead and AnyWrite match the verbs of a kind.
const (
	AnyRead  = elector.Verb(254)
	AnyWrite = elector.Verb(253)
)

func isVerb(wanted, verb elector.Verb) bool {
	switch wanted {
	case AnyVerb:
		return true
	case AnyRead:
		return verb == elector.Get
	case AnyWrite:
		return verb != elector.Get
	}
	return wanted == verb
}
