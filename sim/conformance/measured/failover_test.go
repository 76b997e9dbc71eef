package measured

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/recorded/figures"
)

// The time from the leader's cut to its successor's start: see figures.Failover.
func TestFailover(t *testing.T) {
	const elections = 2000
	for _, f := range []figures.Failover{figures.ByDefault, figures.OpenShift} {
		ours, err := f.Gaps(elections)
		require.NoError(t, err)
		theirs := failovers(t, f, elections, figures.OneWay, 0)
		t.Logf("%v", f)
		alike(t, ours, theirs)
	}
}
