package check_test

import (
	"testing"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var _ = tests(rules.NewerThanAPIServer)

// runUpgrades runs an upgrade of three nodes with many seeds: in how many a leader was newer than the oldest API
// server, and how long nobody led on average.
func runUpgrades(t *testing.T, name string, seeds uint64) (newer int, leaderlessNs int64) {
	s, ok := shipped.ByName(name)
	require.True(t, ok)
	for seed := range seeds {
		s.Seed = seed
		w, c := world.New(compile.Scenario(s)), check.New()
		w.Run(int64(s.Duration), c.Observe)
		for _, v := range c.Violations {
			if v.Rule == rules.NewerThanAPIServer {
				newer++
				break
			}
		}
		none, _ := c.Totals(int64(s.Duration))
		leaderlessNs += none / int64(seeds)
	}
	return newer, leaderlessNs
}

// KEP-4355 expects a leader that is newer than an API server in about a quarter of the upgrades with plain leases and
// in none with coordinated ones. That has its price.
func TestUpgradeOfThreeNodes(t *testing.T) {
	seeds := uint64(200)
	if testing.Short() {
		seeds = 40
	}
	plain, plainNs := runUpgrades(t, "upgrade-plain", seeds)
	coordinated, coordinatedNs := runUpgrades(t, "upgrade-coordinated", seeds)
	t.Logf("newer than the oldest API server: plain %d, coordinated %d of %d; nobody led: %.1f s, %.1f s", plain,
		coordinated, seeds, float64(plainNs)/1e9, float64(coordinatedNs)/1e9)
	assert.InDelta(t, 0.25, float64(plain)/float64(seeds), 0.12)
	assert.Zero(t, coordinated)
	assert.Greater(t, coordinatedNs, plainNs)
}

// The rule begins with the leader or with the server, whichever is later, and ends with either.
func TestNewerThanAPIServer(t *testing.T) {
	at := func(kind trace.Kind, seconds, node, version int64) trace.Record {
		r := trace.Record{Kind: kind, At: seconds * 1e9, Candidate: int32(node),
			Payload: trace.Process{ServerVersion: version}.Payload()}
		if kind == trace.StartedLeading {
			r.Payload = trace.Term{CandidateVersion: version}.Payload()
		}
		return r
	}
	c := check.New()
	c.Observe([]trace.Record{
		at(trace.Started, 1, 8, 36), at(trace.Started, 2, 9, 37), at(trace.StartedLeading, 3, 0, 36),
		at(trace.LeadingDone, 4, 0, 0),
		at(trace.StartedLeading, 5, 1, 37), at(trace.Crashed, 7, 8, 0), at(trace.Restarted, 9, 8, 36),
	})
	d := c.Clone()
	c.Observe([]trace.Record{at(trace.LeadingDone, 10, 1, 0)})
	want := []check.Violation{
		{Rule: rules.NewerThanAPIServer, Severity: rules.Observation, FromNs: 5e9, UntilNs: 7e9, First: 1, Second: 8,
			Ordinal: 1},
		{Rule: rules.NewerThanAPIServer, Severity: rules.Observation, FromNs: 9e9, UntilNs: 10e9, First: 1, Second: 8,
			Ordinal: 1},
	}
	assert.Equal(t, want, of(&c, rules.NewerThanAPIServer))
	assert.Equal(t, int64(-1), of(&d, rules.NewerThanAPIServer)[1].UntilNs)
	assert.Zero(t, c.Worst(func(rule string) bool { return rule == rules.CallbacksOutOfOrder }), "an observation")
}
