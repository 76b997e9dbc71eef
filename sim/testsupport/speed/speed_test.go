package speed

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

func BenchmarkRequests(b *testing.B) { eachCase(b, Requests) }

func BenchmarkUnchecked(b *testing.B) { eachCase(b, MeasureUnchecked) }

func eachCase(b *testing.B, measure func(*testing.B, Case)) {
	for _, c := range Cases() {
		b.Run(c.String(), func(b *testing.B) { measure(b, c) })
	}
}

// The checkers allocate nothing in an uneventful run.
func TestCheckersDoNotAllocate(t *testing.T) {
	s := setup(Case{Candidates: 3})
	w, c := world.New(s), check.For(s)
	w.Run(int64(time.Minute), c.Observe)
	var records []trace.Record
	w.Run(2*int64(time.Minute), func(r []trace.Record) { records = append(records, r...) })
	assert.Zero(t, testing.AllocsPerRun(10, func() { c.Observe(records) }))
}
