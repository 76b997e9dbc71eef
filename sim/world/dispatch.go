package world

import (
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
)

// deliver hands an event of the queue to the machine that waits for it.
func (w *World) deliver(e event) {
	switch e.what {
	case requestArrives:
		w.net.arrive(w, e.slot)
	case requestServed:
		w.net.serve(w, e.slot)
	case responseArrives, clientGivesUp:
		w.net.hear(w, e)
	case runDue, startDue, drainDue, probeDue:
		w.processDue(e.candidate(), processInputs[e.what], e.number())
	case limiterAdmits, limiterRefuses:
		w.electors.handleToken(w, e)
	case resourceDue:
		w.resource.handleWriteDue(w, e.candidate(), e.slot)
	case clientWakes:
		w.clients.wakeClient(w, e.slot)
	case serverWakes:
		w.servers.wakeServer(w, e.slot)
	case beatDue:
		w.heartbeats.sendHeartbeat(w, e)
	case evaluates:
		w.heartbeats.evaluate(w, e)
	case candidateListDue:
		w.clients.listCandidateNow(w, e)
	case heartbeatListDue:
		w.heartbeats.listHeartbeatsNow(w, e)
	}
}

// carryOut lets the server carry a request out. A fault that refuses it leaves the store alone.
func (w *World) carryOut(slot int32) {
	m := &w.net.list[slot]
	if m.sender == electorRequest {
		w.electors.serveElector(w, slot)
		return
	}
	if !m.Fault.Stores() {
		m.result = faultResult[m.Fault]
		return
	}
	switch m.sender {
	case candidateRequest:
		w.clients.serveCandidate(w, slot)
	case candidateList:
		w.clients.serveCandidateList(w, slot)
	case controllerRequest:
		w.servers.serveController(w, slot)
	case heartbeatRequest:
		w.heartbeats.serveHeartbeat(w, slot)
	}
	if m := &w.net.list[slot]; m.Fault == network.Http504Applied && m.Verb != network.Get && m.result == step.Success {
		m.result = step.GatewayTimeout
	}
}

// end hands the answer to the client.
func (w *World) end(slot int32) {
	m := &w.net.list[slot]
	switch m.sender {
	case electorRequest:
		w.electors.endElector(w, slot)
	case candidateRequest:
		w.clients.endCandidate(w, slot)
	case candidateList:
		w.clients.endCandidateList(w, slot)
	case candidateEvent:
		w.clients.endCandidateEvent(w, slot)
	case controllerRequest, controllerEvent:
		w.servers.endController(w, slot)
	case heartbeatRequest:
		w.heartbeats.endHeartbeat(w, slot)
	case heartbeatList:
		w.heartbeats.endHeartbeatList(w, slot)
	case heartbeatEvent:
		w.heartbeats.endHeartbeatEvent(w, slot)
	}
}

// loseRead ends a list or an event that does not get through: its informer lists again.
func (w *World) loseRead(slot int32) {
	m, _ := w.net.drop(slot)
	if m.sender == heartbeatList || m.sender == heartbeatEvent {
		w.heartbeats.listHeartbeatsLater(w, w.nodes[m.client].number)
		return
	}
	w.clients.listCandidateLater(w, w.nodes[m.client].client)
}

// watchAnew lets the informers of a node list: their watches were on a connection that is closed.
func (w *World) watchAnew(n *node) {
	if n.client >= 0 && w.clients.list[n.client].running {
		w.clients.listCandidate(w, n.client)
	}
	if n.kind == monitorNode {
		w.heartbeats.listHeartbeats(w, n.number)
	}
}
