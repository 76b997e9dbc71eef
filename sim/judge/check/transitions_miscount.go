package check

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// transitions is rule 5: leaseTransitions grows by one whenever a new holder takes the Lease. The rule keeps counting
// when a client deletes and recreates the Lease, because the old Lease had a holder too. Also, a fence that compares
// this number relies on its growth.
type transitions struct {
	known      bool  // the run has had a Lease
	holders    int64 // number of true changes of holder since the first Lease
	lastHolder coordination.Symbol
	offset     int64 // leaseTransitions minus holders at the last comparison
	says       int64
}

var _ = register(rules.TransitionsMiscount, check{
	begin: func() checker { return &transitions{} },
	describe: func(v *Violation, _, _ string, _ int64) string {
		return "leaseTransitions says " + words.Number(v.Number) + "; counting real changes of holder, it would be " +
			words.Number(v.Counted) + "."
	},
})

func (t *transitions) clone() checker { d := *t; return &d }

func (t *transitions) willStore(c *Checks, r *trace.Record, writer int32) {
	if !c.exists {
		t.begins(r)
	}
	t.compare(c, r, writer)
}

func (t *transitions) kinds() []trace.Kind { return []trace.Kind{trace.RolledBack} }

// `observe` handles a rollback of the store. The rollback takes leaseTransitions back, but not the true number of
// changes.
func (t *transitions) observe(c *Checks, r *trace.Record) {
	if c.exists {
		t.compare(c, r, -1)
	}
}

// `begins` records the first version of a Lease. The count in the first Lease is right by definition.
func (t *transitions) begins(r *trace.Record) {
	if t.known {
		return
	}
	t.known = true
	t.holders, t.offset, t.lastHolder = 0, int64(r.Spec.LeaseTransitions), r.Spec.HolderIdentity
}

// `compare` checks whether leaseTransitions has grown as much as the true number of changes of holder. Only a new
// difference breaks the rule: after one miscount by 1, later versions keep that offset and say nothing new.
func (t *transitions) compare(c *Checks, r *trace.Record, writer int32) {
	if h := r.Spec.HolderIdentity; h != 0 && h != t.lastHolder {
		t.holders++
		t.lastHolder = h
	}
	t.says = 0
	if r.Spec.Has(coordination.HasLeaseTransitions) {
		t.says = int64(r.Spec.LeaseTransitions)
	}
	if offset := t.says - t.holders; offset != t.offset {
		v := c.breach(rules.TransitionsMiscount, r, writer, -1)
		v.Number, v.Counted = t.says, t.holders+t.offset
		c.noteViolation(v)
		t.offset = offset
	}
}

func (t *transitions) figure(c *Checks, _ int64) string {
	if !c.exists {
		return "the Lease does not exist"
	}
	return "leaseTransitions " + words.Number(t.says) + ", true changes of holder " + words.Number(t.holders)
}
