package grid

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// Each combination draws its instant within its own retryPeriod, and within its own duration; one that gives a within keeps it.
func TestVaryPhases(t *testing.T) {
	s, known := shipped.ByName("crash")
	require.True(t, known)
	for _, c := range []struct {
		sets   []string
		within []time.Duration
	}{
		{[]string{"elector.retryPeriod=500ms,8s"}, []time.Duration{500 * time.Millisecond, 8 * time.Second}},
		{[]string{"candidates[1].elector.retryPeriod=4s", "duration=61s,75s"}, []time.Duration{time.Second, 4 * time.Second}},
		{[]string{"actions[0].within=0s,1s"}, []time.Duration{0, time.Second}},
	} {
		all, err := Combinations(s, c.sets)
		require.NoError(t, err)
		VaryPhases(all)
		for i := range all {
			require.Empty(t, all[i].Refused)
			assert.Equal(t, scenario.Duration(c.within[i]), all[i].Scenario.Actions[0].Within, all[i].String())
		}
	}
}
