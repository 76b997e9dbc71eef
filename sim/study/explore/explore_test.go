package explore

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/world"
)

// small is two candidates that start together, with settings and acts.
func small(t *testing.T, rest string) scenario.Scenario {
	t.Helper()
	s, err := yaml.Decode([]byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nname: small\nduration: 60s\n" + rest))
	require.NoError(t, err)
	return s
}

func exploreAll(t *testing.T, p Plan) *Explorer {
	t.Helper()
	x, err := New(p)
	require.NoError(t, err)
	require.True(t, x.Go(20_000_000))
	require.True(t, x.Over())
	return x
}

var (
	threeDraws = []float64{Middle, Low, High}
	unbroken   = []Rule{{Name: rules.LeaderlessTooLong, LongerNs: int64(time.Hour)}} // no schedule breaks it, and the search has seen all of them to their end
)

// models are small searches with every kind of choice and act.
var models = map[string]struct {
	scenario string
	plan     Plan
}{
	"together":          {"candidates: [{name: a}, {name: b}]", Plan{Draws: threeDraws, Order: true, UntilNs: 8e9}},
	"three together":    {"candidates: [{name: a}, {name: b}, {name: c}]", Plan{Draws: []float64{Middle, Low}, Order: true, UntilNs: 5e9}},
	"delays":            {"candidates: [{name: a}, {name: b, startAt: 1s}]", Plan{DelaysNs: []int64{3e9}, UntilNs: 5e9}},
	"delays and orders": {"candidates: [{name: a}, {name: b}]", Plan{DelaysNs: []int64{2e6}, Order: true, UntilNs: 2500e6}},
	"a cut": {"elector: {releaseOnCancel: true}\ncandidates: [{name: a}, {name: b, startAt: 50ms}]\nactions: [{at: 3s, act: cut, target: a, mode: hold, for: 13s}]",
		Plan{Draws: []float64{Middle, High}, Sets: []string{"actions[0].for=11s..15s/2s"}, FromNs: 10e9, UntilNs: 28e9}},
	"a crash": {"candidates: [{name: a, restart: new}, {name: b, startAt: 50ms}]\nactions: [{at: 3s, act: crash, target: holder, for: 4s}]",
		Plan{Draws: threeDraws, Sets: []string{"actions[0].at=3s,4s", "actions[0].for=1s,20s"}, FromNs: 8e9, UntilNs: 20e9}},
	"a pause": {"process: {drainAfterLoss: 1s}\ncandidates: [{name: a, restart: new, restartAfter: 1s}, {name: b, startAt: 50ms}]\nactions: [{at: 3s, act: pause, target: a, for: 18s}]",
		Plan{Draws: []float64{Low, High}, Sets: []string{"actions[0].for=14s,18s"}, FromNs: 12e9, UntilNs: 26e9}},
	"errors": {"candidates: [{name: a}, {name: b, startAt: 50ms}]\nactions: [{at: 3s, act: fail, target: '*', error: http429, retryAfter: 1s, for: 2s}, {at: 4s, act: latency, target: b, request: 700ms, for: 3s}]",
		Plan{Draws: threeDraws, UntilNs: 12e9}},
	"clocks": {"candidates: [{name: a, clock: {ratePpm: 1200000}}, {name: b, startAt: 50ms}]\nactions: [{at: 3s, act: clock, target: b, jump: 5s}, {at: 4s, act: suspend, target: a, for: 3s}]",
		Plan{Draws: threeDraws, UntilNs: 11e9}},
	"a stop": {"elector: {releaseOnCancel: true}\ncandidates: [{name: a, workTail: 2s}, {name: b, startAt: 50ms}]\nactions: [{at: 3s, act: stop, target: a}, {at: 3s, act: write, op: touch}]",
		Plan{Draws: threeDraws, Order: true, Sets: []string{"actions[0].at=3s,3500ms,4s"}, UntilNs: 10e9}},
	"a resource": {"resource: {fence: leaseTransitions, writeEvery: 2005ms, latency: 2ms}\ncandidates: [{name: a}, {name: b, startAt: 1ms}]\nactions: [{at: 3s, act: cutResource, target: holder, for: 3s}, {at: 5s, act: pause, target: a, for: 17s}, {at: 6s, act: latency, target: b, request: 2ms}]",
		Plan{Draws: []float64{Low, High}, Order: true, Sets: []string{"actions[0].for=3s,4s"}, FromNs: 3e9, ToNs: 18e9, UntilNs: 24e9}},
	"dialects": {"elector: {dialect: [wallClockExpiry, deadlineFromSend]}\ncandidates: [{name: a}, {name: b, startAt: 50ms}]\nactions: [{at: 3s, act: crash, target: a}]",
		Plan{Draws: threeDraws, FromNs: 6e9, UntilNs: 24e9}},
}

// A search that compares states reaches the same ends as one that goes through every schedule.
func TestMergingLosesNoEnd(t *testing.T) {
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := m.plan
			p.Scenario, p.Rules, p.keepEnds, p.States = small(t, m.scenario), unbroken, true, MaxStates
			merged := exploreAll(t, p)
			p.apart = true
			apart := exploreAll(t, p)
			assert.Equal(t, apart.ends, merged.ends)
			assert.Zero(t, apart.Counts().Merged)
			assert.Less(t, apart.Counts().Transitions, int64(2_000_000), "the model is small")
			assert.Greater(t, len(apart.ends), 4, "the model has choices")
		})
	}
}

// Partial-order reduction, and leaving out observed records that no longer matter, change neither the ends nor the verdict.
func TestReductionLosesNoEnd(t *testing.T) {
	for name, m := range models {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := m.plan
			p.Scenario, p.Rules, p.keepEnds = small(t, m.scenario), unbroken, true
			reduced := exploreAll(t, p)
			whole := p
			whole.everyOrder, whole.exact = true, true
			every := exploreAll(t, whole)
			assert.Equal(t, every.ends, reduced.ends)
			assert.LessOrEqual(t, reduced.Counts().Transitions, every.Counts().Transitions)
			p.Rules, whole.Rules, p.keepEnds, whole.keepEnds = nil, nil, false, false
			assert.Equal(t, verdict(t, exploreAll(t, whole)), verdict(t, exploreAll(t, p)))
		})
	}
}

// verdict is the rule that is broken and when, "" for none.
func verdict(t *testing.T, x *Explorer) string {
	c, err := x.Counterexample()
	require.NoError(t, err)
	if c == nil {
		return ""
	}
	return fmt.Sprint(c.Rule, " ", c.AtNs/1000)
}

// b05 is the plan of a proof: three candidates, one cut whose heal is one of twelve, waits from the ends and the middle of their jitter.
func b05(t *testing.T, name string) Plan {
	s, shipped := shipped.ByName(name)
	require.True(t, shipped)
	return Plan{Scenario: s, Sets: []string{"actions[0].for=10s..21s/1s"}, Draws: threeDraws, Order: true, Rules: []Rule{{Name: rules.WriteByNonHolder}}}
}

// B05: a release wipes the Lease of a successor if the network heals at the wrong time, and never does if it compares the holder.
func TestReleaseWipesTheLeaseOfASuccessor(t *testing.T) {
	if testing.Short() {
		t.Skip("run without -short: four million transitions")
	}
	x := exploreAll(t, b05(t, "b05-wiped-lease"))
	c, err := x.Counterexample()
	require.NoError(t, err)
	require.NotNil(t, c)
	assert.True(t, x.Complete())
	assert.Contains(t, x.Claim(), "None of these schedules breaks a rule earlier.")
	assert.Equal(t, "actions[0].for is 14s", c.Choices[0].What)
	assert.LessOrEqual(t, len(c.Choices), 6, "%+v", c.Choices)
	again := run.Plain(c.Scenario)
	again.To(again.EndNs(), nil)
	v := again.Checks.Violations[slices.IndexFunc(again.Checks.Violations, func(v check.Violation) bool { return v.Rule == rules.WriteByNonHolder })]
	assert.Equal(t, c.AtNs, v.FromNs)
	assert.Equal(t, "a", again.World.Node(v.First).Name())

	x = exploreAll(t, b05(t, "b05-wiped-lease-fixed"))
	c, err = x.Counterexample()
	require.NoError(t, err)
	assert.Nil(t, c)
	assert.True(t, x.Complete())
	assert.Contains(t, x.Claim(), "No schedule with 3 candidates breaks writeByNonHolder within 80.000 s, where actions[0].for is one of 12 values")
}

// goesOn is a search of a plan that has replayed some logs.
func goesOn(t *testing.T, p Plan, logs [][]byte) *Explorer {
	t.Helper()
	x, err := New(p)
	require.NoError(t, err)
	for _, log := range logs {
		require.NoError(t, x.Replay(log))
	}
	return x
}

// A search that stops after any of its rounds, and continues from their logs, ends like one that did not stop, even
// with several workers.
func TestReplayedSearchGoesOn(t *testing.T) {
	for _, name := range []string{"three together", "a cut", "delays and orders", "a crash", "a stop"} {
		m := models[name]
		p := m.plan
		p.Scenario, p.Rules = small(t, m.scenario), unbroken
		if name == "a stop" {
			p.Rules, p.Depth = []Rule{{Name: rules.LeaderlessTooLong, LongerNs: 15e8}}, 9
		}
		var logs [][]byte
		whole := goesOn(t, p, nil)
		for log, more := whole.Step(); more; log, more = whole.Step() {
			logs = append(logs, bytes.Clone(log))
		}
		require.Greater(t, len(logs), 10, name)
		for kept := 0; kept <= len(logs); kept += 1 + len(logs)/9 {
			x := goesOn(t, p, logs[:kept])
			x.Workers(1 + kept%3)
			at := kept
			for log, more := x.Step(); more; log, more = x.Step() {
				require.True(t, bytes.Equal(logs[at], log), "%s: the log of round %d", name, at)
				at++
			}
			require.Len(t, logs, at)
			assert.Equal(t, whole.Counts(), x.Counts(), name)
			assert.Equal(t, whole.found, x.found, name)
			assert.Equal(t, allVisits(&whole.visited), allVisits(&x.visited), name)
		}
	}
}

// A search refuses a log of another search, and a log that ends early.
func TestStrangeLogs(t *testing.T) {
	p := models["together"].plan
	p.Scenario = small(t, models["together"].scenario)
	x := goesOn(t, p, nil)
	first, _ := x.Step()
	first = bytes.Clone(first)
	for size := range len(first) {
		require.ErrorIs(t, goesOn(t, p, nil).Replay(first[:size]), errStale, "cut off at %d", size)
	}
	require.ErrorIs(t, goesOn(t, p, nil).Replay(append(bytes.Clone(first), 0)), errStale)
	require.ErrorIs(t, goesOn(t, p, [][]byte{first}).Replay(nil), errStale)
}

// fewest goes through every schedule until an instant, and returns how many choices that are not the default it takes at least to break a
// rule by then, in how many schedules.
func fewest(x *Explorer, byNs int64) (least, broken int) {
	f := &Follower{bounds: &x.bounds, before: byNs + 1}
	least = math.MaxInt
	var from func(s *state, depth, chosen int)
	from = func(s *state, depth, chosen int) {
		c, due, rule := f.run(s, depth)
		if rule != none {
			least, broken = min(least, chosen), broken+1
		}
		here := frame{choice: c, due: slices.Clone(due)}
		for option := range c.count {
			one, more := f.take(), chosen
			s.copyTo(one)
			if option > 0 && c.kind != chooseVariant {
				more++
			}
			if f.apply(one, &here, option) != none {
				least, broken = min(least, more), broken+1
			} else {
				from(one, depth+1, more)
			}
			f.release(one)
		}
	}
	from(f.begin(0), 0, 0)
	return least, broken
}

// A counterexample has no more choices than it takes: the schedule in which the search finds it first may have more, because states that
// are the same are explored once, whichever choices lead there.
func TestFewestChoices(t *testing.T) {
	for _, c := range []struct {
		fromNs, toNs int64
		least        int
	}{{22e9, 32e9, 1}, {24e9, 36e9, 1}, {16e9, 26e9, 2}, {15e9, 24e9, 2}, {20e9, 30e9, 0}} {
		p := b05(t, "b05-wiped-lease")
		p.FromNs, p.ToNs, p.UntilNs = c.fromNs, c.toNs, 40e9
		x := exploreAll(t, p)
		found, err := x.Counterexample()
		require.NoError(t, err)
		least, broken := fewest(x, x.found.atNs)
		assert.Equal(t, c.least, least)
		assert.Greater(t, broken, 10)
		chosen := slices.DeleteFunc(slices.Clone(found.Choices), func(one Chosen) bool { return one.Kind == "set" })
		assert.Len(t, chosen, least, "from %d to %d: %+v", c.fromNs, c.toNs, chosen)
		again := run.Plain(found.Scenario)
		again.To(again.EndNs(), nil)
		assert.True(t, slices.ContainsFunc(again.Checks.Violations, func(v check.Violation) bool { return v.Rule == rules.WriteByNonHolder && v.FromNs == found.AtNs }))
	}
}

// Two candidates that start together find no Lease, and which creates it is a matter of order. The counterexample writes the order as a
// delay of a nanosecond, and its run breaks the rule.
func TestOrderIsPinned(t *testing.T) {
	s := small(t, "elector: {releaseOnCancel: true}\ncandidates: [{name: a}, {name: b}]\nactions: [{at: 5s, act: cut, target: b, for: 30s}]")
	p := Plan{Scenario: s, Order: true, UntilNs: 30e9, Rules: []Rule{{Name: rules.LeaderlessTooLong, LongerNs: 1e9}}}
	c, err := exploreAll(t, p).Counterexample()
	require.NoError(t, err)
	require.NotNil(t, c)
	require.NotEmpty(t, c.Choices)
	assert.Equal(t, "order", c.Choices[0].Kind)
	assert.Equal(t, "the message of b comes before the message of a", c.Choices[0].What)
	held := c.Scenario.Actions[len(c.Scenario.Actions)-1]
	assert.Equal(t, scenario.ActIntercept, held.Act)
	assert.EqualValues(t, 1, held.For)
	p.Order, p.Draws = false, threeDraws
	x := exploreAll(t, p)
	assert.Nil(t, x.found, "a leads in every other schedule")
}

// Two acts of one instant stay in the order of the scenario, and the claim says so.
func TestActsOfOneInstant(t *testing.T) {
	s := small(t, "candidates: [{name: a}, {name: b, startAt: 50ms}]\nactions: [{at: 5s, act: stop, target: a}, {at: 5s, act: cut, target: a, for: 3s}]")
	x := exploreAll(t, Plan{Scenario: s, Order: true, FromNs: 4900e6, ToNs: 5100e6, Rules: unbroken})
	assert.EqualValues(t, 1, x.Counts().Ends)
	assert.Contains(t, x.Claim(), "with choices from 4.900 s to 5.100 s, where each wait before an attempt to acquire is the one that seed 1 draws")
	p := Plan{Scenario: s, Draws: []float64{Low, High}, FromNs: 4e9, ToNs: 5e9}
	assert.Contains(t, exploreAll(t, p).Claim(), "with choices from 4.000 s to 5.000 s (each wait before them is the one that seed 1 draws, each wait after them is the shortest), where")
	p.FromNs, p.ToNs = 0, 5e9
	assert.Contains(t, exploreAll(t, p).Claim(), "to 5.000 s (each wait after them is the shortest), where")
	assert.Contains(t, x.Claim(), "come in every order, but acts keep the scenario's order")
}

// A write to the resource changes nothing for an election. Its order is not a separate choice, and a schedule in
// which something comes before it holds no other message in its place.
func TestWritesToAResourceAreNotHeld(t *testing.T) {
	s := small(t, "resource: {fence: none, writeEvery: 2005ms}\ncandidates: [{name: a}, {name: b, startAt: 1ms}]")
	p := Plan{Scenario: s, Order: true, Draws: []float64{Low}, UntilNs: 8e9, Rules: unbroken}
	assert.EqualValues(t, 1, exploreAll(t, p).Counts().Transitions, "they are independent of all else")
	p.everyOrder = true
	x, err := New(p)
	require.NoError(t, err)
	f, path := x.follower(), []int32(nil)
	for at := f.begin(0); ; {
		c, due, _ := f.run(at, len(path))
		if c.count == 0 {
			break
		}
		here := frame{choice: c, due: slices.Clone(due)}
		path = append(path, c.count-1)
		require.Equal(t, none, f.apply(at, &here, c.count-1))
	}
	require.NotEmpty(t, path)
	assert.Empty(t, x.walk(path).pins.scenario(unbroken[0]).Actions)
}

// An answer that is late enough lets the leader give up: the counterexample holds the message.
func TestDelayIsPinned(t *testing.T) {
	s := small(t, "network: {responseLatency: 3ms}\ncandidates: [{name: a}, {name: b, startAt: 50ms}]\nelector: {requestTimeout: 60s}")
	p := Plan{Scenario: s, DelaysNs: []int64{14e9}, FromNs: 6e9, ToNs: 7e9, UntilNs: 40e9, Rules: []Rule{{Name: rules.LeaderlessTooLong, LongerNs: 2e9}}}
	c, err := exploreAll(t, p).Counterexample()
	require.NoError(t, err)
	require.NotNil(t, c)
	require.Len(t, c.Choices, 1)
	assert.Equal(t, "delay", c.Choices[0].Kind)
	assert.Contains(t, c.Choices[0].What, "takes 14s longer")
	require.NoError(t, scenario.Validate(c.Scenario))
}

// The claim says in words that a bound ended the search early, and the search is not complete.
func TestBoundsThatCut(t *testing.T) {
	p := models["together"].plan
	p.Scenario = small(t, models["together"].scenario)
	p.Depth = 2
	x := exploreAll(t, p)
	assert.False(t, x.Complete())
	assert.Contains(t, x.Claim(), "Only the first 2 choices of each schedule vary")
	assert.LessOrEqual(t, x.Counts().Depth, 2)
	p.Depth, p.States = 0, 5
	x, err := New(p)
	require.NoError(t, err)
	require.True(t, x.Go(1000))
	assert.True(t, x.Full())
	assert.False(t, x.Complete())
	assert.Contains(t, x.Claim(), "The search stopped at its bound of 5 states, with ")
	assert.EqualValues(t, 5, x.Counts().States)
}

// Every bad bound says what is wrong with it.
func TestRefused(t *testing.T) {
	good := "candidates: [{name: a}, {name: b}]\n"
	for _, c := range []struct {
		scenario string
		plan     Plan
		says     string
	}{
		{good, Plan{}, "nothing to choose"},
		{good, Plan{Order: true, UntilNs: 61e9}, "until 1m1s must lie between 0 and the scenario's duration, 1m0s"},
		{good, Plan{Order: true, FromNs: 30e9, ToNs: 20e9}, "window 30s..20s"},
		{good, Plan{Order: true, Depth: -1}, "depth -1"},
		{good, Plan{Order: true, States: 1 << 30}, "states 1073741824 must be 1 to 200000000"},
		{good, Plan{Sets: []string{"actions[0].at=1s"}}, "no such entry"},
		{good, Plan{Sets: []string{"elector.retryPeriod=1s..1000s/1ms"}}, "the limit is 10000"},
		{good, Plan{Sets: []string{"seed=1,2"}}, "explore chooses no seed"},
		{good + "actions: [{at: 5s, act: rollback, to: 2s}]", Plan{Order: true}, "actions[0]: act rollback"},
		{good + "actions: [{at: 5s, act: cut, target: a, probability: 0.5}]", Plan{Order: true}, "actions[0]: probability"},
		{good + "actions: [{at: 5s, act: latency, target: a, requestDistribution: {min: 1s, max: 2s}}]", Plan{Order: true}, "actions[0]: a drawn latency"},
		{good + "network: {requestDistribution: {min: 1s, max: 2s}}", Plan{Order: true}, "candidate a: network"},
		{good + "network: {readLag: 1s}", Plan{Order: true}, "candidate a: network.readLag"},
		{good + "client: {qps: 5}", Plan{Order: true}, "candidate a: client.qps"},
		{good + "elector: {lock: configmaps}", Plan{Order: true}, "candidate a: elector.lock"},
		{good + "server: {ratePerSecond: 5}", Plan{Order: true}, "server: "},
		{good + "heartbeats: {nodes: 3}", Plan{Order: true}, "heartbeats: "},
		{good + "apiServers: [{name: cp-1}]", Plan{Order: true}, "apiServers: "},
		{good + "actions: [{at: 5s, act: set, target: a, network: {requestDistribution: {min: 1s, max: 2s}}}]", Plan{Order: true}, "actions[0]: network: a drawn latency"},
		{good + "actions: [{at: 5s, act: set, target: a, network: {readLag: 1s}}]", Plan{Order: true}, "actions[0]: network.readLag"},
		{good + "actions: [{at: 5s, act: set, target: a, elector: {lock: configmaps}}]", Plan{Order: true}, "actions[0]: elector.lock"},
		{good + "actions: [{at: 5s, act: set, target: holder, elector: {retryPeriod: 3s}}, {at: 6s, act: set, target: a, elector: {retryPeriod: 1s}}]", Plan{Order: true}, "actions[0]: this act set has target holder and is not the only act set"},
		{good + "network: {requestLatency: 0s}", Plan{DelaysNs: []int64{1e9}}, "delay 1s of a message that takes no time: candidate a: network.requestLatency is 0s"},
		{good + "actions: [{at: 5s, act: latency, target: a, response: 0s}]", Plan{DelaysNs: []int64{1e9}}, "delay 1s of a message that takes no time: actions[0]: response is 0s"},
		{good + "actions: [{at: 5s, act: set, target: a, network: {responseLatency: 0s}}]", Plan{DelaysNs: []int64{1e9}}, "actions[0]: network.responseLatency is 0s"},
		{good + "actions: [{at: 5s, act: latency, target: a, response: 1s}]", Plan{DelaysNs: []int64{1e9}, Sets: []string{"actions[0].response=0s,1s"}}, "actions[0]: response is 0s"},
		{"candidates: [{name: a, replicas: 17}]", Plan{Order: true}, "candidates: 17; the limit of explore is 16"},
	} {
		p := c.plan
		p.Scenario = small(t, c.scenario)
		_, err := New(p)
		require.ErrorContains(t, err, c.says)
	}
}

// What an act brings counts as what is there from the beginning: when connections began, and messages that take no time.
func TestActsThatSetTheNetwork(t *testing.T) {
	set := func(network string) *Explorer {
		s := small(t, "candidates: [{name: a}, {name: b}]\nactions: [{at: 5s, act: set, target: a, network: {"+network+"}}]")
		x, err := New(Plan{Scenario: s, Order: true})
		require.NoError(t, err)
		return x
	}
	assert.True(t, set("deadPeerTime: 30s").with.Connections)
	assert.False(t, set("requestLatency: 0s").reduces)
	usual := set("requestLatency: 9ms")
	assert.False(t, usual.with.Connections)
	assert.True(t, usual.reduces)
}

func TestParse(t *testing.T) {
	draws, err := ParseDraws("low,middle,high")
	require.NoError(t, err)
	assert.Equal(t, threeDraws, draws, "the middle one is the default")
	for _, bad := range []string{"1", "-0.1", "x", "low,low", "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,0.95", "NaN"} {
		_, err := ParseDraws(bad)
		assert.Error(t, err, bad)
	}
	delays, err := ParseDelays("1s..3s/1s,0s,1s")
	require.NoError(t, err)
	assert.Equal(t, []int64{1e9, 2e9, 3e9}, delays)
	for _, bad := range []string{"1", "-1s", "1s..2s", "1s..20s/1s"} {
		_, err := ParseDelays(bad)
		assert.Error(t, err, bad)
	}
	for text, want := range map[string]Rule{
		"writeByNonHolder": {Name: rules.WriteByNonHolder}, "moreThanOneActive": {Name: rules.MoreThanOneActive},
		"moreThanOneActive > 2s": {Name: rules.MoreThanOneActive, LongerNs: 2e9}, "leaderless>30s": {Name: rules.LeaderlessTooLong, LongerNs: 30e9},
	} {
		rule, err := ParseRule(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, rule)
		again, err := ParseRule(rule.String())
		require.NoError(t, err)
		assert.Equal(t, rule, again)
	}
	for _, bad := range []string{"", "leaderless", "leaderless>0s", "leaderless>x", "writeByNonHolder>2s", "needlessChange", "moreThanOneActive>-2s"} {
		_, err := ParseRule(bad)
		assert.Error(t, err, bad)
	}
}

// Two middle waits are as long as a low and a high one, and each is at most a nanosecond from what its name says.
func TestDrawsMeet(t *testing.T) {
	for _, retry := range []time.Duration{2 * time.Second, 1, 7, 26 * time.Second, 1234567891} {
		c := &world.Candidate{Config: elector.Config{RetryPeriod: retry}}
		exact := exactDraws(threeDraws, c)
		wait := func(draw float64) int64 { return elector.JitterDelayNs(int64(retry), draw, elector.JitterFactor) }
		assert.Equal(t, 2*wait(exact[0]), wait(exact[1])+wait(exact[2]), retry)
		for i := range exact {
			assert.InDelta(t, wait(threeDraws[i]), wait(exact[i]), 1, retry)
		}
	}
}
