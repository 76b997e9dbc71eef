package check

import (
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// callbacks is rule 10: OnStartedLeading and OnStoppedLeading alternate, and work starts only after a write has made
// the candidate the holder. OnStoppedLeading without a start is fine: client-go calls it when an elector stops
// before it ever led.
type callbacks struct {
	leading []bool // indexed by candidate: it has called OnStartedLeading, but not yet OnStoppedLeading
}

// Violation.Number says what is out of order.
const (
	StartedTwice = iota + 1
	StartedWithoutLease
)

var _ = register(rules.CallbacksOutOfOrder, check{
	begin: func() checker { return &callbacks{} },
	describe: func(v *Violation, first, _ string, _ int64) string {
		if v.Number == StartedTwice {
			return first + " starts leading a second time without having stopped."
		}
		return first + " starts leading without holding the Lease."
	},
})

func (b *callbacks) clone() checker { return &callbacks{leading: append([]bool(nil), b.leading...)} }

func (b *callbacks) kinds() []trace.Kind {
	return []trace.Kind{trace.StoppedLeading, trace.Started, trace.Restarted, trace.Crashed, trace.Removed}
}

func (b *callbacks) observe(_ *Checks, r *trace.Record) { *entry(&b.leading, r.Candidate) = false }

// willStart checks a start. `wrote` reports whether the candidate has made itself the holder since its last term ended.
func (b *callbacks) willStart(c *Checks, r *trace.Record) {
	v := c.breach(rules.CallbacksOutOfOrder, r, r.Candidate, -1)
	leading := entry(&b.leading, r.Candidate)
	switch {
	case *leading:
		v.Number = StartedTwice
	case !c.node(r.Candidate).wrote:
		v.Number = StartedWithoutLease
	}
	*leading = true
	if v.Number != 0 {
		c.noteViolation(v)
	}
}

func (b *callbacks) figure(c *Checks, nowNs int64) string {
	number, _ := c.lengths(rules.CallbacksOutOfOrder, nowNs)
	return words.Count(len(c.Changes), "start", "starts") + ", " + words.Number(int64(number)) + " out of order"
}
