package check

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// nonHolder is rule 9: no candidate overwrites a Lease that names another candidate and has not expired in true time. A
// candidate may take the Lease once leaseDuration, as stored in the Lease, has passed since the last stored change. It
// may never write another's Lease for any other purpose; a late release that overwrites its successor's Lease is an
// example.
type nonHolder struct{ recordless }

var _ = register(rules.WriteByNonHolder, check{
	begin: func() checker { return nonHolder{} },
	describe: func(v *Violation, first, _ string, _ int64) string {
		if v.Number > 0 {
			return fmt.Sprintf("%s takes the Lease %s before it expires.", first, words.Seconds(v.Number))
		}
		return first + " writes a Lease that it does not hold."
	},
})

func (n nonHolder) clone() checker { return n }

func (nonHolder) willStore(c *Checks, r *trace.Record, writer int32) {
	before := &c.spec
	if writer < 0 || !c.exists || before.HolderIdentity == 0 || before.HolderIdentity == r.Name {
		return
	}
	v := c.breach(rules.WriteByNonHolder, r, writer, -1)
	if r.Spec.HolderIdentity == r.Name { // the writer takes the Lease
		if v.Number = int64(before.LeaseDurationSeconds)*1e9 - (r.At - c.changedNs); v.Number <= 0 {
			return
		}
	}
	c.noteViolation(v)
}

func (nonHolder) figure(c *Checks, nowNs int64) string {
	number, _ := c.lengths(rules.WriteByNonHolder, nowNs)
	return words.Count(number, "such write", "such writes")
}
