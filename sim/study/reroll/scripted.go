package reroll

import (
	"slices"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
)

// Scripted says that the event happens in every future from the beginning: the scenario decides it, and no draw does.
type Scripted struct {
	// without it the event happens least often: "pause of the holder at 20s"; "" if no act makes a difference
	Act   string
	Point // the futures without the act, from instant 0
}

// triedActs is how many acts are left out, one at a time: the last ones before the event.
const triedActs = 5

// suspect tries what the scenario decides, where the event happens in all futures of all instants: first whether it
// does from the beginning on, if that is not known.
func (r *Reroll) suspect() *futures {
	if r.points[0].AtNs == 0 {
		r.scripted = &Scripted{}
		return r.without()
	}
	r.stage = r.wholly
	return r.futures([]*watched{start(r.setup)}, r.plan.Runs, false)
}

// wholly takes the futures from the beginning.
func (r *Reroll) wholly(f *futures) *futures {
	r.done += f.taken
	if f.points[0].Share() < Inevitable { // a draw before the first instant has decided
		r.stage = nil
		return nil
	}
	r.scripted = &Scripted{}
	return r.without()
}

// without runs the scenario from its beginning without each of its last acts before the event, one at a time.
func (r *Reroll) without() *futures {
	var states []*watched
	all, last := r.plan.Scenario.Actions, triedActs
	for i := len(all) - 1; i >= 0 && last > 0; i-- {
		if int64(all[i].At) > r.happens {
			continue
		}
		last--
		without := r.plan.Scenario.Clone()
		without.Actions = slices.Delete(without.Actions, i, i+1)
		if scenario.Validate(without) == nil { // else a later act needs this one
			r.acts, states = append(r.acts, i), append(states, start(compile.Scenario(without)))
		}
	}
	r.stage = r.tried
	return r.futures(states, r.plan.Runs, false)
}

// tried takes the futures without the acts.
func (r *Reroll) tried(f *futures) *futures {
	r.stage, r.done = nil, r.done+f.taken
	for k, p := range f.points {
		p.Low, p.High = study.Wilson(p.Hits, p.Runs)
		if p.Share() < Inevitable && (r.scripted.Act == "" || p.Share() < r.scripted.Share()) {
			r.scripted = &Scripted{Act: r.plan.Scenario.Actions[r.acts[k]].Phrase(), Point: p}
		}
	}
	return nil
}
