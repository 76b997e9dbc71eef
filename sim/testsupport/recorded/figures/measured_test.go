package figures

import (
	"fmt"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, duration, rest string) scenario.Scenario {
	t.Helper()
	s, err := decode(duration, rest)
	require.NoError(t, err)
	return s
}

// B02. Measured on the real library, 150 elections each: d = 0 s min 3.23 median 5.15 max 7.43; 2 s min 1.27 median
// 3.12 max 5.36; 3.5 s min 0.02 median 1.68 max 3.93; 4.9 s min -1.74 median 0.16 max 3.15, with two leaders in 68 of
// 150.
//
// At 3.5 s two lead in 2.6 % of our 20,000 elections and in 2.8 % of client-go's own (sim/conformance/measured draws
// them), so a few of 150 are expected. The published sample had none, although its least lags at 0, 2 and 4.9 s were
// 0.23, 0.27 and 0.16 s, all below the 0.5 s that decide at 3.5 s; none in 150 happens about once in 60 samples.
func TestMargin(t *testing.T) {
	for _, c := range []struct {
		d                time.Duration
		min, median, max float64
		overlaps         int // of 150 elections
	}{
		{0, 3.23, 5.15, 7.43, 0},
		{2 * time.Second, 1.27, 3.12, 5.36, 0},
		{3500 * time.Millisecond, 0.02, 1.68, 3.93, 0},
		{4900 * time.Millisecond, -1.74, 0.16, 3.15, 68},
	} {
		many := 1500
		if testing.Short() {
			many = 300
		}
		margins, err := Margins(c.d, many)
		require.NoError(t, err)
		published := margins[:150]
		two, chance := published.CountBelow(0), Fisher(published.CountBelow(0), c.overlaps, 150)
		t.Logf("d = %v: margin %v; two leaders in %d (p = %.3f); of seeds 1 to %d: %v; in %.1f %%", c.d, published, two,
			chance, many, margins, float64(margins.CountBelow(0))/float64(many)*100)
		assert.GreaterOrEqual(t, margins.At(0), 3-c.d.Seconds(), "the least possible margin")
		assert.InDelta(t, c.min, published.At(0), 0.35)
		assert.InDelta(t, c.median, published.At(50), 0.2)
		assert.InDelta(t, c.max, published.At(100), 1)
		assert.Greater(t, chance, 0.05,
			"the probability that two samples of one distribution differ at least this much")
		assert.InDelta(t, float64(c.overlaps)/150, float64(margins.CountBelow(0))/float64(many), 0.07)
		if 3*time.Second >= c.d {
			assert.Zero(t, margins.CountBelow(0), "no election at all")
		}
	}
}

// B03, kubernetes#23731: the leader is paused from 4.3 s to 24.3 s. Measured: the successor starts at 20.5 to 20.8 s in
// three runs; the old leader stops at 34.4 to 34.5 s, ten seconds after it has read that it lost.
func TestPausedLeaderWorksOn(t *testing.T) {
	s := parse(t, "50s", three+`,"actions":[{"at":"4.3s","act":"pause","target":"holder","for":"20s"}]`)
	var successor, stop, knew Spread
	late := 0
	for seed := uint64(1); seed <= 150; seed++ {
		h := runSeed(s, seed)
		paused := h.kind(0, trace.Paused)
		next := h.kind(paused.At, trace.StartedLeading)
		if next == nil {
			next = &trace.Record{At: sec * 1000}
		}
		stopped := h.first(0, func(r *trace.Record) bool {
			return r.Kind == trace.LeadingDone && r.Candidate == paused.Candidate
		})
		if next.At > 24_300_000_000 { // no candidate looked before the old leader resumed, so it continues
			late++
			continue
		}
		read := h.first(24*sec, func(r *trace.Record) bool {
			return r.Kind == trace.RequestEnded && r.Candidate == paused.Candidate && r.Verb == elector.Get &&
				r.Spec.HolderIdentity != h.World.Node(r.Candidate).Identity()
		})
		successor, stop, knew = append(successor, next.At), append(stop, stopped.At-24_300_000_000),
			append(knew, stopped.At-read.At)
	}
	t.Logf("successor starts at %v; in %d runs the old leader woke before that", successor, late)
	t.Logf("old leader stops after waking: %v; after reading who leads: %v", stop, knew)
	assert.InDelta(t, 10.0, stop.At(0), 0.01)
	assert.InDelta(t, 10.0, stop.At(100), 0.01)
	assert.InDelta(t, 10.0, knew.At(50), 0.05)
	assert.Greater(t, successor.At(0), 4.3-2+15)
	usual := successor.CountBelow(20_900_000_000) - successor.CountBelow(20_400_000_000)
	assert.GreaterOrEqual(t, usual, 10, "the three measured runs are typical")

	s = parse(t, "50s", three+
		`,"elector":{"dialect":["stopAtOtherHolder"]},"actions":[{"at":"4.3s","act":"pause","target":"holder","for":"20s"}]`)
	for seed := uint64(1); seed <= 30; seed++ {
		h := runSeed(s, seed)
		old := h.kind(0, trace.Paused).Candidate
		if stopped := h.first(0, func(r *trace.Record) bool {
			return r.Kind == trace.LeadingDone && r.Candidate == old
		}); stopped != nil {
			assert.Less(t, stopped.At, 24_320*sec/1000, "fixed: as soon as it has read it")
		}
	}
}

// B04, kubernetes#139991: with releaseOnCancel the Lease is free at once while the work drains for 8 s. Measured in one
// run: the stop is requested at 4.53 s, the successor starts at 7.35 s, the work ends at 12.53 s: 5.2 s with two
// workers.
func TestReleaseBeforeTheWorkIsDone(t *testing.T) {
	body := `,"process":{"drainAfterCancel":"8s"},"actions":[{"at":"4.53s","act":"stop","target":"holder"}]`
	s := parse(t, "40s", three+`,"elector":{"releaseOnCancel":true}`+body)
	var overlap Spread
	for seed := uint64(1); seed <= 150; seed++ {
		h := runSeed(s, seed)
		asked := h.kind(0, trace.StopAsked)
		next := h.kind(asked.At, trace.StartedLeading)
		done := h.kind(asked.At, trace.WorkDone)
		require.Equal(t, asked.At+8*sec, done.At)
		overlap = append(overlap, done.At-next.At)
		require.Equal(t, overlap[len(overlap)-1], h.Checks.DoubleNs, "seed %d", seed)
	}
	t.Logf("two workers for %v", overlap)
	assert.Less(t, overlap.At(0), 5.2)
	assert.Greater(t, overlap.At(100), 5.2)
	assert.GreaterOrEqual(t, overlap.At(0), 8-4.42, "the next poll is at most 2.2 retryPeriods away")

	s = parse(t, "60s", three+`,"elector":{"releaseOnCancel":true,"releaseAfterWork":true}`+body)
	for seed := uint64(1); seed <= 30; seed++ {
		h := runSeed(s, seed)
		require.Zero(t, h.Checks.DoubleNs, "fixed: it renews until its work is done")
		next := h.kind(5*sec, trace.StartedLeading)
		require.Greater(t, next.At, 12_530*sec/1000)
		require.Less(t, next.At, 17*sec, "and hands over then")
	}
}

// B08, kubernetes#61151: two processes with one identity. Measured: the second leads 1.00 s after the start of the run,
// as soon as it runs; leaseTransitions stays 0.
func TestTwoWithOneIdentity(t *testing.T) {
	s := parse(t, "60s",
		`"candidates":[{"name":"a","identity":"node-1","startJitterMax":"100ms"},{"name":"b","identity":"node-1","startAt":"1s"}]`)
	for seed := uint64(1); seed <= 50; seed++ {
		h := runSeed(s, seed)
		second := h.first(0, func(r *trace.Record) bool { return r.Kind == trace.StartedLeading && r.Candidate == 1 })
		require.InDelta(t, 1.00, float64(second.At)/1e9, 0.02)
		o, _ := h.World.Store().Get(0)
		require.Zero(t, o.Spec.LeaseTransitions)
		require.Len(t, h.Checks.Violations, 1)
		require.Equal(t, rules.MoreThanOneActive, h.Checks.Violations[0].Rule)
		require.EqualValues(t, -1, h.Checks.Violations[0].UntilNs, "until the end")
	}
}

// B47, kubernetes#126446: a ping meets a LeaseCandidate whose clock is 4 s behind and whose writes take 22 ms.
// Measured: 180 and 183 updates for one ping; with the clock 4 s ahead, none.
func TestOnePingManyAnswers(t *testing.T) {
	for offset, want := range map[string]float64{"-4s": 182, "4s": 0} {
		for seed := uint64(1); seed <= 20; seed++ {
			s := parse(t, "20s",
				fmt.Sprintf(
					`"elector":{"coordinated":true},"apiServers":[{"name":"api-1","version":"1.37.0"}],"candidates":[
				{"name":"b","startJitterMax":"100ms","clock":{"offset":%q},"network":{"requestLatency":"11ms","responseLatency":"11ms"},"binaryVersion":"1.37.0","emulationVersion":"1.37.0","strategy":"OldestEmulationVersion"}],
				"actions":[{"at":"3s","act":"request","method":"PATCH","path":"/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates/b",
				"headers":["Content-Type: application/merge-patch+json"],"body":"{\"spec\":{\"pingTime\":\"2000-01-01T00:00:03.000000Z\"}}"}]`, offset))
			h := runSeed(s, seed)
			require.EqualValues(t, 200, h.kind(3*sec, trace.Asked).Write().Status)
			answers := 0
			for i := range h.records {
				if r := &h.records[i]; r.At >= 3*sec && r.Kind == trace.CandidateStored {
					answers++
				}
			}
			if seed == 1 {
				t.Logf("clock %s: %d updates for one ping", offset, answers)
			}
			require.InDelta(t, want, answers, 2)
		}
	}
}

// Failover. Measured on the real library: 15/10/2, 600 seeds: min 13.82 p50 16.30 p95 18.31 p99 19.04 max 20.44 s.
// 137/107/26, 500 seeds: min 116.0 p50 156.4 p95 186.0 p99 198.9 max 206.2 s; so the published worst case of 163 s is
// too low.
func TestFailover(t *testing.T) {
	for _, c := range []struct {
		failover                Failover
		elections               int
		min, p50, p95, p99, max float64
		tolerance               float64
	}{
		{ByDefault, 600, 13.82, 16.30, 18.31, 19.04, 20.44, 0.35},
		{OpenShift, 500, 116.0, 156.4, 186.0, 198.9, 206.2, 6},
	} {
		gaps, err := c.failover.Gaps(c.elections)
		require.NoError(t, err)
		t.Logf("%v: %v", c.failover, gaps)
		assert.InDelta(t, c.min, gaps.At(0), c.tolerance)
		assert.InDelta(t, c.p50, gaps.At(50), c.tolerance)
		assert.InDelta(t, c.p95, gaps.At(95), c.tolerance)
		assert.InDelta(t, c.p99, gaps.At(99), c.tolerance)
		assert.InDelta(t, c.max, gaps.At(100), 2*c.tolerance)
	}
}

// B05. Measured in 220 runs: the Lease is wiped in 2 of 20 if the network heals 14 to 15 s after the cut, 2 of 20 at 15
// to 16 s, 1 of 20 at 16 to 17 s, else 0 of 160.
func TestReleaseWipesTheSuccessor(t *testing.T) {
	wipes := func(heal time.Duration, seed uint64, fixed bool) bool {
		wiped, err := WipesSuccessor(heal, seed, fixed)
		require.NoError(t, err)
		return wiped
	}
	const perSecond = 200
	inside, seed := 0, uint64(0)
	for from := 10; from < 21; from++ {
		n := 0
		for k := range perSecond {
			seed++
			heal := time.Duration(from)*time.Second + time.Duration(k)*time.Second/perSecond
			if wipes(heal, seed, false) {
				n++
			}
			if k%10 == 0 {
				require.False(t, wipes(heal, seed, true), "fixed")
			}
		}
		t.Logf("heal %d to %d s after the cut: %d of %d", from, from+1, n, perSecond)
		if from >= 14 && from < 17 {
			inside += n
		} else {
			assert.Zero(t, n, "heal %d s after the cut", from)
		}
	}
	t.Logf("heals 14 to 17 s after the cut: %.1f %%", float64(inside)*100/(3*perSecond))
	assert.InDelta(t, 0.083, float64(inside)/(3*perSecond), 0.06)
}
