package explore

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// BenchmarkSearch is a search of three candidates, on one goroutine.
func BenchmarkSearch(b *testing.B) {
	s, ok := shipped.ByName("b05-wiped-lease-fixed")
	require.True(b, ok)
	states := int64(0)
	for b.Loop() {
		x, err := New(Plan{Scenario: s, Sets: []string{"actions[0].for=10s..21s/1s"}, Draws: []float64{Middle, Low, High}, Order: true, Rules: []Rule{{Name: rules.WriteByNonHolder}}})
		require.NoError(b, err)
		x.Go(1_000_000)
		states += x.Counts().States
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
}
