package check

import (
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// Rule 10: OnStartedLeading and OnStoppedLeading alternate, and no work starts before a write has made its candidate the
// holder. OnStoppedLeading without a start is in order: client-go calls it when an elector stops while it waits.

// What is out of order, as Violation.Number.
const (
	StartedTwice = iota + 1
	StartedWithoutLease
)

func (c *Checks) callbackStarts(r *trace.Record) {
	n := c.node(r.Candidate)
	v := c.breach(rules.CallbacksOutOfOrder, rules.Safety, r, r.Candidate, -1)
	switch {
	case n.started:
		v.Number = StartedTwice
	case !n.wrote:
		v.Number = StartedWithoutLease
	}
	n.started = true
	if v.Number != 0 {
		c.broken(v)
	}
}

func callbacksFigure(c *Checks, nowNs int64) string {
	number, _ := c.lengths(rules.CallbacksOutOfOrder, nowNs)
	return words.Count(len(c.Changes), "start", "starts") + ", " + words.Number(int64(number)) + " out of order"
}
