package world

import (
	"math/bits"
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/heartbeat"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Kubelets and monitors are nodes without an elector. The store does not hold their Leases: a monitor only reads how
// often each kubelet renewed.

// Heartbeats configures the kubelets and node monitors of a run.
type Heartbeats struct {
	Nodes      []Candidate // names, latencies, clocks and start times
	Monitors   []Candidate
	WatchLagNs []int64 // indexed by monitor
	IntervalNs int64
	TimeoutNs  int64
	GraceNs    int64
	EvaluateNs int64
}

// kubelet is a node that sends heartbeats.
type kubelet struct {
	node     int32
	flight   int32 // slot of the kubelet's request, or -1
	serial   int32 // number of the request or interval for which the kubelet waits
	renewals int32 // number of renewals that the API server has stored
	machine  heartbeat.Kubelet
}

// monitor is a node that watches heartbeats.
type monitor struct {
	informer
	serial  int32 // number of the monitor's next evaluation
	lagNs   int64
	machine heartbeat.Monitor
}

// `heartbeats` holds the kubelets and the monitors.
type heartbeats struct {
	kubelets []kubelet
	monitors []monitor
	changes  []heartbeat.Change // changes in the last evaluation
}

func (h *heartbeats) clone() heartbeats {
	c := heartbeats{kubelets: slices.Clone(h.kubelets), monitors: slices.Clone(h.monitors)}
	for k := range c.monitors {
		c.monitors[k].machine = h.monitors[k].machine.Clone()
	}
	return c
}

// add adds the kubelets and the monitors.
func (h *heartbeats) add(w *World, s *Heartbeats) {
	if s == nil {
		return
	}
	add := func(c *Candidate) int32 {
		i := w.addNode(c)
		w.nodes[i].machine = elector.New(elector.Config{}, 1, 1)
		w.acts.addStart(c.StartNs, i)
		return i
	}
	for k := range s.Monitors {
		i := add(&s.Monitors[k])
		h.monitors = append(h.monitors, monitor{informer: informer{node: i, againNs: never}, lagNs: s.WatchLagNs[k],
			machine: heartbeat.NewMonitor(len(s.Nodes), s.GraceNs)})
		w.nodes[i].kind, w.nodes[i].number = monitorNode, int32(k)
	}
	for k := range s.Nodes {
		i := add(&s.Nodes[k])
		h.kubelets = append(h.kubelets, kubelet{node: i, flight: -1})
		w.nodes[i].kind, w.nodes[i].number = kubeletNode, int32(k)
	}
}

// `begin` starts the process of a node without an elector.
func (h *heartbeats) begin(w *World, i int32) {
	n := &w.nodes[i]
	w.stepProcess(i, process.Input{Kind: process.Begun}, -1)
	n.link.Open(w.now)
	n.link.Queue = w.settings[n.settings].Server
	if n.kind == kubeletNode {
		h.stepKubelet(w, n.number, heartbeat.Start)
		return
	}
	m := &h.monitors[n.number]
	m.againNs = never
	m.machine.Restart()
	h.sendList(w, n.number)
	h.evaluateLater(w, n.number)
}

// stepKubelet passes an input to a kubelet and carries out its output.
func (h *heartbeats) stepKubelet(w *World, number int32, in heartbeat.KubeletInput) {
	k := &h.kubelets[number]
	n := &w.nodes[k.node]
	switch k.machine.Step(in) {
	case heartbeat.Renew:
		slot, m := w.net.add(w, heartbeatRequest, k.node, network.Update)
		m.Seq, m.order = h.nextNumbers(w, number)
		m.timeoutNs = w.now + n.clock.timer(w.setup.Heartbeats.TimeoutNs)
		k.flight = slot
		w.net.leave(w, slot)
	case heartbeat.Wait:
		k.serial++
		interval := w.setup.Heartbeats.IntervalNs
		more, _ := bits.Mul64(n.jitter.Uint64(), uint64(interval/heartbeat.JitterShare))
		w.queue.push(event{at: w.now + n.clock.timer(interval+int64(more)),
			key: orderKey(ownTimer, k.node, uint32(k.serial)), slot: number, what: beatDue})
	}
}

// nextNumbers numbers a kubelet's next request, both among the kubelet's requests and within the instant.
func (h *heartbeats) nextNumbers(w *World, number int32) (seq int32, order uint32) {
	k := &h.kubelets[number]
	n := &w.nodes[k.node]
	n.seq++
	k.serial++
	return n.seq, uint32(k.serial)
}

// serveHeartbeat stores a renewal and tells the monitors. If a kubelet has given up a renewal that the server still
// stores, the kubelet's next renewal conflicts.
func serveHeartbeat(w *World, slot int32) {
	h, m := &w.heartbeats, &w.net.list[slot]
	if !m.waited {
		m.result = step.Conflict
		return
	}
	number := w.nodes[m.client].number
	k := &h.kubelets[number]
	k.renewals++
	for j := range h.monitors {
		h.tellMonitor(w, int32(j), number, k.renewals)
	}
}

// answerKubelet passes an answer or a timeout to a kubelet.
func answerKubelet(w *World, slot int32) {
	m, _ := w.net.drop(slot)
	h, number := &w.heartbeats, w.nodes[m.client].number
	h.kubelets[number].flight = -1
	in := heartbeat.Stored
	if m.result != step.Success {
		in = heartbeat.Failed
	}
	h.stepKubelet(w, number, in)
}

// handleBeatDue makes a kubelet renew when its interval is over.
func (h *heartbeats) handleBeatDue(w *World, e event) {
	k := &h.kubelets[e.slot]
	n := &w.nodes[k.node]
	switch {
	case k.serial != int32(e.number()) || !n.process.Alive:
	case n.process.Paused:
		w.deferred.add(w.now, event{key: orderKey(ownTimer, k.node, e.number()), slot: e.slot, what: beatDue})
	default:
		h.stepKubelet(w, e.slot, heartbeat.Due)
	}
}

// tellMonitor sends a renewal to the watch of a monitor.
func (h *heartbeats) tellMonitor(w *World, number, kubelet, renewals int32) {
	watcher := &h.monitors[number]
	if !w.nodes[watcher.node].process.Alive {
		return
	}
	slot, m := w.net.add(w, heartbeatEvent, watcher.node, network.Get)
	m.subject, m.order, m.version, m.extraNs = kubelet, uint32(kubelet), int64(renewals), watcher.lagNs
	w.net.tell(w, slot)
}

// takeMonitorEvent shows a monitor a renewal.
func takeMonitorEvent(w *World, slot int32) {
	m, _ := w.net.drop(slot)
	n := &w.nodes[m.client]
	if n.process.Alive {
		w.heartbeats.monitors[n.number].machine.See(n.clock.mono(w.now), m.subject, int32(m.version))
	}
}

// keepMonitorEvent buffers a renewal in the connection of a paused monitor.
func keepMonitorEvent(w *World, slot int32) {
	m, _ := w.net.drop(slot)
	w.heartbeats.monitors[w.nodes[m.client].number].machine.Keep(m.subject, int32(m.version))
}

// sendList sends the list request of a monitor.
func (h *heartbeats) sendList(w *World, number int32) {
	slot, _ := w.net.add(w, heartbeatList, h.monitors[number].node, network.Get)
	w.net.leave(w, slot)
}

// handleListDue lists again after the back-off.
func (h *heartbeats) handleListDue(w *World, e event) {
	if h.monitors[e.slot].takeDue(w, &e) {
		h.sendList(w, e.slot)
	}
}

// loseMonitorRead starts a new list of a monitor, because a list or an event got lost.
func loseMonitorRead(w *World, slot int32) {
	m, _ := w.net.drop(slot)
	number := w.nodes[m.client].number
	w.heartbeats.monitors[number].listLater(w, number)
}

// `resume` shows a resumed monitor what its connection buffered.
func (h *heartbeats) resume(w *World, number int32) {
	m := &h.monitors[number]
	m.machine.Read(w.nodes[m.node].clock.mono(w.now))
}

// `ready` reports whether a monitor counts a kubelet's node as ready. known is false until it has heard of the node.
func (h *heartbeats) ready(monitor, kubelet int32) (ready, known bool) {
	return h.monitors[monitor].machine.Ready(kubelet)
}

// serveMonitorList does nothing: takeMonitorList reads the renewals.
func serveMonitorList(*World, int32) {}

// takeMonitorList shows a monitor the renewals stored at the moment its list arrives.
func takeMonitorList(w *World, slot int32) {
	m, _ := w.net.drop(slot)
	h, n := &w.heartbeats, &w.nodes[m.client]
	switch {
	case !n.process.Alive:
	case m.result != step.Success:
		h.monitors[n.number].listLater(w, n.number)
	default:
		for k := range h.kubelets {
			if renewals := h.kubelets[k].renewals; renewals > 0 {
				h.monitors[n.number].machine.See(n.clock.mono(w.now), int32(k), renewals)
			}
		}
	}
}

// evaluateLater queues a monitor's next evaluation.
func (h *heartbeats) evaluateLater(w *World, number int32) {
	m := &h.monitors[number]
	m.serial++
	at := w.now + w.nodes[m.node].clock.timer(w.setup.Heartbeats.EvaluateNs)
	w.queue.push(event{at: at, key: orderKey(ownTimer, m.node, uint32(m.serial)), slot: number, what: evaluates})
}

// handleEvaluationDue makes a monitor decide which nodes are ready.
func (h *heartbeats) handleEvaluationDue(w *World, e event) {
	m := &h.monitors[e.slot]
	n := &w.nodes[m.node]
	if !n.process.Alive || m.serial != int32(e.number()) {
		return
	}
	if n.process.Paused {
		w.deferred.add(w.now, event{key: orderKey(clientTimeout, m.node, e.number()), slot: e.slot, what: evaluates})
		return
	}
	w.net.reconnectIfDead(w, m.node)
	h.changes = m.machine.Evaluate(n.clock.mono(w.now), h.changes[:0])
	for _, c := range h.changes {
		node := h.kubelets[c.Kubelet].node
		other := &w.nodes[node]
		shown := trace.Readiness{Monitor: m.node, HeartbeatAgeNs: c.AgeNs, Running: other.process.Alive &&
			!other.process.Paused}
		r := trace.Record{Kind: trace.NodeNotReady, Candidate: node, Run: other.process.Run, Payload: shown.Payload()}
		if c.Ready {
			r.Kind = trace.NodeReady
		}
		w.emit(r)
	}
	h.evaluateLater(w, e.slot)
}

// Monitors returns the number of monitors.
func (w *World) Monitors() int { return len(w.heartbeats.monitors) }

// Monitor returns the node index of a monitor, numbered from 0.
func (w *World) Monitor(number int) int32 { return w.heartbeats.monitors[number].node }

// Heartbeating returns the number of nodes that send heartbeats.
func (w *World) Heartbeating() int { return len(w.heartbeats.kubelets) }

// HeartbeatNode returns the node index of a node that sends heartbeats, numbered from 0.
func (w *World) HeartbeatNode(number int) int32 { return w.heartbeats.kubelets[number].node }
