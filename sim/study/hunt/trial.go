package hunt

import (
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/failure"
	"github.com/leaselab/leaselab/sim/study/shrink"
	"github.com/leaselab/leaselab/sim/trace"
)

// mostSteps limits the steps of a run per second of virtual time and per node, to a hundred times the usual number. A
// run with more steps is stuck in a loop at one instant. That is a bug of the engine, which the hunt reports as the
// failure noEnd.
const mostSteps = 10_000

// Trial is one run of a hunt, or the shrinking of a failure. Trials of a round are independent of each other.
type Trial struct {
	hunt     *Hunt
	place    place
	schedule schedule
	drawn    bool // the trial has its schedule
	shrinks  *found

	// In progress.
	run    *run.Run
	steps  int64
	shrink *shrink.Shrink
	over   bool

	// The result.
	hash     trace.Hash
	scenario scenario.Scenario
	looker   looker
	failures []failure.Failure
	happened []string // events of the run
	causes   []string
	crash    string
}

// Go makes about as many simulated requests as the argument says, and returns true if the trial is over. A panic of
// the engine counts as a failure.
func (t *Trial) Go(requests int64) (over bool) {
	if t.over {
		return true
	}
	defer func() {
		if cause := recover(); cause != nil {
			t.broke(Crashed, fmt.Sprint(cause))
			over = true
		}
	}()
	if t.shrinks != nil {
		t.over = t.goShrink(requests)
	} else {
		t.over = t.goRun(requests)
	}
	return t.over
}

// `broke` ends a trial with a failure of the engine.
func (t *Trial) broke(rule, why string) {
	t.over, t.crash = true, why
	t.failures = append(t.failures, failure.Failure{Rule: rule, Causes: []string{why}})
	if t.shrinks != nil {
		t.scenario, t.causes = t.shrinks.Scenario, []string{why}
	}
}

// `draw` draws the faults of a run, unless it already has them.
func (t *Trial) draw() {
	if !t.drawn {
		t.schedule, t.drawn = t.hunt.draw(t.place.run-1), true
	}
}

func (t *Trial) goRun(requests int64) bool {
	if t.run == nil {
		t.draw()
		t.scenario = t.hunt.ground.scenario(&t.schedule)
		t.run = run.Plain(t.scenario)
	}
	w := t.run.World
	most := mostSteps * (t.run.EndNs()/1e9 + 1) * int64(w.Nodes()+1)
	for limit := w.Counts().Requests + requests; w.Counts().Requests < limit; {
		if !t.run.Step(t.run.EndNs(), nil) {
			t.run.Settle(t.run.EndNs())
			t.judge()
			return true
		}
		t.looker.look(w)
		if t.steps++; t.steps > most {
			t.broke(NoEnd, fmt.Sprintf("%d steps, and the run is at %d ns of %d ns", t.steps, w.Now(), t.run.EndNs()))
			return true
		}
	}
	return false
}

// judge repeats a run that broke a rule, this time with explanations. The causes show whether the failure is new.
func (t *Trial) judge() {
	c := &t.run.Checks
	t.hash, t.run = t.run.World.Hash(), nil
	if failure.Worst(c, t.counts) < 0 {
		return
	}
	var r *run.Run
	r, t.happened = failure.RunCauses(t.scenario)
	t.failures = failure.Of(r, t.counts)
}

// `counts` reports whether a violation counts. Time without a leader counts if the scenario sets the bound. Otherwise
// it counts only if, up to the bound, no fault was in effect, began or ended, because during faults a hunt checks
// only safety. A process that is down all the time does not count as such a fault, because the other processes run.
func (t *Trial) counts(v *check.Violation) bool {
	if v.Rule != rules.LeaderlessTooLong || t.hunt.ground.base.Bounds.Leaderless != 0 {
		return true
	}
	sinceNs := v.Number
	isInside := func(ns int64) bool { return ns > sinceNs && ns <= v.FromNs }
	return !slices.ContainsFunc(t.scenario.Actions, func(a scenario.Action) bool {
		from, until := int64(a.At), int64(a.At+a.For)
		switch a.Act {
		case scenario.ActCrash, scenario.ActStop:
			return isInside(from) || isInside(until)
		}
		return isInside(from) || from <= sinceNs && until > sinceNs
	})
}

func (t *Trial) goShrink(requests int64) bool {
	f := t.shrinks
	if f.Crash != "" || t.hunt.plan.Whole {
		t.scenario, t.causes, t.crash = f.Scenario, f.Failure.Causes, f.Crash
		if f.Crash == "" {
			t.scenario.Expect = shrink.Expectations(t.scenario, f.Failure.Rule)
		}
		return true
	}
	if t.shrink == nil {
		p := shrink.Plan{Scenario: f.Scenario, Rule: f.Failure.Rule}
		if f.Failure.Severity == rules.Safety {
			// a missing leader's story has only the latest causes, and these change when the shrink removes acts
			p.Causes = append(slices.Clip(f.Failure.Causes), f.Happened...)
		}
		var err error
		if t.shrink, err = shrink.New(p); err != nil {
			panic(err) // the rule is one that a run broke
		}
	}
	if !t.shrink.Go(requests) {
		return false
	}
	t.scenario = t.shrink.Outcome().Scenario
	r, _ := failure.RunCauses(t.scenario)
	for _, one := range failure.Of(r, func(v *check.Violation) bool { return v.Rule == f.Failure.Rule }) {
		t.causes = one.Causes
		break
	}
	return true
}
