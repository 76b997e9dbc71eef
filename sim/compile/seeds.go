package compile

import (
	"slices"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// Seeds is a valid scenario that runs with many seeds. It compiles only once whatever does not depend on the seed.
// Otherwise a sweep of a million seeds would resolve the same defaults a million times. Several goroutines may use
// its setups at once, since runs only read what they share.
//
// Three things depend on the seed: the instants of acts with "within", the starts of candidates with "startJitterMax",
// and, through both, which candidates a rolling update replaces.
type Seeds struct {
	scenario scenario.Scenario
	resolved scenario.Resolved
	setup    *world.Setup // the setup for the scenario's seed; shared, so it never runs
	starts   bool         // candidates start at drawn instants
	acts     bool         // acts happen at drawn instants
	whole    bool         // every seed needs a full compile
}

// ForSeeds compiles a valid scenario for many seeds, and records which parts it must compile again for each seed. It
// treats the instant of an act "add" as drawn, because the candidate may have a startJitterMax.
func ForSeeds(s scenario.Scenario) *Seeds {
	c := &Seeds{scenario: s, resolved: scenario.Resolve(s), setup: Scenario(s)}
	c.starts = slices.ContainsFunc(c.resolved.Candidates,
		func(c scenario.ResolvedCandidate) bool { return c.StartJitterMax > 0 })
	c.acts = slices.ContainsFunc(c.resolved.Actions,
		func(a scenario.Action) bool { return a.Within > 0 || a.Act == scenario.ActAdd })
	// The draws of a seed may decide which candidates a rolling update replaces, and heartbeats have their own starts.
	rolls := slices.ContainsFunc(s.Actions, func(a scenario.Action) bool { return a.Act == scenario.ActRollingUpdate })
	c.whole = rolls || s.Heartbeats != nil
	return c
}

// Setup returns what Scenario would return for the scenario with that seed. It copies the shared setup and replaces
// only what depends on the seed. The table of symbols is a copy, too, because a run adds identities to it, and
// another run must not see them.
func (c *Seeds) Setup(seed uint64) *world.Setup {
	s := c.scenario
	s.Seed = seed
	if c.whole {
		return Scenario(s)
	}
	setup := *c.setup
	setup.Seed, setup.Symbols = seed, c.setup.Symbols.Clone() // runs may add symbols
	if c.starts {
		setup.Candidates = slices.Clone(setup.Candidates)
		for i := range setup.Candidates {
			setup.Candidates[i].StartNs = startNs(seed, &c.resolved.Candidates[i])
		}
	}
	if c.acts {
		setup.Controls = nil
		for i := range c.resolved.Actions {
			a := c.resolved.Actions[i]
			a.At = instant(&s, &a)
			setup.Controls = append(setup.Controls, Action(&setup, s, &a, int32(i))...)
		}
	}
	return &setup
}
