package explore

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// BenchmarkSearch is the search of `leaselab bench`, on one goroutine.
func BenchmarkSearch(b *testing.B) {
	s, ok := shipped.ByName("b05-wiped-lease-fixed")
	require.True(b, ok)
	for b.Loop() {
		x, err := New(Plan{Scenario: s, Sets: []string{"actions[0].for=10s..21s/1s"}, Draws: []float64{Middle, Low, High}, Order: true, Rules: []Rule{{Name: rules.WriteByNonHolder}}})
		require.NoError(b, err)
		runtime.GC()
		x.Go(1_000_000)
		c := x.Counts()
		b.ReportMetric(float64(c.States)/b.Elapsed().Seconds()*float64(b.N), "states/s")
		b.ReportMetric(float64(c.States), "states")
		b.ReportMetric(float64(c.Transitions), "transitions")
		b.ReportMetric(float64(c.Events), "events")
	}
}
