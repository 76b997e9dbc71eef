package world

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/leaselab/leaselab/core/restclient"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
)

// calls is a model of client-go's rest.Request. It sits between clients and the network: a call waits for the rate
// limiter, and between retries. Electors, LeaseCandidate clients and kubelets use it; informers list again with their
// own back-off. Nearly every call ends with its first answer, so the type keeps no state for it.
type calls struct {
	list    []restclient.Call // indexed by message.call
	free    []int32
	outputs []restclient.Output // memory that every step reuses
}

func (c *calls) add(call restclient.Call) int32 {
	if n := len(c.free); n > 0 {
		k := c.free[n-1]
		c.free = c.free[:n-1]
		c.list[k] = call
		return k
	}
	c.list = append(c.list, call)
	return int32(len(c.list) - 1)
}

func (c *calls) release(k int32) { c.free = append(c.free, k) }

// limiterOf returns the rate limiter of a message's client, or nil if it has none. It first takes the tokens that the
// leader's work has used so far.
func (w *World) limiterOf(m *message) *flowcontrol.TokenBucket {
	n := &w.nodes[m.client]
	if n.special&hasLimiter == 0 || !senders[m.sender].isElectors {
		return nil
	}
	if n.process.Works() {
		n.limiter.countWork(&w.settings[n.running].Client, w.now)
	}
	return &n.limiter.tokens
}

// callerEndNs returns the end of the context that a client passes to its call.
func (w *World) callerEndNs(m *message) int64 {
	if senders[m.sender].isElectors {
		return w.nodes[m.client].machine.RequestDeadlineNs()
	}
	return never
}

// beginCall begins an elector's call if its client has a rate limiter, or its object has no name.
func (t *transport) beginCall(w *World, slot int32, unnamed bool) {
	m := &t.list[slot]
	m.call = t.calls.add(restclient.Call{})
	t.stepCall(w, slot, restclient.Input{Kind: restclient.Begin, Request: restclient.Request{
		Get: m.Verb == network.Get, Unnamed: unnamed, DeadlineNs: w.callerEndNs(m),
		TimeoutNs: w.settings[w.nodes[m.client].running].RequestTimeoutNs,
	}})
}

// asksAgain passes the answer of an exchange to its call and reports whether the call retries.
func (t *transport) asksAgain(w *World, slot int32) bool {
	m := &t.list[slot]
	get := m.Verb == network.Get
	if w.nodes[m.client].special&asksOnce != 0 || m.result == step.ClientTimeout {
		return false
	}
	if m.call < 0 {
		if !restclient.AsksAgain(get, m.result, m.retryAfter.Seconds()) {
			return false
		}
		callerNs := w.callerEndNs(m)
		m.call = t.calls.add(restclient.Exchanging(get, callerNs, min(callerNs, m.timeoutNs)))
	}
	return t.stepCall(w, slot, restclient.Input{Kind: restclient.Respond, Result: m.result,
		RetryAfterSeconds: m.retryAfter.Seconds()})
}

// stepCall passes an input to a call and carries out its outputs. It reports whether the call continues, or has
// queued its own end.
func (t *transport) stepCall(w *World, slot int32, in restclient.Input) bool {
	call := &t.calls.list[t.list[slot].call]
	t.calls.outputs = call.Step(w.now, in, w.limiterOf(&t.list[slot]), t.calls.outputs[:0])
	sends := false
	for k := range t.calls.outputs {
		switch o := &t.calls.outputs[k]; o.Kind {
		case restclient.Ask:
			t.prepareNext(w, slot, o, call.Retries())
		case restclient.Throttle:
			m := &t.list[slot]
			m.unsent = true
			w.emit(trace.Record{Kind: trace.Throttled, Candidate: m.client, Run: w.nodes[m.client].process.Run,
				Seq: m.Seq, Verb: m.verb(), Object: m.object, Payload: trace.Limited{WaitNs: o.DelayNs}.Payload()})
		case restclient.Send:
			sends = o.Result == step.Success
		case restclient.Done:
			if in.Kind == restclient.Respond && !t.list[slot].unsent {
				return false // the answer ends the call
			}
			t.queueEnd(w, slot, o.Result)
			return true
		}
	}
	m := &t.list[slot]
	switch {
	case sends:
		m.unsent = false
		senders[m.sender].send(w, slot)
	case m.unsent:
		w.queue.push(event{at: max(call.NextWakeNs(), w.now), key: orderKey(ownTimer, m.client, m.order), slot: slot,
			what: callWakes})
	}
	return true
}

// prepareNext ends an exchange that the call will retry, and turns the message into the next request.
func (t *transport) prepareNext(w *World, slot int32, o *restclient.Output, retries int32) {
	m := &t.list[slot]
	senders[m.sender].retry(w, m, o.Result,
		trace.Retry{WaitNs: o.DelayNs, Number: retries, RetryAfter: m.retryAfter != 0})
	m.servedNs, m.returnsNs, m.Fault, m.retryAfter, m.result, m.broke, m.outcome = -1, -1, network.NoFault, 0,
		step.Success, step.Success, 0
	m.unsent, m.onWire, m.lostUp, m.lostDown, m.answer.Expired, m.losesAnswer = true, true, false, false, false, false
}

// retryElector records a retry of an elector's call and numbers its next request.
func retryElector(w *World, m *message, why step.Result, r trace.Retry) {
	n := &w.nodes[m.client]
	w.emit(trace.Record{
		Kind: trace.RequestEnded, Candidate: m.client, Run: n.process.Run, Seq: m.Seq, Verb: m.verb(),
		Object: m.object, Result: why, Outcome: m.outcome,
		Payload: trace.Exchange{SentNs: m.SentNs, ServedNs: m.servedNs, RetryAfter: m.retryAfter}.Payload(),
	})
	n.seq++
	m.Seq, m.order = n.seq, uint32(n.seq)
	w.emit(trace.Record{Kind: trace.RequestRetries, Candidate: m.client, Run: n.process.Run, Seq: m.Seq,
		Verb: m.verb(), Object: m.object, Result: why, Payload: r.Payload()})
	w.recorder.counts.Requests++
}

// retryCandidate records a retry of a LeaseCandidate client's call and numbers its next request.
func retryCandidate(w *World, m *message, why step.Result, r trace.Retry) {
	n := &w.nodes[m.client]
	c := &w.clients.list[n.client]
	c.sent++
	m.Seq = c.sent
	w.emit(trace.Record{Kind: trace.CandidateRetries, Candidate: m.client, Run: n.process.Run, Verb: m.verb(),
		Result: why, Payload: r.Payload()})
	w.recorder.counts.Requests++
}

// retryHeartbeat numbers the next request of a kubelet's call.
func retryHeartbeat(w *World, m *message, _ step.Result, _ trace.Retry) {
	m.Seq, m.order = w.heartbeats.nextNumbers(w, w.nodes[m.client].number)
}

// sendAgain sends the next request of a call.
func sendAgain(w *World, slot int32) {
	w.net.list[slot].SentNs = w.now
	w.net.leave(w, slot)
}

// endCall passes the end of a call to its client as an answer.
func endCall(w *World, slot int32) {
	m := &w.net.list[slot]
	senders[m.sender].hear(w, slot, m)
}

// queueEnd queues the end of a call that has nothing on the wire. It does not end the call at once, because the
// call's client may be in the middle of a step.
func (t *transport) queueEnd(w *World, slot int32, why step.Result) {
	m := &t.list[slot]
	m.unsent, m.result = true, why
	w.queue.push(event{at: w.now, key: orderKey(response, m.client, m.order), slot: slot, what: callEnds})
}

// handleCall ends a wait of a call, or ends a call that will send nothing more.
func (t *transport) handleCall(w *World, due event) {
	m := &t.list[due.slot]
	switch {
	case !m.waited:
		m.onWire = false
		t.release(due.slot)
	case w.nodes[m.client].process.Paused:
		w.deferred.add(w.now, event{key: orderKey(due.class(), m.client, m.order), slot: due.slot, what: due.what})
	case due.what == callWakes:
		t.stepCall(w, due.slot, restclient.Input{Kind: restclient.Wake})
	default:
		m.onWire = false
		senders[m.sender].end(w, due.slot)
	}
}

// abandonCall ends the call of an unsent request because the caller's context has ended. The limiter gets the token of
// the request back.
func (t *transport) abandonCall(w *World, slot int32, why step.Result) {
	m := &t.list[slot]
	if m.call < 0 {
		return
	}
	call := &t.calls.list[m.call]
	t.calls.outputs = call.Step(w.now, restclient.Input{Kind: restclient.CallerEnds, Result: why}, w.limiterOf(m),
		t.calls.outputs[:0])
}

// endElectorCall ends an elector's call whose last request was never sent.
func endElectorCall(w *World, slot int32) {
	e, m := &w.electors, &w.net.list[slot]
	i, result := m.client, m.result
	e.dropUnsent(w, slot, result)
	w.net.release(slot)
	in := elector.Input{Kind: elector.Answer, Result: result}
	if w.nodes[i].lock != elector.ConfigMapsLeases || !e.sendNextPart(w, i, &in) {
		e.step(w, i, &in)
	}
}

// dropUnsent drops a request that its client has not sent yet.
func (e *electors) dropUnsent(w *World, slot int32, why step.Result) {
	m := &w.net.list[slot]
	n := &w.nodes[m.client]
	w.emit(trace.Record{Kind: trace.RequestNotSent, Candidate: m.client, Run: n.process.Run, Seq: m.Seq, Verb: m.verb(),
		Object: m.object, Result: why, ResourceVersion: m.version, Spec: m.record})
	m.waited = false
	n.flight = -1
}
