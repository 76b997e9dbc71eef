package check

import (
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// consideredNs is how long a LeaseCandidate must have stood there to count in an election: its electionDuration.
const consideredNs = int64(5e9)

// elections is rule 13: of the candidates that coordinated election considers, the one of the oldest emulation version
// leads. It counts the controller's elections besides.
type elections struct {
	rounds  int64 // pings sent to all
	decided int64
	namedNs int64 // when the controller last named a holder
	seen    bool  // there are LeaseCandidates
}

func noElections(c *Checks) bool { return !c.elections.seen }

func (e *elections) observe(c *Checks, r *trace.Record) {
	switch r.Kind {
	case trace.Decided:
		e.decided++
		if r.Decision().Outcome == coordinator.AsksForAcks {
			e.rounds++
		}
		return
	case trace.CandidateStored:
		c.rate.sent(c, r)
	}
	e.seen = true
	if r.Candidate < 0 {
		return
	}
	n := c.node(r.Candidate)
	switch {
	case r.Outcome == storage.Deleted:
		n.listed = false
	case !r.Outcome.Accepted():
	case r.Kind == trace.CandidatePinged:
		n.pinged, n.updates = true, 0
	default:
		if !n.listed {
			n.listed, n.listedNs = true, r.At
		}
		if n.pinged {
			n.updates++
			c.rate.perPing = max(c.rate.perPing, n.updates)
		}
	}
}

func (e *elections) starts(c *Checks, r *trace.Record) {
	if !e.seen || !c.node(r.Candidate).listed {
		return
	}
	for i := range c.nodes {
		n := &c.nodes[i]
		if int32(i) == r.Candidate || !n.listed || !n.up || n.paused || n.stopAsked || n.version == 0 || n.version >= r.Term().CandidateVersion || n.listedNs+consideredNs > e.namedNs {
			continue
		}
		v := c.breach(rules.NewerCandidateElected, rules.Observation, r, r.Candidate, int32(i))
		v.Number, v.Counted = r.Term().CandidateVersion, n.version
		c.broken(v)
		return
	}
}

func electionsFigure(c *Checks, nowNs int64) string {
	e := &c.elections
	return words.Count(e.rounds, "election", "elections") + ", " + words.Hundredths(e.rounds*60*secondNs*100/max(nowNs, 1)) + " a minute; " + words.Count(e.decided, "decision", "decisions")
}
