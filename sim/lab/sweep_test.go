package lab

import (
	"slices"
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crash is "A leader dies", with knobs changed by path and value.
func crash(t *testing.T, knobs ...string) scenario.Scenario {
	t.Helper()
	s, ok := shipped.ByName("a-leader-dies")
	require.True(t, ok)
	for i := 0; i < len(knobs); i += 2 {
		var err error
		s, err = scenario.Set(s, knobs[i], knobs[i+1])
		require.NoError(t, err)
	}
	return s
}

const crashed = int64(20 * time.Second)

// gap is the dumb twin: the whole run, then the first change after the crash.
func gap(s scenario.Scenario, seed uint64) int64 {
	s.Seed = seed
	w, c := world.New(compile.Scenario(s)), check.New()
	for w.Step(int64(s.Duration)) {
		c.Observe(w.Records())
	}
	for _, change := range c.Changes {
		if change.AtNs > crashed {
			return change.LeaderlessNs
		}
	}
	return unended
}

// However a sweep is sliced, it ends with what runs of the whole scenario, one by one, give.
func TestSlicesMakeTheWhole(t *testing.T) {
	plain, changed := crash(t), crash(t, "elector.retryPeriod", "1s")
	const count = 40
	var want [2][]int64
	for seed := uint64(1); seed <= count; seed++ {
		a, b := gap(plain, seed), gap(changed, seed)
		want[0], want[1] = append(want[0], a), append(want[1], b)
	}
	slices.Sort(want[0])
	slices.Sort(want[1])
	for _, slice := range []int64{1, 37, 1000, 1 << 40} {
		s := sweep{plain: plain, changed: changed, afterNs: crashed, first: 1, count: count, hereNs: -1}
		slices := 1
		for !s.step(slice) {
			slices++
			require.Less(t, slices, 100_000)
		}
		o, here := s.swept(), gap(changed, changed.Seed)
		assert.Equal(t, &protocol.Swept{Done: count, Of: count, HereNs: &here, MedianNs: &want[1][count/2],
			PlainMedianNs: &want[0][count/2]}, o, "slices of %d", slice)
		assert.True(t, s.step(slice), "and stays over")
		assert.Equal(t, o, s.swept())
	}
}

// What lesson 1 asks: a shorter lease and a shorter retryPeriod help against a crash, a release does not.
func TestWhatHelpsAgainstACrash(t *testing.T) {
	outcome := func(knobs ...string) *protocol.Swept {
		s := sweep{plain: crash(t), changed: crash(t, knobs...), afterNs: crashed, first: 1, count: 200, hereNs: -1}
		require.True(t, s.step(1<<40))
		return s.swept()
	}
	release := outcome("elector.releaseOnCancel", "true")
	assert.Equal(t, outcome().HereNs, release.HereNs, "to the nanosecond what it was")
	assert.Equal(t, release.PlainMedianNs, release.MedianNs)

	lease := outcome("elector.renewDeadline", "6s", "elector.leaseDuration", "10s")
	assert.InDelta(t, float64(*lease.PlainMedianNs-*lease.MedianNs), 5e9, 1e9, "five seconds less to count")

	retries := outcome("elector.retryPeriod", "1s")
	assert.Less(t, *retries.MedianNs, *retries.PlainMedianNs)
	assert.Greater(t, *retries.MedianNs, *lease.MedianNs, "though less than the lease")
}

// A run in which no candidate leads again counts as longer than any other, and never as a length.
func TestARunThatDoesNotEnd(t *testing.T) {
	s := crash(t, "candidates[1].startAt", "60s", "candidates[2].startAt", "60s", "duration", "70s")
	endless := sweep{plain: s, changed: s, afterNs: crashed, first: 1, count: 3, hereNs: -1}
	require.True(t, endless.step(1<<40))
	assert.Equal(t, &protocol.Swept{Done: 3, Of: 3}, endless.swept())
	assert.Equal(t, unended, endless.hereNs)
	assert.Equal(t, unended, median(endless.changedGaps))
}

// Gaps stay sorted however they come.
func TestInsert(t *testing.T) {
	assert.Equal(t, int64(-1), median(nil))
	var gaps []int64
	for _, gap := range []int64{9, 1, 5, 7, 5} {
		gaps = insert(gaps, gap)
		require.True(t, slices.IsSorted(gaps))
	}
	assert.Equal(t, []int64{1, 5, 5, 7, 9}, gaps)
	assert.Equal(t, int64(5), median(gaps))
	assert.Equal(t, int64(7), median([]int64{5, 7}), "the upper of two")
}
