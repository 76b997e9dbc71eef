package world

import (
	"unsafe"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
)

// Nodes is how many candidates have ever joined.
func (w *World) Nodes() int { return len(w.nodes) }

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
	for k := range w.net.list {
		r := &w.net.list[k]
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
		return w.Node(int32(found)).ProcessName()
	}
	return w.setup.Symbols.Text(identity)
}

// Knows reports whether a control with a source is among those still to come or done.
func (w *World) Knows(source int32) bool {
	for i := range w.acts.list {
		if w.acts.list[i].Source == source {
			return true
		}
	}
	return false
}

// Bytes is about how much memory a clone takes.
func (w *World) Bytes() int64 {
	var b int64 = 4000
	b += int64(len(w.nodes)) * int64(unsafe.Sizeof(node{})+unsafe.Sizeof(timer{})+4)
	b += int64(len(w.net.list))*int64(unsafe.Sizeof(message{})) + int64(len(w.queue))*int64(unsafe.Sizeof(event{}))
	return b + storage.OpenBytes
}

// ChangedLatency is what an act made of the latencies of a candidate, or of Everybody; ok is false once it is over.
func (w *World) ChangedLatency(source, client int32) (l network.Latency, ok bool) {
	return w.net.rules.LatencyBegunBy(source, client)
}
