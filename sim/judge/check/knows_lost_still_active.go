package check

import (
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// knowsLost is rule 11: a worker that has read another's name in the Lease stops at once. client-go's goes on to the end of
// its renewDeadline.
type knowsLost struct {
	dueNs   int64 // the instant of the read: a worker that has not stopped by its end breaks the rule
	node    int32
	ordinal int32
}

// reads takes what an active worker has read.
func (c *Checks) reads(r *trace.Record) {
	n := c.node(r.Candidate)
	if n.knowsLost > 0 || r.Spec.HolderIdentity == 0 || r.Spec.HolderIdentity == n.identity {
		return
	}
	k := &c.knowsLost
	k.settle(c, never) // of another one at the same instant
	k.dueNs, k.node, k.ordinal = r.At, r.Candidate, c.ordinal
	c.rearm()
}

// stops takes a worker that ends.
func (k *knowsLost) stops(c *Checks, i int32) {
	if k.dueNs != never && k.node == i {
		k.dueNs = never
		c.rearm()
	}
}

func (k *knowsLost) settle(c *Checks, nowNs int64) {
	if nowNs <= k.dueNs {
		return
	}
	n := c.node(k.node)
	n.knowsLost = int32(c.broken(Violation{
		Rule: rules.KnowsLostStillActive, Severity: rules.Observation, FromNs: k.dueNs, UntilNs: -1, First: k.node, Second: -1, Ordinal: k.ordinal,
	})) + 1
	k.dueNs = never
}

func knowsLostFigure(c *Checks, nowNs int64) string {
	number, longest := c.lengths(rules.KnowsLostStillActive, nowNs)
	if number == 0 {
		return "every worker stopped when it read another holder"
	}
	return words.Times(number) + ", at most " + words.Seconds(longest) + " from reading to stopping"
}
