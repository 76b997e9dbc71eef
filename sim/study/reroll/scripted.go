package reroll

import (
	"slices"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/world"
)

// Scripted says that the event happens in every future from the beginning: the scenario decides it, and no draw does.
type Scripted struct {
	Act   string // without it the event happens least often: "pause of the holder at 20s"; "" if no act makes a difference
	Point        // the futures without the act, from instant 0
}

// triedActs is how many acts are left out, one at a time: the last ones before the event.
const triedActs = 5

// trial runs the scenario from its beginning without one act at a time.
type trial struct {
	scenario scenario.Scenario
	acts     []int        // to leave out; whole: none
	setup    *world.Setup // of the scenario without the first of acts; nil: not made yet
	point    Point
	future   *watched
	done     int // futures
	over     bool
	scripted *Scripted
}

// whole stands for the scenario with all its acts.
const whole = -1

// newTrial tries the acts before an instant. known: that the event happens from the beginning on is known.
func newTrial(s scenario.Scenario, beforeNs int64, known bool) *trial {
	t := &trial{scenario: s}
	for i := len(s.Actions) - 1; i >= 0 && len(t.acts) < triedActs; i-- {
		if int64(s.Actions[i].At) <= beforeNs {
			t.acts = append(t.acts, i)
		}
	}
	if known {
		t.scripted = &Scripted{}
	} else {
		t.acts = append([]int{whole}, t.acts...)
	}
	return t
}

// try goes on with the trial for about so many simulated requests. It ends the search if the scenario decides.
func (r *Reroll) try(requests *int64) {
	t := r.trial
	if len(t.acts) == 0 {
		t.over, r.over = true, true
		return
	}
	if t.setup == nil {
		without := t.scenario.Clone()
		if t.acts[0] != whole {
			without.Actions = slices.Delete(without.Actions, t.acts[0], t.acts[0]+1)
		}
		if scenario.Validate(without) != nil { // a later act needs this one
			t.acts = t.acts[1:]
			return
		}
		t.setup, t.point = compile.Scenario(without), Point{}
	}
	if t.future == nil {
		t.future = start(t.setup)
		t.future.World.Reseed(uint64(t.point.Runs) + 1)
		*requests -= cloneRequests
	}
	f := t.future
	before := f.World.Counts().Requests
	happens := f.runTo(r.plan.UntilNs, r.plan.Event, before+max(*requests, 1))
	*requests -= f.World.Counts().Requests - before
	if !happens && !f.ended {
		return
	}
	t.future, t.done = nil, t.done+1
	t.point.Runs++
	if happens {
		t.point.Hits++
	}
	if t.point.Runs == r.plan.Runs {
		t.tried()
	}
}

// tried takes the futures without an act.
func (t *trial) tried() {
	act := t.acts[0]
	t.acts, t.setup = t.acts[1:], nil
	t.point.Low, t.point.High = study.Wilson(t.point.Hits, t.point.Runs)
	switch {
	case act == whole && t.point.Share() < Inevitable:
		t.over = true // a draw before the first instant has decided
	case act == whole:
		t.scripted = &Scripted{}
	case t.point.Share() < Inevitable && (t.scripted.Act == "" || t.point.Share() < t.scripted.Share()):
		t.scripted = &Scripted{Act: t.scenario.Actions[act].Phrase(), Point: t.point}
	}
}
