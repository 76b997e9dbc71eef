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

// CompileRequests is the cost of creating a run, in simulated requests. A search that counts its work adds this
// cost for each run.
const CompileRequests = 20

// Watchers selects what watches a run besides the checkers, which always do.
type Watchers struct {
	Explanation bool
	Clauses     []scenario.Expect
}

// Run is a run at the instant of its last event.
type Run struct {
	World   *world.World
	Checks  check.Checks
	Tracker *explain.Tracker // nil if the run has no explanation
	Clauses *expect.Watch    // nil if the run has no clauses
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

// Plain returns the run of a scenario with only the checkers.
func Plain(s scenario.Scenario) *Run { return New(compile.Scenario(s), Watchers{}) }

// WithClauses returns the run of a scenario with its clauses, as summaries and verdicts need it.
func WithClauses(s scenario.Scenario) *Run {
	return New(compile.Scenario(s), Watchers{Clauses: s.Expect})
}

// WithAll returns the run of a scenario with all watchers.
func WithAll(s scenario.Scenario) *Run {
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

// Bytes returns the approximate memory of a clone.
func (r *Run) Bytes() int64 {
	n := r.World.Bytes() + r.Checks.Bytes()
	if r.Tracker != nil {
		n += r.Tracker.Bytes()
	}
	return n
}

// EndNs returns the instant at which the scenario ends.
func (r *Run) EndNs() int64 { return r.World.Setup().DurationNs }

// Step handles the next event if it is not after limitNs, and reports whether it did. World.Records returns the event's
// records. If the run has an explanation and the function see is not nil, Step calls it with every record and the note
// that the record's sentence needs.
func (r *Run) Step(limitNs int64, see func(*trace.Record, explain.Note)) bool {
	if !r.World.Step(limitNs) {
		return false
	}
	r.watch(see)
	return true
}

// Do carries out a function of a program in a node of the world, at an instant not before the last event. Like Step, it
// shows the records to the watchers.
func (r *Run) Do(atNs int64, act func(w *world.World), see func(*trace.Record, explain.Note)) {
	r.World.At(atNs)
	act(r.World)
	r.watch(see)
}

// `watch` shows the records of the last event to the watchers.
func (r *Run) watch(see func(*trace.Record, explain.Note)) {
	records := r.World.Records()
	r.Checks.Observe(records)
	if r.Clauses != nil {
		r.Clauses.Observe(r.World, &r.Checks, records)
	}
	if r.Tracker == nil {
		return
	}
	for i := range records {
		note := r.Tracker.Observe(r.World, &records[i])
		if see != nil {
			see(&records[i], note)
		}
	}
	r.Tracker.Follow(r.World, r.Checks.Violations)
}

// To advances the run up to an instant, with every event at that instant, and settles there.
func (r *Run) To(untilNs int64, see func(*trace.Record, explain.Note)) {
	for r.Step(untilNs, see) {
	}
	r.Settle(untilNs)
}

// Settle makes the checkers take into account the time that has elapsed up to an instant.
func (r *Run) Settle(nowNs int64) {
	r.Checks.Settle(nowNs)
	if r.Tracker != nil {
		r.Tracker.Follow(r.World, r.Checks.Violations)
	}
}

// Slice processes events until the function done returns true, the instant comes or the budget of simulated requests
// runs out. It subtracts the requests that it used from the budget. It reports whether the run needs no more slices; if
// so, the run has settled.
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

// Outcomes checks the clauses of a run that has settled at an instant.
func (r *Run) Outcomes(nowNs int64) []expect.Outcome {
	if r.Clauses == nil {
		return nil
	}
	return r.Clauses.Outcomes(r.World, &r.Checks, nowNs)
}
