// Package shrink makes a scenario that breaks a rule smaller as long as it breaks the rule: fewer acts, fewer
// candidates, default settings, shorter and rounder times. Then it looks for the window in which the instant of each
// act may lie.
//
// A shrink is stepped: it proposes a smaller scenario, runs it, and keeps it if the run still does the same. Each
// proposal has fewer parts than what it replaces or a simpler value, so that it comes to an end.
//
// Guarantee: the outcome is a function of the plan, however the work was sliced; the scenario that it ends with is
// valid, its run breaks the rule, and its assertions say so. Non-guarantee: no single proposal makes the outcome
// smaller, but a larger change might. A window is as fine as its steps.
package shrink

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// Plan says what to shrink.
type Plan struct {
	Scenario scenario.Scenario
	Rule     string // to break, or Assertion; "": the worst that the run does
	// of the failure, as package failure has them; a smaller scenario must not have another one. nil: any
	Causes  []string
	Windows bool // look for the window of each act, too
	_       struct{}
}

// Step is a proposal that was kept.
type Step struct {
	What  string // "without act 3, pause of b at 20s"
	Tried int    // runs so far
}

// Window is where the instant of an act may lie, with everything else as it is.
type Window struct {
	Act            int // its index
	FromNs, ToNs   int64
	AtStart, AtEnd bool // it reaches the beginning or the end of the run
}

// Outcome is what is known so far.
type Outcome struct {
	Rule     string // that is broken; "" before the first run is over, and if it breaks none
	Scenario scenario.Scenario
	Steps    []Step
	Trying   string // the proposal under way
	Tried    int    // runs
	Windows  []Window
}

// Shrink is a plan under way.
type Shrink struct {
	plan    Plan
	clauses []scenario.Expect // single demands of the plan's scenario
	goal    *goal
	now     scenario.Scenario // the smallest so far
	steps   []Step
	tried   int
	over    bool

	stage    stage
	measured *windows
	passes   []pass
	pass     int
	kept     bool // a proposal of this cycle over the passes was kept
	cycles   int
	proposed proposal
	run      *run.Run // under way, nil between two
	seen     int      // violations of it that were judged
}

// stage is what the passes are for.
type stage uint8

const (
	shrinking stage = iota
	rounding
	measuring
)

// mostCycles bounds the cycles over all passes. Three are usual: the last one keeps nothing.
const mostCycles = 12

// New begins a shrink. Nothing is run before Go is called. An unknown rule is an error.
func New(p Plan) (*Shrink, error) {
	if _, known := rules.ByName(p.Rule); p.Rule != "" && p.Rule != Assertion && !known {
		return nil, fmt.Errorf("%q is no rule; there are %s, and %s", p.Rule, strings.Join(rules.Names(), ", "),
			Assertion)
	}
	s := &Shrink{plan: p, clauses: demands(p.Scenario.Expect), now: compile.Pinned(p.Scenario)}
	s.proposed = proposal{s: s.now, what: "the scenario itself"}
	return s, nil
}

// Go goes on for about so many simulated requests and reports whether the shrink is over.
func (s *Shrink) Go(requests int64) (over bool) {
	for requests > 0 && !s.over {
		if s.run == nil {
			s.begin()
			requests -= run.CompileRequests
		}
		reached := false
		done := func() bool {
			reached = s.goal != nil && s.goal.reached(s.run, &s.seen)
			return reached
		}
		if !s.run.Slice(s.run.EndNs(), &requests, done) {
			break
		}
		if s.goal == nil {
			s.first()
		} else {
			s.judge(reached || done() || s.goal.failed(s.run))
		}
		s.run = nil
	}
	return s.over
}

// begin runs the proposal under way.
func (s *Shrink) begin() {
	with := run.Watchers{Explanation: s.plan.Causes != nil, Clauses: s.clauses}
	if s.goal != nil {
		with = s.goal.watchers()
	}
	s.run, s.seen = run.New(compile.Scenario(s.proposed.s), with), 0
	s.tried++
}

// first takes the run of the scenario itself: it says what to keep.
func (s *Shrink) first() {
	if s.goal = goalOf(&s.plan, s.clauses, s.run); s.goal == nil {
		s.over = true
		return
	}
	s.now = bare(s.now)
	s.passes = cycle()
	s.next()
}

// bare leaves out what has no effect on a run.
func bare(s scenario.Scenario) scenario.Scenario {
	s.Title, s.Summary, s.Museum, s.Expect = "", "", nil, nil
	return s
}

// judge takes a run's verdict to its pass, and goes on to the next proposal.
func (s *Shrink) judge(same bool) {
	s.passes[s.pass].heard(same)
	if same && !s.proposed.probe {
		s.now, s.kept = s.proposed.s, true
		s.steps = append(s.steps, Step{s.proposed.what, s.tried})
	}
	s.next()
}

// next is the next proposal of the passes: they come round as long as a proposal is kept, then instants are rounded,
// and if that keeps one they come round again. Last come the windows.
func (s *Shrink) next() {
	for {
		for ; s.pass < len(s.passes); s.pass++ {
			if p, ok := s.passes[s.pass].next(&s.now); ok {
				s.proposed = p
				return
			}
		}
		s.cycles++
		switch {
		case s.stage == shrinking && s.kept && s.cycles < mostCycles:
			s.passes = cycle()
		case s.stage == shrinking:
			s.stage, s.passes = rounding,
				[]pass{&edits{make: roundInstants},
					&values{make: func(*scenario.Scenario) []*number { return []*number{duration()} }}}
		case s.stage == rounding && s.kept && s.cycles < mostCycles: // at rounder instants less may do
			s.stage, s.passes = shrinking, cycle()
		case s.stage == rounding && s.plan.Windows:
			s.inOrder()
			s.stage, s.measured = measuring, newWindows(&s.now)
			s.passes = []pass{s.measured}
		default:
			s.end()
			return
		}
		s.pass, s.kept = 0, false
	}
}

// end gives the outcome its name and the assertions that its run meets: the rules that it breaks, or the assertion that
// fails.
func (s *Shrink) end() {
	s.over = true
	s.inOrder()
	s.proposed = proposal{}
	if s.goal.clause != nil {
		s.now.Expect = []scenario.Expect{*s.goal.clause}
		return
	}
	s.now.Expect = Expectations(s.now, s.goal.rule)
}

// inOrder lists the acts in the order in which they happen, which changes no run.
func (s *Shrink) inOrder() {
	slices.SortStableFunc(s.now.Actions, func(a, b scenario.Action) int { return cmp.Compare(a.At, b.At) })
}

// Expectations are the assertions of a scenario that is kept because it breaks a rule: that it does, and every other
// rule that would change its exit code.
func Expectations(s scenario.Scenario, rule string) []scenario.Expect {
	all := []scenario.Expect{{Violation: rule}}
	s.Expect = nil
	r := run.Plain(s)
	r.To(r.EndNs(), nil)
	for i := range r.Checks.Violations {
		v := &r.Checks.Violations[i]
		if v.Severity == rules.Observation ||
			slices.ContainsFunc(all, func(e scenario.Expect) bool { return e.Violation == v.Rule }) {
			continue
		}
		all = append(all, scenario.Expect{Violation: v.Rule})
	}
	return all
}

// Outcome is what is known so far.
func (s *Shrink) Outcome() Outcome {
	o := Outcome{Scenario: s.now, Steps: s.steps, Trying: s.proposed.what, Tried: s.tried}
	if s.measured != nil {
		o.Windows = s.measured.all
	}
	if s.goal != nil {
		o.Rule = s.goal.rule
	}
	return o
}

// Code is the exit code that the rule has: 2 for a failed assertion, 3 for safety, 4 for liveness, 0 for an
// observation.
func (s *Shrink) Code() int {
	switch {
	case s.goal == nil:
		return summary.Fine
	case s.goal.clause != nil:
		return summary.Unexpected
	case s.goal.severity == rules.Safety:
		return 3
	case s.goal.severity == rules.Liveness:
		return 4
	}
	return summary.Fine
}
