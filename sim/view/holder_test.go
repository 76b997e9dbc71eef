package view_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

// A write that a fault refuses stores nothing: the holder in the Lease stays, without a hole in its lane.
func TestARefusedWriteLeavesTheHolder(t *testing.T) {
	holders := view.Timeline(openAt(t, "b55-shed-in-step-fixed", 24*time.Second).Look(), 0, 24e9, 1000).Holder
	require.Len(t, holders, 1)
	assert.Equal(t, "a", holders[0].Holder)
	assert.Equal(t, int64(24e9), holders[0].To)
}

// A leader that restarts finds its own name in the Lease: the Lease names it all the time, and hollow is only the time
// in which nobody renewed.
func TestALeaderThatLeadsAgainRenewsAgain(t *testing.T) {
	renewed := func(actions string) (said []string) {
		s, err := yaml.Decode([]byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nseed: 1\nduration: 1m\n" +
			"elector: {leaseDuration: 30s, renewDeadline: 20s}\ncandidates: [{name: a}]\nactions: [" + actions + "]\n"))
		require.NoError(t, err)
		l := lab.New(nil)
		at := timeline.Cursor{T: 40e9, N: -1}
		require.NoError(t, l.Open(lab.Opening{Whole: &s, Cursor: &at, Live: &at}))
		for _, h := range view.Timeline(l.Look(), 0, 40e9, 1000).Holder {
			said = append(said, fmt.Sprint(h.Holder, " ", h.From/1e9, " ", h.RenewedUntil/1e9, " ", h.To/1e9))
		}
		return said
	}
	assert.Equal(t, []string{"a 0 40 40"}, renewed(""))
	assert.Equal(t, []string{"a 0 20 40"}, renewed("{at: 20s, act: crash, target: a}"))
	assert.Equal(t, []string{"a 0 20 30", "a 30 40 40"},
		renewed("{at: 20s, act: crash, target: a}, {at: 30s, act: restart, target: a}"))
	assert.Equal(t, []string{"a 0 20 25", "a 25 38 40"},
		renewed("{at: 20s, act: pause, target: a, for: 5s}, {at: 38s, act: pause, target: a}"))
}
