package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// stale is rule 8: the resource takes no write of somebody who was no longer the newest legitimate holder, the last to
// acquire the Lease. A fenced resource that does breaks safety; without a fence it is an observation: nothing was promised.
type stale struct {
	attempted, accepted, refused, lost    int64
	staleAttempted, staleAccepted, denied int64 // denied: the newest holder's own write was refused
}

func noResource(c *Checks) bool { return !c.terms.writes }

func (s *stale) write(c *Checks, r *trace.Record) {
	late := c.legit >= 0 && r.Candidate != c.legit
	s.attempted++
	if late {
		s.staleAttempted++
	}
	switch r.Kind {
	case trace.ResourceLost:
		s.lost++
	case trace.ResourceRefused:
		s.refused++
		if !late {
			s.denied++
		}
	default:
		s.accepted++
		if late {
			s.staleAccepted++
			s.broken(c, r)
		}
	}
}

// broken notes a stale write; those of one worker are one violation, which goes on until its work ends.
func (s *stale) broken(c *Checks, r *trace.Record) {
	n := c.node(r.Candidate)
	if n.stale == 0 {
		severity := rules.Observation
		if c.terms.fenced {
			severity = rules.Safety
		}
		v := c.breach(rules.StaleWriteAccepted, severity, r, r.Candidate, c.legit)
		if slices.Contains(c.active, r.Candidate) { // else its last write arrives after its end
			v.UntilNs = -1
		}
		n.stale = int32(c.broken(v)) + 1
	}
	c.Violations[n.stale-1].Number++
}

func staleFigure(c *Checks, _ int64) string {
	s := &c.stale
	text := words.Count(s.attempted, "write", "writes") + ": " + words.Number(s.accepted) + " accepted, " + words.Number(s.refused) + " refused, " + words.Number(s.lost) + " lost; stale: " +
		words.Number(s.staleAttempted) + " attempted, " + words.Number(s.staleAccepted) + " accepted, " + words.Number(s.refused-s.denied) + " refused"
	if s.denied > 0 {
		text += "; " + words.Number(s.denied) + " of the true holder's refused"
	}
	return text
}
