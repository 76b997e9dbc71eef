package check

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/world"
)

// transitions is rule 5: leaseTransitions grows by one whenever another than the last holder holds the Lease.
type transitions struct {
	holders    int64 // true changes of holder since the Lease was created
	lastHolder coordination.Symbol
	offset     int64 // leaseTransitions minus holders when last compared
	says       int64
}

// begins takes the first version of a Lease: its count is right by definition.
func (t *transitions) begins(r *world.Record) {
	t.holders, t.offset, t.lastHolder = 0, int64(r.Spec.LeaseTransitions), r.Spec.HolderIdentity
}

func (t *transitions) observe(c *Checks, r *world.Record, writer int32) {
	if h := r.Spec.HolderIdentity; h != 0 && h != t.lastHolder {
		t.holders++
		t.lastHolder = h
	}
	t.says = 0
	if r.Spec.Has(coordination.HasLeaseTransitions) {
		t.says = int64(r.Spec.LeaseTransitions)
	}
	if offset := t.says - t.holders; offset != t.offset {
		v := c.breach(TransitionsMiscount, Observation, r, writer, -1)
		v.Number, v.Counted = t.says, t.holders+t.offset
		c.broken(v)
		t.offset = offset
	}
}

func transitionsFigure(c *Checks, _ int64) string {
	if !c.exists {
		return "there is no Lease"
	}
	return "leaseTransitions " + whole(c.lease.says) + ", true changes of holder " + whole(c.lease.holders)
}
