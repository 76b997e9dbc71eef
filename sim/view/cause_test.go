package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

func sum(all []protocol.Addend) int64 {
	total := int64(0)
	for _, a := range all {
		total += a.Ns
	}
	return total
}

// subject returns the number of the first violation of a rule.
func subject(t *testing.T, l *lab.Lab, rule string) int {
	t.Helper()
	c, err := view.Cause(l.Look(), timeline.SubjectViolation, 0)
	require.NoError(t, err)
	for _, ref := range c.Subject {
		if ref.Rule == rule {
			return ref.Number
		}
	}
	t.Fatalf("there is no %s", rule)
	return -1
}

// The explanation of a change or a violation has all its sums, and shows nothing after the live cursor.
func TestCause(t *testing.T) {
	l := openAt(t, "paused-leader", 40*time.Second)
	c, err := view.Cause(l.Look(), "violation", subject(t, l, "moreThanOneActive"))
	require.NoError(t, err)
	assert.Contains(t, c.Title, "a and c both lead, for 3.950 s")
	assert.Contains(t, c.Story[len(c.Story)-1].Text, "It has lasted 3.950 s so far")
	assert.Equal(t, int64(40e9)-c.Cursor.T, sum(c.Parts))
	for _, line := range c.Story {
		assert.False(t, l.Look().Live.Before(line.Cursor), line.Text)
	}
	require.GreaterOrEqual(t, len(c.Subject), 3, "two changes and the violation")
	_, err = view.Cause(l.Look(), "violation", 99)
	assert.ErrorContains(t, err, "the run has no violation number 99 so far")

	l = openAt(t, "a-leader-dies", 20*time.Second)
	_, err = view.Cause(l.Look(), "change", 1)
	assert.ErrorContains(t, err, "so far", "b leads only at 34 s")
	l.Show(int64(40 * time.Second))
	c, err = view.Cause(l.Look(), "change", 1)
	require.NoError(t, err)
	assert.Equal(t, int64(14_038_760_558), sum(c.Parts))
	assert.Equal(t, c.Chain[len(c.Chain)-1].To-c.Chain[0].From, sum(c.Chain))
	assert.Equal(t, "nobody leads for more than 14 s", c.Bound)
}
