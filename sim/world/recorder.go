package world

import "github.com/leaselab/leaselab/sim/trace"

// recorder is the trace of the run so far.
type recorder struct {
	hash    trace.Hash
	records []trace.Record // of the last step
	counts  Counts
	asked   int64 // what requests of administrators have cost, in requests of candidates
}

// Counts are totals of a run so far.
type Counts struct {
	Requests int64 // issued, also those a context forbade
	Records  int64
}

func (w *World) emit(r trace.Record) { w.emitted(&r) }

// emitted takes the record where it lies: the hot path fills it in place.
func (w *World) emitted(r *trace.Record) {
	if len(w.servers.list) > 0 && r.Candidate >= 0 && w.nodes[r.Candidate].kind == serverNode && quiet[r.Kind] {
		return
	}
	r.At = w.now
	w.recorder.hash.Add(r, w.setup.Symbols)
	w.recorder.records = append(w.recorder.records, *r)
	w.recorder.counts.Records++
}

// say emits a record of a candidate that carries nothing else.
func (w *World) say(kind trace.Kind, candidate int32) {
	w.emit(trace.Record{Kind: kind, Candidate: candidate, Run: w.nodes[candidate].process.Run})
}

// quiet are the records that an API server's own election does not leave: that of its controllers is told in two of its
// own.
var quiet = [trace.NoKind]bool{
	trace.RequestSent: true, trace.RequestNotSent: true, trace.RequestServed: true, trace.RequestEnded: true, trace.JitterDrawn: true, trace.MetricLeaderOn: true, trace.MetricLeaderOff: true,
	trace.MetricSlowPath: true, trace.EventBecameLeader: true, trace.EventStoppedLeading: true, trace.NewLeader: true, trace.StoppedLeading: true, trace.RunReturned: true,
}
