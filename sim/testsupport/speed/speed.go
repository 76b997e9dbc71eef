// Package speed measures how fast the simulator runs elections, natively and, as a test binary, in a browser: `make
// bench`.
//
// Guarantee: a case is the same run on every machine. Non-guarantee: figures of two versions are comparable only if
// their measurements alternate on one machine.
package speed

import (
	"fmt"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/world"
)

// Case is one measurement.
type Case struct {
	Candidates int
	Failovers  bool // the holder crashes every minute and is back 20 s later
}

// String names a case as the benchmarks do.
func (c Case) String() string {
	if c.Failovers {
		return fmt.Sprint("failover-60s/", c.Candidates)
	}
	return fmt.Sprint("fault-free/", c.Candidates)
}

// Cases returns 3, 100 and 10,000 candidates, each without faults and with failovers.
func Cases() []Case {
	return []Case{{3, false}, {100, false}, {10_000, false}, {3, true}, {100, true}, {10_000, true}}
}

// Requests measures a case with all checkers. It makes at least b.N requests of Leases.
func Requests(b *testing.B, c Case) {
	r := run.New(setup(c), run.Watchers{})
	measure(b, r.World, func(limitNs int64) bool { return r.Step(limitNs, nil) })
}

// MeasureUnchecked measures a case without the checkers.
func MeasureUnchecked(b *testing.B, c Case) {
	w := world.New(setup(c))
	measure(b, w, w.Step)
}

// measure steps through the first minute, in which all candidates start, and measures the seconds after that minute.
func measure(b *testing.B, w *world.World, step func(limitNs int64) bool) {
	limit := int64(time.Minute)
	for step(limit) {
	}
	before, from := w.Counts(), limit
	b.ReportAllocs()
	b.ResetTimer()
	for w.Counts().Requests-before.Requests < int64(b.N) {
		limit += int64(time.Second)
		for step(limit) {
		}
	}
	spent, after := b.Elapsed(), w.Counts()
	requests := float64(after.Requests - before.Requests)
	b.ReportMetric(float64(spent.Nanoseconds())/requests, "ns/op")
	b.ReportMetric(requests/spent.Seconds(), "requests/s")
	b.ReportMetric(float64(spent.Nanoseconds())/float64(after.Records-before.Records), "ns/event")
	b.ReportMetric(time.Duration(limit-from).Hours()/spent.Seconds(), "virtual-h/s")
}

// setup returns a setup with client-go's defaults and 10 ms of latency in each direction. All candidates start within
// two seconds.
func setup(c Case) *world.Setup {
	s := &world.Setup{Symbols: coordination.NewSymbols(), Seed: 1, DurationNs: 1 << 60, LeaseNames: []string{"demo"}}
	for i := range c.Candidates {
		name := fmt.Sprintf("n-%d", i)
		s.Candidates = append(s.Candidates, world.Candidate{
			Name: name, Identity: name, StartNs: int64(i) * int64(2*time.Second) / int64(c.Candidates),
			Config: elector.Config{LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second,
				RetryPeriod: 2 * time.Second},
			RequestTimeoutNs: int64(5 * time.Second), RequestNs: 10e6, ResponseNs: 10e6,
		})
	}
	for at := int64(time.Minute); c.Failovers && at < int64(2000*time.Hour); at += int64(time.Minute) {
		s.Controls = append(s.Controls,
			world.Control{AtNs: at, Kind: world.DoCrash, Target: world.Holder, Source: -1},
			world.Control{AtNs: at + int64(20*time.Second), Kind: world.DoRestart, Auto: true, Source: -1})
	}
	return s
}
