// Package noreturn finds the point of no return of a change of the leader, or of a violation, as the page shows it: a
// slice at a time.
//
// Guarantee: the result is that of package reroll; a slice is one run of it. Non-guarantee: it answers for one change
// or violation of one run, not for the scenario.
package noreturn

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/reroll"
	"github.com/leaselab/leaselab/sim/timeline"
)

const (
	afterNs      = 600_000_000_000 // how long each future continues after the subject of the question
	mostHappened = 4               // the most events that a turn names
)

// Search is the search of one question.
type Search struct {
	run   *timeline.Run
	study *reroll.Reroll
	under *study.Staged[int64]
	over  bool
	runs  int
}

// Question asks about the change or the violation with a number, in a run up to an instant: how many of some futures
// end in it, from each of some instants before it.
type Question struct {
	UntilNs int64
	Kind    string
	Number  int
	Runs    int // futures from each instant
	Points  int // instants
}

// New begins the search for the run of a scenario. It returns an error if the run has no such change or violation.
func New(s scenario.Scenario, q Question) (*Search, error) {
	run := timeline.New(1, s, func() {})
	run.Compute(q.UntilNs)
	at := run.At(timeline.Cursor{T: q.UntilNs, N: -1})
	if err := at.CheckSubject(q.Kind, q.Number); err != nil {
		return nil, err
	}
	var c reroll.Subject
	if q.Kind == timeline.SubjectViolation {
		c = reroll.OfViolation(at.Checks.Violations, q.Number)
	} else {
		var found bool
		if c, found = reroll.OfChange(at.Tracker.Explanations, q.Number); !found {
			return nil, fmt.Errorf("there was no gap of a second: nothing to look for")
		}
	}
	futures, err := reroll.New(reroll.Plan{
		Scenario: s, Event: c.Event, Runs: q.Runs, Points: q.Points, FromNs: c.FromNs, ToNs: c.ToNs, UntilNs: c.ToNs +
			afterNs,
	})
	if err != nil {
		return nil, err
	}
	return &Search{run: run, study: futures, under: study.InStages(futures), runs: q.Runs}, nil
}

// Go makes a run and reports whether the search is over.
func (s *Search) Go() (over bool) {
	s.over, _ = s.under.Go(1) // the plans of a re-roll have no errors
	return s.over
}

// Known returns what is known so far. The search is over when as many runs are done as there are.
func (s *Search) Known() *protocol.Rerolled {
	o := s.study.Outcome()
	v := &protocol.Rerolled{Done: o.Done, Of: o.Of, Runs: s.runs, Points: []protocol.RerollPoint{},
		Happens: known(o.HappensNs), Inevitable: known(o.InevitableNs)}
	for _, p := range o.Points {
		v.Points = append(v.Points, protocol.RerollPoint{T: p.AtNs, Hits: p.Hits, Share: p.Share(), Low: p.Low,
			High: p.High})
	}
	if o.Scripted != nil {
		v.Scripted = &protocol.Scripted{Act: o.Scripted.Act, Share: o.Scripted.Share(), Low: o.Scripted.Low,
			High: o.Scripted.High}
	}
	if s.over && o.Turn.FromNs < o.Turn.ToNs {
		v.Turn = &protocol.RerollTurn{From: o.Turn.FromNs, To: o.Turn.ToNs, Before: o.Turn.From, After: o.Turn.To,
			Happened: s.happened(o.Turn.FromNs, o.Turn.ToNs)}
	}
	return v
}

// happened returns the events of a stretch that draw a random number or are not routine.
func (s *Search) happened(afterNs, upToNs int64) []protocol.WhyLine {
	at := s.run.At(timeline.Cursor{T: afterNs, N: -1})
	return protocol.WhyLines(reroll.Happened(at.Run, upToNs, mostHappened))
}

// known is an instant, nil if there is none.
func known(ns int64) *int64 {
	if ns < 0 {
		return nil
	}
	return &ns
}
