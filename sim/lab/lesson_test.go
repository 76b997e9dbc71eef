package lab

import (
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// millis rounds an instant or a length as the page does: half up, to milliseconds.
func millis(ns int64) int64 { return (ns + 500_000) / 1_000_000 }

// In lesson 1 the user crashes a at 20 s. The result is the opening story, and every number in the lesson's sentences
// is in the answer to "why".
func TestTheCrashByHandIsTheStory(t *testing.T) {
	l := openAt(t, "a-leader-at-work", 20*time.Second)
	require.NoError(t, l.Act("crash", "a", protocol.ActOptions{}))
	l.Show(int64(36 * time.Second))
	y, err := l.ExplainChange(1)
	require.NoError(t, err)
	story, err := openAt(t, "a-leader-dies", 36*time.Second).ExplainChange(1)
	require.NoError(t, err)
	assert.Equal(t, story.Change.At, y.Change.At, "b leads at the same nanosecond")

	crash := y.Change.At - y.Change.LeaderlessNs
	assert.Equal(t, []int64{20_000, 34_039, 14_039, 34_029}, []int64{millis(crash), millis(y.Change.At), millis(y.Change.LeaderlessNs), millis(y.LookedAt)})
	shown := []string{}
	for _, a := range y.Addends {
		shown = append(shown, a.Shown)
	}
	assert.Equal(t, []string{"13.165", "0.864", "0.010"}, shown)
	require.Len(t, y.Counts, 2)
	b, c := y.Counts[0], y.Counts[1]
	assert.Equal(t, []string{"b", "c"}, []string{b.Node, c.Node})
	assert.Equal(t, []int64{33_165, 1_835}, []int64{millis(b.Until), millis(crash - b.Seen)})
	assert.Equal(t, []int64{20_270, 35_270}, []int64{millis(c.Seen), millis(c.Until)})
	assert.Equal(t, []int64{15e9, 15e9}, []int64{b.Until - b.Seen, c.Until - c.Seen})
}

// A sweep continues when the same question is asked again, starts anew when the run or the question differs, and
// refuses what it cannot run.
func TestSweepOfTheRun(t *testing.T) {
	l := openAt(t, "a-leader-at-work", 20*time.Second)
	require.NoError(t, l.Act("crash", "a", protocol.ActOptions{}))
	patch := []protocol.PatchEntry{{Path: "elector.renewDeadline", Value: "6s"}, {Path: "elector.leaseDuration", Value: "10s"}}
	var last *protocol.Swept
	slices := 0
	for done := false; !done; slices++ {
		s, err := l.Sweep(patch, 20e9, 1, 200)
		require.NoError(t, err)
		require.Equal(t, 200, s.Of)
		if last != nil {
			require.GreaterOrEqual(t, s.Done, last.Done)
		}
		last, done = s, s.Done == s.Of
	}
	assert.Greater(t, slices, 3, "the sweep is sliced")
	require.NotNil(t, last.HereNs)
	assert.Less(t, *last.MedianNs, *last.PlainMedianNs)

	first, err := l.Sweep(nil, 20e9, 1, 200)
	require.NoError(t, err)
	assert.Less(t, first.Done, 200, "another question")
	assert.Equal(t, int64(14_039), millis(*first.HereNs))
	for _, refused := range []func() (*protocol.Swept, error){
		func() (*protocol.Swept, error) { return l.Sweep(nil, 0, 1, 0) },
		func() (*protocol.Swept, error) { return l.Sweep(nil, 0, 1<<53, 5) },
		func() (*protocol.Swept, error) {
			return l.Sweep([]protocol.PatchEntry{{Path: "elector.leaseDuration", Value: "1s"}}, 0, 1, 5)
		},
	} {
		_, err := refused()
		assert.Error(t, err)
	}
}

// Play with an instant that is already reached plays nothing, and never shows what lies after it.
func TestPlayUntilWhereItIs(t *testing.T) {
	l := openAt(t, "a-leader-at-work", 20*time.Second)
	for _, until := range []int64{20e9, 18e9} {
		l.Play(1000, until)
		assert.False(t, l.Playing())
		assert.Equal(t, int64(20e9), l.View().Live.T)
	}
	l.Play(1000, 20e9+1)
	assert.True(t, l.Playing())
}
