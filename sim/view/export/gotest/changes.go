package gotest

import (
	"maps"
	"math"
	"slices"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/world"
)

// How many runs with random jitter determine what a test accepts. These runs take about a second.
const (
	mostRuns     = 1000
	mostRequests = 4_000_000
)

// Change combines one leader change over all runs: the n-th change of each run. The name "" means no leader.
type Change struct {
	From, To             []string // all names that occurred, sorted
	EarliestNs, LatestNs int64
}

// Changes contains the results of many runs of a scenario with random draws.
type Changes struct {
	All    []Change // as many as in the run with the most changes
	Least  int      // leader changes in the run with the fewest; later ones need not happen
	Broken []string // safety and liveness rules that at least one run breaks, sorted
	Runs   int
	// how far beyond the ends of an interval a test accepts an instant: the longest wait between two attempts
	ToleranceNs int64
}

// changesOf runs a scenario many times, the first time with its own draws, and looks for a breach in each run. The
// breach may be nil.
func changesOf(s scenario.Scenario, b *Breach) *Changes {
	setup, stream := compile.Scenario(s), random.New(s.Seed)
	found, broken := &Changes{Least: math.MaxInt}, map[string]bool{}
	for i := range setup.Candidates {
		c := &setup.Candidates[i]
		found.ToleranceNs = max(found.ToleranceNs, int64(c.RetryPeriod)*22/10)
	}
	for left := int64(mostRequests); left > 0 && found.Runs < mostRuns; found.Runs++ {
		if found.Runs > 0 {
			setup.Jitter = func(int32, int64) float64 { return stream.Float64() }
		}
		r := run.New(setup, run.Watchers{})
		r.To(setup.DurationNs, nil)
		left -= r.World.Counts().Requests + run.CompileRequests
		found.take(r)
		if b != nil {
			b.take(r)
		}
		for i := range r.Checks.Violations {
			if v := &r.Checks.Violations[i]; v.Severity != rules.Observation {
				broken[v.Rule] = true
			}
		}
	}
	found.Broken = slices.Sorted(maps.Keys(broken))
	return found
}

// `take` widens the intervals to include the leader changes of a run.
func (found *Changes) take(r *run.Run) {
	found.Least = min(found.Least, len(r.Checks.Changes))
	for k, c := range r.Checks.Changes {
		if k == len(found.All) {
			found.All = append(found.All, Change{EarliestNs: c.AtNs, LatestNs: c.AtNs})
		}
		one := &found.All[k]
		one.From, one.To = with(one.From, nameOf(r.World, c.From)), with(one.To, nameOf(r.World, c.To))
		one.EarliestNs, one.LatestNs = min(one.EarliestNs, c.AtNs), max(one.LatestNs, c.AtNs)
	}
}

// `with` adds a name to sorted names, unless they already contain it.
func with(names []string, name string) []string {
	if at, has := slices.BinarySearch(names, name); !has {
		names = slices.Insert(names, at, name)
	}
	return names
}

func nameOf(w *world.World, candidate int32) string {
	if candidate < 0 {
		return ""
	}
	return w.Node(candidate).Name()
}
