package evidence

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Renewals count as stretched when they come more than twice as far apart as usual, and by more than 1.2 s.
func TestStretchedRenewals(t *testing.T) {
	for _, one := range []struct{ retryNs, lastNs, stretchedNs int64 }{
		{5e8, 15e8, 0}, // more than twice, but by 1 s only
		{5e8, 18e8, 18e8},
		{2e9, 35e8, 0}, // by 1.5 s, but not twice
		{2e9, 41e8, 41e8},
	} {
		c := caseOf{LeaseReport: &LeaseReport{retryNs: one.retryNs}}
		old := &term{holder: "a", renewals: []int64{0, one.retryNs, one.retryNs + one.lastNs}, lastNs: one.retryNs + one.lastNs}
		s := c.tracesOf(old, &term{fromNs: 30e9}, 30e9)
		assert.Equal(t, one.stretchedNs, s.stretched, "%+v", one)
	}
}
