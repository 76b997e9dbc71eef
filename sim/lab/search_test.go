package lab

import (
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/run/pacer"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
)

// longRun returns a few hours with a hundred candidates and a late crash of the leader, far more than one call
// computes.
func longRun(t *testing.T) *scenario.Scenario {
	t.Helper()
	s, shipped := shipped.ByName("many")
	require.True(t, shipped)
	s.Duration = scenario.Duration(2 * time.Hour)
	s.Actions[0].At = scenario.Duration(100 * time.Minute)
	return &s
}

// finish continues until nothing is under way, and checks what each call does.
func finish(t *testing.T, l *Lab) (calls int) {
	t.Helper()
	last := protocol.Progress{At: -1}
	for p := l.Progress(); p != nil; p = l.Progress() {
		calls++
		require.Greater(t, p.At, last.At, "the search does not advance")
		require.LessOrEqual(t, p.At, p.Of)
		last = *p
		before := l.liveRun().Frontier().World.Counts().Requests
		l.GoOn()
		assert.LessOrEqual(t, l.liveRun().Frontier().World.Counts().Requests-before, int64(tickRequests+len(l.Scenario().Candidates)+100))
	}
	l.GoOn() // there is nothing to continue
	return calls
}

// A computation in many calls ends in the same state as in one, for every kind of view.
func TestASlicedRunIsTheSameRun(t *testing.T) {
	end := timeline.Cursor{T: int64(2 * time.Hour), N: -1}
	ways := map[string]func(l *Lab){
		"to the end":           func(l *Lab) { require.NoError(t, l.RunTo("end")) },
		"to the leader change": func(l *Lab) { l.Show(int64(time.Minute)); require.NoError(t, l.RunTo("leaderChange")) },
		"to a violation":       func(l *Lab) { require.NoError(t, l.RunTo("violation")) },
		"to a landmark":        func(l *Lab) { l.Show(int64(time.Minute)); l.Step(1, "landmark") },
		"opened at the end": func(l *Lab) {
			require.NoError(t, l.Open(Opening{Whole: longRun(t), Cursor: &timeline.Cursor{T: int64(time.Hour), N: -1}, Live: &end, Hash: "not this"}))
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			atOnce, sliced := New(nil), New(nil)
			sliced.Slice()
			for _, l := range []*Lab{atOnce, sliced} {
				require.NoError(t, l.Open(Opening{Whole: longRun(t)}))
				way(l)
			}
			require.Nil(t, atOnce.Progress())
			assert.Greater(t, finish(t, sliced), 5)
			assert.Equal(t, atOnce.View(), sliced.View())
			assert.Equal(t, atOnce.Timeline(0, end.T, 1440), sliced.Timeline(0, end.T, 1440))
			assert.Equal(t, atOnce.Events(end, -1, 50, "", ""), sliced.Events(end, -1, 50, "", ""))
		})
	}
}

// An unfinished computation shows nothing of what lies ahead, and stopping it leaves the lab unchanged.
func TestStoppingLeavesTheLabWhereItStood(t *testing.T) {
	l := New(nil)
	l.Slice()
	require.NoError(t, l.Open(Opening{Whole: longRun(t)}))
	l.Show(int64(5 * time.Second))
	before, line := l.View(), l.Timeline(0, l.history.endNs(), 1440)
	require.NoError(t, l.RunTo("end"))
	require.NotNil(t, l.Progress())
	l.GoOn()
	assert.Equal(t, before, l.View())
	assert.Equal(t, line.Bands, l.Timeline(0, l.history.endNs(), 1440).Bands)
	l.Stop()
	require.Nil(t, l.Progress())
	l.GoOn()
	assert.Equal(t, before, l.View())
	require.NoError(t, l.Act("crash", before.Lease.Holder, protocol.ActOptions{}))
	assert.Equal(t, 0, l.View().Branch, "an act at the live cursor is appended")
}

// An act in the past of a large run is computed in shares, too. Until the run is complete nothing moves, and a stopped
// one leaves nothing behind.
func TestAnActInThePastIsComputedInShares(t *testing.T) {
	s, known := shipped.ByName("many")
	require.True(t, known)
	s.Candidates[0].Replicas, s.Actions, s.Duration = 3000, nil, scenario.Duration(30*time.Second)
	l := New(nil)
	require.NoError(t, l.Open(Opening{Whole: &s, Live: &timeline.Cursor{T: int64(s.Duration), N: -1}}))
	l.Slice()
	past := int64(s.Duration) / 3
	l.Seek(timeline.Cursor{T: past, N: -1})
	l.Play(1, 0)
	wall := clock.NewMock()
	p := pacer.New(wall)
	act := func() {
		require.NoError(t, l.Act("crash", "holder", protocol.ActOptions{}))
		require.NotNil(t, l.Progress())
	}
	standing := func() {
		wall.Add(time.Second)
		l.Advance(p)
		require.Equal(t, past, l.Cursor().T)
		require.Len(t, l.Session().Branches, 1)
	}
	act()
	standing()
	l.Stop()
	assert.Empty(t, l.Session().Undo)
	act()
	last := l.Progress().At
	for shares := 0; l.Progress() != nil; shares++ {
		require.Less(t, shares, 1000)
		standing()
		r := l.search.run
		before := r.Frontier().World.Work()
		l.GoOn()
		require.LessOrEqual(t, r.Frontier().World.Work()-before, int64(2*tickRequests))
		if now := l.Progress(); now != nil {
			require.Greater(t, now.At, last)
			last = now.At
		}
	}
	assert.Equal(t, past+1, l.Cursor().T)
	v := l.Session()
	assert.Equal(t, 1, v.Branch)
	assert.Equal(t, "New branch. The original run is kept.", v.Toast)
	assert.True(t, v.Playing)
}
