package shrink

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/run"
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

// Shrink is a shrink in progress. The method search decides what to try next. It runs as a coroutine, which waits for
// the run of each proposal.
type Shrink struct {
	plan    Plan
	clauses []scenario.Expect // single demands of the plan's scenario
	goal    *goal
	now     scenario.Scenario // the smallest so far
	steps   []Step
	tried   int
	over    bool
	windows []Window

	proposed proposal
	next     func() (proposal, bool) // continues the search
	propose  func(proposal) bool     // ends the search's turn
	same     bool                    // the run of the proposal reached the goal
	kept     bool                    // the shrink has kept a proposal in this cycle
	run      *run.Run                // the current run; nil between two runs
	seen     int                     // number of the run's violations that the shrink has already checked
}

// proposal is a scenario to try instead of the smallest scenario so far.
type proposal struct {
	s    scenario.Scenario
	what string
}

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
			s.same = reached || done() || s.goal.isFailed(s.run)
		}
		s.run = nil
		if s.over = s.goal == nil; !s.over {
			var more bool
			s.proposed, more = s.next()
			s.over = !more
		}
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
		return
	}
	s.now = bare(s.now)
	s.next, _ = iter.Pull(func(yield func(proposal) bool) {
		s.propose = yield
		s.search()
	})
}

// `bare` removes parts that have no effect on a run.
func bare(s scenario.Scenario) scenario.Scenario {
	s.Title, s.Summary, s.Museum, s.Expect = "", "", nil, nil
	return s
}

// `ask` reports whether the run of a changed copy of the scenario reaches the goal. It does not run a copy that is
// unchanged or not valid.
func (s *Shrink) ask(what string, change func(*scenario.Scenario) bool) bool {
	changed := s.now.Clone()
	if !change(&changed) || scenario.Validate(changed) != nil {
		return false
	}
	return s.propose(proposal{changed, what}) && s.same
}

// `try` keeps a changed copy of the scenario if the run of that copy reaches the goal.
func (s *Shrink) try(what string, change func(*scenario.Scenario) bool) (same bool) {
	if same = s.ask(what, change); same {
		s.now, s.kept = s.proposed.s, true
		s.steps = append(s.steps, Step{what, s.tried})
	}
	return same
}

// `search` repeats the passes as long as a cycle keeps a proposal. Then it rounds instants. If it keeps a rounded
// instant, the passes repeat again. The windows come last, because they are valid only for the final scenario.
func (s *Shrink) search() {
	pass := s.cycle
	for cycles, rounding := 1, false; ; cycles++ {
		s.kept = false
		pass()
		again := s.kept && cycles < mostCycles // rounder instants, too, may allow a smaller scenario
		if rounding && !again {
			break
		}
		if rounding = !again; rounding {
			pass = s.round
		} else {
			pass = s.cycle
		}
	}
	s.inOrder()
	if s.plan.Windows {
		s.measure()
	}
	s.end()
}

// `end` gives the final scenario a name, and assertions that the run meets: about the broken rules, or about the failed
// assertion.
func (s *Shrink) end() {
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
	o := Outcome{Scenario: s.now, Steps: s.steps, Trying: s.proposed.what, Tried: s.tried,
		Windows: s.windows}
	if s.goal != nil {
		o.Rule = s.goal.rule
	}
	return o
}
