package shrink

import (
	"slices"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/failure"
)

// Assertion, as a plan's rule, stands for a failed assertion of the scenario.
const Assertion = "assertion"

// `goal` describes what every smaller scenario must still do: break a rule with its severity, or fail an assertion with
// the same measurement.
type goal struct {
	rule     string
	severity rules.Severity
	causes   []string         // a smaller scenario may have no other causes; nil demands the reason instead
	reason   explain.Cause    // what the story blames last
	clause   *scenario.Expect // the assertion
	measured string           // "" if any failing figure is acceptable
}

// goalOf returns the goal of a plan from the finished run of its scenario. It returns nil if nothing in the run
// matches the plan.
func goalOf(p *Plan, clauses []scenario.Expect, r *run.Run) *goal {
	isExpected := func(v *check.Violation) bool {
		return slices.ContainsFunc(p.Scenario.Expect, func(e scenario.Expect) bool { return e.Expects(v.Rule) })
	}
	at := func(k int) *goal {
		v := &r.Checks.Violations[k]
		return &goal{rule: v.Rule, severity: v.Severity, causes: p.Causes, reason: failure.Reason(r, k)}
	}
	switch {
	case p.Rule == Assertion:
		return failedAssertion(clauses, r)
	case p.Rule != "":
		worst := -1
		for k := range r.Checks.Violations {
			if v := &r.Checks.Violations[k]; v.Rule == p.Rule &&
				(worst < 0 || v.Severity < r.Checks.Violations[worst].Severity) {
				worst = k
			}
		}
		if worst < 0 {
			return nil
		}
		return at(worst)
	}
	if k := failure.Worst(&r.Checks, func(v *check.Violation) bool { return !isExpected(v) }); k >= 0 {
		return at(k)
	}
	if g := failedAssertion(clauses, r); g != nil {
		return g
	}
	if k := failure.Expected(p.Scenario.Expect, &r.Checks); k >= 0 {
		return at(k)
	}
	return nil
}

// failedAssertion returns a goal for the first single demand that the run watches and does not meet.
func failedAssertion(clauses []scenario.Expect, r *run.Run) *goal {
	for i, o := range r.Outcomes(r.EndNs()) {
		if o.Met {
			continue
		}
		g := &goal{rule: Assertion, clause: &clauses[i]}
		if clauses[i].Leader != "" || clauses[i].Changes != nil {
			g.measured = o.Measured
		}
		return g
	}
	return nil
}

// `demands` splits assertions into single demands. Each demand has one outcome and fails in one way. The assertion
// "changes: 2, leader: b at 60s" may fail because of either part, and a shrink must know which of the two should keep
// failing.
func demands(all []scenario.Expect) []scenario.Expect {
	var single []scenario.Expect
	for _, e := range all {
		if e.Leader != "" {
			single = append(single, scenario.Expect{Leader: e.Leader, At: e.At})
		}
		if e.Changes != nil {
			single = append(single, scenario.Expect{Changes: e.Changes})
		}
		if e.Violation == "" && e.Event == "" && e.Measure == "" {
			continue
		}
		e.Leader, e.Changes, e.At = "", nil, nil
		if e.AtLeast == "" || e.AtMost == "" {
			single = append(single, e)
			continue
		}
		least, most := e, e
		least.AtMost, most.AtLeast = "", ""
		single = append(single, least, most)
	}
	return single
}

// watchers returns the watchers that a run needs to show whether it reaches the goal.
func (g *goal) watchers() run.Watchers {
	w := run.Watchers{Explanation: g.clause == nil}
	if g.clause != nil {
		w.Clauses = []scenario.Expect{*g.clause}
	}
	return w
}

// isReached reports whether the run has reached the goal. A failed assertion shows only at the end.
func (g *goal) isReached(r *run.Run, from *int) bool {
	if g.clause != nil {
		return false
	}
	for ; *from < len(r.Checks.Violations); *from++ {
		v := &r.Checks.Violations[*from]
		if v.Rule != g.rule || v.Severity != g.severity {
			continue
		}
		if g.causes == nil {
			if failure.Reason(r, *from) == g.reason {
				return true
			}
			continue
		}
		f := failure.At(r, *from)
		if !slices.ContainsFunc(f.Causes, func(cause string) bool { return !slices.Contains(g.causes, cause) }) {
			return true
		}
	}
	return false
}

// isFailed reports whether the assertion fails in the same way at the end of the run.
func (g *goal) isFailed(r *run.Run) bool {
	if g.clause == nil {
		return false
	}
	o := r.Outcomes(r.EndNs())[0]
	return !o.Met && (g.measured == "" || o.Measured == g.measured)
}
