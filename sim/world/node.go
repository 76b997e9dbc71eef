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

// Role is what a node does, as one word.
type Role uint8

const (
	RoleWaiting   Role = iota // its process has not started yet
	RoleFollowing             // it polls and waits
	RoleLeading               // it works and the stored Lease names it
	RoleLost                  // it works although the stored Lease does not name it, or its context has ended
	RolePaused                // its process is paused
	RoleDown                  // its process has crashed or been removed
	RoleEnded                 // its Run returned and nothing starts it again
)

var roleNames = [...]string{"waiting", "following", "leading", "lost", "paused", "down", "stopped"}

// String returns the role's name.
func (r Role) String() string { return roleNames[r] }

// Node is one node of a world, to be read: it answers for itself. Like Records it is valid until the world's next step.
type Node struct {
	*node
	w     *World
	index int32
}

// Node returns the node of that number.
func (w *World) Node(i int32) Node { return Node{node: &w.nodes[i], w: w, index: i} }

// Name is the node's name.
func (n Node) Name() string { return n.w.setup.Symbols.Text(n.name) }

// Identity is the holderIdentity that the node writes.
func (n Node) Identity() coordination.Symbol { return n.identity }

// Role says what the node does now.
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

// Paused reports whether its process is paused.
func (n Node) Paused() bool { return n.process.Paused }

// StopAsked reports whether the context of its process is cancelled.
func (n Node) StopAsked() bool { return n.process.StopAsked }

// Observed is the elector's observed record, and the instant at which the elector saw it change.
func (n Node) Observed() (record coordination.Record, atNs int64, seen bool) {
	if !n.process.Alive {
		return record, 0, false
	}
	record, mono, seen := n.machine.Observed()
	return record, n.clock.worldTime(mono), seen
}

// Countdown is the instant at which the node may acquire the Lease, or must stop leading, by its own clock; ok is false
// when neither applies.
func (n Node) Countdown() (zeroNs int64, leading, ok bool) {
	if !n.process.Alive || !n.machine.Running() {
		return 0, false, false
	}
	if at := n.machine.MustStopNs(); at != never {
		return at, true, true
	}
	record, _, seen := n.machine.Observed()
	if !seen || record.HolderIdentity == 0 || n.machine.IsLeader() {
		return 0, false, false
	}
	expires := n.machine.ExpiresMonoNs()
	if expires == never {
		return 0, false, false
	}
	return n.clock.worldTime(expires), false, true
}

// FullCountdownNs is the length that the node's countdown starts from: the leaseDurationSeconds that a follower
// observes, retryPeriod + renewDeadline for the leader.
func (n Node) FullCountdownNs(leading bool) int64 {
	if leading {
		retry, deadline := n.timerLengths()
		return retry + deadline
	}
	record, _, _ := n.machine.Observed()
	return n.clock.timer(int64(record.LeaseDurationSeconds) * 1e9)
}

// Clock is the offset and the rate of the node's clock, and its wall reading in ns since the epoch of the run.
func (n Node) Clock() (offsetNs, ratePpm, wallNs int64) {
	return n.clock.offsetNs - n.clock.sleptNs, n.clock.ratePpm, n.clock.mono(n.w.now) + n.clock.offsetNs
}

// CutOff says in which directions cuts separate the node from the API server now.
func (n Node) CutOff() (up, down bool) { return n.w.net.rules.CutOff(n.w.now, n.index) }

// Settings are the settings that the node's elector runs with, and those that its next start takes.
func (n Node) Settings() (running, next Candidate) {
	return n.w.settings[n.running], n.w.settings[n.settings]
}

// TimerNs is the world time that a timer of that duration takes on the node's clock.
func (n Node) TimerNs(durationNs int64) int64 { return n.clock.timer(durationNs) }

// ProcessName is the node's name, or its identity if every process has an identity of its own: it tells the process
// from the one before.
func (n Node) ProcessName() string {
	if n.w.setup.Symbols.Text(n.identity) != n.w.settings[n.settings].Identity &&
		n.w.settings[n.settings].Process.FreshIdentity {
		return n.w.setup.Symbols.Text(n.identity)
	}
	return n.Name()
}

// EmptiedNs is the instant at which the node's lock last lost its holder, 0 if it never did.
func (n Node) EmptiedNs() int64 {
	object := n.objectOf(n.Lock().First())
	history := n.w.store.History()
	emptied := int64(0)
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

// RenewDeadlineNs is the renewDeadline that the node's elector runs with, by its own clock.
func (n Node) RenewDeadlineNs() int64 {
	return int64(n.w.settings[n.running].RenewDeadline)
}

// IsLeader reports what client-go's IsLeader says while Run goes on. It stays true after leadership was lost, until the
// elector reads another record.
func (n Node) IsLeader() bool {
	return n.process.Alive && n.kind != serverNode && n.machine.Running() && n.machine.IsLeader()
}

// LeaseExpiresNs is the instant at which the observed record expires by the node's clock; known is false when the node
// has observed none.
func (n Node) LeaseExpiresNs() (untilNs int64, known bool) {
	if !n.process.Alive {
		return 0, false
	}
	_, _, seen := n.machine.Observed()
	return n.clock.worldTime(n.machine.ExpiresMonoNs()), seen
}

// MonoNs is the reading of the node's monotonic clock at an instant that is not before the last step.
func (n Node) MonoNs(nowNs int64) int64 { return n.clock.mono(nowNs) }

// Lock is the kind of the node's lock.
func (n Node) Lock() elector.Lock { return n.lock }

// LockObject is the object that the node's lock reads first.
func (n Node) LockObject() (o storage.Object, exists bool) {
	o, outcome := n.w.store.Get(n.objectOf(n.lock.First()))
	return o, outcome == storage.OK
}

// IsServer reports whether the node is an API server.
func (n Node) IsServer() bool { return n.kind == serverNode }

// HasElector reports whether the node takes part in an election. A kubelet and a monitor do not.
func (n Node) HasElector() bool {
	return n.kind == candidateNode || n.kind == serverNode
}

// Decision is a decision of an API server's controller by its number, 0 for the last; false if the controller no longer
// keeps it, or has decided nothing.
func (n Node) Decision(number int32) (*coordinator.Decision, bool) {
	if n.kind != serverNode {
		return nil, false
	}
	return n.w.servers.decision(n.number, number)
}

// ServerVersion is the version that an API server runs, and whether the server is up.
func (n Node) ServerVersion() (version coordination.Symbol, up bool) {
	if n.kind != serverNode {
		return 0, false
	}
	return n.w.servers.list[n.number].version, n.process.Alive
}

// LeaseCandidate is the node's LeaseCandidate as the store has it, false if there is none.
func (n Node) LeaseCandidate() (coordination.Candidate, bool) {
	k := n.client
	if k < 0 {
		return coordination.Candidate{}, false
	}
	o, outcome := n.w.store.Candidate(n.w.clients.list[k].object)
	return o.Spec, outcome == storage.OK
}

// Peer is the node of the API server that this node is connected to, trace.NoCandidate when API servers are not nodes.
func (n Node) Peer() int32 {
	if len(n.w.servers.list) == 0 {
		return trace.NoCandidate
	}
	return n.w.servers.nodeOf(n.link.Queue)
}

// ServerStay is how long a request of this node that reached its API server now would stay there, and whether the
// server would turn it away.
func (n Node) ServerStay() (ns int64, away bool) {
	return n.w.net.rules.Stay(n.w.now, n.link.Queue)
}

// Ready is whether the node, a monitor, counts another as ready; known is false if it has seen nothing of it.
func (n Node) Ready(node int32) (ready, known bool) {
	k := &n.w.nodes[node]
	if n.kind != monitorNode || k.kind != kubeletNode {
		return false, false
	}
	return n.w.heartbeats.ready(n.number, k.number)
}

// marginNs is the time between the latest stop of a leader and the earliest start of its successor if every answer were
// instant: leaseDuration by true clocks, less renewDeadline and retryPeriod by the leader's clock. 0: it has no
// deadline.
func (n Node) marginNs() int64 {
	if n.w.settings[n.running].Dialect&(elector.NoDeadline|elector.ForLife) != 0 {
		return 0
	}
	retry, deadline := n.timerLengths()
	return int64(n.w.settings[n.running].LeaseDuration) - deadline - retry
}

// nextCandidateVersion is the version that the node's next process emulates or has, as a number; 0 if it has none.
func (n Node) nextCandidateVersion() int64 {
	return n.w.setup.candidateVersion(&n.w.settings[n.settings])
}

// runsAgain reports whether the process runs for election again by itself once Run has returned.
func (n Node) runsAgain() bool {
	return n.process.RunsAgain(&n.w.settings[n.settings].Process)
}

// nextServerVersion is the version that an API server starts with, as a number; 0 for any other node.
func (n Node) nextServerVersion() int64 {
	if n.kind == serverNode {
		return n.w.setup.versionNumber(n.w.servers.list[n.number].next)
	}
	return 0
}

// versions is the payload of a process that starts now.
func (n Node) versions() trace.Payload {
	return trace.Process{ServerVersion: n.nextServerVersion(), CandidateVersion: n.nextCandidateVersion()}.Payload()
}

// candidateVersion is the version that the node's process emulates or has, as a number; 0 if it has none.
func (n Node) candidateVersion() int64 {
	return n.w.setup.candidateVersion(&n.w.settings[n.running])
}

// timerLengths are the world times of its elector's retryPeriod and renewDeadline.
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

// objectOf is the number, in the store, of the object that a request of the node is about.
func (n Node) objectOf(o elector.Object) int32 {
	if o == elector.ConfigMap {
		return n.w.setup.ConfigMap()
	}
	return n.lease
}

// lockExpired reports whether a lock server lets the lock go: the last write is too old.
func (n Node) lockExpired() bool {
	c := &n.w.settings[n.running]
	o, _ := n.w.store.Get(n.lease)
	return n.w.now-n.w.leaseWrittenNs >= wide.MulDiv(int64(o.Spec.LeaseDurationSeconds)*1e9, c.ExpiryPpm, 1_000_000)+
		c.LockDelayNs
}

// nextIdentity is the identity that the settings give a process that starts now.
func (n Node) nextIdentity() coordination.Symbol {
	c := &n.w.settings[n.settings]
	if c.Process.FreshIdentity && n.process.Run > 0 {
		return n.w.setup.Symbols.Intern(c.Identity + "-" + strconv.Itoa(int(n.process.Run)+1))
	}
	return n.w.setup.Symbols.Intern(c.Identity)
}

// healthy is the answer of client-go's HealthzAdaptor.
func (n Node) healthy(toleranceNs int64) bool {
	return n.machine.Healthy(n.clock.mono(n.w.now), toleranceNs)
}

// healthRecord is the record of a probe.
func (n Node) healthRecord(healthy bool) trace.Record {
	observed, _, _ := n.machine.Observed()
	health := trace.Health{Healthy: healthy, Leads: n.machine.IsLeader()}
	return trace.Record{Kind: trace.Probed, Candidate: n.index, Run: n.process.Run, Name: observed.HolderIdentity,
		Payload: health.Payload()}
}

// isHolder reports whether the object of a node's lock names the node; if the lock has two objects, whether both do.
func (n Node) isHolder() bool {
	return (n.lock == elector.Leases || n.isNamedBy(n.w.setup.ConfigMap())) &&
		(n.lock == elector.ConfigMaps || n.isNamedBy(n.lease))
}

// isNamedBy reports whether an object names the node as its holder.
func (n Node) isNamedBy(object int32) bool {
	o, outcome := n.w.store.Get(object)
	return outcome == storage.OK && o.Spec.HolderIdentity == n.identity
}
