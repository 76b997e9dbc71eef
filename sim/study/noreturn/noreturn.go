// Package noreturn finds the point of no return of a leader change or a violation in slices, for the page. New takes
// a Question, Go does one slice of the work, and Progress returns what the page draws.
//
// Guarantee: the result is the same as package reroll's. Each slice is one of reroll's runs. Non-guarantee: the
// answer is about one change or violation of one run, not about the scenario.
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
	mostHappened = 4               // maximum number of events that a turn names
)

// Search is the search for one answer. It keeps the run that the question is about, so that it can describe what
// happened in the turn.
type Search struct {
	run   *timeline.Run
	study *reroll.Reroll
	under *study.Staged[int64]
	over  bool
	runs  int
}

// Question asks about a change or a violation in a run up to an instant: how many of the futures from some earlier
// instants lead to it?
type Question struct {
	UntilNs int64
	Kind    string
	Number  int
	Runs    int // number of futures per instant
	Points  int // number of instants
}

// New prepares the search in the run of a scenario. It returns an error if the run has no such change or violation.
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
			return nil, fmt.Errorf("the change has no gap of at least a second, so the search has nothing to find")
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

// Go makes one run and reports whether the search is over.
func (s *Search) Go() (over bool) {
	s.over, _ = s.under.Go(1) // a re-roll's plans never return errors
	return s.over
}

// Progress returns the results of the search so far. The search is over when Done equals Of.
func (s *Search) Progress() *protocol.Rerolled {
	o := s.study.Outcome()
	v := &protocol.Rerolled{Done: o.Done, Of: o.Of, Runs: s.runs, Points: []protocol.RerollPoint{},
		Happens: instantOrNil(o.HappensNs), Inevitable: instantOrNil(o.InevitableNs)}
	for _, p := range o.Points {
		v.Points = append(v.Points, protocol.RerollPoint{T: p.AtNs, Hits: p.Hits, Share: p.Share(), Low: p.Low,
			High: p.High})
	}
	if s.over && o.Turn.FromNs < o.Turn.ToNs {
		v.Turn = &protocol.RerollTurn{From: o.Turn.FromNs, To: o.Turn.ToNs, Before: o.Turn.From, After: o.Turn.To,
			Happened: s.eventsIn(o.Turn.FromNs, o.Turn.ToNs)}
	}
	return v
}

// eventsIn returns the events in a span of time that draw a random number or are not routine.
func (s *Search) eventsIn(afterNs, upToNs int64) []protocol.WhyLine {
	at := s.run.At(timeline.Cursor{T: afterNs, N: -1})
	return protocol.WhyLines(reroll.EventsUpTo(at.Run, upToNs, mostHappened))
}

// instantOrNil returns an instant, or nil if the search has none.
func instantOrNil(ns int64) *int64 {
	if ns < 0 {
		return nil
	}
	return &ns
}
