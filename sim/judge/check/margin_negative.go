package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// margin is rule 12: L − R − P − d stays positive, where d is the time from the commit of the leader's last renewal to its
// answer: the others age the Lease from the commit, the leader counts its renewDeadline from retryPeriod after the answer.
// Beside this bound it measures what really happened: from the old worker's stop to the successor's start.
type margin struct {
	lastNs    int64 // of the last renewal
	leastNs   int64
	leastAtNs int64
	leastNode int32
	known     bool
	nearestNs int64 // the shortest time from a stop to the next start; negative: they overlapped
	changed   bool
}

func (m *margin) starts(c *Checks, r *trace.Record) {
	n := c.node(r.Candidate)
	n.marginNs = r.Term().MarginNs
	if len(c.active) == 0 && c.last >= 0 {
		m.distance(r.At - c.sinceNs)
	}
	m.renewed(c, r)
}

// ends measures an overlap: one who stops while a later one works.
func (m *margin) ends(c *Checks, r *trace.Record) {
	if c.last != r.Candidate && slices.Contains(c.active, c.last) {
		m.distance(c.startedNs - r.At)
	}
}

func (m *margin) distance(ns int64) {
	if !m.changed || ns < m.nearestNs {
		m.changed, m.nearestNs = true, ns
	}
}

// renewed takes a renewal, or the write that began the term.
func (m *margin) renewed(c *Checks, r *trace.Record) {
	n := c.node(r.Candidate)
	if n.marginNs == 0 { // the trace does not say
		return
	}
	m.lastNs = n.marginNs - n.delayNs
	if n.fromSend {
		m.lastNs = n.marginNs
	}
	if !m.known || m.lastNs < m.leastNs {
		m.known, m.leastNs, m.leastAtNs, m.leastNode = true, m.lastNs, r.At, r.Candidate
	}
	if m.lastNs >= 0 {
		c.close(&n.negative, r.At)
		return
	}
	if n.negative == 0 {
		v := c.breach(rules.MarginNegative, rules.Observation, r, r.Candidate, -1)
		v.UntilNs, v.Number = -1, m.lastNs // as it began: what comes later is not to be told before it has happened
		n.negative = int32(c.broken(v)) + 1
	}
}

func marginFigure(c *Checks, _ int64) string {
	m := &c.margin
	if !m.known {
		return "no renewal yet"
	}
	text := "L − R − P − d: " + words.Seconds(m.lastNs) + " now, at least " + words.Seconds(m.leastNs) + " (at " + words.Instant(m.leastAtNs) + ")"
	if m.changed {
		text += "; from a stop to the next start at least " + words.Seconds(m.nearestNs)
	}
	return text
}

// Margin is the safety margin of the last renewal and the least so far; ok is false before anybody has led.
func (c *Checks) Margin() (lastNs, leastNs int64, ok bool) {
	return c.margin.lastNs, c.margin.leastNs, c.margin.known
}

// NearestNs is the shortest time from a worker's stop to its successor's start, negative if they overlapped; ok is false
// before there was a successor.
func (c *Checks) NearestNs() (ns int64, ok bool) { return c.margin.nearestNs, c.margin.changed }
