package hunt

import (
	"slices"

	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// feature is a hash of something that a run reached: a pair of consecutive events at a candidate, the combined state
// of all candidates, or how close the run came to two leaders.
type feature uint32

// Kinds of features.
const (
	pairs uint64 = iota + 1
	states
	rooms
	silences
)

func hash(parts ...uint64) feature {
	h := uint64(14695981039346656037)
	for _, p := range parts {
		h = (h ^ p) * 1099511628211
		h ^= h >> 29
	}
	return feature(h ^ h>>32)
}

// looker collects the features of a run while the run proceeds. A fuzzer for programs counts branches. Here the
// program is the same in every run, so features describe the cluster: which event followed which, the states of the
// candidates, and how close the run came to two leaders.
type looker struct {
	features []feature // sorted, no duplicates
	before   []uint64  // previous event, by node
	fault    uint64    // latest event that an act caused
	storedNs int64     // when a candidate last renewed or acquired the Lease
	quietNs  int64     // start of the leader's silence; the field silent is complete up to silenceNs later
	led      []span    // when one candidate led and another one could have
	silent   []span    // when the leader had not renewed the Lease for silenceNs
}

// span is a time in a run.
type span struct{ FromNs, ToNs int64 }

const farNs = int64(1 << 62)

// `dull` marks the records that contain nothing new. A draw of jitter, or the sending of a request, happens in every
// run next to every other event. If such records counted, nearly every pair would be new.
var dull = [trace.NoKind]bool{
	trace.JitterDrawn: true, trace.MetricLeaderOn: true, trace.MetricLeaderOff: true, trace.MetricSlowPath: true,
	trace.EventBecameLeader: true, trace.EventStoppedLeading: true, trace.RequestSent: true, trace.RequestServed: true,
	trace.Probed: true,
}

func (l *looker) add(f feature) {
	if i, has := slices.BinarySearch(l.features, f); !has {
		l.features = slices.Insert(l.features, i, f)
	}
}

// `look` processes the records of a step.
func (l *looker) look(w *world.World) {
	for _, r := range w.Records() {
		l.record(w, &r)
	}
}

func (l *looker) record(w *world.World, r *trace.Record) {
	if r.Kind == trace.RequestServed && r.Outcome.Accepted() && r.Verb != 0 {
		l.storedNs = r.At
	}
	if dull[r.Kind] {
		return
	}
	role := uint64(99)
	if r.Candidate >= 0 {
		role = uint64(w.Node(r.Candidate).Role())
	}
	event := uint64(r.Kind)<<32 | uint64(r.Verb)<<24 | uint64(r.Result)<<16 | uint64(r.Fault)<<8 | role
	plain := r.Kind == trace.RequestEnded && r.Result == step.Success
	if r.Candidate >= 0 {
		for int(r.Candidate) >= len(l.before) {
			l.before = append(l.before, 0)
		}
		l.add(hash(pairs, l.before[r.Candidate], event))
		l.before[r.Candidate] = event
	}
	if r.Control >= 0 {
		l.add(hash(pairs, l.fault, event, 1))
		l.fault = event
	}
	l.room(w)
	l.follow(w)
	if !plain {
		l.state(w)
	}
}

// silenceNs is the time without a renewal after which a leader is in trouble, because the next renewal was due.
const silenceNs = 3_000_000_000

// `follow` tracks whether one candidate leads and another one could lead. Only then can a fault move the Lease from one
// to the other.
func (l *looker) follow(w *world.World) {
	leads, could := false, false
	for i := range w.Nodes() {
		switch w.Node(int32(i)).Role() {
		case world.RoleLeading:
			leads = true
		case world.RoleFollowing:
			could = true
		}
	}
	now, n := w.Now(), len(l.led)
	if since := max(l.storedNs, l.quietNs) + silenceNs; leads && now > since {
		l.silent, l.quietNs = append(l.silent, span{since, now}), now-silenceNs
	}
	switch {
	case !leads || !could:
		if n > 0 && l.led[n-1].ToNs < 0 {
			l.led[n-1].ToNs = now
		}
	case n == 0 || l.led[n-1].ToNs >= 0:
		l.led = append(l.led, span{now, -1})
	}
}

// upTo returns the parts of spans that lie before an instant. The last span may still be open.
func upTo(spans []span, untilNs int64) []span {
	var all []span
	for _, s := range spans {
		if s.ToNs < 0 || s.ToNs > untilNs {
			s.ToNs = untilNs
		}
		if s.FromNs < s.ToNs {
			all = append(all, s)
		}
	}
	return all
}

// state returns the combined state of all candidates, without their names. Sorting the candidates' states makes "a
// leads, b is down" and "b leads, a is down" one state. The combined state covers the first 16 candidates.
func (l *looker) state(w *world.World) {
	var each [16]uint64
	n := min(w.Nodes(), len(each))
	for i := range n {
		node := w.Node(int32(i))
		up, down := node.CutOff()
		_, rate, _ := node.Clock()
		each[i] = uint64(node.Role())<<8 | flag(up, 0) | flag(down, 1) | flag(node.Paused(), 2) | flag(node.Active(),
			3) | flag(rate != 1_000_000, 4) | flag(node.IsLeader(), 5)
	}
	slices.Sort(each[:n])
	l.add(hash(append([]uint64{states}, each[:n]...)...))
}

func flag(is bool, bit uint) uint64 {
	if is {
		return 1 << bit
	}
	return 0
}

// room records the time between two instants: when the leader must stop, and when another candidate may first take
// the Lease, both according to what that candidate believes. If the time is negative, two candidates will lead unless
// something else happens. room also records silences: how long the leader has worked without a renewal. The time
// between the two instants counts in steps of half a second, up to 20 s either way. The silence counts in steps of a
// second, from 4 to 60. So a run with half a second less counts as new, and the hunt gets closer to a violation step by
// step.
func (l *looker) room(w *world.World) {
	stops, takes, leads := int64(0), farNs, false
	for i := range w.Nodes() {
		node := w.Node(int32(i))
		if !node.Active() {
			if at, leading, ok := node.Countdown(); ok && !leading {
				takes = min(takes, at)
			}
			continue
		}
		leads = true
		if at, leading, ok := node.Countdown(); ok && leading {
			stops = max(stops, at)
		} else if node.Paused() {
			stops = max(stops, w.Now()+1)
		}
	}
	if !leads {
		return
	}
	if silent := (w.Now() - l.storedNs) / 1_000_000_000; silent > 3 {
		l.add(hash(silences, uint64(min(silent, 60))))
	}
	if stops == 0 || takes == farNs {
		return
	}
	room := takes - stops
	l.add(hash(rooms, uint64(min(max(room/500_000_000, -40), 40)+50)))
}
