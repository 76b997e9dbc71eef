package speed

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/run/bench"
)

// The checkers stay within their budget: runs with and without them alternate.
func TestCheckerCost(t *testing.T) {
	out := newTable("Cost of the checkers (budget: below 20 %)", "candidates", "scenario", "ns/event off", "ns/event on", "cost %")
	for _, c := range bench.Cases() {
		if !*figures && c.Candidates > 100 {
			continue
		}
		cost := bench.CheckerCost(c, much(2*time.Second, time.Millisecond))
		assert.Positive(t, cost.NsOff, "%d candidates, %s", c.Candidates, c.Scenario)
		assert.Positive(t, cost.NsOn, "%d candidates, %s", c.Candidates, c.Scenario)
		out.row(cost.Candidates, cost.Scenario, cost.NsOff, cost.NsOn, cost.Cost*100)
		if *figures { // without the flag each case runs for a millisecond, too short to judge
			assert.Less(t, cost.Cost, bench.CheckerBudget, "%d candidates, %s", c.Candidates, c.Scenario)
		}
	}
}
