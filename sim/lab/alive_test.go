package lab

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A call that computes much calls alive on its way; a call that computes nothing does not.
func TestSignsOfLife(t *testing.T) {
	signs := 0
	l := openShipped(t, "a-leader-dies")
	l.Alive(func() { signs++ })
	require.NoError(t, l.Edit("elector.retryPeriod", "2s", "rerun", ""))
	require.NoError(t, l.RunTo("end"))
	requests := l.liveRun().Frontier().World.Counts().Requests
	ofTheRun := signs
	require.NoError(t, l.Edit("elector.retryPeriod", "10ms", "rerun", ""))
	require.NoError(t, l.RunTo("end"))
	more := l.liveRun().Frontier().World.Counts().Requests
	require.Greater(t, more, 20*requests)
	assert.Greater(t, signs, 10*max(ofTheRun, 1))
}
