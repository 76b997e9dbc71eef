package check

import (
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// leaderless is rule 2: the time without an active worker, the wait for the first one counted, stays within the bound.
type leaderless struct {
	recordless
	dueNs     int64 // when the gap that goes on breaks the bound
	going     int32 // index of the violation that goes on, plus one
	longestNs int64 // of the gaps that are over
	longestAt int64 // when that one began
}

var _ = register(rules.LeaderlessTooLong, check{
	begin: func() checker { return &leaderless{dueNs: never} },
	describe: func(v *Violation, _, _ string, lengthNs int64) string {
		return "Nobody leads for " + words.Seconds(v.FromNs+lengthNs-v.Number) + ", from " + words.Instant(v.Number) + "; the bound is " + words.Seconds(v.Counted) + "."
	},
	clause: func(*Violation, string, string) string { return "nobody leads" },
})

func (l *leaderless) clone() checker { d := *l; return &d }

func (l *leaderless) prepare(setup *world.Setup) {
	if setup.Bounds.LeaderlessNs > 0 {
		l.dueNs = setup.Bounds.LeaderlessNs
	}
}

func (l *leaderless) ended(c *Checks, r *trace.Record) {
	if len(c.active) == 0 && c.bounds.LeaderlessNs > 0 {
		l.dueNs = r.At + c.bounds.LeaderlessNs
		c.rearm()
	}
}

func (l *leaderless) starting(c *Checks, r *trace.Record) {
	if len(c.active) > 0 {
		return
	}
	if gap := r.At - c.sinceNs; gap > l.longestNs {
		l.longestNs, l.longestAt = gap, c.sinceNs
	}
	c.close(&l.going, r.At)
	if l.dueNs != never {
		l.dueNs = never
		c.rearm()
	}
}

func (l *leaderless) due() int64 { return l.dueNs }

func (l *leaderless) settle(c *Checks, _ int64) {
	v := overdue(rules.LeaderlessTooLong, l.dueNs, c.last, -1)
	v.Number, v.Counted = c.sinceNs, c.bounds.LeaderlessNs
	l.going = c.broken(v)
	l.dueNs = never
}

func (l *leaderless) state(c *Checks) State {
	if c.bounds.LeaderlessNs == 0 {
		return Unjudged
	}
	return Fine
}

func (l *leaderless) figure(c *Checks, nowNs int64) string {
	total, _ := c.Totals(nowNs)
	longest, at := l.longestNs, l.longestAt
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
