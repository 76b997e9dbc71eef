package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/leaselab/leaselab/sim/world/fencing"
)

// `owners` belongs to rule 8: at most one candidate owns the resource, if leaders must give it up in a clean-up
// step. If that step gets lost, or a crash skips it, the old owner remains next to the new one, like an IP address
// that answers from two machines.
type owners struct {
	nodes []int32
	going int32 // index of the open violation, plus one
	most  int
	owned bool // the resource has a clean-up step
}

var _ = register(rules.ResourceOwnedTwice, check{
	begin: func() checker { return &owners{} },
	describe: func(_ *Violation, first, second string, lengthNs int64) string {
		return first + " and " + second + " both own the resource, for " + words.Seconds(lengthNs) + "."
	},
	clause: func(_ *Violation, first, second string) string {
		return first + " and " + second + " both own the resource"
	},
})

func (o *owners) clone() checker { return withOwn(*o, func(d *owners) *[]int32 { return &d.nodes }) }

func (o *owners) prepare(setup *world.Setup) { o.owned = setup.Resource.CleanUp != fencing.NoCleanUp }

func (o *owners) kinds() []trace.Kind {
	return []trace.Kind{trace.ResourceAccepted, trace.ResourceGivenUp}
}

func (o *owners) observe(c *Checks, r *trace.Record) {
	if r.Kind == trace.ResourceGivenUp {
		o.givenUp(c, r)
		return
	}
	if !o.owned || slices.Contains(o.nodes, r.Candidate) {
		return
	}
	o.nodes = append(o.nodes, r.Candidate)
	o.most = max(o.most, len(o.nodes))
	if len(o.nodes) == 2 {
		v := c.breach(rules.ResourceOwnedTwice, r, o.nodes[0], r.Candidate)
		v.UntilNs = -1
		o.going = c.noteViolation(v)
	}
}

func (o *owners) givenUp(c *Checks, r *trace.Record) {
	o.nodes = slices.DeleteFunc(o.nodes, func(i int32) bool { return i == r.Candidate })
	if len(o.nodes) < 2 {
		c.close(&o.going, r.At)
	}
}

func (o *owners) state(*Checks) State { return fineIf(o.owned, Off) }

func (o *owners) figure(*Checks, int64) string {
	return words.Count(len(o.nodes), "owner", "owners") + ", at most " + words.Number(int64(o.most)) + " at once"
}
