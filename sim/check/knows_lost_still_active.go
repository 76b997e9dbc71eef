package check

import "github.com/leaselab/leaselab/sim/world"

// Rule 11: a worker that has read another's name in the Lease stops. client-go's goes on to the end of its renewDeadline.

// reads takes what an active worker has read.
func (c *Checks) reads(r *world.Record) {
	n := c.node(r.Candidate)
	if n.knowsLost > 0 || r.Spec.HolderIdentity == 0 || r.Spec.HolderIdentity == n.identity {
		return
	}
	v := c.breach(KnowsLostStillActive, Observation, r, r.Candidate, -1)
	v.UntilNs = -1
	n.knowsLost = int32(c.broken(v)) + 1
}

func knowsLostFigure(c *Checks, nowNs int64) string {
	number, longest := c.lengths(KnowsLostStillActive, nowNs)
	if number == 0 {
		return "no worker has read another's name"
	}
	return times(number) + ", at most " + seconds(longest) + " from reading to stopping"
}
