package scenario

import (
	"strconv"
	"time"
)

// Node health is the other use of Leases in Kubernetes: each kubelet renews a Lease of its node, and a controller
// that no longer sees renewals marks the node as not ready. No election takes place, but the same problems occur: a
// late answer, a slow watch, a wrong clock. So node health uses the same network, acts and checkers as elections.

// MaxHeartbeatNodes limits the nodes that only send heartbeats.
const MaxHeartbeatNodes = 5000

// The defaults of kubelets and of the node lifecycle controller.
// Source: kubernetes v1.36 pkg/kubelet/apis/config/v1beta1 defaults.go (nodeLeaseDurationSeconds 40, renewed every
// quarter of it), cmd/kube-controller-manager nodelifecycle (node-monitor-period 5s, node-monitor-grace-period 50s, 40s
// before v1.32).
const (
	DefaultHeartbeatInterval = 10 * time.Second
	DefaultHeartbeatTimeout  = 10 * time.Second
	DefaultGrace             = 50 * time.Second
	DefaultEvaluateEvery     = 5 * time.Second
	DefaultMonitor           = "monitor"
)

// Heartbeats are nodes that each renew their own Lease, and monitors that watch those Leases. A node is not ready
// when a monitor has not seen it renew for a grace period. Acts may target nodes and monitors, but neither take part
// in elections.
type Heartbeats struct {
	Nodes         int       `json:"nodes"`
	Interval      *Duration `json:"interval,omitempty"`
	Timeout       *Duration `json:"timeout,omitempty"`
	Grace         *Duration `json:"grace,omitempty"`
	EvaluateEvery *Duration `json:"evaluateEvery,omitempty"`
	Network       *Network  `json:"network,omitempty"`
	Monitors      []Monitor `json:"monitors,omitempty"`
}

// Monitor is a node lifecycle controller: it watches heartbeats. It sends no requests but reads through a watch, so
// it has a WatchLag instead of a latency.
type Monitor struct {
	Name     string   `json:"name"`
	StartAt  Duration `json:"startAt,omitempty"`
	WatchLag Duration `json:"watchLag,omitempty"`
	Network  *Network `json:"network,omitempty"`
	Clock    *Clock   `json:"clock,omitempty"`
	Stream   string   `json:"stream,omitempty"`
}

// ResolvedHeartbeats has every default filled in.
type ResolvedHeartbeats struct {
	Nodes, Monitors                         []ResolvedCandidate // only name, network, clock and start matter
	WatchLags                               []time.Duration     // one per monitor
	Interval, Timeout, Grace, EvaluateEvery time.Duration
}

// `heartbeats` checks the nodes and their monitors, and registers the names of both.
func (v *validator) heartbeats() {
	h := v.s.Heartbeats
	if h == nil {
		return
	}
	v.checkHeartbeatNetwork(h.Network, "heartbeats.network", "a kubelet only writes")
	r := resolveHeartbeats(v.s)
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"interval", r.Interval}, {"timeout", r.Timeout}, {"grace", r.Grace}, {"evaluateEvery", r.EvaluateEvery}} {
		if d.value < time.Millisecond {
			v.add(refuseDuration("heartbeats."+d.name, Duration(d.value), "must be at least 1ms"))
		}
	}
	if h.Nodes == 0 {
		v.add(refuseNumber("heartbeats.nodes", "0", "must be between 1 and "+thousands(MaxHeartbeatNodes)))
	}
	for i, m := range h.Monitors {
		path := index("heartbeats.monitors", i)
		v.add(checkNodeName(m.Name, path))
		if m.StartAt > v.s.Duration {
			v.add(refuseDuration(join(path, "startAt"), m.StartAt, "lies after the end of the run at "+
				v.s.Duration.String()))
		}
		v.checkHeartbeatNetwork(m.Network, join(path, "network"), "set watchLag: a monitor reads through its watch")
		v.register(join(path, "name"), m.Name)
	}
	if len(h.Monitors) == 0 {
		v.register("heartbeats.monitors[0].name", DefaultMonitor)
	}
	for i := range h.Nodes {
		v.register("heartbeats.nodes", heartbeatNode(i))
	}
}

// checkHeartbeatNetwork checks the network of kubelets or of a monitor. It refuses readLag.
func (v *validator) checkHeartbeatNetwork(n *Network, path, why string) {
	if n != nil && n.ReadLag != nil && *n.ReadLag > 0 {
		v.add(refuseDuration(join(path, "readLag"), *n.ReadLag, "has no effect here; "+why))
	}
	v.checkNetwork(n, path)
}

// heartbeatNode names the i-th node, from 0.
func heartbeatNode(i int) string { return "node-" + strconv.Itoa(i) }

// resolveHeartbeats fills in the defaults, or returns nil. The nodes' first renewals spread over one interval, as in
// a cluster that has run for a while. If the scenario has no monitor, resolveHeartbeats adds one with the name
// DefaultMonitor.
func resolveHeartbeats(s Scenario) *ResolvedHeartbeats {
	h := s.Heartbeats
	if h == nil {
		return nil
	}
	r := &ResolvedHeartbeats{
		Interval: DefaultHeartbeatInterval, Timeout: DefaultHeartbeatTimeout, Grace: DefaultGrace,
		EvaluateEvery: DefaultEvaluateEvery,
	}
	override(&r.Interval, h.Interval)
	override(&r.Timeout, h.Timeout)
	override(&r.Grace, h.Grace)
	override(&r.EvaluateEvery, h.EvaluateEvery)
	s = Scenario{Network: s.Network} // heartbeats do not inherit settings for electors and processes
	for i := range h.Nodes {
		one := ResolveCandidate(s, Candidate{Name: heartbeatNode(i), Network: h.Network,
			StartAt: Duration(spread(r.Interval, i, h.Nodes))})
		r.Nodes = append(r.Nodes, one[0])
	}
	monitors := h.Monitors
	if len(monitors) == 0 {
		monitors = []Monitor{{Name: DefaultMonitor}}
	}
	for _, m := range monitors {
		one := ResolveCandidate(s, Candidate{Name: m.Name, Stream: m.Stream, Network: m.Network, StartAt: m.StartAt,
			Clock: m.Clock})
		r.Monitors = append(r.Monitors, one[0])
		r.WatchLags = append(r.WatchLags, time.Duration(m.WatchLag))
	}
	return r
}
