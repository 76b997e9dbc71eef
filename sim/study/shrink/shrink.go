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
	Rule     string // rule to break, or Assertion; "" for the worst surprise, else for what the scenario expects
	// causes of the failure, as in package failure; a smaller scenario may have no others. If nil, the smaller story
	// must end with the same reason.
	Causes  []string
	Windows bool // also look for the window of each act
	_       struct{}
}

// Step is a proposal that the shrink has kept.
type Step struct {
	What  string // "without act 3, pause of b at 20s"
	Tried int    // number of runs up to this step
}

// Window says at which instants an act may happen if everything else stays the same. A run has confirmed both ends.
// If the window has a gap shorter than a step, the shrink does not notice it.
type Window struct {
	Act            int // index of the act
	FromNs, ToNs   int64
	AtStart, AtEnd bool // the window extends to the beginning or the end of the run
}

// Outcome contains the results of the shrink so far.
type Outcome struct {
	Rule     string // the broken rule; "" before the first run ends, or if that run breaks none
	Scenario scenario.Scenario
	Steps    []Step
	Trying   string // the current proposal
	Tried    int    // number of runs
	Windows  []Window
}

// Shrink is a shrink in progress. It has three stages: shrinking, rounding of instants, and measuring of windows.
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
	kept     bool // the shrink has kept a proposal in this cycle
	cycles   int
	proposed proposal
	run      *run.Run // the current run; nil between two runs
	seen     int      // number of the run's violations that the shrink has already checked
}

// stage is the purpose of the current passes.
type stage uint8

const (
	shrinking stage = iota
	rounding
	measuring
)

// mostCycles limits the cycles over all passes. Three are usual: the last one changes nothing.
const mostCycles = 12

// New prepares a shrink. The shrink runs when you call Go. New returns an error for an unknown rule.
func New(p Plan) (*Shrink, error) {
	if _, known := rules.ByName(p.Rule); p.Rule != "" && p.Rule != Assertion && !known {
		return nil, fmt.Errorf("unknown rule %q; use %s, or %s", p.Rule, strings.Join(rules.Names(), ", "),
			Assertion)
	}
	s := &Shrink{plan: p, clauses: demands(p.Scenario.Expect), now: compile.Pin(p.Scenario)}
	s.proposed = proposal{s: s.now, what: "the scenario itself"}
	return s, nil
}

// Go makes about as many simulated requests as the argument says, and reports whether the shrink is over.
func (s *Shrink) Go(requests int64) (over bool) {
	for requests > 0 && !s.over {
		if s.run == nil {
			s.begin()
			requests -= run.CompileRequests
		}
		reached := false
		done := func() bool {
			reached = s.goal != nil && s.goal.isReached(s.run, &s.seen)
			return reached
		}
		if !s.run.Slice(s.run.EndNs(), &requests, done) {
			break
		}
		if s.goal == nil {
			s.first()
		} else {
			s.judge(reached || done() || s.goal.isFailed(s.run))
		}
		s.run = nil
	}
	return s.over
}

// `begin` runs the current proposal.
func (s *Shrink) begin() {
	with := run.Watchers{Explanation: true, Clauses: s.clauses}
	if s.goal != nil {
		with = s.goal.watchers()
	}
	s.run, s.seen = run.New(compile.Scenario(s.proposed.s), with), 0
	s.tried++
}

// `first` processes the run of the original scenario, which determines what to preserve.
func (s *Shrink) first() {
	if s.goal = goalOf(&s.plan, s.clauses, s.run); s.goal == nil {
		s.over = true
		return
	}
	s.now = bare(s.now)
	s.passes = cycle()
	s.next()
}

// `bare` removes parts that have no effect on a run.
func bare(s scenario.Scenario) scenario.Scenario {
	s.Title, s.Summary, s.Museum, s.Expect = "", "", nil, nil
	return s
}

// `judge` tells the pass whether the shrink keeps the proposal, and continues with the next proposal.
func (s *Shrink) judge(same bool) {
	s.passes[s.pass].learn(same)
	if same && !s.proposed.probe {
		s.now, s.kept = s.proposed.s, true
		s.steps = append(s.steps, Step{s.proposed.what, s.tried})
	}
	s.next()
}

// `next` returns the next proposal of the passes. The passes repeat as long as a cycle keeps a proposal. Then the
// shrink rounds instants. If it keeps a rounded instant, the passes repeat again. The windows come last, because they
// are valid only for the final scenario.
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
		case s.stage == rounding && s.kept && s.cycles < mostCycles: // rounder instants may allow a smaller scenario
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

// `end` gives the final scenario a name, and assertions that the run meets: about the broken rules, or about the failed
// assertion.
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

// inOrder sorts the acts by time, which does not affect a run.
func (s *Shrink) inOrder() {
	slices.SortStableFunc(s.now.Actions, func(a, b scenario.Action) int { return cmp.Compare(a.At, b.At) })
}

// Expectations returns assertions for a scenario that breaks a rule. They name that rule, and every other broken rule
// that would change the exit code.
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

// Outcome returns the results of the shrink so far.
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

// Code returns the exit code of the rule: 2 for a failed assertion, 3 for safety, 4 for liveness, 0 for an
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
