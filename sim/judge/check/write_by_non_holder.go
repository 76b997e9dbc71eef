package check

import (
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// Rule 9: nobody writes over a Lease that names somebody else and has not run out in true time. A takeover is in order once
// the published duration has passed since the last stored change; anything that neither takes nor keeps the Lease for the
// writer (a release over a successor's Lease) never is.

func (c *Checks) byNonHolder(r *trace.Record, writer int32) {
	before := &c.spec
	if before.HolderIdentity == 0 || before.HolderIdentity == r.Name {
		return
	}
	takes := r.Spec.HolderIdentity == r.Name
	if takes && r.At-c.changedNs >= int64(before.LeaseDurationSeconds)*1e9 {
		return
	}
	c.broken(c.breach(rules.WriteByNonHolder, rules.Safety, r, writer, -1))
}

func nonHolderFigure(c *Checks, nowNs int64) string {
	number, _ := c.lengths(rules.WriteByNonHolder, nowNs)
	return words.Count(number, "such write", "such writes")
}
