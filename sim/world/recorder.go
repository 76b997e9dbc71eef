package world

import "github.com/leaselab/leaselab/sim/trace"

// recorder is the trace of the run so far.
type recorder struct {
	hash   trace.Hash
	mute   bool           // the hash ignores further records: see CopyTo
	room   []trace.Record // the records of the last step come first
	length int            // number of the last step's records
	counts Counts
	asked  int64 // cost of administrators' requests, counted in requests of candidates
}

// Counts are totals of a run so far.
type Counts struct {
	Requests int64 // requests sent, or not sent because their context had ended
	Records  int64
}

// `emit` adds a record to the trace.
func (w *World) emit(r trace.Record) {
	slot := w.blank()
	*slot = r
	w.commit(slot)
}

// usualRecords is the number of records that no step exceeds in most runs.
const usualRecords = 8

// blank returns an empty record after the last one. The caller fills it in place and passes it to `commit`. That saves
// the hot path two copies.
func (w *World) blank() *trace.Record {
	k := &w.recorder
	if k.length >= len(k.room) {
		k.room = append(k.room, trace.Record{})
		k.room = k.room[:cap(k.room)]
	}
	r := &k.room[k.length]
	*r = trace.Record{}
	return r
}

// `commit` adds the record from the latest blank to the trace.
func (w *World) commit(r *trace.Record) {
	if len(w.servers.list) > 0 && r.Candidate >= 0 && w.nodes[r.Candidate].kind == serverNode && quiet[r.Kind] {
		return
	}
	r.At = w.now
	if !copies || !w.recorder.mute {
		w.recorder.hash.Add(r, w.setup.Symbols)
	}
	w.recorder.length++
	w.recorder.counts.Records++
}

// `say` adds a record with only a kind and a node.
func (w *World) say(kind trace.Kind, candidate int32) {
	w.emit(trace.Record{Kind: kind, Candidate: candidate, Run: w.nodes[candidate].process.Run})
}

// `quiet` lists the kinds of record that the API servers' own election does not leave. ControllerLeads and
// ControllerEnds report that election.
var quiet = [trace.NoKind]bool{
	trace.RequestSent: true, trace.RequestNotSent: true, trace.RequestServed: true, trace.RequestEnded: true,
	trace.JitterDrawn: true, trace.MetricLeaderOn: true, trace.MetricLeaderOff: true,
	trace.MetricSlowPath: true, trace.EventBecameLeader: true, trace.EventStoppedLeading: true, trace.NewLeader: true,
	trace.StoppedLeading: true, trace.RunReturned: true,
}
