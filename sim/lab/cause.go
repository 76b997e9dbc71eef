package lab

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/check"
	whole "github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/reroll"
	"github.com/leaselab/leaselab/sim/study/whatif"
)

// Cause: Why something came about: a change of leader with its gap, or a violation. Every part and every sentence opens its event.
type Cause struct {
	Run     int        `json:"run"`
	Kind    string     `json:"kind"`   // "change" | "violation"
	Number  int        `json:"number"` // index among the changes, or the violations
	Title   string     `json:"title"`
	Cursor  Cursor     `json:"cursor"`
	Parts   []Addend   `json:"parts"`  // of the gap, or of the violation's length
	Chain   []Addend   `json:"chain"`  // change: the new leader's whole way, from the last renewal it saw
	Ending  []Addend   `json:"ending"` // change: the leader before, since it last renewed
	Story   []WhyLine  `json:"story"`
	Bound   string     `json:"bound"`   // what a re-roll would count: "more than one active worker", "nobody leads for more than 14 s"
	Subject []CauseRef `json:"subject"` // everything there is to ask about, up to the edge
}

// CauseRef: Something to ask about.
type CauseRef struct {
	Kind   string `json:"kind"`
	Number int    `json:"number"`
	Rule   string `json:"rule"` // of a violation, "" of a change
	Title  string `json:"title"`
	Cursor Cursor `json:"cursor"`
}

// WhatIf: How it would have gone with one thing changed: runs of the same seed, what leaves least of the gap or the violation first.
type WhatIf struct {
	Done  int          `json:"done"` // runs so far
	Of    int          `json:"of"`
	Lines []WhatIfLine `json:"lines"`
}

// WhatIfLine: One of these runs.
type WhatIfLine struct {
	Number   int    `json:"number"`   // for trying it
	Label    string `json:"label"`    // "releaseOnCancel"
	Sentence string `json:"sentence"` // "releaseOnCancel: 2.100 s, 11.900 s shorter"
	Effect   string `json:"effect"`   // "better" | "same" | "worse"
}

// Rerolled: Futures of instants of the run with fresh randomness: in how many of them it comes to the same.
type Rerolled struct {
	Done       int           `json:"done"` // futures so far
	Of         int           `json:"of"`
	Runs       int           `json:"runs"` // futures of each instant
	Happens    *int64        `json:"happens,omitempty"`
	Inevitable *int64        `json:"inevitable,omitempty"` // from here on at least 99 % of the futures end so; absent: never, or not known yet
	Points     []RerollPoint `json:"points"`
	Turn       *RerollTurn   `json:"turn,omitempty"`
}

// RerollPoint: One instant.
type RerollPoint struct {
	T     int64   `json:"t"`
	Hits  int     `json:"hits"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"` // the 95 % interval
	High  float64 `json:"high"`
}

// RerollTurn: Where the curve moves most, and what happened there.
type RerollTurn struct {
	From     int64     `json:"from"`
	To       int64     `json:"to"`
	Before   float64   `json:"before"` // shares
	After    float64   `json:"after"`
	Happened []WhyLine `json:"happened"`
}

const (
	kindChange     = "change"
	kindViolation  = "violation"
	subjects       = 60 // the latest ones are offered
	rerollBeforeNs = int64(120_000_000_000)
	rerollAfterNs  = int64(600_000_000_000)
)

// wondering is what is being run again for an answer, and what it was asked for.
type wondering struct {
	key    string
	whatIf *whatif.Counterfactual
	reroll *reroll.Reroll
	rolled string
}

// stateAtEdge is the run as far as it has been shown.
func (l *Lab) stateAtEdge() *state {
	r := l.run()
	r.compute(l.edge.T, stepBudget)
	s := r.stateAt(l.edge, nil)
	s.settle(l.edge.T)
	return s
}

// Cause explains a change of leader or a violation, as far as it has been shown.
func (l *Lab) Cause(kind string, number int) (*Cause, error) {
	s := l.stateAtEdge()
	c := &Cause{Run: l.run().id, Kind: kind, Number: number, Parts: []Addend{}, Chain: []Addend{}, Ending: []Addend{}, Story: []WhyLine{}, Subject: l.subjects(s)}
	switch {
	case kind == kindChange && number >= 0 && number < len(s.tracker.Explanations):
		e := &s.tracker.Explanations[number]
		c.Title, c.Cursor = changeTitle(e), cursorOf(e.LeadsAt)
		c.Parts, c.Chain, c.Ending = addendsOf(e.Parts), addendsOf(e.Chain), addendsOf(e.Ending)
		c.Story = whyLines(e.Story)
	case kind == kindViolation && number >= 0 && number < len(s.checks.Violations):
		v := &s.checks.Violations[number]
		story := s.tracker.Unended(s.world, number, v, l.edge.T)
		c.Title, c.Cursor = l.violationTitle(s, v), violationAt(v)
		c.Parts, c.Story = addendsOf(story.Parts), whyLines(story.Lines)
	default:
		return nil, noSubject(kind, number)
	}
	if event, ok := l.eventOf(s, kind, number); ok {
		c.Bound = event.words(s)
	}
	return c, nil
}

func noSubject(kind string, number int) error {
	if kind != kindChange && kind != kindViolation {
		return &scenario.FieldError{Path: "kind", Value: kind, Rule: "change or violation", Message: fmt.Sprintf("kind %q must be change or violation", kind)}
	}
	return fmt.Errorf("there is no %s number %d so far", kind, number)
}

func changeTitle(e *explain.Explanation) string {
	to := e.ToName
	switch {
	case e.FromNs == e.ToNs:
		return fmt.Sprintf("%s led at %s, while somebody else was still active.", to, explain.Instant(e.ToNs))
	case e.From < 0:
		return fmt.Sprintf("%s led first, at %s.", to, explain.Instant(e.ToNs))
	}
	return fmt.Sprintf("Nobody led for %s, until %s did at %s.", explain.Seconds(e.ToNs-e.FromNs), to, explain.Instant(e.ToNs))
}

func (l *Lab) violationTitle(s *state, v *check.Violation) string {
	until := v.UntilNs
	if until < 0 {
		until = l.edge.T
	}
	_, text := describe(s.world, v, until-v.FromNs)
	return text
}

// violationAt is where a violation begins; time alone breaks a rule after all of an instant.
func violationAt(v *check.Violation) Cursor {
	if v.Ordinal == 0 {
		return Cursor{T: v.FromNs, N: -1}
	}
	return Cursor{T: v.FromNs, N: v.Ordinal}
}

// subjects are the changes and violations so far, in order of time.
func (l *Lab) subjects(s *state) []CauseRef {
	all := []CauseRef{}
	changes, violations := s.tracker.Explanations, s.checks.Violations
	i, k := max(0, len(changes)-subjects), max(0, len(violations)-subjects)
	for i < len(changes) || k < len(violations) {
		if k == len(violations) || i < len(changes) && changes[i].ToNs <= violations[k].FromNs {
			e := &changes[i]
			all = append(all, CauseRef{Kind: kindChange, Number: i, Title: changeTitle(e), Cursor: cursorOf(e.LeadsAt)})
			i++
			continue
		}
		v := &violations[k]
		all = append(all, CauseRef{Kind: kindViolation, Number: k, Rule: v.Rule, Title: l.violationTitle(s, v), Cursor: violationAt(v)})
		k++
	}
	return all
}

// addendsOf are parts, shown so that they add up.
func addendsOf(parts []explain.Part) []Addend {
	return addends(&explain.Explanation{Parts: parts})
}

func whyLines(lines []explain.Line) []WhyLine {
	all := make([]WhyLine, len(lines))
	for i, line := range lines {
		all[i] = WhyLine{Text: line.Text, Cursor: cursorOf(line.Event)}
	}
	return all
}

// WhatIf does one slice of running a change or a violation again with one thing changed at a time. Asked the same again it
// goes on; not asking again is how to cancel.
func (l *Lab) WhatIf(kind string, number int) (*WhatIf, error) {
	c, err := l.wondered(kind, number)
	if err != nil {
		return nil, err
	}
	c.Go(sweepRequests)
	if err := c.Err(); err != nil {
		return nil, err
	}
	o := c.Outcome()
	w := &WhatIf{Done: o.Done, Of: o.Of, Lines: []WhatIfLine{}}
	for k := range o.Lines {
		line := &o.Lines[k]
		w.Lines = append(w.Lines, WhatIfLine{Number: line.Number, Label: line.Label, Sentence: line.Sentence(&o), Effect: line.Effect(&o)})
	}
	return w, nil
}

// wondered is the runs with something changed, begun if they are not.
func (l *Lab) wondered(kind string, number int) (*whatif.Counterfactual, error) {
	key := fmt.Sprint(l.run().id, kind, number)
	if l.wonder.key != key || l.wonder.whatIf == nil {
		if _, err := l.Cause(kind, number); err != nil {
			return nil, err
		}
		plan := whatif.Plan{Scenario: l.Scenario(), Subject: whatif.Subject{Violation: kind == kindViolation, Number: number}}
		l.wonder.key, l.wonder.whatIf = key, whatif.New(plan)
	}
	return l.wonder.whatIf, nil
}

// Try makes a branch of one of these runs and shows it as far as this one has been shown.
func (l *Lab) Try(kind string, number, line int) error {
	c, err := l.wondered(kind, number)
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
	old := l.spec()
	next := &spec{begun: v.Scenario}
	if len(v.Patch) > 0 { // still the shipped scenario, with knobs changed
		next = &spec{base: old.base, patch: append([]PatchEntry(nil), old.patch...), begun: old.begun, actions: old.actions, sources: old.sources}
		for _, e := range v.Patch {
			var err error
			if next.begun, err = scenario.Set(next.begun, e.Path, e.Value); err != nil {
				return err
			}
			next.change(PatchEntry(e))
		}
	}
	if err := scenario.Validate(next.whole()); err != nil {
		return err
	}
	label := "with " + v.Label
	cursor, edge := l.cursor, l.edge
	l.remember(label)
	l.newBranch(label, next, 0)
	l.playing, l.until = false, 0
	l.cursor, l.edge = Cursor{N: -1}, Cursor{N: -1}
	l.dropRuns()
	l.toast = "New branch " + label + ". The old run is kept."
	l.begin(search{toNs: edge.T, look: nothing, done: func(Cursor, bool) {
		l.cursor, l.edge = Cursor{T: cursor.T, N: -1}, Cursor{T: edge.T, N: -1}
		l.compute(edge.T)
	}})
	return nil
}

// counted is what a re-roll counts.
type counted struct {
	reroll.Event
	fromNs, toNs int64
	violation    *check.Violation
}

func (c *counted) words(s *state) string {
	if c.violation != nil {
		rule, _ := describe(s.world, c.violation, 0)
		return rule
	}
	return fmt.Sprintf("nobody leads for more than %d s", c.LeaderlessNs/1e9)
}

// eventOf is what a re-roll counts for a change or a violation: the same rule broken again, or a gap that is longer than
// this one's whole seconds. ok is false for a change without a gap of a second.
func (l *Lab) eventOf(s *state, kind string, number int) (c counted, ok bool) {
	if kind == kindViolation {
		v := &s.checks.Violations[number]
		c = counted{Event: reroll.Event{Rule: v.Rule}, fromNs: max(0, v.FromNs-rerollBeforeNs), toNs: v.FromNs, violation: v}
		for k := range s.checks.Violations[:number] {
			if before := &s.checks.Violations[k]; before.Rule == v.Rule {
				c.AfterNs, c.fromNs = before.FromNs+1, max(c.fromNs, before.FromNs+1)
			}
		}
		return c, true
	}
	e := &s.tracker.Explanations[number]
	bound := (e.ToNs - e.FromNs) / 1e9 * 1e9
	if e.From < 0 || bound == 0 {
		return c, false
	}
	before := s.tracker.Explanations[number-1].ToNs
	c = counted{Event: reroll.Event{LeaderlessNs: bound, AfterNs: before}, fromNs: max(before, e.FromNs-rerollBeforeNs), toNs: e.ToNs}
	return c, true
}

// Reroll does one slice of finding the point of no return of a change or a violation.
func (l *Lab) Reroll(kind string, number, runs, points int) (*Rerolled, error) {
	key := fmt.Sprint(l.run().id, kind, number, runs, points)
	if l.wonder.rolled != key || l.wonder.reroll == nil {
		s := l.stateAtEdge()
		if kind == kindChange && (number < 0 || number >= len(s.tracker.Explanations)) || kind == kindViolation && (number < 0 || number >= len(s.checks.Violations)) || kind != kindChange && kind != kindViolation {
			return nil, noSubject(kind, number)
		}
		c, ok := l.eventOf(s, kind, number)
		if !ok {
			return nil, fmt.Errorf("there was no gap of a second: nothing to look for")
		}
		r, err := reroll.New(reroll.Plan{
			Scenario: l.Scenario(), Event: c.Event, Runs: runs, Points: points, FromNs: c.fromNs, ToNs: c.toNs, UntilNs: c.toNs + rerollAfterNs,
		})
		if err != nil {
			return nil, err
		}
		l.wonder.rolled, l.wonder.reroll = key, r
	}
	r := l.wonder.reroll
	over := r.Go(sweepRequests)
	o := r.Outcome()
	v := &Rerolled{Done: o.Done, Of: o.Of, Runs: runs, Points: []RerollPoint{}, Happens: known(o.HappensNs), Inevitable: known(o.InevitableNs)}
	for _, p := range o.Points {
		v.Points = append(v.Points, RerollPoint{T: p.AtNs, Hits: p.Hits, Share: p.Share(), Low: p.Low, High: p.High})
	}
	if over && o.Turn.FromNs < o.Turn.ToNs {
		v.Turn = &RerollTurn{From: o.Turn.FromNs, To: o.Turn.ToNs, Before: o.Turn.From, After: o.Turn.To, Happened: l.happened(o.Turn.FromNs, o.Turn.ToNs)}
	}
	return v, nil
}

// mostHappened is how many events are named at a turn: where there are more, it is no instant.
const mostHappened = 4

// happened are the events after an instant and up to another that draw something or are not routine.
func (l *Lab) happened(afterNs, upToNs int64) []WhyLine {
	r := l.run()
	s := r.stateAt(Cursor{T: afterNs, N: -1}, nil)
	all := reroll.Happened(&whole.Run{World: s.world, Checks: s.checks, Tracker: &s.tracker}, upToNs, mostHappened)
	return whyLines(all)
}
