package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// The checkers allocate nothing in an uneventful run.
func TestCheckersDoNotAllocate(t *testing.T) {
	s := setup(Case{Candidates: 3, Scenario: "fault-free"})
	w, c := world.New(s), check.For(s)
	w.Run(int64(time.Minute), c.Observe)
	at := int64(time.Minute)
	var records []trace.Record
	w.Run(at+int64(time.Minute), func(r []trace.Record) { records = append(records, r...) })
	assert.Zero(t, testing.AllocsPerRun(10, func() { c.Observe(records) }))
}

// BenchmarkCheckers prints the time that the checkers add to each event: `go test -bench Checkers ./sim/run/bench`.
func BenchmarkCheckers(b *testing.B) {
	for _, c := range Cases() {
		b.Run(c.Scenario+"/"+fmt.Sprint(c.Candidates), func(b *testing.B) {
			for range b.N {
				cost := CheckerCost(c, time.Second)
				b.ReportMetric(cost.Cost*100, "%cost")
				b.ReportMetric(cost.NsOff, "ns/event-off")
				b.ReportMetric(cost.NsOn, "ns/event-on")
			}
		})
	}
}
