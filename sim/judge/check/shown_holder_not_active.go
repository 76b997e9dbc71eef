package check

import (
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// shownLagNs is how long the Lease may name a candidate other than the active one, while the answer to a takeover is in
// flight.
const shownLagNs = int64(1e9)

// shown is rule 7: while a candidate is active, the Lease names an active candidate. If the lock also uses a ConfigMap,
// the ConfigMap may name it instead.
type shown struct {
	recordless
	wrongNs   int64 // since when the lock has named no active candidate; -1 while it names one
	dueNs     int64
	going     int32 // index of the open violation, plus one
	wrong     bool
	totalNs   int64
	longestNs int64
}

var _ = register(rules.ShownHolderNotActive, check{
	begin: func() checker { return &shown{dueNs: never} },
	describe: func(v *Violation, first, _ string, lengthNs int64) string {
		return first + " is active, but the Lease does not name it. An answer may take " + words.Seconds(v.Counted) +
			"; this lasts " + words.Seconds(lengthNs) + " longer."
	},
	clause: func(_ *Violation, first, _ string) string {
		return first + " is active, but the Lease does not name it"
	},
})

func (s *shown) clone() checker { d := *s; return &d }

func (s *shown) didStart(c *Checks, r *trace.Record) { s.compare(c, r) }

func (s *shown) didStop(c *Checks, r *trace.Record) { s.compare(c, r) }

func (s *shown) didMoveHolder(c *Checks, r *trace.Record) { s.compare(c, r) }

// `compare` checks whether the lock names an active candidate. During a takeover it briefly does not: the Lease names
// the new holder from the write on, but the new holder becomes active only when the answer arrives. shownLagNs allows
// for that.
func (s *shown) compare(c *Checks, r *trace.Record) {
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

func (s *shown) due() int64 { return s.dueNs }

func (s *shown) settle(c *Checks, _ int64) {
	v := overdue(rules.ShownHolderNotActive, s.dueNs, c.active[len(c.active)-1], -1)
	v.Number, v.Counted = s.wrongNs, shownLagNs
	s.going = c.noteViolation(v)
	s.dueNs = never
}

func (s *shown) figure(_ *Checks, nowNs int64) string {
	total, longest := s.totalNs, s.longestNs
	if s.wrong {
		total += nowNs - s.wrongNs
		longest = max(longest, nowNs-s.wrongNs)
	}
	if total == 0 {
		return "the Lease always named an active candidate"
	}
	return "the Lease named another candidate for " + words.Seconds(total) + ", at most " + words.Seconds(longest) +
		" at a time"
}
