package history

import (
	"cmp"
	"math"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// EventOf converts a record of a run. The world must be in the state right after the record's step.
func EventOf(w *world.World, r *trace.Record, note explain.Note) Event {
	s := explain.Say(w, r, note)
	e := Event{
		T: summary.Seconds(r.At), N: note.Place.Ordinal, Node: s.Subject, Kind: s.Kind, Events: trace.Names(r),
		Text: s.Text, ResourceVersion: r.ResourceVersion,
	}
	if _, lease, exists := w.Holder(); exists {
		e.Transitions = lease.Spec.LeaseTransitions
		if lease.Spec.HolderIdentity != 0 {
			e.Holder = w.Setup().Symbols.Text(lease.Spec.HolderIdentity)
		}
	}
	switch r.Kind {
	case trace.RequestSent, trace.RequestServed, trace.RequestEnded, trace.RequestNotSent:
		e.Verb, e.Seq = r.Verb.String(), r.Seq
		if r.Kind == trace.RequestEnded || r.Kind == trace.RequestNotSent {
			e.Result = r.Result.String()
		}
		if r.Kind == trace.RequestServed {
			e.Result = r.Outcome.String()
		}
	}
	return e
}

// collector builds a history from a run's records. A term is open until a later record ends it.
type collector struct {
	h     *History
	roles map[int32]role // current role of each node
	open  map[int32]int  // index of the open term of each leader
}

// role is what a node does, as far as leading is concerned.
type role int

const (
	idle   role = iota
	leads       // it believes that it leads
	drains      // it leads no more, but finishes its work
)

// OfRun runs a scenario up to an instant and returns what happened from another instant on, with the hash of the
// trace up to the end of the span.
func OfRun(s scenario.Scenario, fromNs, toNs int64) (History, trace.Hash) {
	h, hash, _ := OfRunWithin(s, fromNs, toNs, math.MaxInt)
	return h, hash
}

// OfRunWithin is like OfRun, but it stops the run and returns false if the span has too many records. The argument most
// is the limit.
func OfRunWithin(s scenario.Scenario, fromNs, toNs int64, most int) (History, trace.Hash, bool) {
	records := 0
	h, hash, _ := Of(s, fromNs, func(see Seen) (*run.Run, int64, error) {
		r := run.WithAll(s)
		count := func(record *trace.Record, note explain.Note) {
			if record.At >= fromNs {
				records++
			}
			see(r, record, note)
		}
		for records <= most && r.Step(toNs, count) {
		}
		r.Settle(toNs)
		return r, toNs, nil
	}) // runs do not fail
	return h, hash, records <= most
}

// Seen takes a record of a run.
type Seen = func(r *run.Run, record *trace.Record, note explain.Note)

// Of returns what happened in a run: the run of a scenario, or the run of a recording of real programs. The function
// play carries out the run, and returns it with the instant at which it ends.
func Of(s scenario.Scenario, fromNs int64, play func(see Seen) (*run.Run, int64, error)) (History, trace.Hash, error) {
	h := History{FromNs: fromNs, Lease: cmp.Or(s.Lease.Name, scenario.DefaultLeaseName),
		Title: cmp.Or(s.Title, s.Name, "Your scenario")}
	c := collector{h: &h, roles: map[int32]role{}, open: map[int32]int{}}
	r, toNs, err := play(c.see)
	if err != nil {
		return History{}, 0, err
	}
	h.ToNs = toNs
	h.Clip()
	return h, r.World.Hash(), nil
}

func (c *collector) see(of *run.Run, r *trace.Record, note explain.Note) {
	if r.At >= c.h.FromNs {
		c.h.Events = append(c.h.Events, EventOf(of.World, r, note))
	}
	if r.Candidate < 0 {
		return
	}
	before := c.roles[r.Candidate]
	now := roleAfter(r, before)
	if now == before {
		return
	}
	c.roles[r.Candidate] = now
	if before != idle {
		c.h.Leaders[c.open[r.Candidate]].ToNs = r.At
	}
	if now != idle {
		c.open[r.Candidate] = len(c.h.Leaders)
		c.h.Leaders = append(c.h.Leaders, Term{of.World.Node(r.Candidate).Name(), r.At, Open})
	}
}

// roleAfter returns the role of a node after a record about it.
func roleAfter(r *trace.Record, before role) role {
	switch r.Kind {
	case trace.StartedLeading:
		return leads
	case trace.LeadingDone:
		if r.Work().LeftNs != 0 {
			return drains
		}
		return idle
	case trace.StoppedLeading:
		if before == drains {
			return drains
		}
		return idle
	case trace.RunReturned:
		if r.Return().RunsAgain {
			return before
		}
		return idle
	case trace.Started, trace.Restarted, trace.Joined, trace.WorkDone, trace.Crashed, trace.Removed, trace.ConfigError,
		trace.ServerCrashed:
		return idle
	}
	return before
}
