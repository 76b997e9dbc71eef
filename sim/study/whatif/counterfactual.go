package whatif

import (
	"cmp"
	"fmt"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// Subject identifies what the question is about: a leader change by its number, or a violation.
type Subject struct {
	Violation bool
	Number    int
}

// Plan says what to run.
type Plan struct {
	Scenario scenario.Scenario // the scenario, including its acts
	Subject  Subject
	_        struct{}
}

// Fate describes what happened to the subject in a run.
type Fate uint8

const (
	Measured    Fate = iota // a gap, or a violation, of LengthNs
	NeverAgain              // no candidate led again, and none could
	NoChange                // the leader did not change again, so the run has no gap
	NoViolation             // the run did not break the rule
	Overlap                 // two candidates led at once for LengthNs, instead of the original run's gap
	NotYet                  // no candidate had led again when the run ended, LengthNs later
	Counted                 // the resource accepted as many stale writes as StaleWrites says
)

var fateNames = [...]string{"measured", "neverAgain", "noChange", "noViolation", "overlap", "notYet", "counted"}

// String returns the fate's name.
func (f Fate) String() string { return fateNames[f] }

// Result is the outcome of a run for the subject.
type Result struct {
	Fate     Fate
	LengthNs int64 // length of the gap or the violation; 0 without one
	AtNs     int64 // instant of the new leader's start, or of the violation's start; -1 if neither happened
	// LeaderlessNs is the longest time without a leader from the subject on. That time is the price of not breaking
	// the rule.
	LeaderlessNs int64
	// StaleWrites counts the stale writes that the resource accepted: in an overlap until its end, otherwise in the
	// whole run.
	StaleWrites int64
}

// Line holds the result of one run.
type Line struct {
	Variant
	Number int // number in the list of variants
	Result Result
}

// Outcome contains the results of the study so far.
type Outcome struct {
	Done, Of int
	Base     Result // result of the original run
	Rule     string // broken rule, if the subject is a violation
	Lines    []Line // results of the finished runs, best first
}

// Counterfactual is a study in progress.
type Counterfactual struct {
	plan     Plan
	rule     string
	afterNs  int64 // ignore what began before this instant
	base     Result
	variants []Variant
	lines    []Line
	next     int
	run      *run.Run // the run in progress
	longer   bool     // the run continues past its end, to show which candidate leads
	found    bool     // the search of the original run is over
	err      error
}

// New prepares a study. The study runs when you call Go.
func New(p Plan) *Counterfactual { return &Counterfactual{plan: p} }

// Variants returns the scenarios to run, or nil while they are unknown.
func (c *Counterfactual) Variants() []Variant { return c.variants }

// Err returns an error if the run has no such change or violation. Call it after Go has reported the end.
func (c *Counterfactual) Err() error { return c.err }

// Go makes about as many simulated requests as the argument says, and returns true if everything is done.
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

// longerNs is how far beyond its end a run continues without a leader. It is longer than the longest failover with
// any settings in use.
const longerNs = 600_000_000_000

func (c *Counterfactual) endNs() int64 {
	if c.longer {
		return c.run.EndNs() + longerNs
	}
	return c.run.EndNs()
}

// `undecided` reports whether a finished run cannot say how long the gap is, because no candidate leads, but one still
// may.
func (c *Counterfactual) undecided() bool {
	checks := &c.run.Checks
	return c.found && !c.plan.Subject.Violation && c.change() == nil && len(checks.Active()) == 0 &&
		!checks.NobodyCompetes()
}

func (c *Counterfactual) over() bool {
	return c.err != nil || c.found && c.next == len(c.variants)
}

// `settled` reports whether the measured length can no longer change.
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
		return false // every later write would count, too
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

// change returns the first leader change that corresponds to the subject. The run's first leader corresponds only to
// the first leader.
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

// `double` returns the overlap that began with a change, or nil if no other candidate was active.
func (c *Counterfactual) double(change *check.Change) *check.Violation {
	for k := range c.run.Checks.Violations {
		if v := &c.run.Checks.Violations[k]; v.Rule == rules.MoreThanOneActive && v.FromNs == change.AtNs {
			return v
		}
	}
	return nil
}

// violation returns the first violation of the rule that corresponds to the subject.
func (c *Counterfactual) violation() *check.Violation {
	for k := range c.run.Checks.Violations {
		if v := &c.run.Checks.Violations[k]; v.Rule == c.rule && v.FromNs > c.afterNs {
			return v
		}
	}
	return nil
}

// `begin` saves the result of the original run and builds the variants.
func (c *Counterfactual) begin() {
	n, changes := c.plan.Subject.Number, c.run.Checks.Changes
	c.found, c.afterNs = true, -1
	if c.plan.Subject.Violation {
		if n < 0 || n >= len(c.run.Checks.Violations) {
			c.err = fmt.Errorf("the run has no violation number %d", n)
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
		c.err = fmt.Errorf("the run has no leader change number %d", n)
		return
	}
	if n > 0 {
		c.afterNs = changes[n-1].AtNs
	}
	gapNs := changes[n].AtNs - changes[n].LeaderlessNs
	c.variants = Variants(c.plan.Scenario, c.afterNs, changes[n].AtNs)
	// Changed settings shift the time of every event except the acts. So take the first act that led to the original
	// change. The first change after that act is the corresponding one.
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

// judge measures a finished run.
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

// `longest` returns the longest time without a leader, starting at the earliest possible instant of the subject. It
// ignores the wait for the first leader.
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

// `keep` inserts a line in order. The run with the best result comes first; equal results keep the order of the list.
func (c *Counterfactual) keep(l Line) {
	k := len(c.lines)
	c.lines = append(c.lines, l)
	for ; k > 0 && l.Result.compare(&c.lines[k-1].Result) < 0; k-- {
		c.lines[k] = c.lines[k-1]
	}
	c.lines[k] = l
}

// weight returns how bad a result is. A gap has the weight of its length. Two leaders are worse than any gap, and a
// run in which no candidate leads again is worst.
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

// compare returns a negative number if a result is better than another: first by its weight, then by the stale writes
// that the resource accepted.
func (r *Result) compare(o *Result) int {
	return cmp.Or(cmp.Compare(r.weight(), o.weight()), cmp.Compare(r.StaleWrites, o.StaleWrites))
}

// Outcome returns the results of the study so far.
func (c *Counterfactual) Outcome() Outcome {
	o := Outcome{Done: c.next, Of: len(c.variants), Base: c.base, Rule: c.rule, Lines: append([]Line(nil), c.lines...)}
	if !c.found {
		o.Of = 1
	}
	return o
}
