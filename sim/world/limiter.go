package world

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
)

// A candidate's client sends through a rate limiter, if it has one; the leader's work takes tokens from the same one.

// limiter is the rate limiter of a node's client.
type limiter struct {
	tokens flowcontrol.Limiter
	workNs int64 // up to when the work's own requests have been counted
}

// newLimiter gives a process that starts now a full limiter.
func (w *World) newLimiter(i int32) {
	n := &w.nodes[i]
	if c := &w.settings[n.settings].Client; c.TokenNs > 0 {
		n.limiter.tokens = flowcontrol.NewLimiter(c.TokenNs, c.Burst, w.now)
	}
}

// throttle keeps a request back until the client's rate limiter lets it go, and reports whether it did.
func (w *World) throttle(i, slot int32) bool {
	n, m := &w.nodes[i], &w.messages[slot]
	w.countWork(i)
	limit := never
	if deadline := n.machine.RequestDeadlineNs(); deadline != never {
		limit = deadline - w.now
	}
	wait, ok := n.limiter.tokens.Wait(w.now, limit)
	if ok && wait == 0 {
		return false
	}
	m.throttled = true
	e := event{at: w.now + wait, key: orderKey(ownTimer, i, m.order), slot: slot, what: limiterAdmits}
	if ok {
		w.emit(trace.Record{Kind: trace.Throttled, Candidate: i, Run: n.process.Run, Seq: m.Seq, Verb: m.verb(), Object: m.object, Payload: trace.Limited{WaitNs: wait}.Payload()})
	} else {
		e.key, e.what = orderKey(response, i, m.order), limiterRefuses
		m.result = step.RateLimited
	}
	w.queue.push(e)
	return true
}

// endThrottle ends the wait of a request for its token.
func (w *World) endThrottle(e event) {
	m := &w.messages[e.slot]
	i := m.client
	switch {
	case !m.waited:
		m.onWire = false
		w.release(e.slot)
		return
	case w.nodes[i].process.Paused:
		w.deferred = append(w.deferred, deferred{at: w.now, class: class(e.key >> 56), candidate: i, slot: e.slot, seq: m.order, what: e.what})
		return
	}
	m.throttled = false
	if e.what == limiterAdmits {
		w.sendRequest(e.slot)
		return
	}
	result := m.result
	w.notSent(e.slot, result)
	in := elector.Input{Kind: elector.Answer, Result: result}
	if w.nodes[i].lock != elector.ConfigMapsLeases || !w.nextPart(i, &in) {
		w.step(i, in)
	}
}

// notSent ends a request that was kept back.
func (w *World) notSent(slot int32, why step.Result) {
	m := &w.messages[slot]
	n := &w.nodes[m.client]
	w.emit(trace.Record{Kind: trace.RequestNotSent, Candidate: m.client, Run: n.process.Run, Seq: m.Seq, Verb: m.verb(), Object: m.object, Result: why, ResourceVersion: m.version, Spec: m.record})
	m.waited = false
	n.flight = -1
	if why == step.RateLimited { // else an event still looks for it
		m.onWire = false
		w.release(slot)
	}
}

// countWork counts the requests that the work of a leader has sent through the limiter up to now.
func (w *World) countWork(i int32) {
	if n := &w.nodes[i]; n.process.Works() {
		w.countWorkOf(n)
	}
}

// countWorkOf is countWork of a node whose work has gone on up to now.
func (w *World) countWorkOf(n *node) {
	l, c := &n.limiter, &w.settings[n.running].Client
	if c.WorkEveryNs == 0 || c.OwnLeaseClient {
		return
	}
	count := (w.now - l.workNs) / c.WorkEveryNs
	l.tokens.Steady(count, l.workNs, c.WorkEveryNs)
	l.workNs += count * c.WorkEveryNs
}

// burst lets a process send requests of its own through its limiter.
func (w *World) burst(c *Control, i int32) {
	n := &w.nodes[i]
	client := &w.settings[n.running].Client
	if !n.process.Alive || client.TokenNs == 0 {
		w.skip(c, i)
		return
	}
	sent := trace.Requests{Count: c.Count}
	if !client.OwnLeaseClient {
		w.countWork(i)
		sent.LastWaitNs = n.limiter.tokens.Take(c.Count, w.now)
	}
	w.emit(trace.Record{Kind: trace.Burst, Candidate: i, Run: n.process.Run, Control: c.Source, Payload: sent.Payload()})
}
