package measured

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/figures"
)

// B02, openshift/library-go#305: see figures.Margins. With d = 3.5 s client-go, too, has two leaders in about 2.8 % of
// its elections; the 150 published ones had none.
func TestMargin(t *testing.T) {
	const elections = 5000
	for _, d := range []time.Duration{0, 2 * time.Second, 3500 * time.Millisecond, 4900 * time.Millisecond} {
		ours, err := figures.Margins(d, elections)
		require.NoError(t, err)
		theirs := measureElections(t, elections, func(t *testing.T, starts *rand.Rand) (margin time.Duration) {
			began := time.Now()
			var once sync.Once
			var answered time.Time
			election{settings: figures.ByDefault, oneWay: scenario.DefaultRequestLatency, written: func(l *line, _ *coordinationv1.Lease) {
				if time.Since(began) >= time.Duration(figures.LateFromNs) {
					once.Do(func() {
						time.Sleep(max(0, d-scenario.DefaultRequestLatency)) // the answer was already under way
						answered = time.Now()
						l.sever()
					})
				}
			}, watch: func(started, stopped <-chan *line) {
				old := <-started
				var leftAt, takenAt time.Time
				for leftAt.IsZero() || takenAt.IsZero() {
					select {
					case l := <-stopped:
						require.Same(t, old, l)
						leftAt = time.Now()
					case <-started:
						takenAt = time.Now()
					}
				}
				require.Equal(t, answered.Add(12*time.Second), leftAt, "the old leader stops retryPeriod and renewDeadline after the answer")
				margin = takenAt.Sub(leftAt)
			}}.run(t, starts)
			return margin
		})
		t.Logf("d = %v", d)
		alike(t, ours, theirs)
		two, both := ours.CountBelow(0), theirs.CountBelow(0)
		chance := figures.Fisher(two, both, elections)
		t.Logf("  two leaders in %d of ours, %d of client-go's elections (p = %.2f)", two, both, chance)
		assert.Greater(t, chance, figures.Unlikely, "the probability that two samples of one distribution differ this much")
	}
}

// alike prints two samples and asserts that they may be of one distribution.
func alike(t *testing.T, ours, theirs figures.Spread) {
	t.Helper()
	distance, p := figures.Apart(ours, theirs)
	t.Logf("  ours       %v", ours)
	t.Logf("  client-go  %v", theirs)
	t.Logf("  at most %.3f apart (p = %.2f)", distance, p)
	assert.Greater(t, p, figures.Unlikely, "the probability that two samples of one distribution are this far apart")
}
