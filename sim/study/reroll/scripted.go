package reroll

import (
	"slices"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
)

// Scripted means that the event happens in every future from the beginning. So the scenario is decisive, and the
// draws are not.
type Scripted struct {
	// without this act the event happens least often: "pause of the holder at 20s"; "" if no act makes a difference
	Act   string
	Point // futures without the act, from instant 0
}

// triedActs is the number of acts to leave out, one at a time. They are the last acts before the event.
const triedActs = 5

// suspect is the next step if the event happens in all futures of all instants. It first finds out whether the event
// also happens in all futures from the beginning of the run, unless that is already known.
func (r *Reroll) suspect() *futures {
	if r.points[0].AtNs == 0 {
		r.scripted = &Scripted{}
		return r.leaveOut()
	}
	r.stage = r.takeWhole
	return r.futures([]*watchedRun{start(r.setup)}, r.plan.Runs, false)
}

// takeWhole processes the futures from the beginning.
func (r *Reroll) takeWhole(f *futures) *futures {
	r.done += f.taken
	if f.points[0].Share() < Inevitable { // so a draw before the first instant was decisive
		r.stage = nil
		return nil
	}
	r.scripted = &Scripted{}
	return r.leaveOut()
}

// leaveOut runs the scenario from its beginning without each of its last acts before the event, one at a time.
func (r *Reroll) leaveOut() *futures {
	var states []*watchedRun
	all, last := r.plan.Scenario.Actions, triedActs
	for i := len(all) - 1; i >= 0 && last > 0; i-- {
		if int64(all[i].At) > r.happens {
			continue
		}
		last--
		without := r.plan.Scenario.Clone()
		without.Actions = slices.Delete(without.Actions, i, i+1)
		if scenario.Validate(without) == nil { // the scenario is not valid if a later act needs this one
			r.acts, states = append(r.acts, i), append(states, start(compile.Scenario(without)))
		}
	}
	r.stage = r.takeWithout
	return r.futures(states, r.plan.Runs, false)
}

// takeWithout processes the futures without these acts.
func (r *Reroll) takeWithout(f *futures) *futures {
	r.stage, r.done = nil, r.done+f.taken
	for k, p := range f.points {
		p.Low, p.High = study.Wilson(p.Hits, p.Runs)
		if p.Share() < Inevitable && (r.scripted.Act == "" || p.Share() < r.scripted.Share()) {
			r.scripted = &Scripted{Act: r.plan.Scenario.Actions[r.acts[k]].Phrase(), Point: p}
		}
	}
	return nil
}
