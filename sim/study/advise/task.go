package advise

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/study/grid"
)

// Task describes some runs of one setting, as JSON. Any adviser with the same scenario and goals can make these runs,
// at any stage.
type Task struct {
	Setting Setting `json:"setting"`
	Probes  []uint8 `json:"probes"`
	Seeds   int     `json:"seeds"` // number of seeds for each probe
	From    int     `json:"from"`  // first run, counted within the setting
	Runs    int     `json:"runs"`
}

// Task returns at most `most` runs of the stage: the run with the given number and the following runs of the same
// setting. Because a task has only one setting, a worker compiles the scenario only once.
func (a *Adviser) Task(number, most int) Task {
	ofSetting := len(a.probes) * a.plan.Seeds
	t := Task{Setting: a.settings[a.stage[number/ofSetting]], Seeds: a.plan.Seeds, From: number % ofSetting}
	t.Runs = min(most, ofSetting-t.From)
	for _, p := range a.probes {
		t.Probes = append(t.Probes, uint8(p))
	}
	return t
}

// Make makes the runs of a task. It first checks the task, which may come from another process.
func (a *Adviser) Make(t Task) ([]grid.Run, error) {
	var all []grid.Combination
	for _, p := range t.Probes {
		if p >= uint8(noProbe) {
			return nil, fmt.Errorf("unknown probe %d", p)
		}
		c, err := grid.With(a.base, probe(p).changes(&t.Setting, a.goals))
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	plan := grid.NewPlan(all, 1, t.Seeds)
	if t.From < 0 || t.Runs < 0 || t.From+t.Runs > plan.Runs() {
		return nil, fmt.Errorf("the setting has %d runs, not %d from run %d on", plan.Runs(), t.Runs, t.From)
	}
	runs := make([]grid.Run, t.Runs)
	for i := range runs {
		runs[i] = plan.Run(t.From + i)
	}
	return runs, nil
}
