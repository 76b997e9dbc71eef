package world

import (
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/leasecandidate"
	"github.com/leaselab/leaselab/sim/trace"
)

// trip is something on its way to a client, to a server's controllers or to the store on their behalf.
type trip struct {
	number    int32 // of the client or the server
	term      int16 // of the process that it is for: another one throws it away
	serial    int32
	verb      elector.Verb // of a client's request
	object    leasecandidate.Object
	request   coordinator.Request
	input     coordinator.Input
	seen      leasecandidate.Input
	version   int64 // the resourceVersion at which that was so
	result    elector.Result
	inUse     bool
	sentNs    int64
	forServer bool
}

// tripIn puts something on its way.
func (w *World) tripIn(delayNs int64, what messageKind, t trip) {
	slot := int32(-1)
	for k := range w.trips {
		if !w.trips[k].inUse {
			slot = int32(k)
			break
		}
	}
	if slot < 0 {
		w.trips = append(w.trips, trip{})
		slot = int32(len(w.trips) - 1)
	}
	t.inUse = true
	w.trips[slot] = t
	w.tripped++
	node := w.nodeOf(&t)
	class := response
	if what == controllerAsks || what == clientAsks {
		class = arrival
	}
	w.queue.push(message{at: w.now + delayNs, key: orderKey(class, node, uint32(w.tripped)), slot: slot, what: what})
}

func (w *World) nodeOf(t *trip) int32 {
	if t.forServer {
		return w.servers[t.number].node
	}
	return w.clients[t.number].node
}

// arrived takes a trip off the way; ok is false if the process it was for is gone.
func (w *World) arrived(slot int32) (t trip, ok bool) {
	t = w.trips[slot]
	w.trips[slot] = trip{}
	n := &w.nodes[w.nodeOf(&t)]
	return t, n.alive && n.born == t.term
}

// tripEnds carries out what a trip brings. A stopped process finds it when it goes on.
func (w *World) tripEnds(m message) {
	if node := w.nodeOf(&w.trips[m.slot]); w.nodes[node].paused && m.what != controllerAsks && m.what != clientAsks {
		w.deferred = append(w.deferred, deferred{at: w.now, class: response, candidate: node, slot: m.slot, what: m.what})
		return
	}
	t, ok := w.arrived(m.slot)
	switch m.what {
	case clientAsks:
		w.clientAsked(t)
	case controllerAsks:
		w.controllerAsked(t)
	case clientLists:
		if ok {
			w.clientListed(&t)
		}
	case clientSees:
		if c := &w.clients[t.number]; ok && c.running && t.version > c.shown {
			c.shown = t.version
			w.stepClient(t.number, t.seen)
		}
	case clientHears:
		if c := &w.clients[t.number]; w.clientWaits(&t) {
			if t.result != elector.Success {
				w.emit(Record{Kind: CandidateFailed, Candidate: c.node, Run: w.nodes[c.node].run, Verb: t.verb, Result: t.result, Payload: trace.Exchange{SentNs: t.sentNs}.Payload()})
			}
			w.stepClient(t.number, leasecandidate.Input{Kind: leasecandidate.Answer, Result: t.result})
		}
	case serverSees, serverHears:
		if ok {
			w.stepServer(t.number, t.input)
		}
	}
}
