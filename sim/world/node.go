package world

import (
	"strconv"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/core/wide"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Role says in one word what a node does.
type Role uint8

const (
	RoleWaiting   Role = iota // the process has not started yet
	RoleFollowing             // the node polls and waits
	RoleLeading               // the node works, and the stored Lease names it
	RoleLost                  // the node works even though the stored Lease does not name it, or its context has ended
	RolePaused                // the process is paused
	RoleDown                  // the process crashed or left
	RoleEnded                 // Run returned, and nothing starts it again
)

var roleNames = [...]string{"waiting", "following", "leading", "lost", "paused", "down", "stopped"}

// String returns the role's name.
func (r Role) String() string { return roleNames[r] }

// Node is a read-only view of one node of a world. Like Records it is valid until the world's next step.
type Node struct {
	*node
	w     *World
	index int32
}

// Node returns the node with the given number.
func (w *World) Node(i int32) Node { return Node{node: &w.nodes[i], w: w, index: i} }

// Name returns the node's name.
func (n Node) Name() string { return n.w.setup.Symbols.Text(n.name) }

// Identity returns the holderIdentity that the node writes.
func (n Node) Identity() coordination.Symbol { return n.identity }

// Role returns what the node does now.
func (n Node) Role() Role {
	switch {
	case n.process.Life == process.Unborn:
		return RoleWaiting
	case n.process.Life == process.Crashed, n.process.Life == process.Removed:
		return RoleDown
	case n.process.Paused:
		return RolePaused
	case n.process.Active:
		if n.isHolder() && n.leads() {
			return RoleLeading
		}
		return RoleLost
	case n.process.Life == process.Gone:
		return RoleEnded
	}
	return RoleFollowing
}

// Removed reports whether the node has left for good.
func (n Node) Removed() bool { return n.process.Life == process.Removed }

// Active reports whether the node does a leader's work: from StartedLeading until its context and its drain have ended.
func (n Node) Active() bool { return n.process.Active }

// Alive reports whether the node has a process.
func (n Node) Alive() bool { return n.process.Alive }

// RunsProgram reports whether a real program runs in the node, in place of an elector.
func (n Node) RunsProgram() bool { return n.special&runsProgram != 0 }

// Paused reports whether its process is paused.
func (n Node) Paused() bool { return n.process.Paused }

// StopAsked reports whether something has cancelled the context of its process.
func (n Node) StopAsked() bool { return n.process.StopAsked }

// ObservedRecord returns the elector's observed record and the instant at which the elector saw it change.
func (n Node) ObservedRecord() (record coordination.Record, atNs int64, seen bool) {
	if !n.process.Alive {
		return record, 0, false
	}
	record, mono, seen := n.machine.ObservedRecord()
	return record, n.clock.worldTime(mono), seen
}

// Countdown returns the instant at which the node may acquire the Lease, or must stop leading, by its own clock. ok
// is false when neither applies.
func (n Node) Countdown() (zeroNs int64, leading, ok bool) {
	if !n.process.Alive || !n.machine.Running() {
		return 0, false, false
	}
	if at := n.machine.MustStopNs(); at != never {
		return at, true, true
	}
	record, _, seen := n.machine.ObservedRecord()
	if !seen || record.HolderIdentity == 0 || n.machine.IsLeader() {
		return 0, false, false
	}
	expires := n.machine.ExpiresMonoNs()
	if expires == never {
		return 0, false, false
	}
	return n.clock.worldTime(expires), false, true
}

// FullCountdownNs returns the full length of the node's countdown: for a follower the leaseDurationSeconds that it
// observed, for the leader retryPeriod + renewDeadline.
func (n Node) FullCountdownNs(leading bool) int64 {
	if leading {
		retry, deadline := n.timerLengths()
		return retry + deadline
	}
	record, _, _ := n.machine.ObservedRecord()
	return n.clock.timer(int64(record.LeaseDurationSeconds) * 1e9)
}

// Clock returns the offset and rate of the node's clock, and its wall reading in ns since the epoch of the run.
func (n Node) Clock() (offsetNs, ratePpm, wallNs int64) {
	return n.clock.offsetNs - n.clock.sleptNs, n.clock.ratePpm, n.clock.mono(n.w.now) + n.clock.offsetNs
}

// CutOff reports in which directions a cut separates the node from the API server now.
func (n Node) CutOff() (up, down bool) { return n.w.net.rules.CutOff(n.w.now, n.index) }

// Settings returns the settings of the node's running elector, and the settings that its next start will use.
func (n Node) Settings() (running, next Candidate) {
	return n.w.settings[n.running], n.w.settings[n.settings]
}

// TimerNs returns the world time that a timer of a given duration takes on the node's clock.
func (n Node) TimerNs(durationNs int64) int64 { return n.clock.timer(durationNs) }

// ProcessName returns the node's name, or its identity if every process gets a new one. A new identity tells a process
// apart from its predecessor.
func (n Node) ProcessName() string {
	if n.w.setup.Symbols.Text(n.identity) != n.w.settings[n.settings].Identity &&
		n.w.settings[n.settings].Process.FreshIdentity {
		return n.w.setup.Symbols.Text(n.identity)
	}
	return n.Name()
}

// EmptiedNs returns the instant at which the node's lock last lost its holder, or 0.
func (n Node) EmptiedNs() int64 {
	object := n.objectOf(n.Lock().First())
	history, emptied := n.w.store.History(), int64(0)
	for k := history.Len() - 1; k >= history.First(); k-- {
		v := history.At(k)
		if v.Lease != object {
			continue
		}
		if v.Deleted || v.Object.Spec.HolderIdentity == 0 {
			emptied = v.AtNs
		} else if emptied != 0 {
			break
		}
	}
	return emptied
}

// RenewDeadlineNs returns the renewDeadline of the node's running elector, by its own clock.
func (n Node) RenewDeadlineNs() int64 {
	return int64(n.w.settings[n.running].RenewDeadline)
}

// IsLeader returns what client-go's IsLeader would return while Run has not returned. It stays true after the
// elector loses leadership, until the elector reads another record.
func (n Node) IsLeader() bool {
	return n.process.Alive && n.kind != serverNode && n.machine.Running() && n.machine.IsLeader()
}

// Lock returns the kind of the node's lock.
func (n Node) Lock() elector.Lock { return n.lock }

// LockObject returns the object that the node's lock reads first.
func (n Node) LockObject() (o storage.Object, exists bool) {
	o, outcome := n.w.store.Get(n.objectOf(n.lock.First()))
	return o, outcome == storage.OK
}

// IsServer reports whether the node is an API server.
func (n Node) IsServer() bool { return n.kind == serverNode }

// HasElector reports whether the node takes part in an election. Kubelets and monitors do not.
func (n Node) HasElector() bool {
	return n.kind == candidateNode || n.kind == serverNode
}

// Decision returns a decision of an API server's controllers; number 0 is the latest. It reports false if they have
// not made that decision or no longer keep it.
func (n Node) Decision(number int32) (*coordinator.Decision, bool) {
	if n.kind != serverNode {
		return nil, false
	}
	return n.w.servers.decision(n.number, number)
}

// ServerVersion returns the version that an API server runs, and reports whether the server is up.
func (n Node) ServerVersion() (version coordination.Symbol, up bool) {
	if n.kind != serverNode {
		return 0, false
	}
	return n.w.servers.list[n.number].version, n.process.Alive
}

// LeaseCandidate returns the node's LeaseCandidate from the store, and reports whether it exists.
func (n Node) LeaseCandidate() (coordination.Candidate, bool) {
	k := n.client
	if k < 0 {
		return coordination.Candidate{}, false
	}
	o, outcome := n.w.store.Candidate(n.w.clients.list[k].object)
	return o.Spec, outcome == storage.OK
}

// Peer returns the node of the API server that this node uses, or trace.NoCandidate when API servers are not nodes.
func (n Node) Peer() int32 {
	if len(n.w.servers.list) == 0 {
		return trace.NoCandidate
	}
	return n.w.servers.nodeOf(n.link.Queue)
}

// ServerStay returns how long a request of this node would stay at its API server if it arrived now, and reports
// whether the server would turn it away.
func (n Node) ServerStay() (ns int64, away bool) {
	return n.w.net.rules.Stay(n.w.now, n.link.Queue)
}

// Ready reports whether this monitor counts another node as ready. known is false if it has not heard of that node.
func (n Node) Ready(node int32) (ready, known bool) {
	k := &n.w.nodes[node]
	if n.kind != monitorNode || k.kind != kubeletNode {
		return false, false
	}
	return n.w.heartbeats.ready(n.number, k.number)
}

// marginNs returns the time between a leader's latest stop and its successor's earliest start if every answer
// were instant. That is leaseDuration on true clocks, minus renewDeadline and retryPeriod on the leader's clock.
// It is 0 without a deadline.
func (n Node) marginNs() int64 {
	if n.w.settings[n.running].Dialect&(elector.NoDeadline|elector.ForLife) != 0 {
		return 0
	}
	retry, deadline := n.timerLengths()
	return int64(n.w.settings[n.running].LeaseDuration) - deadline - retry
}

// runsAgain reports whether the process will run for election again on its own after Run returns.
func (n Node) runsAgain() bool {
	return n.process.RunsAgain(&n.w.settings[n.settings].Process)
}

// `versions` returns the payload of a process that starts now.
func (n Node) versions() trace.Payload {
	p := trace.Process{CandidateVersion: n.w.setup.candidateVersion(&n.w.settings[n.settings])}
	if n.kind == serverNode {
		p.ServerVersion = n.w.setup.versionNumber(n.w.servers.list[n.number].next)
	}
	return p.Payload()
}

// candidateVersion returns the emulation version of the node's process, or else its binary version, as a number. It
// returns 0 if the process has neither.
func (n Node) candidateVersion() int64 {
	return n.w.setup.candidateVersion(&n.w.settings[n.running])
}

// timerLengths returns the world times of its elector's retryPeriod and renewDeadline.
func (n Node) timerLengths() (retryNs, deadlineNs int64) {
	c := &n.w.settings[n.running]
	retryNs, deadlineNs = c.RetryPeriodTimerNs, c.RenewDeadlineTimerNs
	if retryNs == 0 {
		retryNs = n.clock.timer(int64(c.RetryPeriod))
	}
	if deadlineNs == 0 {
		deadlineNs = n.clock.timer(int64(c.RenewDeadline))
	}
	return retryNs, deadlineNs
}

// objectOf returns the number in the store of the object that a request of the node is about.
func (n Node) objectOf(o elector.Object) int32 {
	if o == elector.ConfigMap {
		return n.w.setup.ConfigMap()
	}
	return n.lease
}

// lockExpired reports whether a lock server frees the lock because the last write is too old.
func (n Node) lockExpired() bool {
	c := &n.w.settings[n.running]
	o, _ := n.w.store.Get(n.lease)
	return n.w.now-n.w.leaseWrittenNs >= wide.MulDiv(int64(o.Spec.LeaseDurationSeconds)*1e9, c.ExpiryPpm, 1_000_000)+
		c.LockDelayNs
}

// nextIdentity returns the identity that the settings give to a process that starts now.
func (n Node) nextIdentity() coordination.Symbol {
	c := &n.w.settings[n.settings]
	if c.Process.FreshIdentity && n.process.Run > 0 {
		return n.w.setup.Symbols.Intern(c.Identity + "-" + strconv.Itoa(int(n.process.Run)+1))
	}
	return n.w.setup.Symbols.Intern(c.Identity)
}

// `healthy` returns the answer of client-go's HealthzAdaptor.
func (n Node) healthy(toleranceNs int64) bool {
	return n.machine.Healthy(n.clock.mono(n.w.now), toleranceNs)
}

// healthRecord returns the record of a probe.
func (n Node) healthRecord(healthy bool) trace.Record {
	observed, _, _ := n.machine.ObservedRecord()
	health := trace.Health{Healthy: healthy, Leads: n.machine.IsLeader()}
	return trace.Record{Kind: trace.Probed, Candidate: n.index, Run: n.process.Run, Name: observed.HolderIdentity,
		Payload: health.Payload()}
}

// isHolder reports whether the object of the node's lock names the node. If the lock has two objects, both must.
func (n Node) isHolder() bool {
	return (n.lock == elector.Leases || n.isNamedBy(n.w.setup.ConfigMap())) &&
		(n.lock == elector.ConfigMaps || n.isNamedBy(n.lease))
}

// isNamedBy reports whether an object names the node as its holder.
func (n Node) isNamedBy(object int32) bool {
	o, outcome := n.w.store.Get(object)
	return outcome == storage.OK && o.Spec.HolderIdentity == n.identity
}
