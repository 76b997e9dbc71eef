package world

import (
	"github.com/leaselab/leaselab/sim/trace"
)

// Capacity is how an API server copes with load. The zero value answers everything at once.
type Capacity struct {
	ServiceNs        int64 // one request at a time takes so long; 0: any number at once
	Queue            int64 // so many may wait; 0: any number
	DropWhenFull     bool  // else 429
	QueueTimeoutNs   int64 // 0: none
	SlowPerRequestNs int64
	NewLeaderNs      int64
	NewLeaderForNs   int64
	HangNs           int64 // a request that hangs is answered 504 after that time
}

// hangNs is kube-apiserver's --request-timeout.
const hangNs = 60_000_000_000

// limited reports whether the capacity ever keeps a request at the server.
func (c *Capacity) limited() bool {
	return c.ServiceNs > 0 || c.SlowPerRequestNs > 0 || c.NewLeaderNs > 0
}

// lane is what an API server has to do: one behind another, so that the end of the last is all there is to know.
type lane struct {
	busyUntilNs int64
	tenth       int64     // the tenth of a second that the newest of counts is of
	counts      [10]int32 // arrivals in the last ten of them
}

// arrive counts an arrival and returns how many others there were in the last second.
func (l *lane) arrive(now int64) int64 {
	tenth := now / 100_000_000
	for ; l.tenth < tenth; l.tenth++ {
		if tenth-l.tenth > 10 {
			l.counts, l.tenth = [10]int32{}, tenth-1
		}
		l.counts[(l.tenth+1)%10] = 0
	}
	l.counts[tenth%10]++
	others := int64(-1)
	for _, n := range l.counts {
		others += int64(n)
	}
	return others
}

// queued decides how long a request that has arrived stays at the server, or makes a fault of it. keep is false for one that
// is dropped.
func (w *World) queued(server int32, fault *FaultKind) (delayNs int64, keep bool) {
	c := &w.capacity
	l := &w.lanes[server]
	others := l.arrive(w.now)
	slowNs := others * c.SlowPerRequestNs
	if c.NewLeaderNs > 0 && w.ledNs >= 0 && w.now-w.ledNs < c.NewLeaderForNs {
		slowNs += c.NewLeaderNs
	}
	if c.ServiceNs == 0 {
		return slowNs, true
	}
	waitNs := max(l.busyUntilNs-w.now, 0)
	if ahead := (waitNs + c.ServiceNs - 1) / c.ServiceNs; c.Queue > 0 && ahead > c.Queue { // one of them is being served
		*fault = Http429
		return 0, !c.DropWhenFull
	}
	if c.QueueTimeoutNs > 0 && waitNs > c.QueueTimeoutNs {
		*fault = Http504
		return c.QueueTimeoutNs, true
	}
	l.busyUntilNs = w.now + waitNs + c.ServiceNs
	return waitNs + c.ServiceNs + slowNs, true
}

// stays keeps a request that has arrived at the server for a while, if load or a fault says so.
func (w *World) stays(slot int32) bool {
	r := &w.requests[slot]
	delayNs := int64(0)
	switch {
	case r.fault == Stall:
		r.hangs, r.held = true, heldServer
		w.holding++
		w.timeoutIfBefore(slot, never)
		return true
	case r.fault == Hang:
		if delayNs = w.capacity.HangNs; delayNs == 0 {
			delayNs = hangNs
		}
	case !w.capacity.limited():
		return false
	default:
		keep := true
		if delayNs, keep = w.queued(w.nodes[r.candidate].peer, &r.fault); !keep {
			r.lostUp = true
			w.lost(slot)
			return true
		}
	}
	if delayNs == 0 {
		return false
	}
	r.hangs = true
	w.queue.push(message{at: w.now + delayNs, key: orderKey(arrival, r.candidate, uint32(r.seq)), slot: slot, what: requestServed})
	w.timeoutIfBefore(slot, w.now+delayNs)
	return true
}

// handled ends a request's stay at the server. One that is gone by now has dropped the connection, one that stands still
// says nothing.
func (w *World) handled(slot int32) {
	r := &w.requests[slot]
	r.hangs = false
	if stopped, gone := w.silent(r.candidate); gone {
		r.refused = true
		w.queue.push(message{at: w.now, key: orderKey(response, r.candidate, uint32(r.seq)), slot: slot, what: responseArrives})
		return
	} else if stopped {
		r.lostDown = true
		w.lost(slot)
		return
	}
	w.answers(slot)
}

// changeCapacity is an act on the API server.
func (w *World) changeCapacity(c *Control) {
	w.capacity = c.Capacity
	w.slow = w.slow || w.capacity.limited()
	w.emit(Record{Kind: CapacityChanged, Candidate: NoCandidate, Control: c.Source, Payload: trace.Capacity{ServiceNs: w.capacity.ServiceNs, Queue: w.capacity.Queue}.Payload()})
}
