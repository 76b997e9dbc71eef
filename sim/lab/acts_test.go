package lab

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
)

// openAt returns a session with a shipped scenario, shown up to an instant.
func openAt(t *testing.T, name string, at time.Duration) *Lab {
	t.Helper()
	l := New(shipped.List())
	require.NoError(t, l.Open(Opening{Name: name}))
	l.Show(int64(at))
	return l
}

// A node can be removed although the script still has acts on it; undo restores both.
func TestRemoveANodeOfTheScript(t *testing.T) {
	l := openAt(t, "a-leader-dies", 15*time.Second)
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

// A run that is extended again and again with acts after its live cursor is the run that has them from the beginning; what has been
// shown stays, and there is nothing to undo.
func TestExtend(t *testing.T) {
	var all []scenario.Action
	for k := range 20 {
		all = append(all, scenario.Action{At: scenario.Duration(20e9 + int64(k)*1_500_000_001), Act: []string{scenario.ActPause, scenario.ActResume}[k%2], Target: "b"})
	}
	s, known := shipped.ByName("crash")
	require.True(t, known)
	whole := New(nil)
	end := timeline.Cursor{T: 100e9, N: -1}
	require.NoError(t, whole.Open(Opening{Whole: &s, Actions: all, Cursor: &end, Live: &end}))
	goneOn(t, whole)

	l := New(nil)
	at := timeline.Cursor{T: 19e9, N: -1}
	require.NoError(t, l.Open(Opening{Whole: &s, Cursor: &at, Live: &at}))
	goneOn(t, l)
	for k := 0; k < len(all); k += 2 {
		require.NoError(t, l.Extend(all[k:k+2]))
		assert.LessOrEqual(t, l.history.live.T, int64(all[k].At), "what has been shown stays")
		l.Show(int64(all[k+1].At))
	}
	l.Show(end.T)
	assert.Equal(t, whole.Look().Run.At(end).World.Hash(), l.Look().Run.At(end).World.Hash())
	assert.Empty(t, l.history.undo)
	assert.ErrorContains(t, l.Extend(all[:1]), "too late to add an act")
	assert.Error(t, l.Extend([]scenario.Action{{At: scenario.Duration(110e9), Act: scenario.ActCrash, Target: "nobody"}}))
}

// The first act of a visitor tells what the script still does; later acts, and an act after the script's last, do not.
func TestAnActTellsThatTheScriptGoesOn(t *testing.T) {
	const goesOn = "The script goes on: crash of a at 20s. You can change it in All faults."
	l := openAt(t, "a-leader-dies", 10*time.Second)
	require.NoError(t, l.Act("pause", "b", protocol.ActOptions{}))
	assert.Equal(t, goesOn, l.View().Toast)
	require.NoError(t, l.Act("resume", "b", protocol.ActOptions{}))
	assert.Empty(t, l.View().Toast)

	l = openAt(t, "a-leader-dies", 30*time.Second)
	require.NoError(t, l.Act("pause", "b", protocol.ActOptions{}))
	assert.Empty(t, l.View().Toast)

	l = openAt(t, "a-leader-dies", 30*time.Second)
	l.Seek(timeline.Cursor{T: int64(15 * time.Second), N: -1})
	require.NoError(t, l.Act("pause", "b", protocol.ActOptions{}))
	assert.Equal(t, "New branch. The original run is kept. "+goesOn, l.View().Toast)
}
