package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

// While a is paused, two nodes believe they are the leader. Before b led, only a dead node did: that counts as nobody.
func TestBeliefs(t *testing.T) {
	l := openAt(t, "paused-leader", 40*time.Second)
	b := view.Beliefs(l.Look())
	require.NotEmpty(t, b.Bands)
	last := b.Bands[len(b.Bands)-1]
	assert.Equal(t, []any{"two", "a and c", int64(40e9)}, []any{last.Kind, last.Who, last.To})
	require.Len(t, b.Margins, 2, "one for each leader")
	assert.True(t, b.Margins[0].Paused)
	c := b.Margins[1]
	assert.Equal(t, c.LeaseNs-c.RenewNs-c.RetryNs-c.AnswerNs, c.MarginNs)
	assert.Equal(t, int64(3e6), c.AnswerNs, "the last answer's way from the server")

	l = openAt(t, "a-leader-dies", 30*time.Second)
	b = view.Beliefs(l.Look())
	last = b.Bands[len(b.Bands)-1]
	assert.Equal(t, "nobody", last.Kind)
	assert.InDelta(t, 20e9, float64(last.From), 1e8)
	assert.Empty(t, b.Margins)
	assert.False(t, b.Nodes[0].Alive)
	require.NotNil(t, b.Nodes[1].Until)
	assert.Equal(t, "a", b.Nodes[1].Holder)

	l.Seek(timeline.Cursor{T: 15e9, N: -1})
	b = view.Beliefs(l.Look())
	require.Len(t, b.Margins, 1)
	m := b.Margins[0]
	require.NotNil(t, m.Takes)
	require.NotNil(t, m.Stops)
	assert.GreaterOrEqual(t, *m.Takes-*m.Stops, m.MarginNs, "the formula is the worst case")
	margin, least, _ := l.Look().Here().Checks.Margin()
	assert.Equal(t, margin, m.MarginNs, "as the checker measures it")
	assert.Equal(t, least, *b.Least)
	assert.Nil(t, b.Nearest, "there is no second leader yet")
}
