// Package check watches a run: who is active, for how long nobody or more than one is, and which rules are broken.
//
// Guarantee: fed every trace record in order, the totals and violations are exact to the nanosecond.
// Non-guarantee: absence of a violation in one run says nothing about other seeds.
package check

import (
	"slices"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/world"
)

// Severity of a broken rule.
type Severity uint8

const (
	Safety      Severity = iota // exit code 3
	Liveness                    // exit code 4
	Observation                 // worth knowing; never changes the exit code
)

var severityNames = [...]string{"safety", "liveness", "observation"}

func (s Severity) String() string { return severityNames[s] }

// Rule names, as scenarios expect them.
const (
	MoreThanOneActive   = "moreThanOneActive"
	WriteByNonHolder    = "writeByNonHolder"
	TransitionsMiscount = "transitionsMiscount"
)

// Violation is one breach of a rule. UntilNs is -1 while it goes on, and FromNs for one that has no length.
type Violation struct {
	Rule     string
	Severity Severity
	FromNs   int64
	UntilNs  int64
	First    int32 // the candidates concerned
	Second   int32
	Number   int64 // transitionsMiscount: what the Lease says
	Counted  int64 // and the true number of changes
	Ordinal  int32 // of the trace record inside its instant, from 1
}

// Change is a change of the active leader. From is -1 for the first.
type Change struct {
	AtNs         int64
	From, To     int32
	LeaderlessNs int64 // how long nobody had been active just before
	Ordinal      int32 // of the trace record inside its instant, from 1
}

// Checks is the state of all checkers: a value that Clone copies.
type Checks struct {
	Changes      []Change
	Violations   []Violation
	LeaderlessNs int64 // up to the last change of the number of active candidates
	DoubleNs     int64

	active     []int32             // who is active, in order of start
	last       int32               // who became active last
	sinceNs    int64               // the instant of the last change of the number of active candidates
	overlap    int                 // index of the violation that goes on, -1
	spec       coordination.Record // the stored Lease
	exists     bool
	changedNs  int64 // when the stored spec last changed
	holders    int64 // true changes of holder since the Lease was created
	lastHolder coordination.Symbol
	offset     int64 // leaseTransitions minus holders when last compared
	atNs       int64
	ordinal    int32
	skew       skew
}

// New returns checks at instant 0.
func New() Checks { return Checks{last: -1, overlap: -1} }

// Clone returns an independent copy.
func (c *Checks) Clone() Checks {
	d := *c
	d.Changes = slices.Clip(c.Changes)
	d.Violations = slices.Clone(c.Violations)
	d.active = slices.Clone(c.active)
	d.skew = c.skew.clone()
	return d
}

// Active lists who is active, in order of start.
func (c *Checks) Active() []int32 { return c.active }

// Totals are the leaderless and the double-leader time up to an instant.
func (c *Checks) Totals(nowNs int64) (leaderlessNs, doubleNs int64) {
	leaderlessNs, doubleNs = c.LeaderlessNs, c.DoubleNs
	switch {
	case len(c.active) == 0:
		leaderlessNs += nowNs - c.sinceNs
	case len(c.active) > 1:
		doubleNs += nowNs - c.sinceNs
	}
	return leaderlessNs, doubleNs
}

// SinceNs is when the number of active candidates last changed.
func (c *Checks) SinceNs() int64 { return c.sinceNs }

// Worst is the exit class of the violations so far, leaving out the rules in expected: 0, 3 (safety) or 4 (liveness).
func (c *Checks) Worst(expected func(rule string) bool) int {
	worst := 0
	for i := range c.Violations {
		v := &c.Violations[i]
		if v.Severity == Observation || expected(v.Rule) {
			continue
		}
		if v.Severity == Safety {
			return 3
		}
		worst = 4
	}
	return worst
}

// Observe takes the records of one step.
func (c *Checks) Observe(records []world.Record) {
	for i := range records {
		r := &records[i]
		if r.At != c.atNs {
			c.atNs, c.ordinal = r.At, 0
		}
		c.ordinal++
		switch r.Kind {
		case world.StartedLeading:
			c.started(r)
		case world.LeadingDone:
			if r.A == 0 {
				c.ended(r)
			}
		case world.WorkDone, world.Crashed, world.Removed:
			c.ended(r)
		case world.RequestServed:
			if r.Verb != elector.Get && (r.Outcome == storage.Created || r.Outcome == storage.Updated) {
				c.stored(r, r.Candidate)
			}
		case world.Written, world.Coordinated:
			c.stored(r, world.NoCandidate)
		}
		if versionKinds[r.Kind] {
			c.versions(r)
		}
	}
}

func (c *Checks) count(nowNs int64) {
	c.LeaderlessNs, c.DoubleNs = c.Totals(nowNs)
	c.sinceNs = nowNs
}

func (c *Checks) started(r *world.Record) {
	change := Change{AtNs: r.At, From: c.last, To: r.Candidate, Ordinal: c.ordinal}
	if len(c.active) == 0 {
		change.LeaderlessNs = r.At - c.sinceNs
	}
	c.count(r.At)
	c.Changes = append(c.Changes, change)
	c.last = r.Candidate
	if slices.Contains(c.active, r.Candidate) {
		return // it leads again while its work of the term before goes on: it has been active all the time
	}
	c.active = append(c.active, r.Candidate)
	if len(c.active) == 2 {
		c.overlap = len(c.Violations)
		c.Violations = append(c.Violations, Violation{
			Rule: MoreThanOneActive, Severity: Safety, FromNs: r.At, UntilNs: -1, First: c.active[0], Second: r.Candidate, Ordinal: c.ordinal,
		})
	}
}

func (c *Checks) ended(r *world.Record) {
	i := slices.Index(c.active, r.Candidate)
	if i < 0 {
		return
	}
	c.count(r.At)
	c.active = slices.Delete(c.active, i, i+1)
	if len(c.active) < 2 && c.overlap >= 0 {
		c.Violations[c.overlap].UntilNs = r.At
		c.overlap = -1
	}
}
