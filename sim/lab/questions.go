package lab

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/paired"
	"github.com/leaselab/leaselab/sim/study/reroll"
	"github.com/leaselab/leaselab/sim/study/whatif"
	"github.com/leaselab/leaselab/sim/timeline"
)

// rerollAfterNs is how long each future continues after the subject of the question.
const rerollAfterNs = 600_000_000_000

// asked is a running study and the question that started it.
type asked[T any] struct {
	key   string
	study T
}

// begin returns the study of the same question, or starts a new one.
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

// questions holds the studies under way. Each computes a slice whenever its question is asked again.
type questions struct {
	sweep    asked[*paired.Sweep]
	whatIf   asked[*whatif.Counterfactual]
	reroll   asked[*reroll.Reroll]
	compared *[2]protocol.ComparedRun // the result of a comparison, until Compared returns it
}

// WhatIf computes one slice of the variants of a change or a violation, each with one thing changed. Call it again with
// the same arguments to continue; to cancel, stop calling.
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
	for k := range o.Lines {
		line := &o.Lines[k]
		w.Lines = append(w.Lines, protocol.WhatIfLine{Number: line.Number, Label: line.Label, Sentence: line.Sentence(&o), Effect: line.Effect(&o)})
	}
	return w, nil
}

// counterfactual returns the variants of a change or a violation, and starts them if necessary.
func (l *Lab) counterfactual(kind string, number int) (*whatif.Counterfactual, error) {
	return l.asked.whatIf.begin(fmt.Sprint(l.run().ID(), kind, number), func() (*whatif.Counterfactual, error) {
		if err := l.Look().AtLive().CheckSubject(kind, number); err != nil {
			return nil, err
		}
		subject := whatif.Subject{Violation: kind == timeline.SubjectViolation, Number: number}
		return whatif.New(whatif.Plan{Scenario: l.Scenario(), Subject: subject}), nil
	})
}

// Try creates a branch from one of these variants and shows it as far as the present run has been shown.
func (l *Lab) Try(kind string, number, line int) error {
	c, err := l.counterfactual(kind, number)
	if err != nil {
		return err
	}
	for c.Variants() == nil && !c.Go(1) { // as far as this run has been shown, once more
	}
	if all := c.Variants(); line >= 0 && line < len(all) {
		return l.try(&all[line])
	}
	return fmt.Errorf("there is no run number %d with something changed", line)
}

func (l *Lab) try(v *whatif.Variant) error {
	old := l.history.spec()
	next := &spec{begun: v.Scenario}
	if len(v.Patch) > 0 { // still the shipped scenario with a patch
		next = &spec{base: old.base, patch: append([]protocol.PatchEntry(nil), old.patch...), begun: old.begun, actions: old.actions, sources: old.sources}
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
		l.run().Compute(live.T)
	}})
	return nil
}

// Reroll computes one slice of the search for the point of no return of a change or a violation. Call it again with the
// same arguments to continue.
func (l *Lab) Reroll(kind string, number, runs, points int) (*protocol.Rerolled, error) {
	r, err := l.asked.reroll.begin(fmt.Sprint(l.run().ID(), kind, number, runs, points), func() (*reroll.Reroll, error) {
		return l.newReroll(kind, number, runs, points)
	})
	if err != nil {
		return nil, err
	}
	over := r.Go(sweepRequests)
	o := r.Outcome()
	v := &protocol.Rerolled{Done: o.Done, Of: o.Of, Runs: runs, Points: []protocol.RerollPoint{}, Happens: known(o.HappensNs), Inevitable: known(o.InevitableNs)}
	for _, p := range o.Points {
		v.Points = append(v.Points, protocol.RerollPoint{T: p.AtNs, Hits: p.Hits, Share: p.Share(), Low: p.Low, High: p.High})
	}
	if o.Scripted != nil {
		v.Scripted = &protocol.Scripted{Act: o.Scripted.Act, Share: o.Scripted.Share(), Low: o.Scripted.Low, High: o.Scripted.High}
	}
	if over && o.Turn.FromNs < o.Turn.ToNs {
		v.Turn = &protocol.RerollTurn{From: o.Turn.FromNs, To: o.Turn.ToNs, Before: o.Turn.From, After: o.Turn.To, Happened: l.happened(o.Turn.FromNs, o.Turn.ToNs)}
	}
	return v, nil
}

func (l *Lab) newReroll(kind string, number, runs, points int) (*reroll.Reroll, error) {
	s := l.Look().AtLive()
	if err := s.CheckSubject(kind, number); err != nil {
		return nil, err
	}
	var c reroll.Subject
	if kind == timeline.SubjectViolation {
		c = reroll.OfViolation(s.Checks.Violations, number)
	} else {
		var ok bool
		if c, ok = reroll.OfChange(s.Tracker.Explanations, number); !ok {
			return nil, fmt.Errorf("there was no gap of a second: nothing to look for")
		}
	}
	return reroll.New(reroll.Plan{
		Scenario: l.Scenario(), Event: c.Event, Runs: runs, Points: points, FromNs: c.FromNs, ToNs: c.ToNs, UntilNs: c.ToNs + rerollAfterNs,
	})
}

// mostHappened is the maximum number of events that a turn names.
const mostHappened = 4

// happened returns the events of a stretch that draw a random number or are not routine.
func (l *Lab) happened(afterNs, upToNs int64) []protocol.WhyLine {
	r := l.run()
	s := r.At(timeline.Cursor{T: afterNs, N: -1})
	all := reroll.Happened(s.Run, upToNs, mostHappened)
	return protocol.WhyLines(all)
}
