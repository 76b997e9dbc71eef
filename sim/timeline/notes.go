package timeline

import (
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// NodesOf returns the number of nodes that a run begins with.
func NodesOf(s *world.Setup) int {
	n := len(s.Candidates) + len(s.Servers)
	if h := s.Heartbeats; h != nil {
		n += len(h.Nodes) + len(h.Monitors)
	}
	return n
}

// RoleOf returns the current role of a node. An API server leads while its elector holds the controllers' Lease.
func RoleOf(w *world.World, i int32) world.Role {
	role := w.Node(i).Role()
	if _, leading, _ := w.Node(i).Countdown(); leading && role == world.RoleFollowing && w.Node(i).IsServer() {
		return world.RoleLeading
	}
	return role
}

// Decision is a decision of a coordinated-election controller.
type Decision struct {
	Cursor Cursor
	Node   int32
	Number int32
}

// Note is a small event of one lane: a handover request, a ping, an ack, a deleted LeaseCandidate.
type Note struct {
	Cursor Cursor
	Lane   int32
	Other  int32
	Kind   string
	Text   string
}

// logCoordination logs what the views of coordinated election need.
func (x *Index) logCoordination(s *State, r *trace.Record) {
	w := s.World
	here := Cursor{T: r.At, N: x.ordinal}
	note := func(lane, other int32, kind, text string) {
		x.Notes = append(x.Notes, Note{Cursor: here, Lane: lane, Other: other, Kind: kind, Text: text})
	}
	switch r.Kind {
	case trace.Decided:
		x.Decisions = append(x.Decisions, Decision{here, r.Candidate, r.Decision().Number})
	case trace.CandidatePinged:
		if r.Outcome == storage.Deleted {
			note(r.Candidate, -1, "gone", "its LeaseCandidate is deleted")
		} else {
			note(r.Candidate, -1, "ping", "pinged")
		}
	case trace.CandidateStored:
		if r.Verb != elector.Create && r.Candidacy().Acked() {
			note(r.Candidate, -1, "ack", "acks")
		}
	case trace.Coordinated:
		if r.Spec.PreferredHolder == 0 || r.Spec.PreferredHolder == x.preferred {
			x.preferred = r.Spec.PreferredHolder
			return
		}
		x.preferred = r.Spec.PreferredHolder
		holder, preferred := w.DisplayName(r.Spec.HolderIdentity), w.DisplayName(r.Spec.PreferredHolder)
		note(w.ByIdentity(r.Spec.HolderIdentity), w.ByIdentity(r.Spec.PreferredHolder), "handOver", holder+
			" is asked to hand over to "+preferred)
		x.landmark(r, "act", holder+" is asked to hand over to "+preferred)
	case trace.ControllerLeads:
		x.landmark(r, "act", w.Node(r.Candidate).Name()+" runs the controller")
	case trace.ServerCrashed:
		text := w.Node(r.Candidate).Name() + " is down"
		x.Faults = append(x.Faults, FaultChange{AtNs: r.At, Node: r.Candidate, Source: r.Control, Begins: true,
			Text: text})
		x.landmark(r, "fault", w.Node(r.Candidate).Name()+" crashes: the Lease has no holderIdentity")
	}
}

// Readiness is an instant at which a monitor changes its view of a node to ready or not ready.
type Readiness struct {
	Cursor        Cursor
	Node, Monitor int32
	Ready, Alive  bool // Alive: the node's process is running, whatever the monitor observes
}

func (x *Index) readiness(r *trace.Record) {
	if r.Kind == trace.NodeReady || r.Kind == trace.NodeNotReady {
		x.Ready = append(x.Ready, Readiness{Cursor{T: r.At, N: x.ordinal}, r.Candidate, r.Readiness().Monitor,
			r.Kind == trace.NodeReady, r.Readiness().Running})
	}
}
