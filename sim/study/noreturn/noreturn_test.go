package noreturn

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
)

// The search finds where two leaders become inevitable, in slices, and names what happened there at a place of the run.
func TestAViolation(t *testing.T) {
	s, known := shipped.ByName("clock-rate")
	require.True(t, known)
	until := int64(40 * time.Second)
	run := timeline.New(1, s, func() {})
	run.Compute(until)
	at := run.At(timeline.Cursor{T: until, N: -1})
	number := slices.IndexFunc(at.Checks.Violations, func(v check.Violation) bool { return v.Rule == rules.MoreThanOneActive })
	search, err := New(s, Question{until, timeline.SubjectViolation, number, 40, 6})
	require.NoError(t, err)
	for !search.Go() {
		r := search.Progress()
		require.Less(t, r.Done, r.Of)
	}
	r := search.Progress()
	require.Equal(t, r.Done, r.Of)
	require.NotNil(t, r.Inevitable)
	require.NotNil(t, r.Turn)
	require.NotEmpty(t, r.Turn.Happened)
	assert.Contains(t, r.Turn.Happened[0].Text, "b waits 3.937 s")
	cursor := r.Turn.Happened[0].Cursor
	row := run.RowAt(cursor)
	assert.Equal(t, cursor.T, row.T, "the view can go to the event")

	_, err = New(s, Question{until, "change", 0, 10, 3})
	assert.ErrorContains(t, err, "nothing to find")
	_, err = New(s, Question{until, timeline.SubjectViolation, 99, 10, 3})
	assert.Error(t, err)
}
