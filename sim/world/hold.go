package world

import "github.com/leaselab/leaselab/core/elector"

// What is held: messages of a cut with mode hold or late wait on the wire, requests of a fail with error stall at the
// server, until the act is over.

// HoldMode is what becomes of the messages that a cut stops.
type HoldMode uint8

const (
	Lost       HoldMode = iota
	Held                // delivered when the cut ends, to clients that still wait
	HeldForAll          // delivered when the cut ends, whether or not somebody waits
)

// held says where a request waits.
type held uint8

const (
	notHeld    held = iota
	heldUp          // on its way to the server
	heldServer      // at the server
	heldDown        // its answer, on the way back
)

// holds keeps a message that a cut has stopped, if the cut is of that kind.
func (w *World) holds(slot int32, direction Direction) bool {
	r := &w.requests[slot]
	for k := range w.cuts {
		c := &w.cuts[k]
		if !w.cuts[k].stops(w, r.candidate, w.now, direction) {
			continue
		}
		if c.Hold == Lost {
			return false
		}
		r.held, r.late = heldUp, c.Hold == HeldForAll
		if direction == Down {
			r.held = heldDown
		}
		w.holding++
		w.timeoutIfBefore(slot, never)
		return true
	}
	return false
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
