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

// mostSteps is how many steps a run may take for each second of its virtual time and each of its nodes: a hundred times
// what one takes.
const mostSteps = 10_000

// Trial is one run of a hunt, or the shrinking of what one found. Trials of a round are independent of each other.
type Trial struct {
	hunt     *Hunt
	place    place
	schedule schedule
	drawn    bool // schedule is that of the trial
	shrinks  *found

	// Under way.
	run    *run.Run
	steps  int64
	shrink *shrink.Shrink
	over   bool

	// The result.
	hash     trace.Hash
	scenario scenario.Scenario
	looker   looker
	failures []failure.Failure
	happened []string // in the run
	causes   []string
	crash    string
}

// Go goes on for about so many simulated requests and reports whether the trial is over. A panic of the engine is a
// failure that the trial has found.
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

// broke ends a trial with a failure of the engine.
func (t *Trial) broke(rule, why string) {
	t.over, t.crash = true, why
	t.failures = append(t.failures, failure.Failure{Rule: rule, Causes: []string{why}})
	if t.shrinks != nil {
		t.scenario, t.causes = t.shrinks.Scenario, []string{why}
	}
}

// draw draws the faults of a run, unless they are there.
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

// judge explains a run that broke a rule: its causes say whether the failure is known.
func (t *Trial) judge() {
	c := &t.run.Checks
	t.hash, t.run = t.run.World.Hash(), nil
	if failure.Worst(c, t.demanded) < 0 {
		return
	}
	var r *run.Run
	r, t.happened = failure.Happened(t.scenario)
	t.failures = failure.Of(r, t.demanded)
}

// demanded reports whether a violation counts. A time without a leader does if the scenario states its bound, or if no
// fault was in force, began or ended in it up to its bound: under faults a hunt only watches for safety. A process that
// is down all the while is no excuse: the others are there.
func (t *Trial) demanded(v *check.Violation) bool {
	if v.Rule != rules.LeaderlessTooLong || t.hunt.ground.base.Bounds.Leaderless != 0 {
		return true
	}
	sinceNs := v.Number
	within := func(ns int64) bool { return ns > sinceNs && ns <= v.FromNs }
	return !slices.ContainsFunc(t.scenario.Actions, func(a scenario.Action) bool {
		from, until := int64(a.At), int64(a.At+a.For)
		switch a.Act {
		case scenario.ActCrash, scenario.ActStop:
			return within(from) || within(until)
		}
		return within(from) || from <= sinceNs && until > sinceNs
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
			// the story of a missing leader only tells what happened last, which changes as acts go
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
	r, _ := failure.Happened(t.scenario)
	for _, one := range failure.Of(r, func(v *check.Violation) bool { return v.Rule == f.Failure.Rule }) {
		t.causes = one.Causes
		break
	}
	return true
}

// Found is the scenario of a run that is over, its number from 1, and the failures in it. ok is false for a trial that
// shrinks.
func (t *Trial) Found() (number int, s scenario.Scenario, failures []failure.Failure, ok bool) {
	return t.place.run, t.scenario, t.failures, t.over && t.shrinks == nil
}
