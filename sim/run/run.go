// Package run is one run with everything that watches it: the world, the checkers, the explanation of leader changes and the
// clauses of expect, stepped in one place.
//
// Guarantee: every watcher sees every record in order, and all of them stand at the instant of the world. A clone goes its
// own way.
// Non-guarantee: a run does not know when it is over. Step to an instant, and Settle there before you read the outcome:
// until then nothing is broken that time alone breaks.
package run

import (
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/judge/expect"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// CompileRequests is what making a run costs, in simulated requests: what a search that counts its work adds for each run.
const CompileRequests = 20

// Watchers says what watches a run beside the checkers, which always do.
type Watchers struct {
	Explanation bool
	Clauses     []scenario.Expect
}

// Run is a run at the instant of its last event.
type Run struct {
	World   *world.World
	Checks  check.Checks
	Tracker *explain.Tracker // nil: nothing explains the run
	Clauses *expect.Watch    // nil: nothing is expected of it
}

// New returns the run of a setup at instant 0.
func New(setup *world.Setup, with Watchers) *Run {
	r := &Run{World: world.New(setup), Checks: check.For(setup)}
	if with.Explanation {
		t := explain.New()
		r.Tracker = &t
	}
	if len(with.Clauses) > 0 {
		r.Clauses = expect.New(with.Clauses)
	}
	return r
}

// Plain returns the run of a scenario that nothing but the checkers watches.
func Plain(s scenario.Scenario) *Run { return New(compile.Scenario(s), Watchers{}) }

// Judged returns the run of a scenario with its clauses: what a summary and a verdict are made from.
func Judged(s scenario.Scenario) *Run {
	return New(compile.Scenario(s), Watchers{Clauses: s.Expect})
}

// Told returns the run of a scenario with all that can watch it.
func Told(s scenario.Scenario) *Run {
	return New(compile.Scenario(s), Watchers{Explanation: true, Clauses: s.Expect})
}

// Clone returns an independent copy.
func (r *Run) Clone() *Run {
	c := &Run{World: r.World.Clone(), Checks: r.Checks.Clone()}
	if r.Tracker != nil {
		t := r.Tracker.Clone()
		c.Tracker = &t
	}
	if r.Clauses != nil {
		c.Clauses = r.Clauses.Clone()
	}
	return c
}

// Bytes is about how much memory a clone takes.
func (r *Run) Bytes() int64 {
	n := r.World.Bytes() + r.Checks.Bytes()
	if r.Tracker != nil {
		n += r.Tracker.Bytes()
	}
	return n
}

// EndNs is the instant at which the scenario ends.
func (r *Run) EndNs() int64 { return r.World.Setup().DurationNs }

// Step processes the next event if it lies at or before limitNs, and reports whether it did. Its records are those of
// World.Records. With an explanation, see may be set: it is called with every record and the note that a sentence needs.
func (r *Run) Step(limitNs int64, see func(*trace.Record, explain.Note)) bool {
	if !r.World.Step(limitNs) {
		return false
	}
	records := r.World.Records()
	r.Checks.Observe(records)
	if r.Clauses != nil {
		r.Clauses.Observe(r.World, &r.Checks, records)
	}
	if r.Tracker == nil {
		return true
	}
	for i := range records {
		note := r.Tracker.Observe(r.World, &records[i])
		if see != nil {
			see(&records[i], note)
		}
	}
	r.Tracker.Follow(r.World, r.Checks.Violations)
	return true
}

// To processes every event up to an instant and settles there.
func (r *Run) To(untilNs int64, see func(*trace.Record, explain.Note)) {
	for r.Step(untilNs, see) {
	}
	r.Settle(untilNs)
}

// Settle reports what time alone has broken up to an instant.
func (r *Run) Settle(nowNs int64) {
	r.Checks.Settle(nowNs)
	if r.Tracker != nil {
		r.Tracker.Follow(r.World, r.Checks.Violations)
	}
}

// Slice processes events up to an instant until done reports true, the instant is reached or the budget of simulated requests
// is spent, from which it takes what it used. It reports whether the run needs no more slices, and settles at the end.
func (r *Run) Slice(untilNs int64, budget *int64, done func() bool) (over bool) {
	before := r.World.Counts().Requests
	defer func() { *budget -= r.World.Counts().Requests - before }()
	for limit := before + *budget; r.World.Counts().Requests < limit; {
		if !r.Step(untilNs, nil) {
			r.Settle(untilNs)
			return true
		}
		if done() {
			return true
		}
	}
	return false
}

// Outcomes judges the clauses of a run that has settled at an instant.
func (r *Run) Outcomes(nowNs int64) []expect.Outcome {
	if r.Clauses == nil {
		return nil
	}
	return r.Clauses.Outcomes(r.World, &r.Checks, nowNs)
}
