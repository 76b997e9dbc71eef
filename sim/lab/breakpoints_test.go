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

// openShipped returns a lab with all shipped scenarios, opened at one of them.
func openShipped(t testing.TB, name string) *Lab {
	t.Helper()
	var all []scenario.Scenario
	for _, name := range []string{"a-leader-dies", "crash", "graceful-stop", "graceful-stop-release", "paused-leader"} {
		s, found := shipped.ByName(name)
		require.True(t, found, name)
		all = append(all, s)
	}
	l := New(all)
	require.NoError(t, l.Open(Opening{Name: name}))
	return l
}

// goneOn lets a sliced lab finish and counts the shares.
func goneOn(t *testing.T, l *Lab) (shares int) {
	t.Helper()
	for l.Progress() != nil {
		shares++
		require.Less(t, shares, 100_000)
		l.GoOn()
	}
	return shares
}

// A run continues to where a condition becomes true, and from there to where it becomes true again.
func TestRunToBreakpoint(t *testing.T) {
	l := openShipped(t, "a-leader-dies")
	require.EqualError(t, l.RunTo("breakpoint"), "no breakpoint is set; set one first, such as “active = 2”")
	require.NoError(t, l.SetBreakpoints([]protocol.Breakpoint{{Text: "leaderless >= 10s"}, {Text: "holder=b"}, {Text: "active = 0", Off: true}}))
	require.NoError(t, l.RunTo("breakpoint"))
	assert.Equal(t, timeline.Cursor{T: 30_000_000_013, N: -1}, l.history.cursor)
	assert.Equal(t, l.history.cursor, l.history.live)
	v := l.View()
	assert.Equal(t, "Stopped at 00:30.000: leaderless >= 10s.", v.Toast)
	assert.Equal(t, []protocol.Breakpoint{{Text: "leaderless >= 10s"}, {Text: "holder = b"}, {Text: "active = 0", Off: true}}, v.Breakpoints)
	require.NoError(t, l.RunTo("breakpoint"))
	assert.Equal(t, "Stopped at 00:34.036: holder = b.", l.View().Toast)
	holder, _, _ := l.Look().Here().World.Holder()
	assert.Equal(t, "b", l.Look().Here().World.Node(holder).Name(), "at the event itself")
	l.history.cursor = timeline.Cursor{T: l.history.cursor.T - 1, N: -1}
	holder, _, _ = l.Look().Here().World.Holder()
	assert.Equal(t, "a", l.Look().Here().World.Node(holder).Name(), "and not one event earlier")
	l.Seek(l.history.live)
	require.NoError(t, l.RunTo("breakpoint"))
	assert.Equal(t, l.history.endNs(), l.history.cursor.T)
	assert.Equal(t, "No breakpoint fires before the run ends.", l.View().Toast)

	var refused *scenario.FieldError
	require.ErrorAs(t, l.SetBreakpoints([]protocol.Breakpoint{{Text: "violation"}, {Text: "active is 2"}}), &refused)
	assert.Equal(t, "breakpoints[1]", refused.Path)
	assert.Len(t, l.stops.all, 3, "the session is unchanged")
}

// Playback stops where a breakpoint fires, independent of the frames, and can continue from there.
func TestABreakpointStopsPlaying(t *testing.T) {
	l := openShipped(t, "paused-leader")
	require.NoError(t, l.SetBreakpoints([]protocol.Breakpoint{{Text: "active = 2"}, {Text: "leader change"}}))
	wall := clock.NewMock()
	p := pacer.New(wall)
	played := func(frame time.Duration) (stops []timeline.Cursor) {
		l.Seek(timeline.Cursor{T: 0, N: -1})
		for l.history.cursor.T < l.history.endNs() {
			l.Play(50, 0)
			p.Reset()
			for l.Playing() {
				wall.Add(frame)
				l.Advance(p)
			}
			stops = append(stops, l.history.cursor)
		}
		return stops
	}
	stops := played(16 * time.Millisecond)
	require.Greater(t, len(stops), 2)
	var ran []timeline.Cursor
	l.Seek(timeline.Cursor{T: 0, N: -1})
	for l.history.cursor.T < l.history.endNs() {
		require.NoError(t, l.RunTo("breakpoint"))
		ran = append(ran, l.history.cursor)
	}
	assert.Equal(t, ran, stops)
	assert.Equal(t, stops, played(37*time.Millisecond))
}

// The search for a breakpoint in a long run is computed in shares and can be stopped.
func TestRunToBreakpointInShares(t *testing.T) {
	day := scenario.Scenario{APIVersion: scenario.APIVersion, Kind: scenario.Kind, Seed: 1, Duration: scenario.Duration(24 * time.Hour), Candidates: []scenario.Candidate{{Name: "a"}, {Name: "b"}}}
	l := New(nil)
	l.Slice()
	require.NoError(t, l.Open(Opening{Whole: &day}))
	require.NoError(t, l.SetBreakpoints([]protocol.Breakpoint{{Text: "active = 2"}}))
	require.NoError(t, l.RunTo("breakpoint"))
	require.NotNil(t, l.Progress())
	assert.Equal(t, int64(0), l.history.cursor.T)
	l.Stop()
	assert.Equal(t, int64(0), l.history.live.T)
	require.NoError(t, l.RunTo("breakpoint"))
	assert.Greater(t, goneOn(t, l), 5)
	assert.Equal(t, "“active = 2” never becomes true before the run ends.", l.View().Toast)
}

// A condition on a node that does not exist says so when it does not fire.
func TestBreakpointOnAStranger(t *testing.T) {
	for text, want := range map[string]string{
		"holder = zed and active = 1": "“holder = zed and active = 1” never becomes true before the run ends. This run has no node named “zed”.",
		"role of zed = leading":       "“role of zed = leading” never becomes true before the run ends. This run has no node named “zed”.",
		"holder = nobody":             "“holder = nobody” never becomes true before the run ends.",
		"role of b = stopped":         "“role of b = stopped” never becomes true before the run ends.",
	} {
		l := openShipped(t, "crash")
		require.NoError(t, l.SetBreakpoints([]protocol.Breakpoint{{Text: text}}))
		_, err := l.ToBreakpoint()
		require.NoError(t, err)
		assert.Equal(t, want, l.View().Toast)
	}
}
