package lab

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/whatif"
	"github.com/leaselab/leaselab/sim/timeline"
)

// asked is a running study and the question that started it. The page asks the same question again until the answer
// is complete. The question's key contains everything that determines the answer, including the number of the run. So
// a question about a changed branch never gets an old answer.
type asked[T any] struct {
	key   string
	study T
}

// `begin` returns the study of the same question, or starts a new one.
func (a *asked[T]) begin(key string, anew func() (T, error)) (T, error) {
	if a.key == key {
		return a.study, nil
	}
	study, err := anew()
	if err == nil {
		a.key, a.study = key, study
	}
	return study, err
}

// `questions` holds the running studies. Each computes a slice whenever its question arrives again.
type questions struct {
	sweep    asked[*sweep]
	whatIf   asked[*whatif.Counterfactual]
	compared *[2]protocol.ComparedRun // the result of a comparison, until TakeComparedRuns returns it
}

// WhatIf computes one slice of the variants of a leader change or a violation. Each variant has one thing changed.
// Call it again with the same arguments to continue; to cancel, stop calling.
func (l *Lab) WhatIf(kind string, number int) (*protocol.WhatIf, error) {
	c, err := l.counterfactual(kind, number)
	if err != nil {
		return nil, err
	}
	c.Go(sweepRequests)
	if err := c.Err(); err != nil {
		return nil, err
	}
	o := c.Outcome()
	w := &protocol.WhatIf{Done: o.Done, Of: o.Of, Lines: []protocol.WhatIfLine{}}
	w.FailoverNs = OutlookOf(l.Scenario()).FailoverNs
	for k := range o.Lines {
		line := &o.Lines[k]
		w.Lines = append(w.Lines, protocol.WhatIfLine{Number: line.Number, Label: line.Label,
			Sentence: line.Sentence(&o), Effect: line.Effect(&o),
			FailoverNs: OutlookOf(line.Scenario).FailoverNs})
	}
	return w, nil
}

// counterfactual returns the variants of a leader change or a violation. If necessary, it starts them.
func (l *Lab) counterfactual(kind string, number int) (*whatif.Counterfactual, error) {
	return l.asked.whatIf.begin(fmt.Sprint(l.liveRun().ID(), kind, number), func() (*whatif.Counterfactual, error) {
		if err := l.Look().AtLive().CheckSubject(kind, number); err != nil {
			return nil, err
		}
		subject := whatif.Subject{Violation: kind == timeline.SubjectViolation, Number: number}
		return whatif.New(whatif.Plan{Scenario: l.Scenario(), Subject: subject}), nil
	})
}

// Try creates a branch from one of these variants and shows it up to the same instant up to which the session has
// shown the current run. The variant starts at 0 rather than at the leader change, because most variants change
// settings, and settings apply from the beginning.
func (l *Lab) Try(kind string, number, line int) error {
	c, err := l.counterfactual(kind, number)
	if err != nil {
		return err
	}
	for c.Variants() == nil && !c.Go(1) { // compute the branch as far as the session has shown this run
	}
	if all := c.Variants(); line >= 0 && line < len(all) {
		return l.try(&all[line])
	}
	return fmt.Errorf("this question has no variant number %d", line)
}

func (l *Lab) try(v *whatif.Variant) error {
	old := l.history.spec()
	next := &spec{begun: v.Scenario}
	if len(v.Patch) > 0 { // the scenario is still the shipped one with a patch
		next = old.with(old.begun)
		for _, e := range v.Patch {
			var err error
			if next.begun, err = scenario.Set(next.begun, e.Path, e.Value); err != nil {
				return err
			}
			next.change(protocol.PatchEntry(e))
		}
	}
	if err := scenario.Validate(next.whole()); err != nil {
		return err
	}
	label := "with " + v.Label
	cursor, live := l.history.cursor, l.history.live
	l.history.remember(label)
	l.history.newBranch(label, next, 0)
	l.playback.on, l.playback.untilNs = false, 0
	l.history.cursor, l.history.live = timeline.Cursor{N: -1}, timeline.Cursor{N: -1}
	l.dropRuns()
	l.toast = "New branch " + label + ". The original run is kept."
	l.begin(search{toNs: live.T, look: nothing, done: func(timeline.Cursor, bool) {
		l.history.cursor, l.history.live = timeline.Cursor{T: cursor.T, N: -1}, timeline.Cursor{T: live.T, N: -1}
		l.liveRun().Compute(live.T)
	}})
	return nil
}
