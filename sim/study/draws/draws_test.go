package draws

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/random"
	"github.com/leaselab/leaselab/sim/compile"
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

// Whatever the electors draw, the run stays inside the intervals and their slack, and what is exact is the same. Of most of
// these scenarios some draws do lead beyond the ends that the search has reached.
func TestDrawsStayInside(t *testing.T) {
	if testing.Short() {
		t.Skip("6,000 runs")
	}
	for _, name := range []string{
		"crash", "b05-wiped-lease", "leader-clock-behind", "upgrade-plain", "b16-slow-after-grant", "b36-half-open-connection",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := byName(t, name)
			o := Search(Plan{Scenario: s})
			stream, setup := random.New(17), compile.Scenario(s)
			setup.Jitter = func(int32, int64) float64 { return stream.Float64() }
			beyond := 0
			for n := range 1000 {
				r := run.New(setup, run.Watchers{})
				r.To(setup.DurationNs, nil)
				require.GreaterOrEqual(t, len(r.Checks.Changes), o.Least, "run %d", n)
				require.LessOrEqual(t, len(r.Checks.Changes), len(o.Changes), "run %d", n)
				for k, c := range r.Checks.Changes {
					in, slack := &o.Changes[k], o.SlackNs
					if in.EarliestNs == in.LatestNs {
						slack = 0
					}
					require.GreaterOrEqual(t, c.AtNs, in.EarliestNs-slack, "run %d, change %d", n, k)
					require.LessOrEqual(t, c.AtNs, in.LatestNs+slack, "run %d, change %d", n, k)
					require.Contains(t, in.From, nameOf(r.World, c.From))
					require.Contains(t, in.To, nameOf(r.World, c.To))
					if c.AtNs < in.EarliestNs || c.AtNs > in.LatestNs {
						beyond++
					}
				}
			}
			assert.Less(t, beyond, 10, "of 1,000 runs lead beyond an end that the search reached")
			t.Logf("%d of 1,000 runs lead beyond an end", beyond)
		})
	}
}

// The same plan gives the same outcome.
func TestSearchIsDeterministic(t *testing.T) {
	p := Plan{Scenario: byName(t, "crash"), Runs: 300}
	assert.Equal(t, Search(p), Search(p))
}
