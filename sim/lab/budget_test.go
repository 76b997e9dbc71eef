package lab

import (
	"strings"
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

// A frame computes a bounded share at any playback speed; playback continues and ends at the same place.
func TestAFrameComputesABoundedShare(t *testing.T) {
	s, shipped := shipped.ByName("many")
	require.True(t, shipped)
	s.Candidates[0].Replicas = 5000
	if testing.Short() {
		s.Candidates[0].Replicas = 1000
	}
	l := New(nil)
	require.NoError(t, l.Open(Opening{Whole: &s}))
	wall := clock.NewMock()
	p := pacer.New(wall)
	l.Play(1000, 0)
	for frames := 0; l.Playing(); frames++ {
		require.Less(t, frames, 1000, "playback does not advance")
		before, at := l.liveRun().Frontier().World.Counts().Requests, l.history.cursor.T
		wall.Add(250 * time.Millisecond)
		l.Advance(p)
		computed := l.liveRun().Frontier().World.Counts().Requests - before
		assert.LessOrEqual(t, computed, int64(tickRequests+len(s.Candidates)+100))
		assert.Greater(t, l.history.cursor.T, at)
	}
	assert.Equal(t, l.history.endNs(), l.history.cursor.T)
}

// Opening a link is also computed in shares when the cost lies in requests to the API, at many instants or all at one:
// it can be stopped every few requests.
func TestHeavyActsAreComputedInShares(t *testing.T) {
	body := `{"metadata":{"annotations":{"a":"` + strings.Repeat("x", 50_000) + `"}}}`
	for _, apartNs := range []int64{1_000_000_000, 0} {
		s, shipped := shipped.ByName("a-leader-dies")
		require.True(t, shipped)
		o := Opening{Whole: &s, Live: &timeline.Cursor{T: 60_000_000_000, N: -1}}
		for k := range 40 {
			o.Actions = append(o.Actions, scenario.Action{
				At: scenario.Duration(10_000_000_000 + int64(k)*apartNs), Act: scenario.ActRequest, Method: "PATCH", Body: body,
				Path: "/apis/coordination.k8s.io/v1/namespaces/default/leases/demo", Headers: []string{"Content-Type: application/merge-patch+json"},
			})
		}
		l := New(nil)
		l.Slice()
		require.NoError(t, l.Open(o))
		shares, most, before := 1, int64(0), l.liveRun().Frontier().World.Work()
		for ; l.Progress() != nil; shares++ {
			require.Less(t, shares, 10_000)
			l.GoOn()
			most, before = max(most, l.liveRun().Frontier().World.Work()-before), l.liveRun().Frontier().World.Work()
		}
		assert.GreaterOrEqual(t, shares, 15)
		assert.LessOrEqual(t, most, int64(3*tickRequests+len(body)/4), "a few acts at most")
	}
}

// While a breakpoint is watched, a frame that replays known events is bounded, too. It stops where one long walk does.
func TestAWatchedReplayIsBoundedAFrame(t *testing.T) {
	s, known := shipped.ByName("many")
	require.True(t, known)
	s.Candidates[0].Replicas, s.Duration = 3000, scenario.Duration(40*time.Second)
	s.Actions[0].At = scenario.Duration(20 * time.Second)
	l := New(nil)
	require.NoError(t, l.Open(Opening{Whole: &s}))
	require.NoError(t, l.SetBreakpoints([]protocol.Breakpoint{{Text: "active = 0"}}))
	l.Show(int64(5 * time.Second))
	fired, err := l.ToBreakpoint()
	require.NoError(t, err)
	require.NotEmpty(t, fired)
	want := l.Cursor()
	l.Show(l.history.endNs())
	l.Seek(timeline.Cursor{T: int64(5 * time.Second), N: -1})
	wall := clock.NewMock()
	p := pacer.New(wall)
	l.Play(1000, 0)
	walked := l.Look().Here().World.Counts().Requests
	for frames := 0; l.Playing(); frames++ {
		require.Less(t, frames, 1000)
		wall.Add(250 * time.Millisecond)
		l.Advance(p)
		requests := l.stops.walk.state.World.Counts().Requests
		require.LessOrEqual(t, requests-walked, int64(tickRequests+len(s.Candidates)+100))
		walked = requests
	}
	assert.Equal(t, want, l.Cursor())
}
