package heartbeat

import "slices"

// Monitor watches the heartbeats of all kubelets. Use Clone to copy it.
//
// Example: with a grace period of 40 s, a monitor sees a kubelet's last renewal when its own clock reads 10 s. The
// monitor counts the node as ready up to 50 s, and as not ready from its first evaluation after that.
type Monitor struct {
	graceNs int64
	nodes   []opinion
}

// opinion is what a monitor knows of a node.
type opinion struct {
	seenMonoNs int64 // monotonic reading when the monitor last saw a renewal
	seen       int32 // number of renewals that the monitor has seen
	unread     int32 // number of renewals that the connection buffered during a pause
	ready      bool
	known      bool
}

// NewMonitor returns a monitor of some number of kubelets. It counts a kubelet as ready until no renewal has come for
// graceNs.
func NewMonitor(kubelets int, graceNs int64) Monitor {
	return Monitor{graceNs: graceNs, nodes: make([]opinion, kubelets)}
}

// Clone returns an independent copy.
func (m *Monitor) Clone() Monitor { return Monitor{graceNs: m.graceNs, nodes: slices.Clone(m.nodes)} }

// Restart restarts the grace periods, because a new process has seen nothing yet.
func (m *Monitor) Restart() {
	for k := range m.nodes {
		n := &m.nodes[k]
		n.unread = 0
		if n.known {
			n.seen = -1
		}
	}
}

// See tells a monitor how many times a kubelet has renewed. The monitor ignores an older count.
func (m *Monitor) See(monoNs int64, kubelet, renewals int32) {
	if n := &m.nodes[kubelet]; renewals > n.seen {
		n.seen, n.seenMonoNs = renewals, monoNs
	}
}

// Keep puts a renewal into the buffer of a paused monitor's connection.
func (m *Monitor) Keep(kubelet, renewals int32) {
	m.nodes[kubelet].unread = max(m.nodes[kubelet].unread, renewals)
}

// Read lets a resumed monitor take in what its connection has buffered.
func (m *Monitor) Read(monoNs int64) {
	for k := range m.nodes {
		if n := &m.nodes[k]; n.unread > 0 {
			m.See(monoNs, int32(k), n.unread)
			n.unread = 0
		}
	}
}

// Change is a change in a monitor's opinion of a node.
type Change struct {
	AgeNs   int64 // time since the last renewal that the monitor saw
	Kubelet int32
	Ready   bool
}

// Evaluate decides which nodes are ready and appends the changes. It skips nodes that the monitor has not heard of.
func (m *Monitor) Evaluate(monoNs int64, changes []Change) []Change {
	for k := range m.nodes {
		n := &m.nodes[k]
		if n.seen <= 0 {
			continue
		}
		ageNs := monoNs - n.seenMonoNs
		ready := ageNs <= m.graceNs
		if ready == n.ready && n.known {
			continue
		}
		n.ready, n.known = ready, true
		changes = append(changes, Change{AgeNs: ageNs, Kubelet: int32(k), Ready: ready})
	}
	return changes
}

// Ready reports whether a monitor counts a kubelet's node as ready. known is false until the monitor has heard of the
// node.
func (m *Monitor) Ready(kubelet int32) (ready, known bool) {
	return m.nodes[kubelet].ready, m.nodes[kubelet].known
}
