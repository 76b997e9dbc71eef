package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// State is the state of a rule at an instant. Off and NotEvaluated differ from Fine on purpose. A run without a
// resource says nothing about stale writes, but a green mark would suggest that it does.
type State uint8

const (
	Fine     State = iota
	Off            // the run has nothing that this rule could check
	Observed       // the run breaks the rule, but the rule is only an observation
	Broken
	NotEvaluated // the rule measures, but the scenario sets no bound
)

var stateNames = [...]string{"ok", "off", "observed", "violated", "notEvaluated"}

// String returns the state's name.
func (s State) String() string { return stateNames[s] }

// Finding is the state of one checker at an instant.
type Finding struct {
	Rule   *rules.Rule
	State  State
	Figure string // what the rule measured, in words
	Count  int    // number of violations so far
	First  int    // index of the first one in Violations; -1 if none
}

// Findings returns one entry per rule, in the order of the rules. The checks must have settled at the instant.
func (c *Checks) Findings(nowNs int64) []Finding {
	all := make([]Finding, len(allChecks))
	for k := range allChecks {
		f := &all[slices.IndexFunc(rules.All(), func(r rules.Rule) bool { return r.Name == allChecks[k].Name })]
		*f = Finding{Rule: allChecks[k].Rule, First: -1, Figure: c.checkers[k].figure(c, nowNs)}
		if rule, judges := c.checkers[k].(stateTeller); judges {
			f.State = rule.state(c)
		}
		for i := range c.Violations {
			v := &c.Violations[i]
			if v.Rule != allChecks[k].Name || v.FromNs > nowNs {
				continue
			}
			if f.First < 0 {
				f.First, f.State = i, Observed
			}
			if v.Severity != rules.Observation {
				f.State = Broken
			}
			f.Count++
		}
	}
	return all
}

// `lengths` returns how many violations a rule has and how long the longest lasted.
func (c *Checks) lengths(rule string, nowNs int64) (number int, longestNs int64) {
	for i := range c.Violations {
		v := &c.Violations[i]
		if v.Rule != rule || v.FromNs > nowNs {
			continue
		}
		number++
		until := v.UntilNs
		if until < 0 || until > nowNs {
			until = nowNs
		}
		longestNs = max(longestNs, until-v.FromNs)
	}
	return number, longestNs
}
