package suite_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/suite"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
)

// Processes can play every scenario, and a simulated client-go passes it with twenty seeds.
func TestSimulatedElectorPasses(t *testing.T) {
	require.Equal(t, []string{"operator"}, suite.Names())
	names := suite.Scenarios("operator")
	require.Len(t, names, 12)
	for _, name := range names {
		s, found := suite.ByName(name)
		require.True(t, found, name)
		assert.Equal(t, name, s.Name)
		require.NoError(t, programs.Expressible(&s, programs.AsProcesses), name)
		s = programs.Restarted(s)
		for seed := uint64(1); seed <= 20; seed++ {
			s.Seed = seed
			r := run.WithClauses(s)
			r.To(r.EndNs(), nil)
			sum := summary.Of(s, r, r.EndNs())
			assert.Equal(t, summary.Fine, summary.Verdict(s, r, &sum), "%s, seed %d: %v %v", name, seed, sum.Violations, sum.Unmet)
		}
	}
	_, found := suite.ByName("operator-none")
	assert.False(t, found)
	assert.Nil(t, suite.Scenarios("none"))
}
