package cost_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/leaselab/leaselab/sim/testsupport/cost"
)

// The cost of every request, in time and in allocated bytes, grows at most with n log n.
func TestNoRequestGrowsFasterThanItsSize(t *testing.T) {
	for _, c := range cost.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			largest, err := c.Largest()
			require.NoError(t, err)
			bounded.Growth(t, largest/8, largest/2, func(n int) func() {
				m, err := c.At(n)
				require.NoError(t, err)
				return func() { m.Do() }
			})
		})
	}
}
