package lab

import (
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// WhatIf computes its variants in slices. Trying a line as a branch shows what the line promised, and undo restores the
// old run.
func TestWhatIfAndTry(t *testing.T) {
	l := openAt(t, "a-leader-dies", 40*time.Second)
	var w *protocol.WhatIf
	for w == nil || w.Done < w.Of {
		var err error
		w, err = l.WhatIf("change", 1)
		require.NoError(t, err)
	}
	before := l.View()
	for _, line := range w.Lines {
		if line.Label != "leaseDuration 30 s" {
			continue
		}
		assert.Equal(t, "leaseDuration 30 s: 29.910 s, 15.871 s longer", line.Sentence)
		assert.Equal(t, "worse", line.Effect)
		assert.Equal(t, int64(15*time.Second), line.FailoverNs-w.FailoverNs, "what the change costs")
		require.NoError(t, l.Try("change", 1, line.Number))
		v := l.View()
		assert.Len(t, v.Branches, 2)
		assert.Equal(t, "with leaseDuration 30 s", v.Branches[1].Name)
		assert.Equal(t, before.Cursor.T, v.Cursor.T)
		assert.Equal(t, before.Live.T, v.Live.T)
		l.Show(int64(60 * time.Second))
		v = l.View()
		assert.Equal(t, "Nobody led for 29.910 s.", v.Headline.Title)
		require.NoError(t, l.Undo())
		assert.Equal(t, before.Hash, l.View().Hash)
		return
	}
	t.Fatal("the line is missing")
}

// Trying the run without an act that the user added gives a new scenario without the act.
func TestTryWithoutAnAct(t *testing.T) {
	l := openAt(t, "a-leader-at-work", 20*time.Second)
	leader := l.View().Headline.Title[:1]
	require.NoError(t, l.Act("crash", leader, protocol.ActOptions{}))
	require.NoError(t, l.RunTo("leaderChange"))
	number := l.View().Change.Index
	var w *protocol.WhatIf
	for w == nil || w.Done < w.Of {
		var err error
		w, err = l.WhatIf("change", number)
		require.NoError(t, err)
	}
	assert.Equal(t, "better", w.Lines[0].Effect)
	assert.Contains(t, w.Lines[0].Sentence, "the leader does not change")
	require.NoError(t, l.Try("change", number, w.Lines[0].Number))
	assert.Equal(t, leader+" leads.", l.View().Headline.Title)
	assert.Empty(t, l.Share(false).Actions)
}
