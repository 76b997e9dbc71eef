package world

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
)

// send issues the request that a node's elector asks for.
func (e *electors) send(w *World, n *node, i int32, verb elector.Verb) {
	if n.lock == elector.ConfigMapsLeases {
		record, _, _ := n.machine.Outgoing()
		e.locks[i].Begin(verb, &record, n.machine.Releasing())
		e.sendPart(w, i, e.locks[i].Part())
		return
	}
	slot, m := e.newRequest(w, i, verb, n.lock.First())
	if verb != elector.Get {
		m.record, m.version, m.uid = n.machine.Outgoing()
		if n.lock == elector.ConfigMaps {
			m.record = m.object.AsStored(m.record)
		}
	}
	e.admit(w, n, slot, m)
}

// newRequest creates a request of an elector.
func (e *electors) newRequest(w *World, i int32, verb elector.Verb, object elector.Object) (int32, *message) {
	n := &w.nodes[i]
	n.seq++
	w.recorder.counts.Requests++
	slot := w.net.take()
	m := &w.net.list[slot]
	*m = message{} // filled in place: the compiler would build a composite literal elsewhere and copy it
	m.Seq, m.Verb, m.SentNs, m.Resource = n.seq, network.Verb(verb), w.now, Leases
	m.servedNs, m.returnsNs, m.timeoutNs = -1, -1, never
	m.client, m.order, m.body, m.call = i, uint32(n.seq), -1, -1
	m.object, m.onWire, m.waited = object, true, true
	if object == elector.ConfigMap {
		m.Resource = ConfigMaps
	}
	n.flight = slot
	return slot, m
}

// `admit` sends a request once the client's rate limiter admits it.
func (e *electors) admit(w *World, n *node, slot int32, m *message) {
	// After a failed create, the lock keeps an object without a name and a resourceVersion.
	if unnamed := m.Verb == network.Update && m.version == 0; unnamed || n.special&hasLimiter != 0 {
		w.net.beginCall(w, slot, unnamed)
		return
	}
	sendElector(w, slot)
}

// sendElector passes an elector's request to the network.
func sendElector(w *World, slot int32) {
	m := &w.net.list[slot]
	n := &w.nodes[m.client]
	m.SentNs = w.now
	r := w.blank()
	r.Kind, r.Candidate, r.Run, r.Seq, r.Verb, r.Object = trace.RequestSent, m.client, n.process.Run, m.Seq, m.verb(),
		m.object
	if m.Verb != network.Get {
		r.ResourceVersion, r.Spec = m.version, m.record
	}
	w.commit(r)
	if timeoutNs := w.settings[n.runningAlike].RequestTimeoutNs; timeoutNs > 0 && m.timeoutNs == never {
		// the timeout covers the whole call
		m.timeoutNs = w.now + timeoutNs
	}
	w.net.leave(w, slot)
}

// serveElector carries out an elector's request and records it.
func serveElector(w *World, slot int32) {
	m := &w.net.list[slot]
	n := &w.nodes[m.client]
	wrote := w.electors.decide(w, n, m)
	r := w.blank()
	r.Kind, r.Candidate, r.Run, r.Seq, r.Verb, r.Object = trace.RequestServed, m.client, n.process.Run, m.Seq, m.verb(),
		m.object
	r.Outcome, r.Fault, r.Name = m.outcome, m.Fault, n.identity
	r.ResourceVersion, r.Spec = m.answer.ResourceVersion, m.answer.Record
	r.Payload = trace.Exchange{SentNs: m.SentNs, ServedNs: w.now, RetryAfter: m.retryAfter}.Payload()
	w.commit(r)
	if wrote {
		w.leaseChanged()
	}
}

// `decide` carries out a request against the store, and reports whether it wrote the first Lease. The order of all
// writes is the order in which `decide` handles them, no matter when the clients sent them or when the answers arrive.
func (e *electors) decide(w *World, n *node, m *message) (wrote bool) {
	if !m.Fault.Stores() {
		m.result = faultResult[m.Fault]
		return false
	}
	lease := n.lease
	if m.object != elector.Lease {
		lease = w.Node(m.client).objectOf(m.object)
	}
	switch m.Verb {
	case network.Get:
		m.outcome = storage.OK
		if w.store.Read(lease) == nil {
			m.outcome = storage.NotFound
		}
	case network.Create:
		_, m.outcome = w.store.Create(w.now, m.client, lease, m.record)
	case network.Update:
		m.outcome = w.store.Update(storage.Update{AtNs: w.now, By: m.client, Lease: lease, ResourceVersion: m.version,
			UID: m.uid}, &m.record)
	}
	if m.outcome.Accepted() {
		m.learns(w.store.Read(lease))
	} else {
		m.learns(&storage.Object{})
	}
	if m.Verb == network.Get && (m.lagNs != 0 || n.special&asksServer != 0) {
		e.readsElsewhere(w, n, m, lease)
	}
	m.result = outcomeResult[m.outcome]
	if m.Fault != network.NoFault {
		m.result = asFaulted(m.Fault, m.result, m.outcome.Accepted())
	}
	return lease == 0 && (m.outcome == storage.Created || m.outcome == storage.Updated)
}

// readsElsewhere answers a read that does not come from the store itself: from a lagging cache, or from a lock server
// that frees old locks.
func (e *electors) readsElsewhere(w *World, n *node, m *message, lease int32) {
	if m.lagNs != 0 {
		o, outcome := e.readBehind(w, m, lease)
		m.outcome = outcome
		m.learns(&o)
	}
	if n.special&asksServer != 0 {
		m.answer.Expired = w.Node(m.client).lockExpired()
	}
}

// readBehind answers a read from a lagging cache.
func (e *electors) readBehind(w *World, m *message, lease int32) (storage.Object, storage.Outcome) {
	history := w.store.History()
	for k := history.IndexAt(w.now - m.lagNs); k >= history.First() && k >= 0; k-- {
		if v := history.At(k); v.Lease == lease {
			if v.Deleted {
				break
			}
			return v.Object, storage.OK
		}
	}
	return storage.Object{}, storage.NotFound
}

// faultResult maps faults to the results that a client sees.
var faultResult = [...]step.Result{
	network.Http429: step.TooManyRequests, network.Http500: step.InternalError, network.Http503: step.Unavailable,
	network.Http504: step.GatewayTimeout, network.HttpConflict: step.Conflict,
	network.RefuseConnection: step.ConnRefused,
	network.Hang:             step.GatewayTimeout, network.Http401: step.Unauthorized, network.Http403: step.Forbidden,
	network.Http502: step.BadGateway,
}

// asFaulted returns the result that a client sees when a fault distorts the answer to a request that the server
// carried out. A status of 4xx or 5xx alone makes the answer an error. Half a body is an error before the client
// looks at the status. Source: client-go v0.37.2 rest Request.transformResponse.
func asFaulted(fault network.FaultKind, result step.Result, accepted bool) step.Result {
	switch {
	case fault == network.Http504Applied && accepted:
		return step.GatewayTimeout
	case fault == network.BrokenBody, fault == network.EmptyBody && result == step.Success:
		return step.Undecodable
	}
	return result
}

// outcomeResult maps outcomes of the store to results. A missing outcome means Success.
var outcomeResult = [...]step.Result{
	storage.NotFound: step.NotFound, storage.AlreadyExists: step.AlreadyExists,
	storage.Conflict: step.Conflict, storage.Invalid: step.Invalid,
}

// answerElector passes the answer to the elector.
func answerElector(w *World, slot int32) {
	m := &w.net.list[slot]
	i := m.client
	e, n := &w.electors, &w.nodes[i]
	in := &m.answer
	if m.result != step.Success {
		in = &elector.Input{}
	}
	in.Kind, in.Result = elector.Answer, m.result
	r := w.blank()
	r.Kind, r.Candidate, r.Run, r.Seq, r.Verb, r.Object = trace.RequestEnded, i, n.process.Run, m.Seq, m.verb(),
		m.object
	r.Result, r.Outcome = m.result, m.outcome
	r.ResourceVersion, r.Spec = in.ResourceVersion, in.Record
	r.Payload = trace.Exchange{SentNs: m.SentNs, ServedNs: m.servedNs, RetryAfter: m.retryAfter}.Payload()
	w.commit(r)
	m.waited = false
	n.flight = -1
	w.net.release(slot)
	if n.lock == elector.ConfigMapsLeases && e.sendNextPart(w, i, in) {
		return
	}
	if len(w.resource.writers) > 0 {
		kept := *in // a write to the resource may have reused the slot
		in = &kept
		w.resource.learn(w, i, in)
	}
	e.stepOf(w, n, i, in)
}

// abandon gives up the request in flight because its context has ended. The server still carries it out: a leader that
// stops at 12 s may still renew the Lease at 14 s, when its last request arrives.
func (e *electors) abandon(w *World, i int32, why step.Result) {
	n := &w.nodes[i]
	if n.flight < 0 {
		return
	}
	m := &w.net.list[n.flight]
	if m.unsent {
		w.net.abandonCall(w, n.flight, why)
		e.dropUnsent(w, n.flight, why) // an event in the queue will still look for it
		return
	}
	w.emit(trace.Record{Kind: trace.RequestEnded, Candidate: i, Run: n.process.Run, Seq: m.Seq, Verb: m.verb(),
		Object: m.object, Result: why, Payload: trace.Exchange{SentNs: m.SentNs, ServedNs: m.servedNs}.Payload()})
	m.waited = false
	w.net.release(n.flight)
	n.flight = -1
}
