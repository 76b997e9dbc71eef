package lab

import (
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/pacer"
	"github.com/leaselab/leaselab/sim/scenarios"
)

// A frame computes a bounded share, however fast the run is asked to be shown; it goes on, and ends at the same place.
func TestAFrameComputesABoundedShare(t *testing.T) {
	s, shipped := scenarios.ByName("many")
	require.True(t, shipped)
	s.Candidates[0].Replicas = 5000
	l := New(nil)
	require.NoError(t, l.Open(Opening{Whole: &s}))
	wall := clock.NewMock()
	p := pacer.New(wall)
	l.Play(1000, 0)
	for frames := 0; l.Playing(); frames++ {
		require.Less(t, frames, 1000, "it stands still")
		before, at := l.run().frontier.world.Counts().Requests, l.cursor.T
		wall.Add(250 * time.Millisecond)
		l.Advance(p)
		computed := l.run().frontier.world.Counts().Requests - before
		assert.LessOrEqual(t, computed, int64(tickRequests+len(s.Candidates)+100))
		assert.Greater(t, l.cursor.T, at)
	}
	assert.Equal(t, l.endNs(), l.cursor.T)
}
