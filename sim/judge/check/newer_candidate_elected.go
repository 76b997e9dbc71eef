package check

import (
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// consideredNs is how long a LeaseCandidate must have existed to count in an election: the controller's
// electionDuration.
const consideredNs = int64(5e9)

// elections is rule 13: of the candidates that coordinated election considers, the one with the oldest emulation
// version leads. The rule also counts the controller's elections.
type elections struct {
	rounds  int64 // number of pings to all candidates
	decided int64
	namedNs int64 // when the controller last named a holder
	seen    bool  // the run has LeaseCandidates
	stands  []candidacy
}

// candidacy is how an election sees one candidate.
type candidacy struct {
	listed   bool  // the store has the candidate's LeaseCandidate
	listedNs int64 // since when the store has had it
	version  int64 // its emulation version; 0 if unknown
}

var _ = register(rules.NewerCandidateElected, check{
	begin: func() checker { return &elections{} },
	describe: func(_ *Violation, first, second string, _ int64) string {
		return first + " leads although " + second + " has an older emulation version."
	},
})

func (e *elections) clone() checker {
	return withOwn(*e, func(d *elections) *[]candidacy { return &d.stands })
}

func (e *elections) kinds() []trace.Kind {
	return []trace.Kind{trace.Decided, trace.CandidateStored, trace.CandidatePinged, trace.Coordinated, trace.Started,
		trace.Restarted}
}

func (e *elections) observe(_ *Checks, r *trace.Record) {
	switch r.Kind {
	case trace.Decided:
		e.decided++
		if r.Decision().Outcome == coordinator.AsksForAcks {
			e.rounds++
		}
	case trace.Coordinated:
		if r.Outcome.Accepted() && r.Outcome != storage.Deleted && r.Spec.HolderIdentity != 0 {
			e.namedNs = r.At
		}
	case trace.Started, trace.Restarted:
		if version := r.Process().CandidateVersion; version > 0 {
			entry(&e.stands, r.Candidate).version = version
		}
	default:
		e.seen = true
		if r.Candidate >= 0 {
			e.noteCandidate(r)
		}
	}
}

// noteCandidate handles a write to the LeaseCandidate of a candidate.
func (e *elections) noteCandidate(r *trace.Record) {
	s := entry(&e.stands, r.Candidate)
	switch {
	case r.Outcome == storage.Deleted:
		s.listed = false
	case r.Outcome.Accepted() && r.Kind == trace.CandidateStored && !s.listed:
		s.listed, s.listedNs = true, r.At
	}
}

// willStart compares the new leader with every candidate that the controller could choose. Such a candidate's process
// runs, and its LeaseCandidate existed for long enough when the controller last named a holder. The comparison
// follows coordinated election's pickBestLeaderOldestEmulationVersion, but sees only what is visible from outside.
func (e *elections) willStart(c *Checks, r *trace.Record) {
	if !e.seen || !entry(&e.stands, r.Candidate).listed {
		return
	}
	for i := range e.stands {
		s := &e.stands[i]
		if int32(i) == r.Candidate || !s.listed || s.version == 0 || s.version >= r.Term().CandidateVersion ||
			s.listedNs+consideredNs > e.namedNs {
			continue
		}
		if n := c.node(int32(i)); !n.up || n.paused || n.stopAsked {
			continue
		}
		v := c.breach(rules.NewerCandidateElected, r, r.Candidate, int32(i))
		v.Number, v.Counted = r.Term().CandidateVersion, s.version
		c.noteViolation(v)
		return
	}
}

func (e *elections) state(*Checks) State { return fineIf(e.seen, Off) }

func (e *elections) figure(_ *Checks, nowNs int64) string {
	return words.Count(e.rounds, "election", "elections") + ", " +
		words.Hundredths(e.rounds*60*secondNs*100/max(nowNs, 1)) + " a minute; " +
		words.Count(e.decided, "decision", "decisions")
}
