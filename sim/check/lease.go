package check

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/world"
)

// stored follows the Lease in the store: who wrote it, and whether leaseTransitions still tells the truth.
func (c *Checks) stored(r *world.Record, writer int32) {
	if r.Outcome == storage.Deleted {
		c.exists = false
		return
	}
	if !r.Outcome.Accepted() {
		return
	}
	if writer >= 0 && c.exists {
		c.byNonHolder(r, writer)
	}
	if !c.exists {
		c.holders, c.offset, c.lastHolder = 0, int64(r.Spec.LeaseTransitions), r.Spec.HolderIdentity
	}
	c.transitions(r, writer)
	if !c.exists || c.spec != r.Spec {
		c.changedNs = r.At
	}
	c.spec, c.exists = r.Spec, true
}

// byNonHolder: a candidate wrote over a Lease that named somebody else and had not run out in true time.
// A takeover is in order once the published duration has passed since the last stored change; anything that neither
// takes nor keeps the Lease for the writer (a release over a successor's Lease) never is.
func (c *Checks) byNonHolder(r *world.Record, writer int32) {
	before := &c.spec
	if before.HolderIdentity == 0 || before.HolderIdentity == r.Name {
		return
	}
	takes := r.Spec.HolderIdentity == r.Name
	if takes && r.At-c.changedNs >= int64(before.LeaseDurationSeconds)*1e9 {
		return
	}
	c.Violations = append(c.Violations, Violation{
		Rule: WriteByNonHolder, Severity: Safety, FromNs: r.At, UntilNs: r.At, First: writer, Second: -1, Ordinal: c.ordinal,
	})
}

// transitions: leaseTransitions should grow by one whenever another than the last holder holds the Lease.
func (c *Checks) transitions(r *world.Record, writer int32) {
	if h := r.Spec.HolderIdentity; h != 0 && h != c.lastHolder {
		c.holders++
		c.lastHolder = h
	}
	says := int64(0)
	if r.Spec.Has(coordination.HasLeaseTransitions) {
		says = int64(r.Spec.LeaseTransitions)
	}
	if offset := says - c.holders; offset != c.offset {
		c.Violations = append(c.Violations, Violation{
			Rule: TransitionsMiscount, Severity: Observation, FromNs: r.At, UntilNs: r.At, First: writer, Second: -1,
			Number: says, Counted: c.holders + c.offset, Ordinal: c.ordinal,
		})
		c.offset = offset
	}
}
