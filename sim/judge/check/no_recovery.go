package check

import (
	"slices"

	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// recovery is rule 4: a bound of time after the last fault has ended, somebody is active.
type recovery struct {
	open      []openFault
	dueNs     int64
	endedNs   int64 // when the last fault ended; 0: there was none, or one goes on
	faults    int32 // so far
	going     int32 // index of the violation that goes on, plus one
	longestNs int64 // from the end of faults until somebody led
}

type openFault struct {
	kind               trace.Kind // that began it
	candidate, control int32
}

// faultRole says what a record means to a fault.
type faultRole uint8

const (
	noFault faultRole = iota
	momentary
	begins
	beginsFor // when it says how long, else the new state of things
	over
	cameBack // a process: ends its pause, and its crash
)

var faultRoles = [trace.NoKind]faultRole{
	trace.Paused: begins, trace.CutBegan: begins, trace.FailBegan: begins, trace.LatencyChanged: beginsFor,
	trace.Resumed: over, trace.CutEnded: over, trace.FailEnded: over, trace.LatencyRestored: over,
	trace.Crashed: momentary, trace.Removed: momentary, trace.StopAsked: momentary, trace.ServerCrashed: momentary,
	trace.ClockChanged: momentary, trace.Written: momentary, trace.RolledBack: momentary, trace.Restarted: cameBack,
}

// begunBy is what an ending ends.
var begunBy = [trace.NoKind]trace.Kind{
	trace.Resumed: trace.Paused, trace.CutEnded: trace.CutBegan, trace.FailEnded: trace.FailBegan, trace.LatencyRestored: trace.LatencyChanged,
}

func (f *recovery) fault(c *Checks, r *trace.Record) {
	role := faultRoles[r.Kind]
	switch {
	case role == begins, role == beginsFor && r.Work().LeftNs > 0:
		f.open = append(f.open, openFault{r.Kind, r.Candidate, r.Control})
	case role == over:
		f.ends(begunBy[r.Kind], r)
	case role == cameBack && c.node(r.Candidate).up:
		return // it runs again by itself
	default:
		if r.Candidate >= 0 {
			f.open = slices.DeleteFunc(f.open, func(o openFault) bool { return o.kind == trace.Paused && o.candidate == r.Candidate })
		}
	}
	if role != over && role != cameBack {
		f.faults++
	}
	f.endedNs, f.dueNs = 0, never
	if len(f.open) == 0 {
		f.endedNs = r.At
		if c.bounds.RecoveryNs > 0 {
			f.dueNs = r.At + c.bounds.RecoveryNs
		}
	}
	c.rearm()
}

// ends closes what one act began, or else everything of that kind of the target.
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

func (f *recovery) over(c *Checks, r *trace.Record) {
	if f.endedNs > 0 && r.At-max(f.endedNs, 0) > f.longestNs && f.endedNs >= c.recoveredNs() {
		f.longestNs = r.At - f.endedNs
	}
	c.close(&f.going, r.At)
}

// recoveredNs is when the last leader before started: a gap long after the faults is not theirs.
func (c *Checks) recoveredNs() int64 { return c.startedNs }

func (f *recovery) settle(c *Checks, nowNs int64) {
	if nowNs <= f.dueNs {
		return
	}
	if len(c.active) == 0 {
		f.going = int32(c.broken(Violation{
			Rule: rules.NoRecovery, Severity: rules.Liveness, FromNs: f.dueNs, UntilNs: -1, First: c.last, Second: -1, Number: f.endedNs, Counted: c.bounds.RecoveryNs, Ordinal: -1,
		})) + 1
	}
	f.dueNs = never
}

func recoveryFigure(c *Checks, nowNs int64) string {
	f := &c.recovery
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
		text += "; somebody led at most " + words.Seconds(f.longestNs) + " after the last"
	}
	if c.bounds.RecoveryNs > 0 {
		text += " (bound " + words.Seconds(c.bounds.RecoveryNs) + ")"
	}
	return text
}
