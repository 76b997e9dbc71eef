package timeline

import (
	"testing"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A run's memory does not grow by an unpacked version per renewal: two days of renewals every two seconds are 86,400.
func TestALongRunIsPacked(t *testing.T) {
	s, found := shipped.ByName("a-leader-dies")
	require.True(t, found)
	s.Duration, s.Expect = scenario.Duration(48*time.Hour), nil
	r := New(1, s, nil)
	r.Compute(int64(s.Duration))
	versions := r.Frontier().World.Store().History().Len()
	assert.Greater(t, versions, 40_000)
	assert.Less(t, r.historyBytes(), int64(12*versions))
	assert.Less(t, r.Bytes(), int64(quickBytes+2<<20))
}
