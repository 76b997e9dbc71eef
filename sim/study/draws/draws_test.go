package draws

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

func byName(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	s, ok := shipped.ByName(name)
	require.True(t, ok)
	return s
}

// The first leader needs no jitter: two requests of 20 ms. After a crash the draws decide, within what can be counted by
// hand from a's last write at 58.63 s. The earliest follower reads it at once, 10 ms later, and tries again when it expires
// 15 s later: two more requests. The latest reads just before the write, and 4.4 s later the next time; just before the
// Lease expires it tries without success, waits 4.4 s again, and acquires.
func TestIntervalsByHand(t *testing.T) {
	o := Search(Plan{Scenario: byName(t, "crash")})
	require.Equal(t, 2, o.Least)
	require.Len(t, o.Changes, 2)
	assert.Equal(t, Change{From: []string{""}, To: []string{"a"}, EarliestNs: 40e6, LatestNs: 40e6}, o.Changes[0])
	assert.True(t, o.Changes[0].Exact())
	takeover := o.Changes[1]
	assert.False(t, takeover.Exact())
	assert.Equal(t, []string{"b", "c"}, takeover.To)
	const write, way, lease, wait = 58_630 * ms, 10 * ms, 15_000 * ms, 4_400 * ms
	assert.Equal(t, write+way+lease+4*way, takeover.EarliestNs)
	latest := write + way + wait + 2*way + lease + 2*way + wait + 4*way
	assert.InDelta(t, latest, takeover.LatestNs, 10, "nanoseconds")
}

const ms = int64(time.Millisecond)

// Whatever seed draws, the run stays inside the intervals.
func TestSeedsStayInside(t *testing.T) {
	if testing.Short() {
		t.Skip("2,500 runs")
	}
	for _, name := range []string{"crash", "graceful-stop-release", "cut-off", "b05-wiped-lease", "api-outage-30s"} {
		s := byName(t, name)
		o := Search(Plan{Scenario: s})
		for seed := range uint64(500) {
			s.Seed = seed
			r := run.Plain(s)
			r.To(int64(s.Duration), nil)
			require.GreaterOrEqual(t, len(r.Checks.Changes), o.Least, "%s, seed %d", name, seed)
			require.LessOrEqual(t, len(r.Checks.Changes), len(o.Changes), "%s, seed %d", name, seed)
			for k, c := range r.Checks.Changes {
				in := o.Changes[k]
				assert.GreaterOrEqual(t, c.AtNs, in.EarliestNs, "%s, seed %d, change %d", name, seed, k)
				assert.LessOrEqual(t, c.AtNs, in.LatestNs, "%s, seed %d, change %d", name, seed, k)
				assert.Contains(t, in.To, r.World.Node(c.To).Name())
			}
		}
	}
}

// The same plan gives the same outcome.
func TestSearchIsDeterministic(t *testing.T) {
	p := Plan{Scenario: byName(t, "crash"), Runs: 300}
	assert.Equal(t, Search(p), Search(p))
}
