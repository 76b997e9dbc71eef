package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// recovery is rule 4: the system recovers. Within the bound after the last fault ended, some candidate is active.
//
// The scenario sets the bound. Without one, the bound is the longest failover by the formula, plus the time after the
// last fault in which no candidate could lead. If a leader stops within the bound, the bound starts again, because its
// successor may take just as long.
type recovery struct {
	byDefault bool
	excused   excused // time since the last fault ended

	open      []openFault
	dueNs     int64
	endedNs   int64 // when the last fault ended; 0 if none has ended, or if one is still in effect
	faults    int32 // number of faults so far
	going     int32 // index of the open violation, plus one
	longestNs int64 // the longest time from the end of the faults until some candidate led
}

type openFault struct {
	kind               trace.Kind // kind of the record that began the fault
	candidate, control int32
}

// faultRole is how a record begins or ends a fault.
type faultRole uint8

const (
	noFault faultRole = iota
	momentary
	begins
	beginsFor // begins a fault only if the record has a length
	over
	cameBack // ends a process's pause and its crash
)

var faultRoles = [trace.NoKind]faultRole{
	trace.Paused: begins, trace.CutBegan: begins, trace.FailBegan: begins, trace.LatencyChanged: beginsFor,
	trace.Intercepted: beginsFor,
	trace.Resumed:     over, trace.CutEnded: over, trace.FailEnded: over, trace.LatencyRestored: over,
	trace.Delivered: over,
	trace.Crashed:   momentary, trace.Removed: momentary, trace.StopAsked: momentary, trace.ServerCrashed: momentary,
	trace.ClockChanged: momentary, trace.Written: momentary, trace.RolledBack: momentary, trace.Restarted: cameBack,
}

// begunBy maps the kind of record that ends a fault to the kind that begins it.
var begunBy = [trace.NoKind]trace.Kind{
	trace.Resumed: trace.Paused, trace.CutEnded: trace.CutBegan, trace.FailEnded: trace.FailBegan,
	trace.LatencyRestored: trace.LatencyChanged, trace.Delivered: trace.Intercepted,
}

var _ = register(rules.NoRecovery, check{
	begin: func() checker { return &recovery{dueNs: never, excused: nothing} },
	describe: func(v *Violation, _, _ string, lengthNs int64) string {
		return "The last fault ended at " + words.Instant(v.Number) + ", and nobody leads after " +
			words.Seconds(v.FromNs+lengthNs-v.Number) + "; the bound is " + words.Seconds(v.Counted) + "."
	},
	clause: func(*Violation, string, string) string { return "nobody leads" },
})

func (f *recovery) clone() checker {
	return withOwn(*f, func(d *recovery) *[]openFault { return &d.open })
}

func (f *recovery) prepare(setup *world.Setup) { f.byDefault = setup.Bounds.RecoveryNs == 0 }

func (f *recovery) kinds() []trace.Kind {
	var kinds []trace.Kind
	for kind, role := range faultRoles {
		if role != noFault {
			kinds = append(kinds, trace.Kind(kind))
		}
	}
	return kinds
}

func (f *recovery) observe(c *Checks, r *trace.Record) {
	f.follow(c, r)
	stateOf[*leaderless](c).reassess(c, r.At)
}

// `follow` keeps track of the open faults and starts the bound when the last one ends. A crash or a clock jump is
// momentary: it ends where it happens. A restart also ends the pause of the previous process.
func (f *recovery) follow(c *Checks, r *trace.Record) {
	role := faultRoles[r.Kind]
	switch {
	case role == begins, role == beginsFor && r.Work().LeftNs > 0:
		f.open = append(f.open, openFault{r.Kind, r.Candidate, r.Control})
	case role == over:
		f.ends(begunBy[r.Kind], r)
	case role == cameBack && c.node(r.Candidate).wasUp:
		return // the process runs again by itself
	default:
		if r.Candidate >= 0 {
			f.open = slices.DeleteFunc(f.open,
				func(o openFault) bool { return o.kind == trace.Paused && o.candidate == r.Candidate })
		}
	}
	if role != over && role != cameBack {
		f.faults++
	}
	f.endedNs, f.dueNs, f.excused = 0, never, nothing
	if len(f.open) == 0 {
		f.endedNs = r.At
		if c.bounds.RecoveryNs > 0 {
			f.dueNs = r.At + c.bounds.RecoveryNs
		}
	}
	c.rearm()
}

// reassess checks, after the last fault and while nobody leads, whether any candidate could lead.
func (f *recovery) reassess(c *Checks, nowNs int64) {
	if !f.byDefault || f.endedNs == 0 || f.going > 0 || len(c.active) > 0 {
		return
	}
	if f.dueNs == never && c.sinceNs > f.endedNs+f.excused.boundNs(c) {
		return // the system had already recovered
	}
	f.excused.follow(c, c.able(nil), nowNs)
	f.dueNs = never
	if f.excused.sinceNs < 0 {
		f.dueNs = max(f.endedNs, c.sinceNs) + f.excused.boundNs(c)
	}
	c.rearm()
}

// `ends` closes the fault that a given act began, or every fault of that kind on the target.
func (f *recovery) ends(kind trace.Kind, r *trace.Record) {
	known := len(f.open)
	if kind != trace.Paused {
		f.open = slices.DeleteFunc(f.open, func(o openFault) bool { return o.kind == kind && o.control == r.Control })
	}
	if len(f.open) == known {
		f.open = slices.DeleteFunc(f.open, func(o openFault) bool {
			return o.kind == kind && (r.Candidate == world.Everybody || o.candidate == r.Candidate)
		})
	}
}

func (f *recovery) willStart(c *Checks, r *trace.Record) {
	if len(c.active) > 0 {
		return
	}
	// A leader started after the faults had ended, so the faults did not cause the gap after it.
	if f.endedNs > 0 && r.At-f.endedNs > f.longestNs && f.endedNs >= c.startedNs {
		f.longestNs = r.At - f.endedNs
	}
	c.close(&f.going, r.At)
	if f.byDefault && f.dueNs != never {
		f.dueNs = never
		c.rearm()
	}
}

func (f *recovery) due() int64 { return f.dueNs }

func (f *recovery) settle(c *Checks, _ int64) {
	if len(c.active) == 0 {
		v := overdue(rules.NoRecovery, f.dueNs, c.last, -1)
		v.Number, v.Counted = f.endedNs, f.dueNs-f.endedNs
		f.going = c.noteViolation(v)
	}
	f.dueNs = never
}

func (f *recovery) state(c *Checks) State {
	if f.byDefault && len(c.active) == 0 && c.NobodyCompetes() {
		return NotEvaluated
	}
	return Fine
}

func (f *recovery) figure(c *Checks, nowNs int64) string {
	if f.faults == 0 {
		return "no fault so far"
	}
	text := words.Count(f.faults, "fault", "faults")
	switch {
	case len(f.open) > 0:
		text += ", " + words.Count(len(f.open), "goes on", "go on")
	case len(c.active) == 0 && f.endedNs > 0:
		text += "; nobody leads " + words.Seconds(nowNs-f.endedNs) + " after the last" + c.openEndedNote(nowNs)
	default:
		text += "; a candidate led at most " + words.Seconds(f.longestNs) + " after the last"
	}
	if c.bounds.RecoveryNs > 0 {
		return text + " (bound " + words.Seconds(c.bounds.RecoveryNs) + ")"
	}
	return text + " (default bound " + words.Seconds(f.excused.boundNs(c)) + ")"
}
