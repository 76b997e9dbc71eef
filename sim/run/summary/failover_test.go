package summary_test

import (
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// The gap after a crash, over 600 seeds as they come, is distributed as with the real library: 600 runs of client-go
// v0.37.2 with 15/10/2, three electors started within 0.1 s, 10 ms each way and the leader cut off at 60 s gave these
// figures.
func TestFailoverDistributionOfTheRealLibrary(t *testing.T) {
	s, shipped := shipped.ByName("crash")
	require.True(t, shipped)
	var gaps []time.Duration
	for seed := uint64(1); seed <= 600; seed++ {
		s.Seed = seed
		r := run.Plain(s)
		r.To(r.EndNs(), nil)
		sum := summary.Of(s, r, r.EndNs())
		require.Len(t, sum.LeaderChanges, 2, "seed %d", seed)
		gaps = append(gaps, time.Duration(sum.LeaderChanges[1].LeaderlessSeconds))
	}
	sort.Slice(gaps, func(i, j int) bool { return gaps[i] < gaps[j] })
	for _, q := range []struct {
		name         string
		index        int
		real, within time.Duration
	}{
		{"min", 0, 13_800 * time.Millisecond, time.Second},
		{"p50", 299, 16_300 * time.Millisecond, 300 * time.Millisecond},
		{"p95", 569, 18_300 * time.Millisecond, 300 * time.Millisecond},
		{"p99", 593, 19_000 * time.Millisecond, 600 * time.Millisecond},
		{"max", 599, 20_400 * time.Millisecond, time.Second},
	} {
		t.Logf("%s %.3f s, the real library %.1f s", q.name, gaps[q.index].Seconds(), q.real.Seconds())
		assert.InDelta(t, q.real.Seconds(), gaps[q.index].Seconds(), q.within.Seconds(), q.name)
	}
}
