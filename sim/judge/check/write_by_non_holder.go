package check

import (
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// nonHolder is rule 9: no candidate writes over a Lease that names another and has not expired in true time. A takeover
// is in order once the published duration has passed since the last stored change; anything that neither takes nor
// keeps the Lease for the writer (a release over a successor's Lease) never is.
type nonHolder struct{ recordless }

var _ = register(rules.WriteByNonHolder, check{
	begin: func() checker { return nonHolder{} },
	describe: func(_ *Violation, first, _ string, _ int64) string {
		return first + " writes a Lease that it does not hold."
	},
})

func (n nonHolder) clone() checker { return n }

func (nonHolder) storing(c *Checks, r *trace.Record, writer int32) {
	before := &c.spec
	if writer < 0 || !c.exists || before.HolderIdentity == 0 || before.HolderIdentity == r.Name {
		return
	}
	takes := r.Spec.HolderIdentity == r.Name
	if takes && r.At-c.changedNs >= int64(before.LeaseDurationSeconds)*1e9 {
		return
	}
	c.broken(c.breach(rules.WriteByNonHolder, r, writer, -1))
}

func (nonHolder) figure(c *Checks, nowNs int64) string {
	number, _ := c.lengths(rules.WriteByNonHolder, nowNs)
	return words.Count(number, "such write", "such writes")
}
