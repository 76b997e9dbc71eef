package world

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/flowcontrol"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
)

// limiter is the rate limiter of a node's client. The leader's work takes its tokens from it too.
type limiter struct {
	tokens flowcontrol.Limiter
	workNs int64 // the requests of the work are counted up to here
}

// fill gives the client of a process that starts now all its tokens.
func (l *limiter) fill(c *Client, now int64) {
	if c.TokenNs > 0 {
		l.tokens = flowcontrol.NewLimiter(c.TokenNs, c.Burst, now)
	}
}

// countWork counts the requests that a leader's work has sent through the limiter up to now.
func (l *limiter) countWork(c *Client, now int64) {
	if c.WorkEveryNs == 0 || c.OwnLeaseClient {
		return
	}
	count := (now - l.workNs) / c.WorkEveryNs
	l.tokens.Steady(count, l.workNs, c.WorkEveryNs)
	l.workNs += count * c.WorkEveryNs
}

// throttle keeps a request back until the client's rate limiter admits or refuses it. It reports false for a request that may
// leave at once.
func (e *electors) throttle(w *World, i, slot int32) bool {
	n, m := &w.nodes[i], &w.net.list[slot]
	if n.process.Works() {
		n.limiter.countWork(&w.settings[n.running].Client, w.now)
	}
	limit := never
	if deadline := n.machine.RequestDeadlineNs(); deadline != never {
		limit = deadline - w.now
	}
	wait, ok := n.limiter.tokens.Wait(w.now, limit)
	if ok && wait == 0 {
		return false
	}
	m.throttled = true
	due := event{at: w.now + wait, key: orderKey(ownTimer, i, m.order), slot: slot, what: limiterAdmits}
	if ok {
		w.emit(trace.Record{Kind: trace.Throttled, Candidate: i, Run: n.process.Run, Seq: m.Seq, Verb: m.verb(), Object: m.object, Payload: trace.Limited{WaitNs: wait}.Payload()})
	} else {
		due.key, due.what = orderKey(response, i, m.order), limiterRefuses
		m.result = step.RateLimited
	}
	w.queue.push(due)
	return true
}

// handleToken ends the wait of a request for its token.
func (e *electors) handleToken(w *World, due event) {
	m := &w.net.list[due.slot]
	i := m.client
	switch {
	case !m.waited:
		m.onWire = false
		w.net.release(due.slot)
		return
	case w.nodes[i].process.Paused:
		w.deferred.add(w.now, due.class(), i, due.slot, m.order, due.what)
		return
	}
	m.throttled = false
	if due.what == limiterAdmits {
		e.sendOut(w, due.slot)
		return
	}
	result := m.result
	e.dropUnsent(w, due.slot, result)
	in := elector.Input{Kind: elector.Answer, Result: result}
	if w.nodes[i].lock != elector.ConfigMapsLeases || !e.sendNextPart(w, i, &in) {
		e.step(w, i, in)
	}
}

// dropUnsent ends a request that the limiter has kept back.
func (e *electors) dropUnsent(w *World, slot int32, why step.Result) {
	m := &w.net.list[slot]
	n := &w.nodes[m.client]
	w.emit(trace.Record{Kind: trace.RequestNotSent, Candidate: m.client, Run: n.process.Run, Seq: m.Seq, Verb: m.verb(), Object: m.object, Result: why, ResourceVersion: m.version, Spec: m.record})
	m.waited = false
	n.flight = -1
	if why == step.RateLimited { // else an event still looks for it
		m.onWire = false
		w.net.release(slot)
	}
}

// burst sends requests of a process through its limiter.
func (c *Control) burst(w *World, i int32) {
	n := &w.nodes[i]
	client := &w.settings[n.running].Client
	if !n.process.Alive || client.TokenNs == 0 {
		c.skip(w, i)
		return
	}
	sent := trace.Requests{Count: c.Count}
	if !client.OwnLeaseClient {
		if n.process.Works() {
			n.limiter.countWork(client, w.now)
		}
		sent.LastWaitNs = n.limiter.tokens.Take(c.Count, w.now)
	}
	w.emit(trace.Record{Kind: trace.Burst, Candidate: i, Run: n.process.Run, Control: c.Source, Payload: sent.Payload()})
}
