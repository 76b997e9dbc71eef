package world

// `deliver` passes an event from the queue to the actor that handles it. Only this switch knows every actor. An event
// is data and never contains a function, so that a copy of the queue also copies everything that will happen.
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

// `relist` starts a new list of each informer of a node, because their watch connection closed.
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
