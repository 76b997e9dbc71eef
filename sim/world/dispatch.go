package world

import (
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
)

// deliver hands an event of the queue to the actor that it is for.
func (w *World) deliver(e event) {
	switch e.what {
	case requestArrives:
		w.net.arrive(w, e.slot)
	case requestServed:
		w.net.serve(w, e.slot)
	case responseArrives, clientGivesUp:
		w.net.hear(w, e)
	case runDue, startDue, drainDue, probeDue:
		w.handleProcessTimer(e.candidate(), processInputs[e.what], e.number())
	case callWakes, callEnds:
		w.net.handleCall(w, e)
	case resourceDue:
		w.resource.handleWriteDue(w, e.candidate(), e.slot)
	case clientWakes:
		w.clients.handleWake(w, e.slot)
	case serverWakes:
		w.servers.handleWake(w, e.slot)
	case beatDue:
		w.heartbeats.handleBeatDue(w, e)
	case evaluates:
		w.heartbeats.handleEvaluationDue(w, e)
	case listDue:
		if w.nodes[e.candidate()].kind == monitorNode {
			w.heartbeats.handleListDue(w, e)
		} else {
			w.clients.handleListDue(w, e)
		}
	}
}

// serve lets the server carry out the request in a slot. A fault that refuses the request leaves the store alone.
func (w *World) serve(slot int32) {
	m := &w.net.list[slot]
	if m.sender == electorRequest {
		w.electors.serve(w, m)
		return
	}
	if m.sender == programRequest {
		w.programs.serve(w, slot)
		return
	}
	if !m.Fault.Stores() {
		m.result = faultResult[m.Fault]
		return
	}
	switch m.sender {
	case candidateRequest:
		w.clients.serveWrite(w, slot)
	case candidateList:
		w.clients.serveList(w, slot)
	case controllerRequest:
		w.servers.serve(w, slot)
	case heartbeatRequest:
		w.heartbeats.serveRenewal(w, slot)
	}
	if m := &w.net.list[slot]; m.Fault != network.NoFault {
		m.result = asFaulted(m.Fault, m.result, m.Verb != network.Get && m.result == step.Success)
	}
}

// handleMessage hands a client its answer, or an event of its watch.
func (w *World) handleMessage(slot int32) {
	m := &w.net.list[slot]
	switch m.sender {
	case electorRequest:
		w.electors.handleAnswer(w, &w.nodes[m.client], slot, m)
	case candidateRequest:
		if m.result == step.Success || !w.net.asksAgain(w, slot) {
			w.clients.handleAnswer(w, slot)
		}
	case candidateList:
		w.clients.handleList(w, slot)
	case candidateEvent:
		w.clients.handleEvent(w, slot)
	case controllerRequest, controllerEvent:
		w.servers.handleAnswer(w, slot)
	case heartbeatRequest:
		if m.result == step.Success || !w.net.asksAgain(w, slot) {
			w.heartbeats.handleAnswer(w, slot)
		}
	case heartbeatList:
		w.heartbeats.handleList(w, slot)
	case heartbeatEvent:
		w.heartbeats.handleEvent(w, slot)
	case programRequest:
		w.programs.handleAnswer(w, slot)
	case programEvent:
		w.programs.handleEvent(w, slot, false)
	}
}

// handleLostRead ends a list or an event that does not get through. Its informer lists again.
func (w *World) handleLostRead(slot int32) {
	if w.net.list[slot].sender == programEvent {
		w.programs.handleEvent(w, slot, true)
		return
	}
	m, _ := w.net.drop(slot)
	if m.sender == heartbeatList || m.sender == heartbeatEvent {
		w.heartbeats.handleLostRead(w, w.nodes[m.client].number)
		return
	}
	w.clients.handleLostRead(w, w.nodes[m.client].client)
}

// relist lets the informers of a node list again, because the connection of their watches is closed.
func (w *World) relist(n *node) {
	if n.client >= 0 {
		w.clients.relist(w, n.client)
	}
	if n.kind == monitorNode {
		w.heartbeats.sendList(w, n.number)
	}
	if n.special&runsProgram != 0 {
		w.programs.disconnect(n.link.Client)
	}
}
