package world

import (
	"math/bits"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/trace"
)

// Heartbeats in the world: nodes that renew a Lease of their own each, and monitors that watch those Leases and say which
// nodes are ready. Both are nodes without an elector. The Leases are not objects of the store: all that anybody asks of one
// is how often it was renewed.
//
// Guarantee: a monitor counts a node as ready or not by when it saw a renewal, on its own monotonic clock, never by what the
// node wrote. Non-guarantee: a request that a fault or a cut would hold is lost here.
// Source: kubernetes v1.36 component-helpers apimachinery/lease controller.go, pkg/controller/nodelifecycle monitorNodeHealth.

// Heartbeats is what is to be.
type Heartbeats struct {
	Nodes      []Candidate // name, way, clock and start
	Monitors   []Candidate
	WatchLagNs []int64 // by monitor
	IntervalNs int64
	TimeoutNs  int64
	GraceNs    int64
	EvaluateNs int64
}

// beatTries is how often a kubelet tries to renew before it waits for the next beat.
const beatTries = 5

// kubelet is a node that sends heartbeats.
type kubelet struct {
	node       int32
	serial     int32 // of what it waits for: anything older is no news
	tries      int32
	committed  int32 // renewals stored
	deadlineNs int64 // of the request in flight
	responseNs int64
	fault      FaultKind
	waiting    bool // a request is in flight
	came       came // what came while it stood still
}

// came is what a stopped node finds when it goes on.
type came uint8

const (
	nothing came = iota
	cameOK
	cameError
	cameDue
)

// monitor is one that watches heartbeats.
type monitor struct {
	node    int32
	lagNs   int64
	blind   bool  // its watch is broken: it lists as soon as it can
	serial  int32 // of its next evaluation
	overdue bool  // an evaluation fell due while it stood still
}

// view is what a monitor knows of a node.
type view struct {
	seenMono int64 // the monitor's clock when it saw a renewal last
	seen     int32 // how many of them
	ready    bool
	known    bool
}

// addHeartbeats makes the nodes and the monitors.
func (w *World) addHeartbeats(h *Heartbeats) {
	if h == nil {
		return
	}
	add := func(c *Candidate) int32 {
		i := w.addNode(c)
		w.nodes[i].machine = elector.New(elector.Config{}, 1, 1)
		w.controls = append(w.controls, Control{AtNs: c.StartNs, Kind: DoStart, Target: i, Source: -1})
		return i
	}
	for k := range h.Monitors {
		i := add(&h.Monitors[k])
		w.monitors = append(w.monitors, monitor{node: i, lagNs: h.WatchLagNs[k]})
		w.nodes[i].monitor = int32(len(w.monitors))
	}
	for k := range h.Nodes {
		i := add(&h.Nodes[k])
		w.kubelets = append(w.kubelets, kubelet{node: i})
		w.nodes[i].kubelet = int32(len(w.kubelets))
	}
	w.views = make([]view, len(w.monitors)*len(w.kubelets))
}

// HasElector reports whether a node takes part in an election: not if it only sends heartbeats, or watches them.
func (w *World) HasElector(i int32) bool { return w.nodes[i].kubelet == 0 && w.nodes[i].monitor == 0 }

// Ready is whether a monitor counts a node as ready; known is false for a node of which it has seen nothing.
func (w *World) Ready(monitor, node int32) (ready, known bool) {
	m, k := w.nodes[monitor].monitor, w.nodes[node].kubelet
	if m == 0 || k == 0 {
		return false, false
	}
	v := w.view(m-1, k-1)
	return v.ready, v.known
}

func (w *World) view(m, k int32) *view { return &w.views[int(m)*len(w.kubelets)+int(k)] }

// beginHeartbeats starts a node's process that has no elector.
func (w *World) beginHeartbeats(i int32) {
	n := &w.nodes[i]
	n.alive, n.life = true, living
	n.connectedNs, n.heardNs, n.peer = w.now, w.now, w.settings[n.settings].Server
	if n.kubelet != 0 {
		k := &w.kubelets[n.kubelet-1]
		k.tries, k.waiting, k.came = 0, false, nothing
		w.beat(n.kubelet - 1)
		return
	}
	m := &w.monitors[n.monitor-1]
	m.blind, m.overdue = false, false
	for k := range w.kubelets { // a new process has seen nothing yet: grace periods begin anew
		if v := w.view(n.monitor-1, int32(k)); v.known {
			v.seen = -1
		}
	}
	w.lists(n.monitor - 1)
	w.evaluateLater(n.monitor - 1)
}

// heartbeat queues something for a node or a monitor.
func (w *World) heartbeat(delayNs int64, c class, node, number, slot int32, what messageKind) {
	w.queue.push(message{at: w.now + delayNs, key: orderKey(c, node, uint32(number)), slot: slot, what: what})
}

// beat sends a renewal.
func (w *World) beat(number int32) {
	k := &w.kubelets[number]
	i := k.node
	n := &w.nodes[i]
	settings := &w.settings[n.settings]
	n.seq++
	if settings.DeadPeerNs > 0 {
		w.connects(i, settings.DeadPeerNs)
	}
	requestNs, responseNs := settings.RequestNs, settings.ResponseNs
	if settings.varied || len(w.latencies) > 0 {
		requestNs, responseNs = w.legs(i, elector.Update, n.seq, settings)
	}
	k.serial++
	k.waiting, k.responseNs, k.fault = true, responseNs, NoFault
	if len(w.faults) > 0 {
		k.fault = w.fault(i, elector.Update, n.seq)
	}
	k.deadlineNs = w.now + n.clock.timer(w.setup.Heartbeats.TimeoutNs)
	lost, refused := w.cutOff(i, Up)
	switch {
	case refused, k.fault == RefuseConnection:
		k.fault = RefuseConnection
		w.heartbeat(requestNs, response, i, k.serial, number, beatHeard)
		return
	case lost, k.fault == DropRequest, k.fault == Hang, k.fault == Stall:
		w.beatLost(k)
	default:
		w.heartbeat(requestNs, arrival, i, k.serial, number, beatArrives)
	}
	w.heartbeat(k.deadlineNs-w.now, clientTimeout, i, k.serial, number, beatGivesUp)
}

// beatLost ends a renewal that will not be answered, when its connection is found dead if that comes first.
func (w *World) beatLost(k *kubelet) {
	n := &w.nodes[k.node]
	dead := w.settings[n.settings].DeadPeerNs
	if from, deaf := w.deaf(k.node); deaf && dead > 0 {
		if at := max(n.deadAt(from, dead), w.now); at < k.deadlineNs {
			k.deadlineNs = at
			w.heartbeat(at-w.now, clientTimeout, k.node, k.serial, n.kubelet-1, beatGivesUp)
		}
	}
}

// beatArrived is at the server: it may wait there, and is stored.
func (w *World) beatArrived(m *message) {
	k := &w.kubelets[m.slot]
	if k.serial != int32(m.number()) {
		return // its client has given up and sent another one
	}
	if lost, refused := w.cutOff(k.node, Up); lost || refused {
		if refused {
			k.fault = RefuseConnection
			w.heartbeat(0, response, k.node, k.serial, m.slot, beatHeard)
			return
		}
		w.beatLost(k)
		return
	}
	if m.what == beatArrives && w.capacity.limited() {
		delayNs, keep := w.queued(w.nodes[k.node].peer, &k.fault)
		if !keep {
			return
		}
		if delayNs > 0 {
			w.heartbeat(delayNs, arrival, k.node, k.serial, m.slot, beatServed)
			return
		}
	}
	if k.fault == NoFault || k.fault == DropResponse || k.fault == Http504Applied {
		k.committed++
		for j := range w.monitors {
			w.shows(int32(j), m.slot, k.committed)
		}
	}
	if lost, _ := w.cutOff(k.node, Down); lost || k.fault == DropResponse {
		w.beatLost(k)
		return
	}
	w.heartbeat(k.responseNs, response, k.node, k.serial, m.slot, beatHeard)
}

// beatEnded is the end of a renewal at its node: an answer, or nothing for too long. Then it waits, or tries again at once.
func (w *World) beatEnded(m *message) {
	k := &w.kubelets[m.slot]
	n := &w.nodes[k.node]
	if k.serial != int32(m.number()) || !n.alive || m.what != beatDue && !k.waiting || m.what == beatGivesUp && k.deadlineNs > w.now {
		return
	}
	result := cameError
	switch {
	case m.what == beatDue:
		result = cameDue
	case m.what == beatHeard:
		if lost, _ := w.cutOff(k.node, Down); lost && k.fault != RefuseConnection {
			w.beatLost(k)
			return
		}
		n.heardNs = w.now
		if k.fault == NoFault {
			result = cameOK
		}
	}
	if n.paused {
		if k.came == nothing {
			k.came = result
		}
		return
	}
	w.beatGoesOn(m.slot, result)
}

func (w *World) beatGoesOn(number int32, result came) {
	k := &w.kubelets[number]
	n := &w.nodes[k.node]
	k.waiting = false
	if k.fault == RefuseConnection && result == cameError && w.settings[n.settings].DeadPeerNs > 0 && len(w.servers) > 0 {
		w.reconnects(k.node)
	}
	if k.tries++; result == cameDue || result == cameError && k.tries < beatTries {
		if result == cameDue {
			k.tries = 0
		}
		w.beat(number)
		return
	}
	k.tries = 0
	k.serial++
	interval := w.setup.Heartbeats.IntervalNs
	more, _ := bits.Mul64(n.jitter.Uint64(), uint64(interval/25)) // a twenty-fifth: kubelets wait up to 4 % longer
	w.heartbeat(n.clock.timer(interval+int64(more)), ownTimer, k.node, k.serial, number, beatDue)
}

// shows tells a monitor's watch of a renewal.
func (w *World) shows(number, kubelet, committed int32) {
	m := &w.monitors[number]
	n := &w.nodes[m.node]
	if !n.alive {
		return
	}
	settings := &w.settings[n.settings]
	if lost, refused := w.cutOff(m.node, Down); lost || refused || w.gone(m.node) {
		m.blind = true
		return
	}
	responseNs := settings.ResponseNs
	if settings.varied || len(w.latencies) > 0 {
		_, responseNs = w.legs(m.node, elector.Get, n.seq, settings)
	}
	w.heartbeat(responseNs+m.lagNs, response, m.node, kubelet, committed, viewShown)
}

// gone reports whether a node's API server is not there.
func (w *World) gone(i int32) bool {
	stopped, gone := w.silent(i)
	return stopped || gone
}

// shown is a renewal that arrives at a monitor.
func (w *World) shown(m *message) {
	i := m.candidate()
	number := w.nodes[i].monitor - 1
	watcher := &w.monitors[number]
	n := &w.nodes[i]
	if !n.alive {
		return
	}
	if lost, _ := w.cutOff(i, Down); lost || n.paused {
		watcher.blind = true
		return
	}
	n.heardNs = w.now
	if watcher.blind {
		w.lists(number)
	}
	w.sees(number, int32(m.number()), m.slot)
}

func (w *World) sees(number, kubelet, committed int32) {
	v := w.view(number, kubelet)
	if committed > v.seen {
		n := &w.nodes[w.monitors[number].node]
		v.seen, v.seenMono = committed, n.clock.mono(w.now)
	}
}

// lists shows a monitor all renewals, if it can reach its API server.
func (w *World) lists(number int32) {
	m := &w.monitors[number]
	up, refused := w.cutOff(m.node, Up)
	down, _ := w.cutOff(m.node, Down)
	if up || refused || down {
		m.blind = true
		return
	}
	m.blind = false
	w.nodes[m.node].heardNs = w.now
	for k := range w.kubelets {
		if c := w.kubelets[k].committed; c > 0 {
			w.sees(number, int32(k), c)
		}
	}
}

func (w *World) evaluateLater(number int32) {
	m := &w.monitors[number]
	m.serial++
	w.heartbeat(w.nodes[m.node].clock.timer(w.setup.Heartbeats.EvaluateNs), ownTimer, m.node, m.serial, number, evaluates)
}

// evaluated is a monitor's round over all nodes.
func (w *World) evaluated(number int32) {
	m := &w.monitors[number]
	n := &w.nodes[m.node]
	if dead := w.settings[n.settings].DeadPeerNs; dead > 0 {
		w.connects(m.node, dead)
	}
	if m.blind {
		w.lists(number)
	}
	mono := n.clock.mono(w.now)
	for k := range w.kubelets {
		v := w.view(number, int32(k))
		if v.seen <= 0 {
			continue
		}
		age := mono - v.seenMono
		ready := age <= w.setup.Heartbeats.GraceNs
		if ready == v.ready && v.known {
			continue
		}
		v.ready, v.known = ready, true
		other := &w.nodes[w.kubelets[k].node]
		r := Record{
			Kind: NodeNotReady, Candidate: w.kubelets[k].node, Run: other.run,
			Payload: trace.Readiness{Monitor: m.node, HeartbeatAgeNs: age, Running: other.alive && !other.paused}.Payload(),
		}
		if ready {
			r.Kind = NodeReady
		}
		w.emit(r)
	}
	w.evaluateLater(number)
}

// deliverHeartbeat carries out a message of this file.
func (w *World) deliverHeartbeat(m *message) {
	switch m.what {
	case beatArrives, beatServed:
		w.beatArrived(m)
	case viewShown:
		w.shown(m)
	case evaluates:
		monitor := &w.monitors[m.slot]
		n := &w.nodes[monitor.node]
		switch {
		case !n.alive || monitor.serial != int32(m.number()):
		case n.paused:
			monitor.overdue = true
		default:
			w.evaluated(m.slot)
		}
	default:
		w.beatEnded(m)
	}
}

// resumedHeartbeats hands a node without an elector what came during its pause: informers first, as a running process
// would find them filled.
func (w *World) resumedHeartbeats(i int32) {
	n := &w.nodes[i]
	if k := n.kubelet; k != 0 && w.kubelets[k-1].came != nothing {
		result := w.kubelets[k-1].came
		w.kubelets[k-1].came = nothing
		w.beatGoesOn(k-1, result)
	}
	if m := n.monitor; m != 0 {
		if w.monitors[m-1].blind {
			w.lists(m - 1)
		}
		if w.monitors[m-1].overdue {
			w.monitors[m-1].overdue = false
			w.evaluated(m - 1)
		}
	}
}

// Monitors is how many monitors there are, and Monitor the node of one of them.
func (w *World) Monitors() int            { return len(w.monitors) }
func (w *World) Monitor(number int) int32 { return w.monitors[number].node }

// Heartbeating is how many nodes send heartbeats, and HeartbeatNode one of them.
func (w *World) Heartbeating() int              { return len(w.kubelets) }
func (w *World) HeartbeatNode(number int) int32 { return w.kubelets[number].node }
