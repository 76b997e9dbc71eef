package check

import (
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// margin is rule 12: the safety margin L − R − P − d stays positive. L is leaseDuration, R renewDeadline, P
// retryPeriod. d is how long the leader's last renewal took from its commit in the store until its answer arrived. The
// others measure the Lease's age from the commit, but the leader's renewDeadline starts P after the answer. So a slow
// answer uses up the margin.
//
// The rule also measures what really happened: the time from a worker's stop to its successor's start. With the
// defaults the margin is 15 s − 10 s − 2 s = 3 s, so if the answer takes 4 s, the margin is −1 s.
type margin struct {
	recordless

	lastNs    int64 // instant of the last renewal
	leastNs   int64
	leastAtNs int64
	known     bool
	nearestNs int64 // the shortest time from a stop to the next start; negative if the two overlapped
	changed   bool
	terms     []marginTerm // indexed by candidate
}

// marginTerm holds the addends of the margin in one candidate's term.
type marginTerm struct {
	marginNs int64 // L − R − P of this term; 0 if the trace does not contain it
	delayNs  int64 // time from the commit of its last write to the answer
	fromSend bool  // the deadline starts when the candidate sends a renewal, so no answer can be late
	going    int32 // index of the open violation, plus one
}

var _ = register(rules.MarginNegative, check{
	begin: func() checker { return &margin{} },
	describe: func(v *Violation, first, _ string, _ int64) string {
		return "The safety margin of " + first + " is " + words.Seconds(v.Number) +
			": a successor may start before the leader stops."
	},
	clause: func(_ *Violation, first, _ string) string { return "the safety margin of " + first + " is negative" },
})

func (m *margin) clone() checker {
	return withOwn(*m, func(d *margin) *[]marginTerm { return &d.terms })
}

func (m *margin) prepare(setup *world.Setup) {
	for i := range setup.Candidates {
		if setup.Candidates[i].Dialect&elector.DeadlineFromSend != 0 {
			entry(&m.terms, int32(i)).fromSend = true
		}
	}
}

func (m *margin) willStart(c *Checks, r *trace.Record) {
	entry(&m.terms, r.Candidate).marginNs = r.Term().MarginNs
	if len(c.active) == 0 && c.last >= 0 {
		m.distance(r.At - c.sinceNs)
	}
	m.noteRenewal(c, r)
}

// didStop measures an overlap if the candidate stops while a later leader works.
func (m *margin) didStop(c *Checks, r *trace.Record) {
	c.close(&entry(&m.terms, r.Candidate).going, r.At)
	if c.last != r.Candidate && slices.Contains(c.active, c.last) {
		m.distance(c.startedNs - r.At)
	}
}

func (m *margin) distance(ns int64) {
	if !m.changed || ns < m.nearestNs {
		m.changed, m.nearestNs = true, ns
	}
}

func (m *margin) didAnswer(c *Checks, r *trace.Record) {
	entry(&m.terms, r.Candidate).delayNs = r.At - r.Exchange().ServedNs
	if slices.Contains(c.active, r.Candidate) && r.Spec.HolderIdentity == c.node(r.Candidate).identity {
		m.noteRenewal(c, r)
	}
}

// noteRenewal computes the margin after a renewal, or after the write that began the term.
func (m *margin) noteRenewal(c *Checks, r *trace.Record) {
	term := entry(&m.terms, r.Candidate)
	if term.marginNs == 0 {
		return
	}
	m.lastNs = term.marginNs - term.delayNs
	if term.fromSend {
		m.lastNs = term.marginNs
	}
	if !m.known || m.lastNs < m.leastNs {
		m.known, m.leastNs, m.leastAtNs = true, m.lastNs, r.At
	}
	if m.lastNs >= 0 {
		c.close(&term.going, r.At)
		return
	}
	if term.going == 0 {
		v := c.breach(rules.MarginNegative, r, r.Candidate, -1)
		v.UntilNs, v.Number = -1, m.lastNs // a story tells how the violation begins, not what happens later
		term.going = c.noteViolation(v)
	}
}

func (m *margin) figure(*Checks, int64) string {
	if !m.known {
		return "no renewal yet"
	}
	text := "safety margin: " + words.Seconds(m.lastNs) + " now, at least " + words.Seconds(m.leastNs) + " (at " +
		words.Instant(m.leastAtNs) + ")"
	if m.changed {
		text += "; from a stop to the next start at least " + words.Seconds(m.nearestNs)
	}
	return text
}

// Margin returns the safety margin of the last renewal and the least so far; ok is false before the first leader.
func (c *Checks) Margin() (lastNs, leastNs int64, ok bool) {
	m := stateOf[*margin](c)
	return m.lastNs, m.leastNs, m.known
}

// NearestNs returns the shortest time from a worker's stop to its successor's start, negative if the two overlapped; ok
// is false before the first successor.
func (c *Checks) NearestNs() (ns int64, ok bool) {
	m := stateOf[*margin](c)
	return m.nearestNs, m.changed
}
