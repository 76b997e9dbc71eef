package timeline

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// A write's row names a version of the Lease, counted among the stored versions of all objects: the same however the run is
// computed, and after its events were forgotten.
func TestAWritesRowNamesTheLeasesVersion(t *testing.T) {
	s, found := shipped.ByName("better-candidate")
	require.True(t, found)
	end := int64(s.Duration)
	whole, shared := New(1, s, nil), New(2, s, nil)
	whole.Compute(end)
	shares := 1
	for ; !shared.ComputeShare(end, 3); shares++ {
	}
	assert.Greater(t, shares, 10)
	rows := whole.Rows(0, 1<<20)
	assert.Equal(t, rows, shared.Rows(0, 1<<20))
	shared.Unload()
	assert.Equal(t, rows, shared.Rows(0, 1<<20), "loaded again")

	require.True(t, SeveralObjects(whole.frontier.World))
	history, leases := whole.frontier.World.Store().History(), 0
	for i := range history.Len() {
		leases += ofFirst(history.At(i))
	}
	assert.Less(t, leases, history.Len(), "other objects have versions, too")
	last := 0
	for _, row := range rows {
		if row.Version > 0 {
			assert.GreaterOrEqual(t, row.Version, last-1, "requests end about in the order of their writes")
			last = max(last, row.Version)
		}
	}
	assert.Equal(t, leases, last)
}

// Writes may end in another order than the store accepted them.
func TestVersionsAreCountedInAnyOrder(t *testing.T) {
	s, found := shipped.ByName("better-candidate")
	require.True(t, found)
	r := New(1, s, nil)
	r.Compute(int64(s.Duration))
	history := r.frontier.World.Store().History()
	inAnyOrder := recorder{state: r.frontier}
	for i := range 4 * history.Len() {
		n := i * 7919 % (history.Len() + 1)
		want := 0
		for k := history.First(); k < n; k++ {
			want += ofFirst(history.At(k))
		}
		assert.Equal(t, want, inAnyOrder.version(history, n), n)
	}
}
