package check

import (
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// shownLagNs is for how long the Lease may name somebody else than who works: the answer to a take-over is under way.
const shownLagNs = int64(1e9)

// shown is rule 7: while somebody works, the Lease names one who does, or the ConfigMap of the locks that keep one.
type shown struct {
	wrongNs   int64 // since when it does not, -1 while it does
	dueNs     int64
	going     int32 // index of the violation that goes on, plus one
	wrong     bool
	totalNs   int64
	longestNs int64
}

// look is called whenever the holder or who is active has changed.
func (s *shown) look(c *Checks, r *trace.Record) {
	wrong := len(c.active) > 0
	for _, i := range c.active {
		id := c.nodes[i].identity
		if id != 0 && (c.exists && c.spec.HolderIdentity == id || c.mapped == id) {
			wrong = false
		}
	}
	if wrong == s.wrong {
		return
	}
	s.wrong = wrong
	if wrong {
		s.wrongNs, s.dueNs = r.At, r.At+shownLagNs
	} else {
		s.totalNs += r.At - s.wrongNs
		s.longestNs = max(s.longestNs, r.At-s.wrongNs)
		s.dueNs = never
		c.close(&s.going, r.At)
	}
	c.rearm()
}

func (s *shown) settle(c *Checks, nowNs int64) {
	if nowNs <= s.dueNs {
		return
	}
	s.going = int32(c.broken(Violation{
		Rule: rules.ShownHolderNotActive, Severity: rules.Observation, FromNs: s.dueNs, UntilNs: -1, First: c.active[len(c.active)-1], Second: -1, Number: s.wrongNs, Counted: shownLagNs, Ordinal: -1,
	})) + 1
	s.dueNs = never
}

func shownFigure(c *Checks, nowNs int64) string {
	s := &c.shown
	total, longest := s.totalNs, s.longestNs
	if s.wrong {
		total += nowNs - s.wrongNs
		longest = max(longest, nowNs-s.wrongNs)
	}
	if total == 0 {
		return "the Lease always named an active candidate"
	}
	return "the Lease named another candidate for " + words.Seconds(total) + ", at most " + words.Seconds(longest) + " at a time"
}
