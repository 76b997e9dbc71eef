package bench

import (
	"slices"
	"time"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Checkers is the cost of the checkers in one case: the same run with and without them, alternating in one process.
type Checkers struct {
	Candidates int     `json:"candidates"`
	Scenario   string  `json:"scenario"`
	NsOff      float64 `json:"nsPerEventOff"`
	NsOn       float64 `json:"nsPerEventOn"`
	Cost       float64 `json:"cost"` // the added time as a ratio: 0.2 means 20 %
}

// CheckerBudget is the maximum ratio that the checkers may add.
const CheckerBudget = 0.20

// CheckerCost measures a case. Short stretches with and without checkers alternate, and the median of their ratios
// counts, so that other load on the machine affects both alike.
func CheckerCost(c Case, atLeast time.Duration) Checkers {
	const fewest = 15
	setup := setup(c)
	off, on, checks := world.New(setup), world.New(setup), check.For(setup)
	idle := func([]trace.Record) {}
	var ratios, alone []float64
	virtual, stretch := int64(time.Minute), int64(time.Minute)
	off.Run(virtual, idle) // all candidates start in the first minute
	on.Run(virtual, checks.Observe)
	for begun := time.Now(); len(ratios) < fewest || time.Since(begun) < atLeast; {
		if virtual > setup.DurationNs-stretch {
			break
		}
		virtual += stretch
		before := off.Counts().Records
		var without, with time.Duration
		if len(ratios)%2 == 0 {
			without, with = timed(off, virtual, idle), timed(on, virtual, checks.Observe)
		} else {
			with, without = timed(on, virtual, checks.Observe), timed(off, virtual, idle)
		}
		if without < 2*time.Millisecond { // too short for the clock's resolution
			stretch *= 2
			continue
		}
		ratios = append(ratios, float64(with)/float64(without))
		alone = append(alone, float64(without)/float64(off.Counts().Records-before))
	}
	slices.Sort(ratios)
	slices.Sort(alone)
	cost, ns := ratios[len(ratios)/2]-1, alone[len(alone)/2]
	return Checkers{Candidates: c.Candidates, Scenario: c.Scenario, NsOff: ns, NsOn: ns * (1 + cost), Cost: cost}
}

func timed(w *world.World, untilNs int64, observe func([]trace.Record)) time.Duration {
	start := time.Now()
	w.Run(untilNs, observe)
	return time.Since(start)
}
