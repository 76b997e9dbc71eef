package world

import (
	"unsafe"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
)

// Nodes returns the number of nodes so far, including nodes that have left.
func (w *World) Nodes() int { return len(w.nodes) }

// Flight is a request that is on the wire, or whose client still waits for it.
type Flight struct {
	Sender            network.Sender
	Candidate, Seq    int32
	Verb              network.Verb
	SentNs, ReachesNs int64
	ServedNs          int64 // -1 until the server has carried the request out
	ReturnsNs         int64 // -1 if unknown
	Outcome           storage.Outcome
	Result            step.Result
	LostUp, LostDown  bool
	Refused           bool
	Waited            bool
	Hangs             bool  // the server keeps the request waiting
	StoppedNs         int64 // when an act dropped the request or began to hold it, or -1
	Held              bool  // an act holds the request
	CanBeStopped      bool  // whether an act can drop or hold the request now
}

// Flights lists the requests that are under way and that acts can stop. Seq numbers the requests of one sender.
func (w *World) Flights() []Flight {
	var all []Flight
	for k := range w.net.list {
		r := &w.net.list[k]
		if r.client < 0 || senders[r.sender].client == network.AnySender || r.unsent || !r.onWire && !r.waited {
			continue
		}
		f := Flight{
			Sender: senders[r.sender].client, Candidate: r.client, Seq: r.Seq, Verb: r.Verb, SentNs: r.SentNs,
			ReachesNs: r.reachesNs, ServedNs: r.servedNs,
			ReturnsNs: r.returnsNs, Outcome: r.outcome, Result: r.result, LostUp: r.lostUp, LostDown: r.lostDown,
			Refused: r.broke != step.Success, Waited: r.waited, Hangs: r.hangs, StoppedNs: -1,
			CanBeStopped: r.canBeStopped(),
		}
		for _, s := range w.net.stopped {
			if s.slot == int32(k) && s.is(r) {
				f.StoppedNs, f.Held = s.atNs, s.held
			}
		}
		all = append(all, f)
	}
	return all
}

// Holder returns the candidate that the stored Lease names, and the Lease. The candidate is -1 if the Lease names
// nobody or an unknown identity.
func (w *World) Holder() (candidate int32, object storage.Object, exists bool) {
	o, outcome := w.store.Get(0)
	if outcome != storage.OK {
		return -1, storage.Object{}, false
	}
	return w.ByIdentity(o.Spec.HolderIdentity), o, true
}

// ByIdentity returns a candidate with that holderIdentity, or -1. It prefers an active one, and otherwise the newest.
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

// DisplayName returns the name of the candidate with that identity. If several candidates share the identity, or none
// has it, it returns the identity.
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
		return w.Node(int32(found)).ProcessName()
	}
	return w.setup.Symbols.Text(identity)
}

// Bytes estimates how many bytes of memory a clone takes.
func (w *World) Bytes() int64 {
	var b int64 = 4000
	b += int64(len(w.nodes)) * int64(unsafe.Sizeof(node{}))
	b += int64(len(w.timers.tree)) * int64(unsafe.Sizeof(timer{}))
	b += int64(len(w.net.list))*int64(unsafe.Sizeof(message{})) + int64(len(w.queue))*int64(unsafe.Sizeof(event{}))
	return b + storage.OpenBytes
}

// ChangedLatency returns the latency rule that an act began for a candidate or for Everybody. ok is false once the
// rule is over.
func (w *World) ChangedLatency(source, client int32) (l network.Latency, ok bool) {
	return w.net.rules.LatencyBegunBy(source, client)
}
