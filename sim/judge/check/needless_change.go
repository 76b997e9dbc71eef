package check

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// Rule 3: the Lease does not pass from a holder who is well. Well is one whose process is there (or has ended itself for
// want of an answer), is not paused and not asked to stop, and who has been cut off by nothing of his own since the last
// leaseDuration began. An API server that is slow or gone for everybody is no excuse: nobody could lead better. A holder that
// has released or was asked to hand over is not replaced needlessly, and an administrator knows what he does.

func (c *Checks) needlessly(r *trace.Record, before *coordination.Record, writer int32) {
	holder := r.Spec.HolderIdentity
	if before.HolderIdentity == 0 || holder == 0 || holder == before.HolderIdentity || before.PreferredHolder != 0 || c.holder < 0 {
		return
	}
	old := &c.nodes[c.holder]
	gone := old.present != 0 && old.present != before.HolderIdentity // the node runs again under another name: the holder is dead
	well := !gone && old.up && !old.paused && !old.stopAsked && old.cuts == 0
	wasAway := old.awayUntilNs >= 0 && r.At-old.awayUntilNs < int64(before.LeaseDurationSeconds)*1e9
	if !well || wasAway {
		return
	}
	c.broken(c.breach(rules.NeedlessChange, rules.Observation, r, c.holder, writer))
	c.needless++
}

func needlessFigure(c *Checks, _ int64) string {
	return words.Count(c.needless, "needless change", "needless changes") + " of " + words.Count(int64(max(len(c.Changes)-1, 0)), "change", "changes")
}
