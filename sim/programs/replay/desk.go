package replay

import (
	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// KeptVersions is the number of past versions from which a watch can resume.
const KeptVersions = 1000

// Desk is the point where programs' requests reach the API server of a world.
type Desk struct {
	Mirror     *world.Mirror
	lease      scenario.Lease // the Lease that the scenario names
	revision   int64          // revision of the store at instant 0
	leaseKnown bool           // the programs' Lease
	adopted    []bool         // indexed by node: the world knows the identity that the node's program writes
}

// NewDesk returns the desk of a world at instant 0.
func NewDesk(s *scenario.Scenario, w *world.World) *Desk {
	return &Desk{Mirror: w.NewMirror(KeptVersions), lease: s.Lease, revision: w.Store().Revision()}
}

// Follow replaces a mirror that cannot follow the world any more, and reports whether it did. The watches of the old
// mirror have ended then.
func (d *Desk) Follow(w *world.World) bool {
	if d.Mirror.Follows(w) {
		return false
	}
	d.Mirror = w.NewMirror(KeptVersions)
	return true
}

// Begin tells the desk that a node's next process begins.
func (d *Desk) Begin(node int32) {
	for int(node) >= len(d.adopted) {
		d.adopted = append(d.adopted, false)
	}
	d.adopted[node] = false
}

// Asks translates a program's request into the world's terms.
func (d *Desk) Asks(w *world.World, node int32, number uint64, r *apiserver.Request) world.ProgramRequest {
	a := r.Attributes()
	d.takeLease(w, a, r)
	q := world.ProgramRequest{Number: number, Verb: verbs[r.Method], Resource: numbers[a.Resource]}
	q.IsElectors = isLeaseOf(w, node, a, r) && !r.Watches() && q.Verb != network.Delete
	return q
}

// isLeaseOf reports whether a request is about the Lease of a node's election.
func isLeaseOf(w *world.World, node int32, a apiserver.Attributes, r *apiserver.Request) bool {
	if !onLeases(a) {
		return false
	}
	lease := w.Setup().LeaseAt(a.Namespace, nameIn(a, r))
	return lease >= 0 && lease == w.Node(node).LeaseOf()
}

// Elects reports whether a write of a node belongs to its election: it is about the election's Lease, or it changes a
// LeaseCandidate.
func Elects(w *world.World, node int32, r *apiserver.Request) bool {
	a := r.Attributes()
	return isLeaseOf(w, node, a, r) || a.Resource == "leasecandidates" && r.Method != "POST"
}

// takeLease takes the first Lease that a program requests as the scenario's Lease, unless the scenario names one. So
// a program that uses its own namespace and Lease name needs no change: rules and acts still find its Lease.
func (d *Desk) takeLease(w *world.World, a apiserver.Attributes, r *apiserver.Request) {
	if d.leaseKnown || !onLeases(a) || a.Namespace == "" {
		return
	}
	name := nameIn(a, r)
	if name == "" {
		return
	}
	d.leaseKnown = true
	setup := w.Setup()
	if d.lease != (scenario.Lease{}) || setup.LeaseAt(a.Namespace, name) >= 0 || w.Store().Revision() > d.revision {
		return
	}
	setup.Namespace, setup.LeaseNames[0] = a.Namespace, name
	d.Mirror = w.NewMirror(KeptVersions) // the scenario already has the namespace
}

// Done is a finished request to the API server.
type Done struct {
	Answer apiserver.Response
	Served world.Served
	Holds  bool // the request has made its node the holder
	Wrote  bool // the request has changed the store

	changes []apiserver.Change
	adopts  bool // the node takes the identity that the request has written
}

// Serve carries out a request that a node's program has sent and that has reached the API server.
func (d *Desk) Serve(w *world.World, node int32, q *world.ProgramRequest, r *apiserver.Request) (done Done) {
	d.Follow(w)
	before := w.Store().Revision()
	done.Answer, done.changes, done.Served.Wrote = d.Mirror.Handles(w, node, r)
	done.Wrote = before != w.Store().Revision()
	done.Served.Result, done.Served.Outcome = resultOf(q.Verb, done.Answer.Status),
		outcomeOf(q.Verb, done.Answer.Status, done.Wrote)
	if holder := done.finish(w, node, q); holder != 0 && q.Verb != network.Get && !d.adopted[node] {
		d.adopted[node], done.adopts = true, true
		done.identify(w, node, holder)
	}
	if holder := done.Served.Lease.Spec.HolderIdentity; q.Verb != network.Get && holder != 0 {
		done.Holds = w.ByIdentity(holder) == node
	}
	return done
}

// Refusal returns the answer to a request that users and roles have refused with a status.
func Refusal(q *world.ProgramRequest, status int) world.Served {
	return world.Served{Result: resultOf(q.Verb, status), Outcome: outcomeOf(q.Verb, status, false)}
}

// `again` repeats the effect of Serve in another copy of the world.
func (o *Done) again(w *world.World, node int32, q *world.ProgramRequest) world.Served {
	copied := Done{Served: o.Served}
	copied.Served.Wrote = w.Adopts(node, o.changes)
	if holder := copied.finish(w, node, q); o.adopts {
		o.identify(w, node, holder)
	}
	return copied.Served
}

// `finish` reads the Lease in an elector's successful request, and returns its holder.
func (o *Done) finish(w *world.World, node int32, q *world.ProgramRequest) coordination.Symbol {
	if !q.IsElectors || o.Served.Result != step.Success {
		return 0
	}
	o.Served.Lease, _ = w.Store().Get(w.Node(node).LeaseOf())
	return o.Served.Lease.Spec.HolderIdentity
}

// identify gives a node the first identity that its program writes. Acts on the holder find the node by this
// identity.
func (o *Done) identify(w *world.World, node int32, holder coordination.Symbol) {
	if w.ByIdentity(holder) < 0 {
		w.TakesIdentity(node, holder)
	}
}
