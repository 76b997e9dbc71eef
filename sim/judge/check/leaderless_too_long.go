package check

import (
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// leaderless is rule 2: the time without an active worker, the wait for the first one counted, stays within the bound.
type leaderless struct {
	dueNs     int64 // when the gap that goes on breaks the bound
	going     int32 // index of the violation that goes on, plus one
	longestNs int64 // of the gaps that are over
	longestAt int64 // when that one began
}

func (l *leaderless) begins(c *Checks, r *trace.Record) {
	if c.bounds.LeaderlessNs > 0 {
		l.dueNs = r.At + c.bounds.LeaderlessNs
		c.rearm()
	}
}

func (l *leaderless) over(c *Checks, r *trace.Record) {
	if gap := r.At - c.sinceNs; gap > l.longestNs {
		l.longestNs, l.longestAt = gap, c.sinceNs
	}
	c.close(&l.going, r.At)
	if l.dueNs != never {
		l.dueNs = never
		c.rearm()
	}
}

func (l *leaderless) settle(c *Checks, nowNs int64) {
	if nowNs <= l.dueNs {
		return
	}
	l.going = int32(c.broken(Violation{
		Rule: rules.LeaderlessTooLong, Severity: rules.Liveness, FromNs: l.dueNs, UntilNs: -1, First: c.last, Second: -1, Number: c.sinceNs, Counted: c.bounds.LeaderlessNs, Ordinal: -1,
	})) + 1
	l.dueNs = never
}

func leaderlessFigure(c *Checks, nowNs int64) string {
	total, _ := c.Totals(nowNs)
	longest, at := c.leaderless.longestNs, c.leaderless.longestAt
	if len(c.active) == 0 && nowNs-c.sinceNs > longest {
		longest, at = nowNs-c.sinceNs, c.sinceNs
	}
	text := words.Seconds(total) + " in all, the longest " + words.Seconds(longest) + " from " + words.Instant(at)
	if len(c.active) == 0 {
		text += "; " + words.Seconds(nowNs-c.sinceNs) + " so far" + c.openEndedNote(nowNs)
	}
	if c.bounds.LeaderlessNs > 0 {
		text += " (bound " + words.Seconds(c.bounds.LeaderlessNs) + ")"
	}
	return text
}

// openEndedNote marks a time without a leader that goes on and that nothing promises to end: no node is left that could lead,
// or it has been longer than any failover by the formula.
func (c *Checks) openEndedNote(nowNs int64) string {
	longest := c.terms.leaseNs + 2*c.terms.retryNs/1000*pollPerMille
	switch {
	case len(c.active) > 0:
		return ""
	case c.nobodyCompetes():
		return ", ∞: no candidate competes any more"
	case longest > 0 && nowNs-c.sinceNs > longest:
		return ", ∞: longer than any failover takes"
	}
	return ""
}

// nobodyCompetes reports whether every process is gone or stopped for good.
func (c *Checks) nobodyCompetes() bool {
	for i := range c.nodes {
		if n := &c.nodes[i]; n.competes && (n.up || n.comesBack) && !n.stopAsked && !n.returned {
			return false
		}
	}
	return len(c.nodes) > 0
}
