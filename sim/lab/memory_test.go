package lab

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
)

// longSession returns a session with a run of this many days, computed to its end.
func longSession(t *testing.T, days int) *Lab {
	t.Helper()
	s, shipped := shipped.ByName("a-leader-dies")
	require.True(t, shipped)
	s.Duration = scenario.Duration(days) * scenario.Duration(24*time.Hour)
	s.Expect = nil
	l := New(nil)
	require.NoError(t, l.Open(Opening{Whole: &s}))
	require.NoError(t, l.RunTo("end"))
	return l
}

const dayNs = int64(24 * time.Hour)

// Any number of acts in any number of branches stays within the session's budget. Every branch can be shown again: a
// forgotten run is recomputed and is the same.
func TestRunsShareABudget(t *testing.T) {
	if testing.Short() {
		t.Skip("computes ten long runs, which are the same on every machine")
	}
	l := longSession(t, 1)
	hashes := []string{l.View().Hash}
	for k := range 9 {
		require.NoError(t, l.Edit("elector.retryPeriod", fmt.Sprintf("%dms", 1900-k), "rerun", ""))
		require.NoError(t, l.RunTo("end"))
		hashes = append(hashes, l.View().Hash)
		bytes, runs := l.runs.bytes(l.history.specs())
		assert.LessOrEqual(t, len(runs), keptRuns)
		assert.LessOrEqual(t, bytes, int64(keptBytes))
	}
	for range 9 {
		require.NoError(t, l.Undo())
	}
	_, runs := l.runs.bytes(l.history.specs())
	assert.LessOrEqual(t, len(runs), keptRuns, "the runs of redo count too")
	for id, hash := range hashes {
		if l.history.branches[id].view.Hidden {
			continue
		}
		require.NoError(t, l.Switch(id))
		require.Equal(t, hash, l.View().Hash)
	}
}

// Runs that cannot be forgotten lose checkpoints.
func TestRunsAreSqueezed(t *testing.T) {
	l := longSession(t, 2)
	r := l.liveRun()
	before := r.Checkpoints()
	squeeze(keptBytes+1<<40, []*timeline.Run{r})
	assert.LessOrEqual(t, r.Checkpoints(), before)
	assert.Less(t, r.Bytes(), int64(keptBytes/4))
	l.Seek(timeline.Cursor{T: dayNs, N: -1})
	assert.NotEmpty(t, l.View().Hash)
}

// An act before later acts drops those: the new run shares everything before it, and equals a run computed from the
// beginning.
func TestAnActBeforeOthersSharesWhatIsBeforeIt(t *testing.T) {
	l := longSession(t, 1)
	for k, at := range []int64{20, 15, 18, 5, 4} {
		l.Seek(timeline.Cursor{T: at * int64(time.Hour), N: -1})
		require.NoError(t, l.Act([]string{"cut", "pause", "cut"}[k%3], []string{"a", "b", "c"}[k%3], protocol.ActOptions{}))
		r := l.liveRun()
		assert.Greater(t, r.Checkpoints(), 1, "the fork shares the checkpoints")
		require.NoError(t, l.RunTo("end"))
		sp := l.history.spec()
		fresh := New(nil)
		require.NoError(t, fresh.Open(Opening{Whole: &sp.begun, Actions: sp.actions}))
		require.NoError(t, fresh.RunTo("end"))
		require.Equal(t, fresh.View().Hash, l.View().Hash, "after the act at %d h", at)
		for _, hour := range []int64{3, 10, 16, 21} {
			fresh.Seek(timeline.Cursor{T: hour * int64(time.Hour), N: -1})
			l.Seek(timeline.Cursor{T: hour * int64(time.Hour), N: -1})
			require.Equal(t, fresh.View().Hash, l.View().Hash, "at %d h", hour)
		}
	}
}

// The undo list does not copy the branches for every act.
func TestViewsAreShared(t *testing.T) {
	l := longSession(t, 1)
	for k := range 50 {
		require.NoError(t, l.Fork(fmt.Sprint("fork ", k)))
	}
	first, last := l.history.undo[40].views, l.history.undo[49].views
	require.Len(t, first, 41)
	require.Len(t, last, 50)
	assert.Same(t, &first[0], &last[0])
	require.NoError(t, l.Rename(3, "another"))
	require.NoError(t, l.Fork("one more"))
	assert.Equal(t, "fork 2", last[3].Name)
	assert.Equal(t, "another", l.history.undo[len(l.history.undo)-1].views[3].Name)
	for range 3 {
		require.NoError(t, l.Undo())
	}
	assert.Equal(t, "fork 2", l.history.branches[3].view.Name)
}
