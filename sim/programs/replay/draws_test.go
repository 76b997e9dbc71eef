package replay

import (
	"testing"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/stretchr/testify/assert"
)

// A wait is behind a draw in [0, 1): from the retryPeriod to less than 2.2 times as long.
func TestDrawsHaveBounds(t *testing.T) {
	k := Observed{retryNs: 1e9}
	draws := func(ns int64) []float64 { return k.draws([]int64{ns}, scenario.Scenario{}) }
	assert.InDelta(t, 0, draws(1e9)[0], 1e-6)
	assert.InDelta(t, 1, draws(2.2e9 - 1)[0], 1e-6)
	assert.Nil(t, draws(2.2e9), "the draw is 1")
	assert.Nil(t, draws(1e9-1), "the draw is below 0")
}
