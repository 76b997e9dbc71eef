// Package whatif runs a scenario again with one thing changed, for each of a fixed list of things, and ranks them
// by the result for one leader change or one violation: what would have changed it?
//
// Guarantee: the list is a function of the scenario, its seed and what is asked about, however the work was sliced.
// Each line is a run of the same engine with the same seed, not an estimate. Non-guarantee: one run with one seed; a
// shorter gap here is no promise for others. Two changes may help together where neither does alone.
package whatif

import (
	"cmp"
	"fmt"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// Subject is what is asked about: a change of leader by its number, or a violation.
type Subject struct {
	Violation bool
	Number    int
}

// Plan says what to run.
type Plan struct {
	Scenario scenario.Scenario // with its acts
	Subject  Subject
	_        struct{}
}

// Fate says what happened to the subject in a run.
type Fate uint8

const (
	Measured    Fate = iota // there was a gap, or a violation, of LengthNs
	NeverAgain              // no candidate led again, and none is left that could
	NoChange                // the leader did not change any more: nothing was lost
	NoViolation             // the rule was kept
	Overlap                 // two led at once for LengthNs, where there had been a gap
	NotYet                  // no candidate had led again when the run ended, LengthNs later
	Counted                 // the resource took StaleWrites
)

var fateNames = [...]string{"measured", "neverAgain", "noChange", "noViolation", "overlap", "notYet", "counted"}

// String returns the fate's name.
func (f Fate) String() string { return fateNames[f] }

// Result is the outcome for the subject.
type Result struct {
	Fate     Fate
	LengthNs int64 // of the gap, or of the violation; 0 for one without a length
	AtNs     int64 // where it ended: the new leader's start, or the beginning of the violation; -1: nowhere
	// What it cost where a rule was kept: the longest time without a leader since.
	LeaderlessNs int64
	// How many stale writes the resource took, in an overlap by its end, else in the whole run.
	StaleWrites int64
}

// Line is one of the runs.
type Line struct {
	Variant
	Number int // in the list of variants
	Result Result
}

// Outcome is what is known so far.
type Outcome struct {
	Done, Of int
	Base     Result // of the run as it is
	Rule     string // of a violation
	Lines    []Line // of the runs that are over: what helps most first
}

// Counterfactual is a plan under way.
type Counterfactual struct {
	plan     Plan
	rule     string
	afterNs  int64 // what began before it is not the subject
	base     Result
	variants []Variant
	lines    []Line
	next     int
	run      *run.Run // under way
	longer   bool     // it goes on beyond its end, to see who leads
	found    bool     // the run as it is has been searched
	err      error
}

// New begins a plan. Nothing is run before Go is called.
func New(p Plan) *Counterfactual { return &Counterfactual{plan: p} }

// Variants are the scenarios that are run, nil as long as they are not known.
func (c *Counterfactual) Variants() []Variant { return c.variants }

// Err says why there is nothing to run: no such change or violation. It is known once Go has reported the end.
func (c *Counterfactual) Err() error { return c.err }

// Go goes on for about so many simulated requests and reports whether everything is done.
func (c *Counterfactual) Go(requests int64) (over bool) {
	for requests > 0 && !c.over() {
		if c.run == nil {
			s := c.plan.Scenario
			if c.found {
				s = c.variants[c.next].Scenario
			}
			c.run = run.Plain(s)
			requests -= run.CompileRequests
		}
		if !c.run.Slice(c.endNs(), &requests, c.settled) {
			break
		}
		if !c.longer && c.undecided() {
			c.longer = true
			continue
		}
		if !c.found {
			c.begin()
		} else {
			c.keep(Line{Variant: c.variants[c.next], Number: c.next, Result: c.judge()})
			c.next++
		}
		c.run, c.longer = nil, false
	}
	return c.over()
}

// longerNs is how far beyond its end a run goes on while nobody leads: longer than the longest failover of settings
// that anybody uses.
const longerNs = 600_000_000_000

func (c *Counterfactual) endNs() int64 {
	if c.longer {
		return c.run.EndNs() + longerNs
	}
	return c.run.EndNs()
}

// undecided reports whether a run that is over says nothing about the gap: nobody leads, and a candidate is left that
// may.
func (c *Counterfactual) undecided() bool {
	checks := &c.run.Checks
	return c.found && !c.plan.Subject.Violation && c.change() == nil && len(checks.Active()) == 0 &&
		!checks.NobodyCompetes()
}

func (c *Counterfactual) over() bool {
	return c.err != nil || c.found && c.next == len(c.variants)
}

// settled reports whether nothing that is still to come can change the measured length.
func (c *Counterfactual) settled() bool {
	switch n := c.plan.Subject.Number; {
	case !c.found && c.plan.Subject.Violation:
		if n >= len(c.run.Checks.Violations) {
			return false
		}
		v := &c.run.Checks.Violations[n]
		return v.UntilNs >= 0 && v.Rule != rules.StaleWriteAccepted
	case !c.found:
		return n < len(c.run.Checks.Changes)
	case c.rule == rules.StaleWriteAccepted:
		return false // each further write counts
	case c.plan.Subject.Violation:
		v := c.violation()
		return v != nil && v.UntilNs >= 0
	}
	change := c.change()
	if change == nil {
		return false
	}
	double := c.double(change)
	return double == nil || double.UntilNs >= 0
}

// change is the first change of leader that answers to the one asked about. The first leader of all answers only to
// itself.
func (c *Counterfactual) change() *check.Change {
	changes := c.run.Checks.Changes
	if n := len(changes); n == 0 || changes[n-1].AtNs <= c.afterNs {
		return nil
	}
	for k := min(c.plan.Subject.Number, 1); k < len(changes); k++ {
		if changes[k].AtNs > c.afterNs {
			return &changes[k]
		}
	}
	return nil
}

// double is the overlap that a change began, nil if no other candidate was active.
func (c *Counterfactual) double(change *check.Change) *check.Violation {
	for k := range c.run.Checks.Violations {
		if v := &c.run.Checks.Violations[k]; v.Rule == rules.MoreThanOneActive && v.FromNs == change.AtNs {
			return v
		}
	}
	return nil
}

// violation is the first one of the rule that answers to the one asked about.
func (c *Counterfactual) violation() *check.Violation {
	for k := range c.run.Checks.Violations {
		if v := &c.run.Checks.Violations[k]; v.Rule == c.rule && v.FromNs > c.afterNs {
			return v
		}
	}
	return nil
}

// begin takes what the run as it is has shown, and makes the variants.
func (c *Counterfactual) begin() {
	n, changes := c.plan.Subject.Number, c.run.Checks.Changes
	c.found, c.afterNs = true, -1
	if c.plan.Subject.Violation {
		if n < 0 || n >= len(c.run.Checks.Violations) {
			c.err = fmt.Errorf("there is no violation number %d", n)
			return
		}
		v := c.run.Checks.Violations[n]
		c.rule = v.Rule
		for k := range c.run.Checks.Violations[:n] {
			if before := &c.run.Checks.Violations[k]; before.Rule == v.Rule {
				c.afterNs = max(c.afterNs, before.FromNs)
			}
		}
		c.base = c.judge()
		c.variants = Variants(c.plan.Scenario, c.afterNs, v.FromNs)
		return
	}
	if n < 0 || n >= len(changes) {
		c.err = fmt.Errorf("there is no leader change number %d", n)
		return
	}
	if n > 0 {
		c.afterNs = changes[n-1].AtNs
	}
	gapNs := changes[n].AtNs - changes[n].LeaderlessNs
	c.variants = Variants(c.plan.Scenario, c.afterNs, changes[n].AtNs)
	// Knobs move everything that happens, acts stay where they are: what follows the first act that led to the change
	// is what answers to it.
	if n > 0 {
		for _, a := range c.plan.Scenario.Actions {
			if at := int64(a.At); at > c.afterNs && at <= gapNs {
				c.afterNs = at
				break
			}
		}
		c.afterNs = min(c.afterNs, gapNs)
	}
	c.base = c.judge()
}

// judge measures a run that is over.
func (c *Counterfactual) judge() Result {
	end := c.endNs()
	_, stale, _ := c.run.Checks.StaleWrites()
	if c.plan.Subject.Violation {
		v := c.violation()
		if v == nil {
			return Result{Fate: NoViolation, AtNs: -1, LeaderlessNs: c.longest(end)}
		}
		until := v.UntilNs
		if until < 0 {
			until = end
		}
		if v.Rule == rules.StaleWriteAccepted {
			return Result{Fate: Counted, LengthNs: until - v.FromNs, AtNs: v.FromNs, StaleWrites: stale}
		}
		return Result{LengthNs: until - v.FromNs, AtNs: v.FromNs, StaleWrites: stale}
	}
	if change := c.change(); change != nil {
		if v := c.double(change); v != nil {
			until := v.UntilNs
			if until < 0 {
				until = end
			}
			return Result{Fate: Overlap, LengthNs: until - v.FromNs, AtNs: change.AtNs}
		}
		return Result{LengthNs: change.LeaderlessNs, AtNs: change.AtNs}
	}
	if len(c.run.Checks.Active()) == 0 {
		fate := NotYet
		if c.run.Checks.NobodyCompetes() {
			fate = NeverAgain
		}
		return Result{Fate: fate, LengthNs: end - c.run.Checks.SinceNs(), AtNs: -1}
	}
	return Result{Fate: NoChange, AtNs: -1}
}

// longest is the longest time without a leader after what answers to the subject may have begun, the first leader's
// start left out.
func (c *Counterfactual) longest(endNs int64) int64 {
	most := int64(0)
	for k, change := range c.run.Checks.Changes {
		if k > 0 && change.AtNs > c.afterNs {
			most = max(most, change.LeaderlessNs)
		}
	}
	if len(c.run.Checks.Active()) == 0 {
		most = max(most, endNs-c.run.Checks.SinceNs())
	}
	return most
}

// keep sorts a line in: what leaves least of the subject comes first, equal ones in the order of the list.
func (c *Counterfactual) keep(l Line) {
	k := len(c.lines)
	c.lines = append(c.lines, l)
	for ; k > 0 && l.Result.compare(&c.lines[k-1].Result) < 0; k-- {
		c.lines[k] = c.lines[k-1]
	}
	c.lines[k] = l
}

// weight is how bad a result is.
func (r *Result) weight() int64 {
	switch r.Fate {
	case NoChange, NoViolation:
		return -1
	case NeverAgain, NotYet:
		return 1<<63 - 1
	case Overlap: // two leaders are worse than none
		return 1<<62 + r.LengthNs
	case Counted:
		return r.StaleWrites
	}
	return r.LengthNs
}

// compare is negative if a result is better than another: first by its length, then by what the resource took
// meanwhile.
func (r *Result) compare(o *Result) int {
	return cmp.Or(cmp.Compare(r.weight(), o.weight()), cmp.Compare(r.StaleWrites, o.StaleWrites))
}

// Outcome is what is known so far.
func (c *Counterfactual) Outcome() Outcome {
	o := Outcome{Done: c.next, Of: len(c.variants), Base: c.base, Rule: c.rule, Lines: append([]Line(nil), c.lines...)}
	if !c.found {
		o.Of = 1
	}
	return o
}
