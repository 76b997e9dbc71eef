package grid

import (
	"errors"

	"github.com/leaselab/leaselab/sim/scenario"
)

// VaryPhase gives the first act a within of one retryPeriod, the longest of any candidate, unless it has one: each seed then meets
// another phase of the leader's renewals.
func VaryPhase(s scenario.Scenario) (scenario.Scenario, error) {
	if len(s.Actions) == 0 {
		return s, errors.New("the scenario has no act")
	}
	s = s.Clone()
	first := 0
	for i := range s.Actions {
		if s.Actions[i].At < s.Actions[first].At {
			first = i
		}
	}
	a := &s.Actions[first]
	if a.Within == 0 {
		for _, c := range scenario.Resolve(s).Candidates {
			a.Within = max(a.Within, *c.Elector.RetryPeriod)
		}
		a.Within = min(a.Within, s.Duration-a.At)
	}
	return s, scenario.Validate(s)
}
