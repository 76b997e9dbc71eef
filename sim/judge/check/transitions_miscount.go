package check

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// transitions is rule 5: leaseTransitions grows by one whenever another than the last holder holds the Lease. A Lease that
// is deleted and created again goes on counting: the one before was held too, and a fence by this number has to grow.
type transitions struct {
	known      bool  // there has been a Lease
	holders    int64 // true changes of holder since the first Lease was created
	lastHolder coordination.Symbol
	offset     int64 // leaseTransitions minus holders when last compared
	says       int64
}

// begins takes the first version of a Lease: the count of the first Lease is right by definition.
func (t *transitions) begins(r *trace.Record) {
	if t.known {
		return
	}
	t.known = true
	t.holders, t.offset, t.lastHolder = 0, int64(r.Spec.LeaseTransitions), r.Spec.HolderIdentity
}

func (t *transitions) observe(c *Checks, r *trace.Record, writer int32) {
	if h := r.Spec.HolderIdentity; h != 0 && h != t.lastHolder {
		t.holders++
		t.lastHolder = h
	}
	t.says = 0
	if r.Spec.Has(coordination.HasLeaseTransitions) {
		t.says = int64(r.Spec.LeaseTransitions)
	}
	if offset := t.says - t.holders; offset != t.offset {
		v := c.breach(rules.TransitionsMiscount, rules.Observation, r, writer, -1)
		v.Number, v.Counted = t.says, t.holders+t.offset
		c.broken(v)
		t.offset = offset
	}
}

func transitionsFigure(c *Checks, _ int64) string {
	if !c.exists {
		return "there is no Lease"
	}
	return "leaseTransitions " + words.Number(c.lease.says) + ", true changes of holder " + words.Number(c.lease.holders)
}
