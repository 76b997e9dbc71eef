package lab

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// opened returns a session with a shipped scenario, shown up to an instant.
func opened(t *testing.T, name string, at time.Duration) *Lab {
	t.Helper()
	l := New(shipped.List())
	require.NoError(t, l.Open(Opening{Name: name}))
	l.Show(int64(at))
	return l
}

// A node can be removed although the script still has acts on it; undo restores both.
func TestRemoveANodeOfTheScript(t *testing.T) {
	l := opened(t, "a-leader-dies", 15*time.Second)
	require.NoError(t, l.Act("remove", "a", protocol.ActOptions{}))
	assert.Equal(t, "left", l.View().Nodes[0].RoleWord)
	l.Show(int64(60 * time.Second))
	assert.Equal(t, 2, l.View().Totals.Leaders)
	require.NoError(t, l.Undo())
	l.Show(int64(60 * time.Second))
	v := l.View()
	assert.Equal(t, "down", v.Nodes[0].RoleWord)
	assert.Equal(t, int64(34_038_760_571), v.Change.At)
}
