package world

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
)

// send puts a request of a candidate on the wire. Its latencies and faults are decided here, by the send instant.
func (w *World) send(i int32, verb elector.Verb) {
	n := &w.nodes[i]
	record, version, uid := n.machine.Outgoing()
	object := n.lock.First()
	switch n.lock {
	case elector.ConfigMaps:
		record = object.Kept(record)
	case elector.ConfigMapsLeases:
		w.locks[i].Begin(verb, &record, n.machine.Releasing())
		w.sendPart(i, w.locks[i].Part())
		return
	}
	w.issue(i, verb, object, &record, version, uid)
}

func (w *World) issue(i int32, verb elector.Verb, object elector.Object, record *coordination.Record, version int64, uid uint64) {
	n := &w.nodes[i]
	n.seq++
	w.counts.Requests++
	slot := w.slot()
	r := &w.requests[slot]
	*r = request{
		sentNs: w.now, servedNs: -1, returnsNs: -1, timeoutNs: never, candidate: i, seq: n.seq, verb: verb, object: object,
		record: *record, version: version, uid: uid, onWire: true, waited: true,
	}
	n.flight = slot
	if n.special&hasLimiter != 0 && w.throttled(i, slot) {
		return
	}
	w.put(slot)
}

// put lets a request go out.
func (w *World) put(slot int32) {
	r := &w.requests[slot]
	i := r.candidate
	n := &w.nodes[i]
	r.sentNs = w.now
	w.emitted(&Record{Kind: RequestSent, Candidate: i, Run: n.run, Seq: r.seq, Verb: r.verb, Object: r.object, ResourceVersion: r.version, Spec: r.record})

	if timeoutNs := w.settings[n.running].RequestTimeoutNs; timeoutNs > 0 {
		r.timeoutNs = w.now + timeoutNs
	}
	settings := &w.settings[n.settings]
	requestNs, responseNs := settings.RequestNs, settings.ResponseNs
	if settings.varied || len(w.latencies) > 0 {
		requestNs, responseNs = w.prepare(r, i, r.verb, r.seq)
	}
	r.requestNs, r.reachesNs, r.responseNs = requestNs, w.now+requestNs, responseNs
	if len(w.faults) > 0 {
		r.fault = w.fault(i, r.verb, r.seq)
	}
	lost, refused := w.cutOff(i, Up)
	switch {
	case r.fault == RefuseConnection, refused:
		r.refused = true
		w.queue.push(message{at: r.reachesNs, key: orderKey(response, i, uint32(r.seq)), slot: slot, what: responseArrives})
		w.timeoutIfBefore(slot, r.reachesNs)
	case r.fault == DropRequest, lost:
		if r.fault != DropRequest && w.holds(slot, Up) {
			return
		}
		r.lostUp = true
		w.lost(slot)
	default:
		w.queue.push(message{at: r.reachesNs, key: orderKey(arrival, i, uint32(r.seq)), slot: slot, what: requestArrives})
		w.timeoutIfBefore(slot, r.reachesNs)
	}
}

func (w *World) slot() int32 {
	if n := len(w.free); n > 0 {
		slot := w.free[n-1]
		w.free = w.free[:n-1]
		return slot
	}
	w.requests = append(w.requests, request{})
	return int32(len(w.requests) - 1)
}

// timeoutIfBefore queues the client's timeout once it is known that nothing comes before it; until then an answered
// request costs no timer.
func (w *World) timeoutIfBefore(slot int32, nextNs int64) {
	r := &w.requests[slot]
	if r.timeoutNs < nextNs && r.waited && !r.timeoutSet {
		r.timeoutSet = true
		w.queue.push(message{at: max(r.timeoutNs, w.now), key: orderKey(clientTimeout, r.candidate, uint32(r.seq)), slot: slot, what: clientGivesUp})
	}
}

// lost takes a request or its answer off the wire for good.
func (w *World) lost(slot int32) {
	w.requests[slot].onWire = false
	w.mortal(&w.requests[slot])
	w.timeoutIfBefore(slot, never)
	w.release(slot)
}

// release frees a slot that neither the wire, the client nor a queued timeout refers to.
func (w *World) release(slot int32) {
	r := &w.requests[slot]
	if !r.onWire && !r.waited && !r.timeoutSet {
		r.candidate = -1
		w.free = append(w.free, slot)
	}
}

// latency is the first that a request meets, nil if there is none.
func (w *World) latency(i int32, verb elector.Verb, seq int32) *Latency {
	for k := range w.latencies {
		l := &w.latencies[k]
		if concerns(l.Candidate, i) && within(w.now, l.FromNs, l.UntilNs) && isVerb(l.Verb, verb) && (l.Nth == 0 || l.Nth == seq) &&
			recurs(w.now, l.FromNs, l.EveryNs, l.ForNs) {
			return l
		}
	}
	return nil
}

func (w *World) fault(i int32, verb elector.Verb, seq int32) FaultKind {
	for k := range w.faults {
		f := &w.faults[k]
		if concerns(f.Candidate, i) && within(w.now, f.FromNs, f.UntilNs) && isVerb(f.Verb, verb) && (f.Nth == 0 || f.Nth == seq) &&
			(f.Count == 0 || f.used < f.Count) && recurs(w.now, f.FromNs, f.EveryNs, f.ForNs) {
			f.used++
			return f.Kind
		}
	}
	return NoFault
}

// cutOff reports whether a message of a candidate is lost or refused at this instant.
func (w *World) cutOff(candidate int32, direction Direction) (lost, refused bool) {
	if len(w.servers) > 0 && direction == Up {
		if lost, refused := w.silent(candidate); lost || refused {
			return lost, refused
		}
	}
	for k := range w.cuts {
		c := &w.cuts[k]
		if c.stops(w, candidate, w.now, direction) {
			if c.Refuse && direction == Up {
				return false, true
			}
			return true, false
		}
	}
	return false, false
}

func (w *World) deliver(m message) {
	switch m.what {
	case requestArrives:
		w.arrives(m.slot)
	case responseArrives, clientGivesUp:
		w.answerArrives(m)
	case processReturns:
		w.processReturns(m.candidate(), int16(m.number()))
	case requestServed:
		w.handled(m.slot)
	case beatDue, beatArrives, beatServed, beatHeard, beatGivesUp, viewShown, evaluates:
		w.deliverHeartbeat(&m)
	case workEnds:
		w.workEnds(m.candidate(), int16(m.number()))
	case watchdogAsks:
		w.watchdogAsks(m.candidate(), m.number())
	case processStarts:
		w.processStarts(m.candidate(), m.number())
	case limiterAdmits, limiterRefuses:
		w.limiterDecides(m)
	case resourceDue:
		w.resourceWrites(m.candidate(), m.slot)
	case resourceReached:
		w.reachesResource(m.slot)
	case clientWakes:
		w.clientWoken(m.slot)
	case serverWakes:
		w.serverWoken(m.slot)
	default:
		w.tripEnds(m)
	}
}

// workEnds ends a work tail. A process that stands still ends its work when it goes on.
func (w *World) workEnds(i int32, run int16) {
	n := &w.nodes[i]
	if !n.tail || n.tailRun != run {
		return
	}
	if n.paused {
		w.deferred = append(w.deferred, deferred{at: w.now, class: ownTimer, candidate: i, slot: -1, what: workEnds})
		return
	}
	n.tail = false
	if n.machine.Leading() {
		return // it leads again, and works on for that
	}
	w.workSends(i)
	n.active = false
	w.say(WorkDone, i)
	w.workOver(i)
	if w.settings[n.running].ReleaseAfterWork && n.alive {
		w.step(i, elector.Input{Kind: elector.WorkOver})
	}
}

func (w *World) processReturns(i int32, run int16) {
	n := &w.nodes[i]
	if !n.alive || n.run != run || n.stopAsked {
		return
	}
	if n.paused {
		w.deferred = append(w.deferred, deferred{at: w.now, class: ownTimer, candidate: i, slot: -1, what: processReturns})
		return
	}
	w.rerun(i)
}

// arrives serves a request, whether or not its client still waits.
func (w *World) arrives(slot int32) {
	r := &w.requests[slot]
	if lost, refused := w.cutOff(r.candidate, Up); lost || refused {
		if refused {
			r.refused = true
			w.queue.push(message{at: w.now, key: orderKey(response, r.candidate, uint32(r.seq)), slot: slot, what: responseArrives})
			return
		}
		if w.holds(slot, Up) {
			return
		}
		r.lostUp = true
		w.lost(slot)
		return
	}
	if w.slow && w.stays(slot) {
		return
	}
	w.answers(slot)
}

// answers serves a request and sends the answer.
func (w *World) answers(slot int32) {
	r := &w.requests[slot]
	w.serve(r)
	r.servedNs = w.now
	n := &w.nodes[r.candidate]
	w.emitted(&Record{
		Kind: RequestServed, Candidate: r.candidate, Run: n.run, Seq: r.seq, Verb: r.verb, Object: r.object, Outcome: r.outcome, Fault: r.fault,
		ResourceVersion: r.answer.ResourceVersion, Spec: r.answer.Spec, Name: n.identity,
		Payload: trace.Exchange{SentNs: r.sentNs, ServedNs: w.now}.Payload(),
	})
	r.returnsNs = w.now + r.responseNs
	lost, _ := w.cutOff(r.candidate, Down)
	if lost || r.fault == DropResponse {
		if r.fault != DropResponse && w.holds(slot, Down) {
			return
		}
		r.lostDown = true
		w.lost(slot)
		return
	}
	w.queue.push(message{at: r.returnsNs, key: orderKey(response, r.candidate, uint32(r.seq)), slot: slot, what: responseArrives})
	w.timeoutIfBefore(slot, r.returnsNs)
}

// serve decides the answer. A fault that refuses a request leaves the store alone.
func (w *World) serve(r *request) {
	if r.fault != NoFault && r.fault != DropResponse && r.fault != Http504Applied {
		r.result = faultResult[r.fault]
		return
	}
	lease := w.objectOf(r.candidate, r.object)
	switch r.verb {
	case elector.Get:
		r.answer, r.outcome = w.store.Get(lease)
		if r.lagNs != 0 {
			r.answer, r.outcome = w.behind(r, lease)
		}
		if w.nodes[r.candidate].special&asksServer != 0 {
			r.expired = w.lockExpired(r.candidate)
		}
	case elector.Create:
		r.answer, r.outcome = w.store.Create(w.now, r.candidate, lease, r.record)
	case elector.Update:
		r.answer, r.outcome = w.store.Update(w.now, r.candidate, lease, r.version, r.uid, r.record)
	}
	if lease == 0 && (r.outcome == storage.Created || r.outcome == storage.Updated) {
		w.leaseChanged()
	}
	r.result = outcomeResult[r.outcome]
	if r.fault == Http504Applied && r.outcome.Accepted() {
		r.result = elector.GatewayTimeout
	}
}

var faultResult = [...]elector.Result{
	Http429: elector.TooManyRequests, Http500: elector.InternalError, Http503: elector.Unavailable,
	Http504: elector.GatewayTimeout, HttpConflict: elector.Conflict, RefuseConnection: elector.ConnRefused,
	Hang: elector.GatewayTimeout,
}

var outcomeResult = [...]elector.Result{
	storage.NotFound: elector.NotFound, storage.AlreadyExists: elector.AlreadyExists,
	storage.Conflict: elector.Conflict, storage.Invalid: elector.Invalid,
}

// answerArrives ends a request at its client: by the answer, a refusal or the client's own timeout.
func (w *World) answerArrives(m message) {
	r := &w.requests[m.slot]
	if m.what == clientGivesUp {
		r.timeoutSet = false
		if r.waited && r.timeoutNs > w.now { // its node has slept meanwhile
			w.timeoutIfBefore(m.slot, never)
			return
		}
		r.result = elector.ClientTimeout
	} else {
		r.onWire = false
		if lost, _ := w.cutOff(r.candidate, Down); lost && !r.refused && r.waited {
			r.onWire = true
			if w.holds(m.slot, Down) {
				return
			}
			r.lostDown = true
			w.lost(m.slot)
			return
		}
		w.nodes[r.candidate].heardNs = w.now
		if r.refused {
			r.result = elector.ConnRefused
			if w.settings[w.nodes[r.candidate].settings].DeadPeerNs > 0 && len(w.servers) > 0 {
				w.reconnects(r.candidate)
			}
		}
	}
	if !r.waited {
		w.release(m.slot)
		return
	}
	n := &w.nodes[r.candidate]
	if n.paused {
		w.deferred = append(w.deferred, deferred{at: w.now, class: class(m.key >> 56), candidate: r.candidate, slot: m.slot, seq: r.seq, what: m.what})
		return
	}
	w.end(m.slot)
}

// end hands the answer to the elector.
func (w *World) end(slot int32) {
	r := &w.requests[slot]
	i := r.candidate
	n := &w.nodes[i]
	in := elector.Input{Kind: elector.Answer, Result: r.result}
	if r.result == elector.Success {
		in.Record, in.ResourceVersion, in.UID = r.answer.Spec, r.answer.ResourceVersion, r.answer.UID
		in.Expired = r.expired
	}
	w.emitted(&Record{
		Kind: RequestEnded, Candidate: i, Run: n.run, Seq: r.seq, Verb: r.verb, Object: r.object, Result: r.result, Outcome: r.outcome,
		ResourceVersion: in.ResourceVersion, Spec: in.Record, Payload: trace.Exchange{SentNs: r.sentNs, ServedNs: r.servedNs}.Payload(),
	})
	r.waited = false
	n.flight = -1
	w.release(slot)
	if n.lock == elector.ConfigMapsLeases && w.nextPart(i, &in) {
		return
	}
	if len(w.resource.writers) > 0 {
		w.learns(i, &in)
	}
	w.step(i, in)
}

// abandon gives up the request in flight: its context ended. What is on the wire is still served.
func (w *World) abandon(i int32, why elector.Result) {
	n := &w.nodes[i]
	if n.flight < 0 {
		return
	}
	r := &w.requests[n.flight]
	if r.throttled {
		w.notSent(n.flight, why)
		return
	}
	w.emit(Record{Kind: RequestEnded, Candidate: i, Run: n.run, Seq: r.seq, Verb: r.verb, Object: r.object, Result: why, Payload: trace.Exchange{SentNs: r.sentNs, ServedNs: r.servedNs}.Payload()})
	r.waited = false
	w.release(n.flight)
	n.flight = -1
}
