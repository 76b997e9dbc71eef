package speed

import (
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/run/bench"
)

// What the checkers add to a run, with them and without in turn.
func TestCheckerCost(t *testing.T) {
	out := newTable("Cost of the checkers (budget: below 20 %)", "candidates", "scenario", "ns/event off", "ns/event on", "cost %", "")
	for _, c := range bench.Cases() {
		if !*figures && c.Candidates > 100 {
			continue
		}
		cost := bench.CheckerCost(c, much(2*time.Second, time.Millisecond))
		said := "holds"
		if cost.Cost >= bench.CheckerBudget {
			said = "does not hold"
		}
		out.row(cost.Candidates, cost.Scenario, cost.NsOff, cost.NsOn, cost.Cost*100, said)
	}
}
