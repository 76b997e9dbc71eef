package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// owners belongs to rule 8: where a leader gives the resource up with a last step, at most one owns it. A step that is lost,
// or a crash that skips it, leaves the old owner beside the new one (an address that answers from two machines).
type owners struct {
	nodes []int32
	going int32 // index of the violation that goes on, plus one
	most  int
}

func noOwners(c *Checks) bool { return !c.terms.owned }

func (o *owners) write(c *Checks, r *trace.Record) {
	if !c.terms.owned || r.Kind != trace.ResourceAccepted || slices.Contains(o.nodes, r.Candidate) {
		return
	}
	o.nodes = append(o.nodes, r.Candidate)
	o.most = max(o.most, len(o.nodes))
	if len(o.nodes) == 2 {
		v := c.breach(rules.ResourceOwnedTwice, rules.Observation, r, o.nodes[0], r.Candidate)
		v.UntilNs = -1
		o.going = int32(c.broken(v)) + 1
	}
}

func (o *owners) givenUp(c *Checks, r *trace.Record) {
	o.nodes = slices.DeleteFunc(o.nodes, func(i int32) bool { return i == r.Candidate })
	if len(o.nodes) < 2 {
		c.close(&o.going, r.At)
	}
}

func ownersFigure(c *Checks, _ int64) string {
	return words.Count(len(c.owners.nodes), "owner", "owners") + ", at most " + words.Number(int64(c.owners.most)) + " at once"
}
