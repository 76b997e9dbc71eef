package explore

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/testsupport/random"
	"github.com/leaselab/leaselab/sim/world"
)

// randomScenarios are random scenarios without what explore refuses, cut short.
func randomScenarios(count int) []scenario.Scenario {
	var all []scenario.Scenario
	for number := uint64(0); len(all) < count; number++ {
		s := random.Scenario(number)
		if number%2 == 0 {
			s = random.Speaking(number)
		}
		s.APIServers, s.Controllers, s.Heartbeats, s.Server = nil, nil, nil, nil
		s.Network.RequestDistribution, s.Network.ResponseDistribution, s.Network.ReadLag, s.Client.QPS, s.Client.WorkQPS = nil, nil, nil, nil, nil
		s.Expect = nil
		s.Candidates = s.Candidates[:min(len(s.Candidates), 3)]
		var acts []scenario.Action
		for _, a := range s.Actions {
			if a.Probability = nil; len(acts) < 4 {
				acts = append(acts, a)
			}
		}
		s.Actions = acts
		p := Plan{Scenario: s}
		if scenario.Validate(s) == nil && p.covers() == nil && len(scenario.Resolve(s).Candidates) <= 3 {
			all = append(all, s)
		}
	}
	return all
}

// random plans go through the choices of a few seconds in the middle of a scenario.
func randomPlan(s scenario.Scenario, seconds int64, draw *rand.Rand) Plan {
	end := int64(s.Duration)
	from := draw.Int64N(max(end/2, 1))
	p := Plan{Scenario: s, Order: true, Draws: []float64{Low, High}, FromNs: from, ToNs: min(from+seconds*1e9, end), UntilNs: min(from+(seconds+20)*1e9, end)}
	if draw.IntN(3) == 0 {
		p.DelaysNs = []int64{1 + draw.Int64N(5e9)}
	}
	return p
}

// Searches of random scenarios that compare states reach the same ends as searches that do not.
func TestMergingLosesNoEndOfRandomScenarios(t *testing.T) {
	count := 60
	if testing.Short() {
		count = 10
	}
	const most = 2_000
	compared, merged := 0, int64(0)
	draw := rand.New(rand.NewPCG(1, 2))
	for _, s := range randomScenarios(count) {
		p := randomPlan(s, 5, draw)
		p.Rules, p.keepEnds, p.States, p.apart, p.everyOrder, p.exact = unbroken, true, MaxStates, true, true, true
		apart, err := New(p)
		require.NoError(t, err)
		if !apart.Go(most) {
			continue
		}
		p.apart, p.everyOrder, p.exact = false, false, false
		together := exploreAll(t, p)
		require.Equal(t, apart.ends, together.ends, "%s", scenario.Encode(s))
		compared++
		merged += together.Counts().Merged
	}
	assert.Greater(t, compared, count/2)
	assert.Greater(t, merged, int64(count), "there is something to compare")
}

// A random schedule that is written as a scenario runs as the search has seen it: the same Lease at the end, and the same rules broken.
func TestSchedulesRunAsScenarios(t *testing.T) {
	count := 150
	if testing.Short() {
		count = 20
	}
	draw := rand.New(rand.NewPCG(3, 4))
	broken := 0
	for _, s := range randomScenarios(count) {
		p := randomPlan(s, 40, draw)
		p.Rules = []Rule{{Name: rules.WriteByNonHolder}}
		if draw.IntN(2) == 0 {
			p.Rules[0].Name = rules.MoreThanOneActive
		}
		x, err := New(p)
		require.NoError(t, err)
		var path []int32
		again := x.follower()
		for at := again.begin(0); ; {
			c, due, rule := again.run(at, len(path))
			if c.count == 0 || rule != none {
				break
			}
			f, option := frame{choice: c, due: append(again.due[:0:0], due...)}, draw.Int32N(c.count)
			path = append(path, option)
			if again.apply(at, &f, option) != none {
				break
			}
		}
		w := x.walk(path)
		one := w.pins.scenario(p.Rules[0])
		require.NoError(t, scenario.Validate(one))
		r := run.Plain(one)
		if w.rule != none {
			broken++
			at, _, is := breaks(one, p.Rules[0], x.plan.UntilNs)
			require.True(t, is, "%s", scenario.EncodeIndent(one))
			require.InDelta(t, w.brokenNs, at, slackNs, "%s", scenario.EncodeIndent(one))
			continue
		}
		_, _, is := breaks(one, p.Rules[0], x.plan.UntilNs)
		require.False(t, is, "%s", scenario.EncodeIndent(one))
		r.To(x.plan.UntilNs, nil)
		_, have, exists := r.World.Holder()
		_, want, wanted := w.s.world.Holder()
		require.Equal(t, wanted, exists, "%s", scenario.EncodeIndent(one))
		name := func(w *world.World, o *storage.Object) string { return w.Setup().Symbols.Text(o.Spec.HolderIdentity) }
		require.Equal(t, name(&w.s.world, &want), name(r.World, &have), "%s", scenario.EncodeIndent(one))
		require.Equal(t, want.Spec.LeaseTransitions, have.Spec.LeaseTransitions, "%s", scenario.EncodeIndent(one))
		require.InDelta(t, int64(want.Spec.RenewTime), int64(have.Spec.RenewTime), 1)
		require.Equal(t, want.ResourceVersion, have.ResourceVersion)
	}
	assert.Greater(t, broken, count/60, "some schedules break a rule")
}

// Followers that make parts of one round at once share the table of names. No search to which Shares says yes adds a name to it.
func TestNoNewNamesWhereFollowersShare(t *testing.T) {
	names := func(x *Explorer) (bytes int64) {
		for k := range x.roots {
			bytes += x.roots[k].setup.Symbols.Bytes()
		}
		return bytes
	}
	all := randomScenarios(40)
	for _, rest := range []string{
		"process: {identityAtRestart: new, restartAfterCrash: 1s}\ncandidates: [{name: a}]\nactions: [{at: 5s, act: crash, target: a}]",
		"candidates: [{name: a}]\nactions: [{at: 5s, act: set, target: a, elector: {retryPeriod: 3s}}, {at: 6s, act: crash, target: a}, {at: 7s, act: restart, target: a}]",
	} {
		all = append(all, small(t, rest))
	}
	share, grow := 0, 0
	for _, s := range all {
		x, err := New(Plan{Scenario: s, Order: true, Draws: []float64{Low, High}})
		require.NoError(t, err)
		before := names(x)
		x.Go(2_000)
		if x.shares() {
			assert.Equal(t, before, names(x), "%s", scenario.Encode(s))
			share++
		} else if names(x) > before {
			grow++
		}
	}
	assert.Greater(t, share, len(all)/4)
	assert.Positive(t, grow, "there are names that schedules make")
}
