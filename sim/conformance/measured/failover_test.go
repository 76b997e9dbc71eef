package measured

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/recorded/figures"
)

// The time from the leader's cut to its successor's start: see figures.Failover.
func TestFailover(t *testing.T) {
	const elections = 2000
	for _, f := range []figures.Failover{figures.ByDefault, figures.OpenShift} {
		ours, err := f.Gaps(elections)
		require.NoError(t, err)
		theirs := measureElections(t, elections, func(t *testing.T, starts *rand.Rand) (gap time.Duration) {
			at := time.Now().Add(f.CutAt + time.Duration(starts.Float64()*float64(f.Phase)))
			election{settings: f, oneWay: figures.OneWay, watch: func(started, stopped <-chan *line) {
				old := <-started
				time.Sleep(time.Until(at))
				old.sever()
				<-started
				gap = time.Since(at)
			}}.run(t, starts)
			return gap
		})
		t.Logf("%v", f)
		alike(t, ours, theirs)
	}
}
