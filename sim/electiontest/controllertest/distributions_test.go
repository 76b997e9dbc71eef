package controllertest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/figures"
)

// The same scenario as our simulation and with real electors, 500 seeds each: the first leader change is the same to the
// nanosecond, and the instants of the second, which jitter decides, and who leads then may be of one distribution.
func TestTheSameDistributions(t *testing.T) {
	const elections = 500
	for _, name := range []string{"crash", "graceful-stop-release"} {
		s := electiontest.Shipped(t, name)
		var ours, theirs figures.Spread
		ourB, theirB := 0, 0
		for seed := range uint64(elections) {
			s.Seed = seed + 1
			simulated := run.Plain(*s)
			simulated.To(int64(s.Duration), nil)
			real := electiontest.Run(t, s, func(c *electiontest.Cluster) {
				c.Start(func(ctx context.Context, n *electiontest.Node) { elect(ctx, n, untilDone) })
			})
			changes := simulated.Checks.Changes
			require.Len(t, real.Changes, len(changes), "%s, seed %d", name, s.Seed)
			require.GreaterOrEqual(t, len(changes), 2)
			require.Equal(t, changes[0].AtNs, int64(real.Changes[0].At))
			require.Equal(t, simulated.World.Node(changes[0].To).Name(), real.Changes[0].To)
			ours, theirs = append(ours, changes[1].AtNs), append(theirs, int64(real.Changes[1].At))
			if simulated.World.Node(changes[1].To).Name() == "b" {
				ourB++
			}
			if real.Changes[1].To == "b" {
				theirB++
			}
		}
		distance, p := figures.Apart(ours, theirs)
		who := figures.Fisher(ourB, theirB, elections)
		t.Logf("%s\n  ours       %v, b leads %d times\n  client-go  %v, b leads %d times\n  at most %.3f apart (p = %.2f; of b's share p = %.2f)", name, ours, ourB, theirs, theirB, distance, p, who)
		assert.Greater(t, p, figures.Unlikely, "the probability that two samples of one distribution are this far apart")
		assert.Greater(t, who, 0.01)
	}
}
