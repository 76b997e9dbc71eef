package compile_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/testsupport/random"
	"github.com/leaselab/leaselab/sim/world"
)

func hash(setup *world.Setup) string {
	r := run.New(setup, run.Watchers{})
	r.To(min(r.EndNs(), 150e9), nil)
	return r.World.Hash().String()
}

// A scenario compiled for many seeds runs like one compiled for each seed, even while other seeds run at the same
// time.
func TestSeedsAreTheScenarioWithEachSeed(t *testing.T) {
	var all []scenario.Scenario
	swarm, every := uint64(60), 1
	if testing.Short() {
		swarm, every = 15, 4
	}
	for i, e := range shipped.Catalogue() {
		if i%every != 0 {
			continue
		}
		s, _ := shipped.ByName(e.Name)
		if len(scenario.Resolve(s).Candidates) > 200 {
			continue
		}
		all = append(all, s)
		for k := range s.Actions {
			with := s.Clone()
			with.Actions[k].Within = 1500 * 1e6
			if scenario.Validate(with) == nil {
				all = append(all, with)
				break
			}
		}
	}
	for seed := range swarm {
		all = append(all, random.Scenario(seed))
	}
	for _, s := range all {
		seeds := compile.ForSeeds(s)
		for _, seed := range []uint64{s.Seed, 4711} {
			s.Seed = seed
			got := make(chan string, 2)
			for range cap(got) {
				go func() { got <- hash(seeds.Setup(seed)) }()
			}
			want := hash(compile.Scenario(s))
			for range cap(got) {
				require.Equal(t, want, <-got, "%s, seed %d", s.Name, seed)
			}
		}
	}
	assert.Greater(t, len(all), 30)
}
