package electiontest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/scenario"
)

// with returns a scenario of three candidates with acts.
func with(t *testing.T, actions string) *scenario.Scenario {
	t.Helper()
	return electiontest.YAML(t, `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
seed: 1
duration: 2m
candidates: [{name: a}, {name: b, startAt: 50ms}, {name: c, startAt: 100ms}]
actions: [`+actions+`]
`)
}

// The leader is cut off: another leads when leaseDuration is over, and the rules find nothing.
func TestTheLeaderIsCutOff(t *testing.T) {
	r := electiontest.Run(t, with(t, `{at: 30s, act: cut, target: holder, for: 40s}`), func(c *electiontest.Cluster) {
		c.Start(elect)
		c.Until(29 * time.Second)
		assert.Equal(t, []string{"a"}, c.Workers())
		assert.Equal(t, "a", c.Holder())
		c.Until(60 * time.Second)
		assert.Equal(t, []string{"c"}, c.Workers())
		require.Len(t, c.Work("a"), 1)
		assert.Positive(t, c.Work("a")[0].Until)
	})
	require.Len(t, r.Changes, 2)
	assert.Empty(t, r.Violations)
	assert.Empty(t, r.File)
}
