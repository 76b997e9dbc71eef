package world

// Believes reports whether a node's elector takes itself for the leader: client-go's IsLeader of a Run that goes on. It
// stays true after leadership was lost, until something else is read.
func (w *World) Believes(i int32) bool {
	n := &w.nodes[i]
	return n.process.Alive && n.kind != serverNode && n.machine.Running() && n.machine.IsLeader()
}

// CountsUntil is the instant at which the Lease stops counting for a node, by its own clock, however it judges it; known
// is false when it has seen none.
func (w *World) CountsUntil(i int32) (untilNs int64, known bool) {
	n := &w.nodes[i]
	if !n.process.Alive {
		return 0, false
	}
	_, _, seen := n.machine.Observed()
	return n.clock.worldTime(n.machine.ExpiresMonoNs()), seen
}

// MonoNs is what a node's monotonic clock shows at an instant not before the last step.
func (w *World) MonoNs(i int32, nowNs int64) int64 { return w.nodes[i].clock.mono(nowNs) }
