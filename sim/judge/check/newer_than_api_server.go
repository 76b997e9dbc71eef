package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// versioned is a node and the number of the version it runs, as in the trace.
type versioned struct {
	node    int32
	version int64
}

// skew is rule 14: a component is not newer than any API server that it may talk to. The rule checks leaders, because
// they write. It compares emulation versions, not binary versions.
type skew struct {
	servers []versioned // API servers that are up
	leaders []versioned // the active candidates
	going   int32       // index of the open violation, plus one
}

var _ = register(rules.NewerThanAPIServer, check{
	begin: func() checker { return &skew{} },
	describe: func(_ *Violation, first, second string, lengthNs int64) string {
		return first + " leads and is newer than the API server " + second + ", for " + words.Seconds(lengthNs) + "."
	},
	clause: func(_ *Violation, first, second string) string {
		return first + " leads and is newer than the API server " + second
	},
})

func (s *skew) clone() checker {
	return &skew{servers: slices.Clone(s.servers), leaders: slices.Clone(s.leaders), going: s.going}
}

func (s *skew) kinds() []trace.Kind {
	return []trace.Kind{
		trace.Started, trace.Restarted, trace.StartedLeading, trace.LeadingDone, trace.WorkDone, trace.ServerCrashed,
		trace.Crashed, trace.Removed,
	}
}

// `observe` handles a record that may change which node runs which version.
func (s *skew) observe(c *Checks, r *trace.Record) {
	switch r.Kind {
	case trace.Started, trace.Restarted:
		version := r.Process().ServerVersion
		if version == 0 {
			return
		}
		s.servers = append(removeNode(s.servers, r.Candidate), versioned{r.Candidate, version})
	case trace.StartedLeading:
		version := r.Term().CandidateVersion
		if version == 0 {
			return
		}
		s.leaders = append(removeNode(s.leaders, r.Candidate), versioned{r.Candidate, version})
	case trace.ServerCrashed, trace.Crashed, trace.Removed:
		s.servers = removeNode(s.servers, r.Candidate)
	}
	s.leaders = slices.DeleteFunc(s.leaders, func(v versioned) bool { return !slices.Contains(c.active, v.node) })
	s.compare(c, r)
}

// compare begins or ends the violation.
func (s *skew) compare(c *Checks, r *trace.Record) {
	leader, server, newer := s.newer()
	switch {
	case newer && s.going == 0:
		v := c.breach(rules.NewerThanAPIServer, r, leader, server)
		v.UntilNs = -1
		s.going = c.noteViolation(v)
	case !newer && s.going != 0:
		c.close(&s.going, r.At)
	}
}

// `newer` finds the first leader that is newer than the oldest running API server.
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

func removeNode(list []versioned, node int32) []versioned {
	return slices.DeleteFunc(list, func(v versioned) bool { return v.node == node })
}

func (s *skew) state(*Checks) State {
	return fineIf(len(s.servers)+len(s.leaders) > 0, Off)
}

func (s *skew) figure(c *Checks, nowNs int64) string {
	number, longest := c.lengths(rules.NewerThanAPIServer, nowNs)
	if number == 0 {
		return "the leader was never newer than an API server"
	}
	return words.Times(number) + ", at most " + words.Seconds(longest)
}
