package explain

import (
	"slices"

	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// background are the last faults and acts of the run.
type background []happened

// happened is a fault or an act of a candidate, or of none in particular.
type happened struct {
	Line
	candidate int32
}

const (
	keptHappened = 16
	lateNs       = 60_000_000_000 // what happened longer ago is no cause
)

// routine are the records that happen all the time: they are no part of the background of a story.
var routine = [trace.NoKind]bool{
	trace.Started: true, trace.RequestSent: true, trace.RequestNotSent: true, trace.RequestServed: true, trace.RequestEnded: true,
	trace.JitterDrawn: true, trace.MetricLeaderOn: true, trace.MetricLeaderOff: true, trace.MetricSlowPath: true, trace.EventBecameLeader: true,
	trace.EventStoppedLeading: true, trace.StartedLeading: true, trace.LeadingDone: true, trace.WorkDone: true, trace.NewLeader: true,
	trace.StoppedLeading: true, trace.RunReturned: true, trace.Probed: true, trace.CandidateStored: true, trace.CandidatePinged: true,
	trace.Decided: true, trace.Coordinated: true, trace.Throttled: true, trace.RequestRetries: true, trace.CandidateRetries: true,
}

// observe keeps the sentence about a record that is not routine.
func (b *background) observe(w *world.World, r *trace.Record, note Note) {
	if Minor(r.Kind) {
		return
	}
	s := Say(w, r, note)
	s.Detail = ""
	if len(*b) == keptHappened {
		*b = slices.Delete(*b, 0, 1)
	}
	*b = append(*b, happened{Line{Text: s.String(), Event: note.Place}, r.Candidate})
}

// before lists the last sentences up to an instant, at most most, about the candidates that concerns accepts or about none.
func (b background) before(nowNs int64, most int, concerns func(candidate int32) bool) []Line {
	var lines []Line
	for k := range b {
		h := &b[k]
		if h.Event.AtNs >= nowNs-lateNs && h.Event.AtNs <= nowNs && (h.candidate < 0 || concerns(h.candidate)) {
			lines = append(lines, h.Line)
		}
	}
	return lines[max(0, len(lines)-most):]
}
