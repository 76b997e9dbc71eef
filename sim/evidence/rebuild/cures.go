package rebuild

import (
	"fmt"
	"time"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/whatif"
)

// Cures lists what would have prevented the overlap of a rebuilt scenario. Without an overlap, it lists what would
// have shortened the last leader change.
type Cures struct {
	Subject whatif.Subject
	AtNs    int64         // where the subject ends
	Lines   []whatif.Line // changes that make a difference, best first
	Outcome whatif.Outcome
}

// cureRequests is the number of requests in one slice of the counterfactual runs.
const cureRequests = 50_000

// CuresOf makes the counterfactual runs of a scenario. If the function alive is not nil, CuresOf calls it after each
// slice of work.
func CuresOf(s scenario.Scenario, alive func()) Cures {
	judged := run.WithClauses(s)
	judged.To(int64(s.Duration), nil)
	c := Cures{Subject: whatif.Subject{Number: len(judged.Checks.Changes) - 1}}
	if c.Subject.Number >= 0 {
		c.AtNs = judged.Checks.Changes[c.Subject.Number].AtNs
	}
	for i, v := range judged.Checks.Violations {
		if v.Rule == rules.MoreThanOneActive {
			c.Subject, c.AtNs = whatif.Subject{Violation: true, Number: i}, max(v.FromNs, v.UntilNs)
			break
		}
	}
	if c.Subject.Number < 0 {
		return c
	}
	study := whatif.New(whatif.Plan{Scenario: s, Subject: c.Subject})
	for !study.Go(cureRequests) {
		if alive != nil {
			alive()
		}
	}
	c.Outcome = study.Outcome()
	for _, line := range c.Outcome.Lines {
		if line.Result != c.Outcome.Base {
			c.Lines = append(c.Lines, line)
		}
	}
	return c
}

// Sentences says how much the scenario's run differs from the evidence.
func (f Fit) Sentences() []string {
	if !f.SameLeaders {
		return []string{"No tried seed gives the same leaders in the same order as the evidence: the run differs."}
	}
	all := []string{fmt.Sprintf("The run has the same leaders; each starts within %.3f s of its start in the evidence.",
		time.Duration(f.ChangeNs).Seconds())}
	if f.Writes > 0 {
		all = append(all, fmt.Sprintf("The largest difference over %d writes is %.3f s.", f.Writes,
			time.Duration(f.WriteNs).Seconds()))
	}
	return append(all, f.Renamed...)
}
