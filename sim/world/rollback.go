package world

import "github.com/leaselab/leaselab/sim/trace"

// rollback makes the store what it was after an instant. What was written since is lost, and its resourceVersions are
// given out again: a client that knows one of them may find its update accepted.
// Source: etcd v3.5 snapshot restore without --bump-revision.
func (c *Control) rollback(w *World) {
	if !w.store.Rollback(w.now, c.ToNs) {
		c.skip(w, trace.NoCandidate)
		return
	}
	o, outcome := w.store.Get(0)
	w.emit(trace.Record{Kind: trace.RolledBack, Candidate: trace.NoCandidate, Control: c.Source, Payload: trace.Restore{ToNs: c.ToNs}.Payload(), Outcome: outcome, ResourceVersion: w.store.Revision(), Spec: o.Spec})
}
