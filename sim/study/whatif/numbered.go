package whatif

import (
	"math"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
)

// Next implements study.Stages, for callers that make the runs by number instead of with Go. It searches the original
// run, and then returns the variants as a plan. It returns an error if the run has no such change or violation.
func (c *Counterfactual) Next() (study.Plan[Result], error) {
	if c.found {
		return nil, c.err
	}
	c.whole(c.plan.Scenario)
	c.begin()
	c.run = nil
	return (*variants)(c), c.err
}

// Take implements study.Stages.
func (c *Counterfactual) Take(number int, one Result) {
	c.keep(Line{Variant: c.variants[number], Number: number, Result: one})
	c.next++
}

// variants is the plan of the runs, each with one change.
type variants Counterfactual

// Runs implements study.Plan.
func (v *variants) Runs() int { return len(v.variants) }

// Run implements study.Plan. It does not change the Counterfactual.
func (v *variants) Run(number int) Result {
	one := Counterfactual{plan: v.plan, rule: v.rule, afterNs: v.afterNs, found: true}
	one.whole(v.variants[number].Scenario)
	return one.judge()
}

// `whole` runs a scenario until the rest of the run cannot change the result for the subject.
func (c *Counterfactual) whole(s scenario.Scenario) {
	c.run = run.Plain(s)
	for requests := int64(math.MaxInt64); c.run.Slice(c.endNs(), &requests, c.settled) && !c.longer && c.undecided(); {
		c.longer = true
	}
}
