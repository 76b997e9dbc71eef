package check

import (
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// leaderless is rule 2: no gap without an active worker is longer than the bound, including the wait for the first one.
//
// The scenario sets the bound. Without one, the bound is the longest failover by the formula, plus the time in which
// faults keep every candidate from leading. A fault that lasts to the end of the run excuses nothing if a candidate is
// alive.
type leaderless struct {
	dueNs     int64 // when the open gap starts to break the bound
	going     int32 // index of the open violation, plus one
	longestNs int64 // the longest gap that has ended
	longestAt int64 // when the longest gap began

	byDefault bool
	endNs     int64   // the end of the run
	excused   excused // excused time in the open gap
}

var _ = register(rules.LeaderlessTooLong, check{
	begin: func() checker { return &leaderless{dueNs: never, excused: nothing} },
	describe: func(v *Violation, _, _ string, lengthNs int64) string {
		return "Nobody leads for " + words.Seconds(v.FromNs+lengthNs-v.Number) + ", from " + words.Instant(v.Number) +
			"; the bound is " + words.Seconds(v.Counted) + "."
	},
	clause: func(*Violation, string, string) string { return "nobody leads" },
})

func (l *leaderless) clone() checker { d := *l; return &d }

func (l *leaderless) prepare(setup *world.Setup) {
	l.byDefault, l.endNs = setup.Bounds.LeaderlessNs == 0, setup.DurationNs
	if l.byDefault {
		l.excused.sinceNs = 0 // no candidate has started yet
		return
	}
	l.dueNs = setup.Bounds.LeaderlessNs
}

// `kinds` lists the records that change who could lead. Rule 4 follows the faults and passes them on.
func (l *leaderless) kinds() []trace.Kind {
	return []trace.Kind{trace.Started, trace.Joined, trace.RunReturned}
}

func (l *leaderless) observe(c *Checks, r *trace.Record) { l.reassess(c, r.At) }

// reassess checks, while nobody leads, whether any candidate could lead. It adjusts the due instant with every change.
//
// Example: the leader crashes at 20 s, and the default bound is 23.8 s, so b must lead by 43.8 s. From 30 s to 40 s a
// cut affects everybody. The rule excuses those 10 s, and the bound ends at 53.8 s. While the cut is open nobody
// knows its length: the rule then waits for its end, or for the end of the run.
func (l *leaderless) reassess(c *Checks, nowNs int64) {
	stateOf[*recovery](c).reassess(c, nowNs)
	if !l.byDefault || len(c.active) > 0 || l.going > 0 {
		return
	}
	l.excused.follow(c, c.able(stateOf[*recovery](c).open), nowNs)
	l.dueNs = c.sinceNs + l.boundNs(c)
	switch {
	case l.excused.sinceNs < 0:
	case c.alive():
		l.dueNs = max(l.dueNs, l.endNs-1)
	default:
		l.dueNs = never
	}
	c.rearm()
}

// boundNs returns the bound of the open gap.
func (l *leaderless) boundNs(c *Checks) int64 {
	if !l.byDefault {
		return c.bounds.LeaderlessNs
	}
	return l.excused.boundNs(c)
}

func (l *leaderless) didMoveHolder(c *Checks, r *trace.Record) { l.reassess(c, r.At) }

func (l *leaderless) didStop(c *Checks, r *trace.Record) {
	switch {
	case len(c.active) > 0:
	case l.byDefault:
		l.reassess(c, r.At)
	case c.bounds.LeaderlessNs > 0:
		stateOf[*recovery](c).reassess(c, r.At)
		l.dueNs = r.At + c.bounds.LeaderlessNs
		c.rearm()
	}
}

func (l *leaderless) willStart(c *Checks, r *trace.Record) {
	if len(c.active) > 0 {
		return
	}
	if gap := r.At - c.sinceNs; gap > l.longestNs {
		l.longestNs, l.longestAt = gap, c.sinceNs
	}
	c.close(&l.going, r.At)
	l.excused = nothing
	if l.dueNs != never {
		l.dueNs = never
		c.rearm()
	}
}

func (l *leaderless) due() int64 { return l.dueNs }

func (l *leaderless) settle(c *Checks, _ int64) {
	v := overdue(rules.LeaderlessTooLong, l.dueNs, c.last, -1)
	v.Number, v.Counted = c.sinceNs, l.boundNs(c)
	l.going = c.noteViolation(v)
	l.dueNs = never
}

func (l *leaderless) state(c *Checks) State {
	if l.byDefault && len(c.active) == 0 && c.NobodyCompetes() {
		return NotEvaluated // no candidate can lead, and none will come back by itself
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
	if l.byDefault {
		return text + " (default bound " + words.Seconds(l.boundNs(c)) + ")"
	}
	if c.bounds.LeaderlessNs > 0 {
		return text + " (bound " + words.Seconds(c.bounds.LeaderlessNs) + ")"
	}
	return text
}
