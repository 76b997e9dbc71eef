package explain

import (
	"slices"

	"github.com/leaselab/leaselab/sim/trace"
)

// cuts are the cuts in force, the oldest first.
type cuts []cut

// cut is one that lasts: of one candidate, or of all (trace.NoCandidate).
type cut struct {
	candidate int32
	since     Place
}

func (c *cuts) observe(r *trace.Record, at Place) {
	switch {
	case r.Kind == trace.CutBegan:
		*c = append(*c, cut{candidate: r.Candidate, since: at})
	case r.Kind == trace.CutEnded && !r.Over().AnotherLasts:
		*c = slices.DeleteFunc(*c, func(c cut) bool { return r.Candidate == trace.NoCandidate || c.candidate == r.Candidate })
	}
}

// oldest returns where the oldest cut of a candidate began, the zero Place if there is none.
func (c cuts) oldest(candidate int32) Place {
	for _, c := range c {
		if c.candidate == candidate || c.candidate == trace.NoCandidate {
			return c.since
		}
	}
	return Place{}
}
