package check

import (
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/leaselab/leaselab/sim/world/fencing"
)

// stale is rule 8: the resource accepts writes only from the newest legitimate holder, which is the last candidate to
// acquire the Lease. If a fenced resource accepts a stale write, safety is broken. Without a fence it is only an
// observation, because nothing promised to refuse stale writes.
type stale struct {
	attempted, accepted, refused, lost    int64
	staleAttempted, staleAccepted, denied int64   // denied: the resource refused the newest holder's write
	fenced, writes                        bool    // writes: the run has a resource
	going                                 []int32 // indexed by candidate: index of the open violation, plus one
}

var _ = register(rules.StaleWriteAccepted, check{
	begin: func() checker { return &stale{} },
	describe: func(v *Violation, first, second string, lengthNs int64) string {
		text := "The resource accepts " + words.Count(v.Number, "write", "writes") + " of " + first + " although " +
			second + " holds the Lease"
		if lengthNs > 0 {
			text += ", over " + words.Seconds(lengthNs)
		}
		return text + "."
	},
	clause: func(_ *Violation, first, second string) string {
		return "the resource accepts writes of " + first + " although " + second + " holds the Lease"
	},
})

func (s *stale) clone() checker { return withOwn(*s, func(d *stale) *[]int32 { return &d.going }) }

func (s *stale) prepare(setup *world.Setup) {
	s.fenced, s.writes = setup.Resource.Fence != fencing.NoFence, setup.Resource.WriteEveryNs > 0
}

func (s *stale) kinds() []trace.Kind {
	return []trace.Kind{trace.ResourceAccepted, trace.ResourceRefused, trace.ResourceLost}
}

func (s *stale) didStop(_ *Checks, r *trace.Record) { *entry(&s.going, r.Candidate) = 0 }

// `observe` counts a write to the resource. It is stale if another candidate has acquired the Lease since, even if
// the writer does not know it yet.
func (s *stale) observe(c *Checks, r *trace.Record) {
	newest := c.NewestHolder()
	late := newest >= 0 && r.Candidate != newest
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
			s.noteStaleWrite(c, r)
		}
	}
}

// noteStaleWrite records a stale write. All stale writes of a worker, until its work ends, form one violation that
// lasts from the first write to the last.
func (s *stale) noteStaleWrite(c *Checks, r *trace.Record) {
	going := entry(&s.going, r.Candidate)
	if *going == 0 {
		v := c.breach(rules.StaleWriteAccepted, r, r.Candidate, c.legit)
		if !s.fenced {
			v.Severity = rules.Observation
		}
		*going = c.noteViolation(v)
	}
	v := &c.Violations[*going-1]
	v.Number, v.UntilNs = v.Number+1, r.At
}

func (s *stale) state(*Checks) State { return fineIf(s.writes, Off) }

func (s *stale) figure(*Checks, int64) string {
	text := words.Count(s.attempted, "write", "writes") + ": " + words.Number(s.accepted) + " accepted, " +
		words.Number(s.refused) + " refused, " + words.Number(s.lost) + " lost; stale: " +
		words.Number(s.staleAttempted) + " attempted, " + words.Number(s.staleAccepted) + " accepted, " +
		words.Number(s.refused-s.denied) + " refused"
	if s.denied > 0 {
		text += "; " + words.Number(s.denied) + " of the true holder refused"
	}
	return text
}

// NewestHolder returns the candidate that last acquired the Lease, -1 if none has. Writes by all other candidates are
// stale.
func (c *Checks) NewestHolder() int32 { return c.legit }

// StaleWrites counts writes to the resource by workers that were no longer the newest legitimate holder. A write that
// the resource neither accepted nor refused got lost on the way.
func (c *Checks) StaleWrites() (attempted, accepted, refused int64) {
	s := stateOf[*stale](c)
	return s.staleAttempted, s.staleAccepted, s.refused - s.denied
}
