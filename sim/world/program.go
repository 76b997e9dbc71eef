package world

import (
	"slices"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Programs represents real programs. They run in the nodes with Candidate.Program, in place of the world's
// electors. The world starts and stops their processes and carries their requests; it does not know what they do
// with the answers. It calls these methods in the middle of a step, so they must not call the world.
type Programs interface {
	// Begin runs the program of a node, because its process has started or runs it again.
	Begin(node int32)
	// Cancel ends the context of the program.
	Cancel(node int32)
	// End removes the program's process. Nothing reaches it any more.
	End(node int32)
	// Serve carries out the request with that number, which has reached the API server.
	Serve(number uint64, fault network.FaultKind) Served
	// Answer ends the request with that number at its client. `result` tells how the connection broke.
	Answer(number uint64, result step.Result, fault network.FaultKind, after network.RetryAfter)
	// Event passes an event to a watch. `lost` means that the event did not get through.
	Event(number uint64, lost bool)
	// Disconnect breaks the watches of a node that has opened a new connection.
	Disconnect(node int32)
}

// Served is the outcome of a program's request at the API server.
type Served struct {
	Result  step.Result
	Outcome storage.Outcome
	Lease   storage.Object // the Lease as written or read; empty if the request did neither
	Wrote   bool           // whether the request wrote the first Lease
}

// ProgramRequest is a request that a program sends.
type ProgramRequest struct {
	Number     uint64 // number that identifies the request in Programs
	Verb       network.Verb
	Resource   network.Resource
	IsElectors bool // whether the request is about the node's Lease, so that the trace shows it as an elector's request
}

// Attach gives the world the programs of its nodes. Call it before the first step.
func (w *World) Attach(p Programs) { w.programs = attachedPrograms{p} }

// programs is what the world does for programs. It is an interface. So the page's engine, which never calls Attach,
// need not contain the code.
type programs interface {
	step(w *World, i int32, kind elector.InputKind)
	serve(w *World, slot int32)
	handleAnswer(w *World, slot int32)
	handleEvent(w *World, slot int32, lost bool)
	end(w *World, i int32)
	disconnect(i int32)
}

type attachedPrograms struct{ is Programs }

func (a attachedPrograms) disconnect(i int32) { a.is.Disconnect(i) }

func (a attachedPrograms) end(w *World, i int32) {
	w.nodes[i].programRuns = false
	a.is.End(i)
}

// At advances the world to an instant, which must not lie before its last step, and empties Records. After that, a
// program may act at that instant.
func (w *World) At(ns int64) {
	w.now = max(w.now, ns)
	w.recorder.length = 0
}

// Sends puts a request of a node's program on the wire now and returns the slot where the network keeps it.
func (w *World) Sends(i int32, q *ProgramRequest) (slot int32) {
	n := &w.nodes[i]
	n.seq++
	w.recorder.counts.Requests++
	slot, m := w.net.add(w, programRequest, i, q.Verb)
	m.Seq, m.uid, m.Resource = n.seq, q.Number, q.Resource
	if q.IsElectors {
		m.subject = 1
		w.emit(trace.Record{Kind: trace.RequestSent, Candidate: i, Run: n.process.Run, Seq: m.Seq, Verb: m.verb()})
	}
	w.net.leave(w, slot)
	return slot
}

// Abandons ends the wait for the request that Sends put into a slot, because its client's context has ended. The
// server still carries it out.
func (w *World) Abandons(slot int32, number uint64, why step.Result) {
	m := &w.net.list[slot]
	if m.client < 0 || m.sender != programRequest || m.uid != number || !m.waited {
		return
	}
	if m.subject == 1 {
		w.emit(trace.Record{
			Kind: trace.RequestEnded, Candidate: m.client, Run: w.nodes[m.client].process.Run, Seq: m.Seq,
			Verb: m.verb(), Result: why,
			Payload: trace.Exchange{SentNs: m.SentNs, ServedNs: m.servedNs}.Payload(),
		})
	}
	m.waited = false
	w.net.release(slot)
}

// Tells puts an event of a watch on the wire to a node's program now.
func (w *World) Tells(i int32, number uint64, about network.Resource) {
	slot, m := w.net.add(w, programEvent, i, network.Get)
	m.uid, m.Resource = number, about
	w.net.tell(w, slot)
}

// Handles lets the mirror carry out a program's request, and stores what it writes. Pass the resulting changes to
// Adopts. `wrote` reports whether it wrote the first Lease: the caller, Programs.Serve, passes this on, and the world
// tells its controllers.
func (m *Mirror) Handles(w *World, node int32, r *apiserver.Request) (answer apiserver.Response,
	changes []apiserver.Change, wrote bool) {
	m.Follow(w)
	before := m.Server.Revision()
	answer = m.Server.Finish(m.now, r)
	if m.Server.Revision() == before {
		return answer, nil, false
	}
	changes = m.Server.Changes(before)
	wrote = w.Adopts(node, changes)
	m.versions, m.others = w.store.History().Len(), len(w.store.Others())
	return answer, changes, wrote
}

// Adopts takes over what Handles wrote, so that a replay has it too. Its result wrote is the same as that of Handles.
func (w *World) Adopts(node int32, changes []apiserver.Change) (wrote bool) {
	api := w.API()
	for i := range changes {
		lease, _, _ := w.adopt(api, &changes[i], node)
		wrote = wrote || lease == 0
	}
	return wrote
}

// onlyPrograms reports whether only programs write Leases.
func (s *Setup) onlyPrograms() bool {
	return len(s.Servers) == 0 && !s.Administered && !slices.ContainsFunc(s.Controls, func(c Control) bool {
		return c.Kind == DoWrite || c.Kind == DoRequest || c.Kind == DoRollback
	})
}

// LeaseAt returns the number of the Lease with that namespace and name in an API path, or -1.
func (s *Setup) LeaseAt(namespace, name string) int32 {
	for i := range s.LeaseNames {
		if s.LeaseNames[i] == name && s.namespaceOf(int32(i)) == namespace {
			return int32(i)
		}
	}
	return -1
}

// TakesIdentity gives a node the identity that its program writes, so that acts on the holder find the node.
func (w *World) TakesIdentity(i int32, identity coordination.Symbol) { w.nodes[i].identity = identity }

// LeaseOf returns the number of a node's Lease.
func (n Node) LeaseOf() int32 { return n.lease }

// AttemptEnds records that an attempt of a node's program to acquire the Lease is over.
func (w *World) AttemptEnds(i int32) {
	unknown := trace.Jitter{DelayNs: trace.UnknownDelay}
	w.emit(trace.Record{Kind: trace.JitterDrawn, Candidate: i, Run: w.nodes[i].process.Run, Payload: unknown.Payload()})
}

// StartsLeading records that a node's program begins to work as a leader.
func (w *World) StartsLeading(i int32) {
	w.electors.handleOutput(w, &w.nodes[i], i, &elector.Output{Kind: elector.StartedLeading})
}

// StopsLeading records that the context of a leader's work has ended. goesOn means that the work itself has not ended.
func (w *World) StopsLeading(i int32, goesOn bool) {
	w.stepProcess(i, process.Input{Kind: process.ContextEnded, Reported: true, GoesOn: goesOn}, -1)
	w.say(trace.StoppedLeading, i)
}

// StopsWork records that a leader's work has ended. `leads` means that the context of the work has not ended.
func (w *World) StopsWork(i int32, leads bool) {
	w.stepProcess(i, process.Input{Kind: process.WorkReturned}, -1)
	if leads {
		w.say(trace.StoppedLeading, i)
	}
}

// Returns tells the world that a node's program has returned.
func (w *World) Returns(i int32) {
	n := &w.nodes[i]
	n.programRuns = false
	w.emit(trace.Record{Kind: trace.RunReturned, Candidate: i, Run: n.process.Run,
		Payload: trace.Return{RunsAgain: w.Node(i).runsAgain()}.Payload()})
	w.stepProcess(i, process.Input{Kind: process.Returned, Cancelled: n.process.StopAsked}, -1)
}

// Crashes tells the world that a node's program has ended its process, for example with a panic.
func (w *World) Crashes(i int32) {
	w.stepProcess(i, process.Input{Kind: process.Crash, Source: -1, Reported: true}, -1)
}

// `step` tells a program what the world would otherwise tell its elector.
func (a attachedPrograms) step(w *World, i int32, kind elector.InputKind) {
	switch kind {
	case elector.Start:
		w.nodes[i].programRuns = true
		a.is.Begin(i)
	case elector.Cancel:
		a.is.Cancel(i)
	}
}

// `leads` reports whether the node's elector, or its program, leads.
func (n *node) leads() bool {
	return n.machine.Leading() || n.special&runsProgram != 0 && n.process.Active && !n.process.Draining
}

// serve carries out a program's request and records it.
func (a attachedPrograms) serve(w *World, slot int32) {
	m := &w.net.list[slot]
	served := a.is.Serve(m.uid, m.Fault)
	m = &w.net.list[slot] // the list may have grown, because informers learned of the write
	m.result, m.outcome = served.Result, served.Outcome
	m.learns(&served.Lease)
	if !m.Fault.Stores() {
		m.result = faultResult[m.Fault]
	} else if m.Fault != network.NoFault {
		m.result = asFaulted(m.Fault, m.result, m.outcome.Accepted() && m.Verb != network.Get)
	}
	if m.subject == 1 {
		w.emit(trace.Record{
			Kind: trace.RequestServed, Candidate: m.client, Run: w.nodes[m.client].process.Run, Seq: m.Seq,
			Verb: m.verb(), Outcome: m.outcome, Fault: m.Fault,
			ResourceVersion: m.answer.ResourceVersion, Spec: m.answer.Record, Name: w.nodes[m.client].identity,
			Payload: trace.Exchange{SentNs: m.SentNs, ServedNs: w.now, RetryAfter: m.retryAfter}.Payload(),
		})
	}
	if served.Wrote {
		w.leaseChanged()
	}
}

// handleAnswer hands a program the answer to its request.
func (a attachedPrograms) handleAnswer(w *World, slot int32) {
	m := &w.net.list[slot]
	if m.subject == 1 {
		said := trace.Record{
			Kind: trace.RequestEnded, Candidate: m.client, Run: w.nodes[m.client].process.Run, Seq: m.Seq,
			Verb: m.verb(), Result: m.result, Outcome: m.outcome,
			Payload: trace.Exchange{SentNs: m.SentNs, ServedNs: m.servedNs, RetryAfter: m.retryAfter}.Payload(),
		}
		if m.result == step.Success {
			said.ResourceVersion, said.Spec = m.answer.ResourceVersion, m.answer.Record
		}
		w.emit(said)
	}
	a.is.Answer(m.uid, m.result, m.Fault, m.retryAfter)
	m.waited = false
	w.net.release(slot)
}

// handleEvent passes an event, or its loss, to a program's watch.
func (a attachedPrograms) handleEvent(w *World, slot int32, lost bool) {
	m, _ := w.net.drop(slot)
	a.is.Event(m.uid, lost)
}

// NameOf returns the name of an object that a program sends as JSON, or "" if it has none.
func NameOf(body []byte) string { return wire.Text(wire.Object(treeOf(body), "metadata"), "name") }

func treeOf(body []byte) wire.Map {
	n, err := wire.Parse(body)
	if err != nil {
		return nil
	}
	tree, _ := wire.Tree(n).(wire.Map)
	return tree
}
