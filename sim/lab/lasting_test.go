package lab

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
)

// A run that is over lasts longer: the past stays the same, further acts are possible, and undo shortens it again.
func TestARunLastsLonger(t *testing.T) {
	l := openAt(t, "a-leader-dies", 0)
	require.NoError(t, l.RunTo("end"))
	end := l.Cursor()
	hash := l.Look().Run.At(end).World.Hash()
	require.Error(t, l.Act("crash", "b", protocol.ActOptions{}), "nothing can be done after the end")

	require.NoError(t, l.Edit("duration", "3m", "now", ""))
	assert.Equal(t, end, l.Cursor(), "the cursor stays")
	assert.Equal(t, hash, l.Look().Run.At(end).World.Hash(), "so does the run up to there")
	require.NoError(t, l.Act("crash", "b", protocol.ActOptions{}))
	require.NoError(t, l.RunToTime("time", int64(150*time.Second)))
	assert.Equal(t, int64(150*time.Second), l.Cursor().T)
	require.NoError(t, l.RunToTime("time", int64(time.Hour)))
	assert.Equal(t, int64(180*time.Second), l.Cursor().T, "not past the end")

	require.NoError(t, l.Undo())
	require.NoError(t, l.Undo())
	assert.Equal(t, end, l.Cursor())
	require.Error(t, l.Act("crash", "b", protocol.ActOptions{}))
}

func TestARunNeverEndsBeforeWhatWasShown(t *testing.T) {
	l := openAt(t, "a-leader-dies", 0)
	require.NoError(t, l.RunToTime("time", int64(time.Minute)))
	const refusal = "duration must not end before 01:00.000, the end of the part already shown"
	require.EqualError(t, l.Edit("duration", "59s", "now", ""), refusal)
	require.EqualError(t, l.CheckEdit([]protocol.PatchEntry{{Path: "duration", Value: "59s"}}, "now", ""), refusal)
	require.NoError(t, l.CheckEdit([]protocol.PatchEntry{{Path: "duration", Value: "1m"}}, "now", ""))
}
