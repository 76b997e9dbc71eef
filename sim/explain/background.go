package explain

import (
	"math"
	"slices"

	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// The story of a gap must mention the cut that caused it, even if the cut began a minute earlier. It must leave out
// the fifty acts that had nothing to do with the gap. The background keeps the latest faults and acts as sentences,
// and the instant when each ended. Later questions select from them by time and by node.

// background contains the latest faults and acts of the run, and all that are still in effect. It has at most
// keptHappened entries, so that a clone of a Tracker stays small. It drops an entry that is still in effect only if no
// other entries are left.
type background []happened

// happened is a fault or an act that concerns one node or all of them.
type happened struct {
	_ incomparable
	Line
	node    int32
	control int32
	kind    trace.Kind
	sender  network.Sender // who sent the message that an act stopped or delivered
	// the act changed the Lease's holder or leaseDuration, or created or deleted the Lease
	moved bool
	endNs int64 // when the entry ended, or the constant lasts if the entry is still in effect
}

const (
	keptHappened = 16
	lateNs       = 60_000_000_000 // nothing older explains a violation
	lasts        = int64(math.MaxInt64)
)

// routine lists the records that happen all the time and explain nothing. By default, a new kind of record appears in
// stories. If this list lacks a kind, stories only get longer. If this were a list of interesting kinds, a missing
// row would make a cause disappear.
var routine = [trace.NoKind]bool{
	trace.Started: true, trace.RequestSent: true, trace.RequestNotSent: true, trace.RequestServed: true,
	trace.RequestEnded: true,
	trace.JitterDrawn:  true, trace.MetricLeaderOn: true, trace.MetricLeaderOff: true, trace.MetricSlowPath: true,
	trace.EventBecameLeader:   true,
	trace.EventStoppedLeading: true, trace.StartedLeading: true, trace.LeadingDone: true, trace.WorkDone: true,
	trace.NewLeader:      true,
	trace.StoppedLeading: true, trace.RunReturned: true, trace.Probed: true, trace.CandidateStored: true,
	trace.CandidatePinged: true,
	trace.Decided:         true, trace.Coordinated: true, trace.Throttled: true, trace.RequestRetries: true,
	trace.CandidateRetries: true,
}

// endedBy maps a kind of record that ends something to the kind that began it. The zero value, trace.Started, means
// that a kind ends nothing, since nothing ends a start.
var endedBy = [trace.NoKind]trace.Kind{
	trace.Resumed: trace.Paused, trace.CutEnded: trace.CutBegan, trace.FailEnded: trace.FailBegan,
	trace.LatencyRestored: trace.LatencyChanged,
	trace.Restarted:       trace.Crashed, trace.CapacityChanged: trace.CapacityChanged,
	trace.Delivered: trace.Intercepted,
}

// `observe` keeps the sentence about a record that is not routine, and marks what the record ends. A lost message
// matters only as long as its sender waits for the answer, so its entry ends after that time. Every other entry
// without an end is still in effect.
func (b *background) observe(w *world.World, r *trace.Record, note Note, objects *objects) {
	if Minor(r.Kind) {
		return
	}
	if ended := endedBy[r.Kind]; ended != trace.Started {
		b.end(ended, r)
	}
	if len(*b) == keptHappened {
		*b = slices.Delete(*b, b.least(), b.least()+1)
	}
	s := Say(w, r, note)
	s.Detail = ""
	endNs := lasts
	if effect := r.Interception().Effect; r.Kind == trace.Intercepted &&
		(effect == network.LoseMessage || effect == network.LoseAnswer) {
		endNs = r.At + waitNs(w, r.Candidate)
	}
	*b = append(*b, happened{
		Line: Line{Text: s.String(), Event: note.Place, Why: CauseOf(r)},
		node: r.Candidate, control: r.Control, kind: r.Kind, sender: r.Interception().Sender,
		moved: objects.moved && r.Candidate < 0, endNs: endNs,
	})
}

// waitNs returns the longest time that a node's client waits for an answer. Without a request timeout, the
// renewDeadline of a leader ends its wait.
func waitNs(w *world.World, node int32) int64 {
	running, _ := w.Node(node).Settings()
	if running.RequestTimeoutNs > 0 {
		return running.RequestTimeoutNs
	}
	return int64(running.RenewDeadline)
}

// `least` returns the entry to forget: the oldest entry whose effect has ended, or else the oldest of all.
// Example: if the list is full, it forgets a past burst of requests before an older cut that is still in effect.
func (b background) least() int {
	return max(0, slices.IndexFunc(b, func(h happened) bool {
		return h.endNs != lasts || !slices.Contains(endedBy[:], h.kind)
	}))
}

// `end` ends the entries that one act began, or all entries of one kind. The first round ends what the same act began.
// If the first round finds nothing, the record names no act, as for "heal". Then the second round ends everything of
// that kind, on one node or on all.
func (b background) end(kind trace.Kind, r *trace.Record) {
	for _, own := range [...]bool{true, false} {
		found := false
		for k := range b {
			h := &b[k]
			if h.kind == kind && h.endNs == lasts &&
				(own && h.control == r.Control && r.Control >= 0 || !own &&
					(r.Candidate < 0 || h.node == r.Candidate)) {
				h.endNs, found = r.At, true
			}
		}
		if found {
			return
		}
	}
}

// lastBefore lists the last sentences up to an instant, at most `most` of them. It includes a sentence about a node
// only if the function concerns accepts the node. It leaves out what began more than lateNs earlier, even if it is
// still in effect.
func (b background) lastBefore(nowNs int64, most int, concerns func(node int32) bool) []Line {
	var lines []Line
	for k := range b {
		h := &b[k]
		if h.Event.AtNs >= nowNs-lateNs && h.Event.AtNs <= nowNs && (h.node < 0 || concerns(h.node)) {
			lines = append(lines, h.Line)
		}
	}
	return lines[max(0, len(lines)-most):]
}

// `moves` lists how clients other than the candidates changed the Lease between two instants.
func (b background) moves(fromNs, toNs int64) []Line {
	var lines []Line
	for k := range b {
		if h := &b[k]; h.moved && h.Event.AtNs >= fromNs && h.Event.AtNs <= toNs {
			lines = append(lines, h.Line)
		}
	}
	return lines
}

// deliveredLate lists the acts that delayed a node's writes to the resource and delivered them between two instants.
// This is the classic stale write: the leader sends a write while it holds the Lease, an act delays the write on the
// wire, and the write arrives after another leader has written.
func (b background) deliveredLate(node int32, fromNs, toNs int64) []Line {
	var lines []Line
	for k := range b {
		h := &b[k]
		if h.node != node || h.sender != network.ResourceWriter || h.Event.AtNs > toNs {
			continue
		}
		if h.kind == trace.Delivered && h.Event.AtNs >= fromNs || h.kind == trace.Intercepted && h.endNs >= fromNs &&
			h.endNs <= toNs {
			lines = append(lines, h.Line)
		}
	}
	return lines
}

// `during` is a span of time.
type during struct{ fromNs, toNs int64 }

// `hindrances` lists what kept a node from its Lease in a span of time. A hindrance overlaps the span and could have
// had an effect. A pause of the node itself always counts. A cut counts only if the argument failing is true, because a
// leader that sent no request in that time did not notice the cut. In a run whose API servers are nodes, a node's peer
// is the API server that it uses; a pause or crash of the peer matters only to requests. A changed clock matters only
// to electors that compare wall clocks. client-go's electors do not.
func (b background) hindrances(w *world.World, node int32, d during, failing bool) []Line {
	var lines []Line
	peer := w.Node(node).Peer()
	running, _ := w.Node(node).Settings()
	for k := range b {
		h := &b[k]
		if h.Event.AtNs > d.toNs || h.endNs < d.fromNs {
			continue
		}
		concerns := false
		switch h.kind {
		case trace.Paused:
			concerns = h.node == node || failing && h.node == peer && peer >= 0
		case trace.Crashed:
			concerns = failing && h.node == peer && peer >= 0
		case trace.ClockChanged:
			concerns = h.node == node && running.Dialect&wallDialects != 0
		case trace.CutBegan, trace.FailBegan, trace.LatencyChanged, trace.CapacityChanged, trace.SettingsChanged,
			trace.Burst:
			concerns = failing && (h.node < 0 || h.node == node || h.node == peer)
		case trace.Intercepted:
			concerns = failing && h.node == node && h.sender == network.Elector
		}
		if concerns {
			lines = append(lines, h.Line)
		}
	}
	return lines
}

// isStored reports whether a write created a new version. A request that a fault stops at the server stores nothing.
func isStored(r *trace.Record) bool {
	if r.Kind == trace.RequestServed {
		return r.Outcome == storage.Created || r.Outcome == storage.Updated
	}
	return r.Outcome.Accepted() && r.Outcome != storage.Unchanged
}
