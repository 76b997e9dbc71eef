package random

import (
	"testing"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Random scenarios are valid, the same for the same number, and taken together they use every act there is.
func TestScenarios(t *testing.T) {
	used := map[string]int{}
	runs := uint64(1000)
	if testing.Short() {
		runs = 200
	}
	for n := range runs {
		s := Scenario(n)
		require.NoError(t, scenario.Validate(s), "number %d", n)
		require.Equal(t, scenario.Encode(s), scenario.Encode(Scenario(n)))
		for _, a := range s.Actions {
			used[a.Act]++
		}
	}
	for _, rule := range scenario.Acts() {
		assert.Greater(t, used[rule.Word], int(runs/20), rule.Word)
	}
}
