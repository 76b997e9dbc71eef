package world

import (
	"unsafe"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/world/process"
)

// Role is what a node is doing, as one word.
type Role uint8

const (
	RoleWaiting   Role = iota // its process has not started yet
	RoleFollowing             // it polls and waits
	RoleLeading               // it works and the stored Lease names it
	RoleLost                  // it works although the stored Lease does not name it, or its context has ended
	RoleFrozen                // its process is paused
	RoleDown                  // its process has crashed or been removed
	RoleEnded                 // its Run returned and nothing starts it again
)

var roleNames = [...]string{"waiting", "following", "leading", "lost", "paused", "down", "stopped"}

func (r Role) String() string { return roleNames[r] }

// Nodes is how many candidates have ever joined.
func (w *World) Nodes() int { return len(w.nodes) }

// Name is a candidate's name.
func (w *World) Name(i int32) string { return w.setup.Symbols.Text(w.nodes[i].name) }

// Identity is a candidate's holderIdentity.
func (w *World) Identity(i int32) coordination.Symbol { return w.nodes[i].identity }

// Role says what a node is doing now.
func (w *World) Role(i int32) Role {
	n := &w.nodes[i]
	switch {
	case n.process.Life == process.Unborn:
		return RoleWaiting
	case n.process.Life == process.Crashed, n.process.Life == process.Removed:
		return RoleDown
	case n.process.Paused:
		return RoleFrozen
	case n.process.Active:
		if w.isHolder(n) && n.machine.Leading() {
			return RoleLeading
		}
		return RoleLost
	case n.process.Life == process.Gone:
		return RoleEnded
	}
	return RoleFollowing
}

// Removed reports whether a node has left for good.
func (w *World) Removed(i int32) bool { return w.nodes[i].process.Life == process.Removed }

// Active reports whether a node works: from StartedLeading until its context and its work tail have ended.
func (w *World) Active(i int32) bool { return w.nodes[i].process.Active }

// Alive reports whether a node has a process; Paused whether it is paused; StopAsked whether its context is cancelled.
func (w *World) Alive(i int32) bool     { return w.nodes[i].process.Alive }
func (w *World) Paused(i int32) bool    { return w.nodes[i].process.Paused }
func (w *World) StopAsked(i int32) bool { return w.nodes[i].process.StopAsked }

// Observed is what a node's elector last saw and the instant at which it saw it change.
func (w *World) Observed(i int32) (record coordination.Record, atNs int64, seen bool) {
	n := &w.nodes[i]
	if !n.process.Alive {
		return record, 0, false
	}
	record, mono, seen := n.machine.Observed()
	return record, n.clock.worldTime(mono), seen
}

// Countdown is the instant at which a node may take the Lease, or must stop leading, as it sees it; ok is false when
// neither applies.
func (w *World) Countdown(i int32) (zeroNs int64, leading, ok bool) {
	n := &w.nodes[i]
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

// FullCountdownNs is the length a node's countdown starts from: the published duration for a follower, retryPeriod +
// renewDeadline for the leader.
func (w *World) FullCountdownNs(i int32, leading bool) int64 {
	n := &w.nodes[i]
	if leading {
		retry, deadline := w.timerLengths(n)
		return retry + deadline
	}
	record, _, _ := n.machine.Observed()
	return n.clock.timer(int64(record.LeaseDurationSeconds) * 1e9)
}

// Clock is a node's offset, rate and wall reading in ns since the epoch of the run.
func (w *World) Clock(i int32) (offsetNs, ratePpm, wallNs int64) {
	n := &w.nodes[i]
	return n.clock.offsetNs - n.clock.sleptNs, n.clock.ratePpm, n.clock.mono(w.now) + n.clock.offsetNs
}

// CutOff says which ways a node is cut off from the API server now.
func (w *World) CutOff(i int32) (up, down bool) { return w.net.CutOff(w.now, i) }

// Settings are a node's settings: those its elector runs with, and those its next start takes.
func (w *World) Settings(i int32) (running, next Candidate) {
	n := &w.nodes[i]
	return w.settings[n.running], w.settings[n.settings]
}

// Flight is a request on the wire, or one whose client still waits.
type Flight struct {
	Candidate, Seq    int32
	Verb              elector.Verb
	SentNs, ReachesNs int64
	ServedNs          int64 // -1: not yet
	ReturnsNs         int64 // -1: not known
	Outcome           storage.Outcome
	Result            step.Result
	LostUp, LostDown  bool
	Refused           bool
	Waited            bool
	Hangs             bool // it waits at the server
}

// Flights lists the requests under way, by candidate and number.
func (w *World) Flights() []Flight {
	var all []Flight
	for k := range w.messages {
		r := &w.messages[k]
		if r.client < 0 || r.sender != electorRequest || r.throttled || !r.onWire && !r.waited {
			continue
		}
		all = append(all, Flight{
			Candidate: r.client, Seq: r.Seq, Verb: r.verb(), SentNs: r.sentNs, ReachesNs: r.reachesNs, ServedNs: r.servedNs,
			ReturnsNs: r.returnsNs, Outcome: r.outcome, Result: r.result, LostUp: r.lostUp, LostDown: r.lostDown,
			Refused: r.refused, Waited: r.waited, Hangs: r.hangs,
		})
	}
	return all
}

// Holder is the candidate named by the stored Lease, -1 when it is nobody's or a stranger's, with the Lease itself.
func (w *World) Holder() (candidate int32, object storage.Object, exists bool) {
	o, outcome := w.store.Get(0)
	if outcome != storage.OK {
		return -1, storage.Object{}, false
	}
	return w.ByIdentity(o.Spec.HolderIdentity), o, true
}

// ByIdentity is the candidate that writes an identity: an active one first, else the newest; -1 if there is none.
func (w *World) ByIdentity(identity coordination.Symbol) int32 {
	found := int32(-1)
	if identity == 0 {
		return found
	}
	for i := range w.nodes {
		if w.nodes[i].identity == identity {
			if w.nodes[i].process.Active {
				return int32(i)
			}
			found = int32(i)
		}
	}
	return found
}

// CountedNs is the world time that a node's clock takes for a duration.
func (w *World) CountedNs(i int32, durationNs int64) int64 { return w.nodes[i].clock.timer(durationNs) }

// DisplayName is what an identity is called on screen: the candidate's name, or the identity itself when it is a
// stranger's or more than one candidate has it.
func (w *World) DisplayName(identity coordination.Symbol) string {
	found := -1
	for i := range w.nodes {
		if identity == 0 || w.nodes[i].identity != identity {
			continue
		}
		if found >= 0 && w.nodes[found].name != w.nodes[i].name {
			return w.setup.Symbols.Text(identity)
		}
		found = i
	}
	if found >= 0 {
		return w.ProcessName(int32(found))
	}
	return w.setup.Symbols.Text(identity)
}

// ProcessName is a candidate's name, or its identity where every process has one of its own: what tells it from the process
// that was there before.
func (w *World) ProcessName(i int32) string {
	n := &w.nodes[i]
	if w.setup.Symbols.Text(n.identity) != w.settings[n.settings].Identity && w.settings[n.settings].Process.FreshIdentity {
		return w.setup.Symbols.Text(n.identity)
	}
	return w.Name(i)
}

// EmptiedNs is the instant at which what a candidate's lock keeps last came to name nobody, 0 if it never did.
func (w *World) EmptiedNs(i int32) int64 {
	object := w.objectOf(i, w.Lock(i).First())
	history := w.store.History()
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

// Knows reports whether a control with a source is among those still to come or done.
func (w *World) Knows(source int32) bool {
	for i := range w.controls {
		if w.controls[i].Source == source {
			return true
		}
	}
	return false
}

// Bytes is about how much memory a clone takes.
func (w *World) Bytes() int64 {
	var b int64 = 4000
	b += int64(len(w.nodes)) * int64(unsafe.Sizeof(node{})+unsafe.Sizeof(timer{})+4)
	b += int64(len(w.messages))*int64(unsafe.Sizeof(message{})) + int64(len(w.queue))*int64(unsafe.Sizeof(event{}))
	return b + storage.OpenBytes
}

// RenewDeadlineNs is the renewDeadline a node's elector runs with, by its own clock.
func (w *World) RenewDeadlineNs(i int32) int64 {
	return int64(w.settings[w.nodes[i].running].RenewDeadline)
}

// ChangedLatency is what an act made of the latencies of a candidate, or of Everybody; ok is false once it is over.
func (w *World) ChangedLatency(source, client int32) (l network.Latency, ok bool) {
	return w.net.LatencyBegunBy(source, client)
}
