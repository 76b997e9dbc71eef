package hunt

import (
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/failure"
	"github.com/leaselab/leaselab/sim/trace"
)

// place identifies a trial of a hunt.
type place struct {
	run    int // number from 1; for a shrink, the number of runs taken before it
	shrink int // number from 1 among the failures of the previous round; 0 if the trial is a run
}

// Task is a trial as JSON. Any hunt with the same plan can make the trial, whatever that hunt has done so far. So a
// task contains the faults and not only a number: the faults depend on the corpus, which only the owner of the hunt
// has.
type Task struct {
	Run      int       `json:"run"`
	Shrink   int       `json:"shrink,omitempty"`
	Schedule *schedule `json:"schedule,omitempty"`
	Found    *found    `json:"found,omitempty"`
}

// Record is the result of a trial as JSON.
type Record struct {
	Run      int                `json:"run"`
	Shrink   int                `json:"shrink,omitempty"`
	Hash     trace.Hash         `json:"hash,string"`
	Features []feature          `json:"features,omitempty"` // features that no run of an earlier round had
	Led      []span             `json:"led,omitempty"`
	Silent   []span             `json:"silent,omitempty"`
	Failures []failure.Failure  `json:"failures,omitempty"`
	Happened []string           `json:"happened,omitempty"`
	Scenario *scenario.Scenario `json:"scenario,omitempty"` // after shrinking
	Causes   []string           `json:"causes,omitempty"`
	Crash    string             `json:"crash,omitempty"`
}

// Know stores the result of a trial of a later round. Round will return that trial as finished.
func (h *Hunt) Know(r Record) { h.known[place{r.Run, r.Shrink}] = r }

// fillKnown gives a trial its result if Know has stored one.
func (h *Hunt) fillKnown(t *Trial) *Trial {
	r, is := h.known[t.place]
	if !is {
		return t
	}
	delete(h.known, t.place)
	t.Put(r)
	return t
}

// Over reports whether the trial has its result.
func (t *Trial) Over() bool { return t.over }

// Shrinks reports whether the trial shrinks a failure instead of making a run.
func (t *Trial) Shrinks() bool { return t.shrinks != nil }

// Task returns the data that another hunt needs to make the trial.
func (t *Trial) Task() Task {
	if t.shrinks != nil {
		return Task{Run: t.place.run, Shrink: t.place.shrink, Found: t.shrinks}
	}
	t.draw()
	return Task{Run: t.place.run, Schedule: &t.schedule}
}

// Trial returns the trial of a task.
func (h *Hunt) Trial(task Task) (*Trial, error) {
	t := &Trial{hunt: h, place: place{task.Run, task.Shrink}, shrinks: task.Found}
	if t.drawn = task.Schedule != nil; t.drawn {
		t.schedule = *task.Schedule
	}
	if t.drawn == (t.shrinks != nil) {
		return nil, fmt.Errorf("task %d must have a schedule or a failure", task.Run)
	}
	return t, nil
}

// Record returns the result of a finished trial.
func (t *Trial) Record() Record {
	r := Record{Run: t.place.run, Shrink: t.place.shrink, Hash: t.hash, Failures: t.failures, Happened: t.happened,
		Causes: t.causes, Crash: t.crash}
	if t.shrinks != nil {
		r.Scenario = &t.scenario
		return r
	}
	for _, f := range t.looker.features {
		if _, known := t.hunt.features[f]; !known {
			r.Features = append(r.Features, f)
		}
	}
	if len(r.Features) > 0 {
		r.Led, r.Silent = t.looker.led, t.looker.silent
	}
	return r
}

// Put stores the result of a trial that another worker made from this trial's task.
func (t *Trial) Put(r Record) {
	t.over = true
	t.hash, t.failures, t.happened, t.causes, t.crash = r.Hash, r.Failures, r.Happened, r.Causes, r.Crash
	if t.shrinks != nil {
		if r.Scenario != nil {
			t.scenario = *r.Scenario
		}
		return
	}
	t.looker = looker{features: slices.Clone(r.Features), led: r.Led, silent: r.Silent}
	if len(r.Features) > 0 || len(r.Failures) > 0 { // only for such a run does the hunt need the faults
		t.draw()
		t.scenario = t.hunt.ground.scenario(&t.schedule)
	}
}
