package bench

import (
	"fmt"
	"testing"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/world"
)

// BenchmarkRequests serves profiling: `go test -bench . -cpuprofile cpu.out ./sim/run/bench`.
func BenchmarkRequests(b *testing.B) {
	for _, c := range Cases() {
		b.Run(fmt.Sprint(c.Scenario, "/", c.Candidates), func(b *testing.B) {
			w, checks := world.New(setup(c)), check.New()
			b.ReportAllocs()
			b.ResetTimer()
			for w.Counts().Requests < int64(b.N) && w.Step(1<<62) {
				checks.Observe(w.Records())
			}
		})
	}
}
