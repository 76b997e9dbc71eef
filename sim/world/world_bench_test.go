package world

import (
	"fmt"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
)

// benchSetup is n candidates with client-go's defaults, started within two seconds, 10 ms each way.
func benchSetup(n int) *Setup {
	s := &Setup{Symbols: coordination.NewSymbols(), Seed: 1, DurationNs: int64(24 * time.Hour),
		LeaseNames: []string{"demo"}}
	for i := range n {
		name := fmt.Sprintf("n-%d", i)
		s.Candidates = append(s.Candidates, Candidate{
			Name: name, Identity: name, StartNs: int64(i) * int64(2*time.Second) / int64(n),
			Config: elector.Config{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
				RetryPeriod: 2 * time.Second},
			RequestTimeoutNs: int64(5 * time.Second), RequestNs: 10e6, ResponseNs: 10e6,
		})
	}
	return s
}

func BenchmarkRequests(b *testing.B) {
	for _, n := range []int{3, 100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := New(benchSetup(n))
			b.ReportAllocs()
			for w.recorder.counts.Requests < int64(b.N) {
				w.Step(never - 1)
			}
		})
	}
}
