package check

import (
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// needless is rule 3: a healthy holder keeps the Lease.
//
// A holder is healthy if its process runs (or a simulated one ended itself because no answer came), is not paused, and
// was not asked to stop, and if no cut of this node alone was in effect during the last leaseDuration. An API server
// that is slow or down for all candidates does not excuse a change, because no other candidate could do better. A
// change is not needless if the holder released the Lease or had to hand it over, or if an administrator wrote the
// Lease.
type needless struct {
	recordless
	number int32
}

var _ = register(rules.NeedlessChange, check{
	begin: func() checker { return &needless{} },
	describe: func(v *Violation, first, second string, _ int64) string {
		if v.Second < 0 {
			return first + " is healthy, but loses the Lease."
		}
		return first + " is healthy, but " + second + " takes the Lease from it."
	},
})

func (n *needless) clone() checker { d := *n; return &d }

// willStore checks the change while the facts still describe the old version: who held the Lease, and for how long it
// was valid. A fault that ended less than leaseDuration ago may be why the holder missed its renewals, so it still
// excuses the change.
func (n *needless) willStore(c *Checks, r *trace.Record, writer int32) {
	if !c.exists || r.Kind == trace.Written {
		return
	}
	before, holder := &c.spec, r.Spec.HolderIdentity
	if before.HolderIdentity == 0 || holder == 0 || holder == before.HolderIdentity || before.PreferredHolder != 0 ||
		c.holder < 0 {
		return
	}
	old := &c.nodes[c.holder]
	// the node restarted under another name, so the holder is dead
	gone := old.present != 0 && old.present != before.HolderIdentity
	// nobody knows why a real program has ended its process
	gone = gone || c.settings.programs && old.returned
	healthy := !gone && old.up && !old.paused && !old.stopAsked && old.cuts == 0
	wasAway := old.awayUntilNs >= 0 && r.At-old.awayUntilNs < int64(before.LeaseDurationSeconds)*1e9
	if !healthy || wasAway {
		return
	}
	c.noteViolation(c.breach(rules.NeedlessChange, r, c.holder, writer))
	n.number++
}

func (n *needless) figure(c *Checks, _ int64) string {
	return words.Count(n.number, "needless change", "needless changes") + " of " +
		words.Count(int64(max(len(c.Changes)-1, 0)), "change", "changes")
}
