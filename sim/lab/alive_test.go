package lab

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A call that computes much gives signs of life on its way; going nowhere gives none.
func TestSignsOfLife(t *testing.T) {
	signs := 0
	Alive = func() { signs++ }
	defer func() { Alive = nil }()
	l := shown(t, "a-leader-dies")
	require.NoError(t, l.RunTo("end"))
	requests := l.run().frontier.world.Counts().Requests
	ofTheRun := signs
	require.NoError(t, l.Edit("elector.retryPeriod", "10ms", "rerun", ""))
	require.NoError(t, l.RunTo("end"))
	more := l.run().frontier.world.Counts().Requests
	require.Greater(t, more, 20*requests)
	assert.Greater(t, signs, 10*max(ofTheRun, 1))
	s := l.stateHere()
	s.steps, s.aliveNs = aliveSteps-1, s.world.Now()
	signs = 0
	s.live()
	assert.Zero(t, signs, "virtual time stands")
}
