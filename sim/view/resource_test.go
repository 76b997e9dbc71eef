package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

// writes returns the marks of the resource's lane up to the live cursor.
func writes(t *testing.T, l *lab.Lab, widthPx int) []timeline.Write {
	t.Helper()
	lane := view.Timeline(l.Look(), 0, l.Look().Live.T, widthPx).Resource
	require.NotNil(t, lane)
	return lane.Writes
}

func count(all []timeline.Write, keep func(*timeline.Write) bool) (n int64) {
	for k := range all {
		if keep(&all[k]) {
			n += int64(all[k].Count)
		}
	}
	return n
}

func stale(w *timeline.Write) bool      { return w.Stale }
func isAccepted(w *timeline.Write) bool { return w.Outcome == "accepted" }
func isRefused(w *timeline.Write) bool  { return w.Outcome == "refused" }

// The lane has every write with its token and its fate: as many stale ones, accepted and refused, as the rule counts.
// Nothing in it lies after the live cursor, and each mark opens its event.
func TestTheResourceHasALane(t *testing.T) {
	for name, taken := range map[string]bool{"b19-gc-pause-fenced": true, "b19-gc-pause-fenced-fixed": false} {
		l := openAt(t, name, 115*time.Second)
		all := writes(t, l, 1000)
		attempted, acceptedStale, refusedStale := l.Look().Here().Checks.StaleWrites()
		assert.Equal(t, attempted, count(all, stale), name)
		assert.Positive(t, attempted)
		assert.Equal(t, acceptedStale, count(all, func(w *timeline.Write) bool { return stale(w) && isAccepted(w) }), name)
		assert.Equal(t, refusedStale, count(all, isRefused), name)
		assert.Equal(t, taken, acceptedStale > 0, name)
		for k := range all {
			if w := &all[k]; w.Outcome == "refused" {
				assert.Less(t, w.Token, w.Highest)
				rows := l.Look().Run.Matches("the write is stale: c acquired the lease last", "a", l.Look().Live)
				assert.Contains(t, rows, timeline.Cursor{T: w.T, N: w.N}, "a mark opens its event")
			}
		}
		assert.Len(t, l.Look().Run.Matches("stale", "", l.Look().Live), int(attempted), "every stale write is an event")
		early := openAt(t, name, 104*time.Second+500*time.Millisecond)
		for _, w := range writes(t, early, 1000) {
			assert.LessOrEqual(t, w.To, early.Look().Live.T)
		}
		assert.Less(t, count(writes(t, early, 1000), stale), attempted)
	}
	assert.Nil(t, view.Timeline(openAt(t, "a-leader-dies", 20*time.Second).Look(), 0, int64(20*time.Second), 1000).Resource)
}

// A long run has few marks, and none of them loses what is rare: the counts of each fate match the rule. Near enough,
// the writes come one by one again.
func TestWritesOfALongRunAreSummedUp(t *testing.T) {
	const day = 24 * time.Hour
	l := openAt(t, "b19-gc-pause-fenced", 0)
	require.NoError(t, l.Edit("resource.writeEvery", "500ms", "again", ""))
	require.NoError(t, l.Edit("duration", "24h", "again", ""))
	l.Show(int64(day - time.Hour))
	attempted, _, _ := l.Look().Here().Checks.StaleWrites()
	all := writes(t, l, 1000)
	assert.Less(t, len(all), 1000)
	assert.Greater(t, count(all, isAccepted), int64(100_000))
	assert.Equal(t, attempted, count(all, stale))
	assert.Positive(t, attempted)
	for _, w := range all {
		assert.LessOrEqual(t, w.To, l.Look().Live.T)
	}
	near := view.Timeline(l.Look(), int64(100*time.Second), int64(110*time.Second), 1000)
	require.True(t, near.Detail)
	require.NotEmpty(t, near.Resource.Writes)
	for _, w := range near.Resource.Writes {
		assert.Equal(t, 1, w.Count)
	}
	assert.Less(t, len(writes(t, l, 0)), 1000, "also for the table")
}

// A fork has the writes up to its act and its own after it, whatever the other branch wrote.
func TestAForkHasItsOwnWrites(t *testing.T) {
	l := openAt(t, "b19-gc-pause-fenced", 110*time.Second)
	whole := writes(t, l, 1000)
	l.Show(int64(50 * time.Second))
	require.NoError(t, l.Act("crash", "c", protocol.ActOptions{}))
	require.NoError(t, l.RunTo("end"))
	forked := writes(t, l, 1000)
	k := 0
	for ; whole[k].T <= int64(50*time.Second); k++ {
		assert.Equal(t, whole[k], forked[k])
	}
	assert.NotEqual(t, whole[k:], forked[k:])
	text := []string{}
	for _, w := range forked[k:] {
		text = append(text, l.Look().Run.RowAt(timeline.Cursor{T: w.T, N: w.N}).Text)
	}
	assert.NotContains(t, strings.Join(text, "\n"), "renews", "every mark opens the row of a write")
}
