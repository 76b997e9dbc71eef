package cost_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/testsupport/cost"
)

// BenchmarkCost prints the cost of each request at two sizes: the largest that the server answers, and about 3 MiB,
// which it mostly refuses. A request may take 250 ms and 200 MB.
func BenchmarkCost(b *testing.B) {
	for _, c := range cost.Cases() {
		largest, err := c.Largest()
		require.NoError(b, err)
		b.Run(c.Name, func(b *testing.B) { measure(b, &c, largest) })
		if largest < c.Full {
			b.Run(c.Name+", whole", func(b *testing.B) { measure(b, &c, c.Full) })
		}
	}
}

func measure(b *testing.B, c *cost.Case, n int) {
	m, err := c.At(n)
	if err != nil {
		b.Skip(err) // the server refuses even the preparation at this size
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	answers := 0
	for b.Loop() {
		b.StopTimer()
		m, err := c.At(n)
		require.NoError(b, err)
		runtime.ReadMemStats(&before)
		b.StartTimer()
		status := m.Do().Status
		b.StopTimer()
		runtime.ReadMemStats(&after)
		answers = status
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/request")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/1e6, "MB/request")
	b.ReportMetric(float64(len(m.Request.Body))/1e3, "kB-body")
	b.ReportMetric(float64(answers), "status")
	b.ReportMetric(0, "ns/op")
}
