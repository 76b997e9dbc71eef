package grid

import (
	"errors"
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/sim/scenario"
)

// VaryPhase sets the field within of the first act to the longest retryPeriod of any candidate, unless that field
// already has a value. Then each seed performs the act at a different time between two renewals.
//
// Without VaryPhase, a crash at exactly 30 s may always come 0.1 s after a renewal. Then all seeds show the slowest
// takeover, and the table would present bad luck as a property of the settings. It returns an error if the scenario
// has no act, or if the result is not valid.
func VaryPhase(s scenario.Scenario) (scenario.Scenario, error) {
	if len(s.Actions) == 0 {
		return s, errors.New("the scenario has no act")
	}
	s = s.Clone()
	a := &s.Actions[firstAct(&s)]
	if a.Within == 0 {
		for _, c := range scenario.Resolve(s).Candidates {
			a.Within = max(a.Within, *c.Elector.RetryPeriod)
		}
		a.Within = min(a.Within, s.Duration-a.At)
	}
	return s, scenario.Validate(s)
}

func firstAct(s *scenario.Scenario) int {
	first := 0
	for i := range s.Actions {
		if s.Actions[i].At < s.Actions[first].At {
			first = i
		}
	}
	return first
}

// VaryPhases applies VaryPhase to each combination separately, because a longer retryPeriod needs a larger window. If a
// combination sets that field itself, the field keeps its value.
func VaryPhases(all []Combination) {
	for i := range all {
		c := &all[i]
		if c.Refused != "" || len(c.Scenario.Actions) == 0 {
			continue
		}
		within := fmt.Sprintf("actions[%d].within", firstAct(&c.Scenario))
		if slices.ContainsFunc(c.Changes, func(one scenario.Change) bool { return one.Path == within }) {
			continue
		}
		varied, err := VaryPhase(c.Scenario)
		if err != nil { // as in Combinations: drop expect if it does not fit
			c.Scenario.Expect = nil
			if varied, err = VaryPhase(c.Scenario); err != nil {
				c.refuse(err)
				continue
			}
		}
		c.Scenario = varied
	}
}
