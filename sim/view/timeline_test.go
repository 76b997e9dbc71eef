package view_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

const threeAtOnce = `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: three-at-once
seed: 1
duration: 2m
elector: {releaseOnCancel: true}
process: {drainAfterCancel: 30s}
candidates: [{name: a}, {name: b}, {name: c}]
actions:
- {at: 20s, act: stop, target: holder}
- {at: 30s, act: stop, target: holder}
`

// A run that is computed further than it is shown does not say who joins an overlap later.
func TestAViolationSaysNothingOfWhatFollowsLive(t *testing.T) {
	s, err := yaml.Decode([]byte(threeAtOnce))
	require.NoError(t, err)
	l := lab.New(nil)
	at := timeline.Cursor{T: 28e9, N: -1}
	require.NoError(t, l.Open(lab.Opening{Whole: &s, Cursor: &at, Live: &at}))
	look := l.Look()
	known := view.Timeline(look, 0, 40e9, 1000).Violations
	require.Len(t, known, 1)
	assert.Regexp(t, `^\w and \w both lead, for `, known[0].Text)
	look.Run.Compute(40e9)
	require.Len(t, look.Run.Frontier().Checks.Violations[0].Others, 1, "by then all three lead")
	assert.Equal(t, known, view.Timeline(look, 0, 40e9, 1000).Violations)
}
