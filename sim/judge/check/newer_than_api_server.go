package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// Rule 14: a component must not be newer than any API server it may talk to, and the one that leads is the one that writes.
// What a component emulates counts, not what it is.

// versioned is a node that runs a version, as the trace numbers it.
type versioned struct {
	node    int32
	version int64
}

// skew follows the versions of the API servers that are up and of the candidates that are active.
type skew struct {
	servers []versioned
	leaders []versioned
	going   int // index of the violation that goes on, plus one; 0: none
}

func (s *skew) clone() skew {
	return skew{servers: slices.Clone(s.servers), leaders: slices.Clone(s.leaders), going: s.going}
}

// versionKinds are the records that may change who runs what.
var versionKinds = [trace.NoKind]bool{
	trace.Started: true, trace.Restarted: true, trace.StartedLeading: true, trace.LeadingDone: true, trace.WorkDone: true,
	trace.ServerCrashed: true, trace.Crashed: true, trace.Removed: true,
}

// versions takes a record that may change who runs what.
func (c *Checks) versions(r *trace.Record) {
	s := &c.skew
	switch r.Kind {
	case trace.Started, trace.Restarted:
		version := r.Process().ServerVersion
		if version == 0 {
			return
		}
		s.servers = append(without(s.servers, r.Candidate), versioned{r.Candidate, version})
	case trace.StartedLeading:
		version := r.Term().CandidateVersion
		if version == 0 {
			return
		}
		s.leaders = append(without(s.leaders, r.Candidate), versioned{r.Candidate, version})
	case trace.ServerCrashed, trace.Crashed, trace.Removed:
		s.servers = without(s.servers, r.Candidate)
	}
	s.leaders = slices.DeleteFunc(s.leaders, func(v versioned) bool { return !slices.Contains(c.active, v.node) })
	c.compare(r)
}

// compare begins or ends the violation.
func (c *Checks) compare(r *trace.Record) {
	s := &c.skew
	leader, server, newer := s.newer()
	switch {
	case newer && s.going == 0:
		v := c.breach(rules.NewerThanAPIServer, rules.Observation, r, leader, server)
		v.UntilNs = -1
		s.going = c.broken(v) + 1
	case !newer && s.going != 0:
		c.Violations[s.going-1].UntilNs = r.At
		s.going = 0
	}
}

// newer finds the first leader that is newer than the oldest API server that is up.
func (s *skew) newer() (leader, server int32, found bool) {
	if len(s.servers) == 0 {
		return -1, -1, false
	}
	oldest := slices.MinFunc(s.servers, func(a, b versioned) int { return int(a.version - b.version) })
	for _, l := range s.leaders {
		if l.version > oldest.version {
			return l.node, oldest.node, true
		}
	}
	return -1, -1, false
}

func without(list []versioned, node int32) []versioned {
	return slices.DeleteFunc(list, func(v versioned) bool { return v.node == node })
}

func noVersions(c *Checks) bool { return len(c.skew.servers) == 0 && len(c.skew.leaders) == 0 }

func skewFigure(c *Checks, nowNs int64) string {
	number, longest := c.lengths(rules.NewerThanAPIServer, nowNs)
	if number == 0 {
		return "the leader was never newer than an API server"
	}
	return words.Times(number) + ", at most " + words.Seconds(longest)
}
