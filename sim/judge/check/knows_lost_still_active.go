package check

import (
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// knowsLost is rule 11: a worker that reads another holder in the Lease stops at once. client-go's worker goes on
// until its renewDeadline has passed. So nearly every loss breaks this rule for some seconds, and it is only an
// observation. It shows how long a worker goes on after it knows that it has lost the Lease.
type knowsLost struct {
	recordless

	dueNs   int64 // instant of the read; a worker that is active after it breaks the rule
	node    int32
	ordinal int32
	going   []int32 // indexed by candidate: index of the open violation, plus one
}

var _ = register(rules.KnowsLostStillActive, check{
	begin: func() checker { return &knowsLost{dueNs: never} },
	describe: func(_ *Violation, first, _ string, lengthNs int64) string {
		return first + " reads another holder in the Lease and stays active for " + words.Seconds(lengthNs) + "."
	},
	clause: func(_ *Violation, first, _ string) string {
		return first + " stays active although it has read that another holds the Lease"
	},
})

func (k *knowsLost) clone() checker {
	return withOwn(*k, func(d *knowsLost) *[]int32 { return &d.going })
}

// didRead sets the due instant to the read itself. A worker that stops at that very instant does not break the
// rule; one that stops a nanosecond later does. A released Lease (no holder) does not count, nor does a second
// read during an open violation.
func (k *knowsLost) didRead(c *Checks, r *trace.Record) {
	holder := r.Spec.HolderIdentity
	if holder == 0 || holder == c.node(r.Candidate).identity || *entry(&k.going, r.Candidate) > 0 {
		return
	}
	k.settle(c, never) // another worker read at the same instant
	k.dueNs, k.node, k.ordinal = r.At, r.Candidate, c.ordinal
	c.rearm()
}

func (k *knowsLost) didStop(c *Checks, r *trace.Record) {
	if k.dueNs != never && k.node == r.Candidate {
		k.dueNs = never
		c.rearm()
	}
	c.close(entry(&k.going, r.Candidate), r.At)
}

func (k *knowsLost) due() int64 { return k.dueNs }

func (k *knowsLost) settle(c *Checks, nowNs int64) {
	if nowNs <= k.dueNs {
		return
	}
	v := overdue(rules.KnowsLostStillActive, k.dueNs, k.node, -1)
	v.Ordinal = k.ordinal
	*entry(&k.going, k.node) = c.noteViolation(v)
	k.dueNs = never
}

func (k *knowsLost) figure(c *Checks, nowNs int64) string {
	number, longest := c.lengths(rules.KnowsLostStillActive, nowNs)
	if number == 0 {
		return "every worker stopped when it read a new holder"
	}
	return words.Times(number) + ", at most " + words.Seconds(longest) + " from reading to stopping"
}
