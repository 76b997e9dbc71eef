package world

import "github.com/leaselab/leaselab/sim/trace"

// changeCapacity is an act on the API server.
func (c *Control) changeCapacity(w *World) {
	w.net.rules.SetCapacity(c.Capacity)
	to := trace.Capacity{ServiceNs: c.Capacity.ServiceNs, Queue: c.Capacity.Queue}
	w.emit(trace.Record{Kind: trace.CapacityChanged, Candidate: trace.NoCandidate, Control: c.Source, Payload: to.Payload()})
}
