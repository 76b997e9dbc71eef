package probe

import (
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/trace"
)

// write is an accepted change of the Lease.
type write struct {
	at     time.Duration
	node   int32 // trace.NoCandidate for an administrator
	before coordination.Record
	after  coordination.Record
	gone   bool // the write deleted the Lease
}

// acquires reports whether a candidate made itself the holder.
func (w *write) acquires() bool {
	return w.node >= 0 && w.after.HolderIdentity != 0 && w.after.HolderIdentity != w.before.HolderIdentity
}

// renews reports whether a candidate kept a Lease that it held.
func (w *write) renews() bool {
	return w.node >= 0 && w.after.HolderIdentity != 0 && w.after.HolderIdentity == w.before.HolderIdentity
}

// releases reports whether a candidate emptied the holder.
func (w *write) releases() bool {
	return w.node >= 0 && w.before.HolderIdentity != 0 && w.after.HolderIdentity == 0 && !w.gone
}

// span is a stretch of time in which a node works. until is -1 while the work goes on.
type span struct {
	node        int32
	from, until time.Duration
}

// Watch collects what happens to the Lease in one play. Pass its method See every record of the trace.
type Watch struct {
	writes  []write
	asks    map[int32][]time.Duration // when a node sent a request for the Lease
	spans   []span
	endedAt map[int32]time.Duration // when the process of a node last ended
	last    coordination.Record
	end     time.Duration
}

// NewWatch returns an empty collection.
func NewWatch() *Watch {
	return &Watch{asks: map[int32][]time.Duration{}, endedAt: map[int32]time.Duration{}}
}

// See takes one record.
func (w *Watch) See(r *run.Run, record *trace.Record) {
	at := time.Duration(record.At)
	w.end = max(w.end, at)
	switch record.Kind {
	case trace.RequestSent:
		if record.Candidate >= 0 {
			w.asks[record.Candidate] = append(w.asks[record.Candidate], at)
		}
	case trace.RequestServed:
		if record.Outcome.Accepted() && record.Verb != elector.Get {
			w.add(write{at: at, node: record.Candidate, after: record.Spec})
		}
	case trace.Written:
		_, _, exists := r.World.Holder()
		w.add(write{at: at, node: trace.NoCandidate, after: record.Spec, gone: !exists})
	case trace.RunReturned, trace.Crashed:
		w.endedAt[record.Candidate] = at
	}
	w.follow(r.Checks.Active(), at)
}

func (w *Watch) add(one write) {
	if one.gone {
		one.after = coordination.Record{}
	}
	one.before, w.last = w.last, one.after
	w.writes = append(w.writes, one)
}

// follow records who works from now on.
func (w *Watch) follow(active []int32, at time.Duration) {
	for k := range w.spans {
		if s := &w.spans[k]; s.until < 0 && !slices.Contains(active, s.node) {
			s.until = at
		}
	}
	for _, node := range active {
		if !slices.ContainsFunc(w.spans, func(s span) bool { return s.until < 0 && s.node == node }) {
			w.spans = append(w.spans, span{node, at, -1})
		}
	}
}

// End says that the play has ended at an instant.
func (w *Watch) End(at time.Duration) { w.end = at }

// leaderAt returns the node that worked at an instant, or -1.
func (w *Watch) leaderAt(at time.Duration) int32 {
	for _, s := range w.spans {
		if s.from <= at && (s.until < 0 || s.until > at) {
			return s.node
		}
	}
	return -1
}

// stoppedAt returns when the work of a node, under way at an instant, ended. It returns the end of the play for work
// that goes on.
func (w *Watch) stoppedAt(node int32, at time.Duration) time.Duration {
	for _, s := range w.spans {
		if s.node == node && s.from <= at && (s.until < 0 || s.until > at) {
			if s.until < 0 {
				return w.end
			}
			return s.until
		}
	}
	return at
}

// renewedAt returns when a node last stored a renewal up to an instant, or -1.
func (w *Watch) renewedAt(node int32, at time.Duration) time.Duration {
	last := time.Duration(-1)
	for k := range w.writes {
		if one := &w.writes[k]; one.node == node && one.at <= at && one.after.HolderIdentity != 0 {
			last = one.at
		}
	}
	return last
}

// firstWrite returns the first write from an instant on that meets a condition, or nil.
func (w *Watch) firstWrite(from time.Duration, is func(*write) bool) *write {
	for k := range w.writes {
		if one := &w.writes[k]; one.at >= from && is(one) {
			return one
		}
	}
	return nil
}

// together returns the longest time for which two nodes worked at once, and when it began.
func (w *Watch) together() (longest, from time.Duration) {
	for i, a := range w.spans {
		for _, b := range w.spans[:i] {
			begins, ends := max(a.from, b.from), min(w.until(a), w.until(b))
			if a.node != b.node && ends-begins > longest {
				longest, from = ends-begins, begins
			}
		}
	}
	return longest, from
}

func (w *Watch) until(s span) time.Duration {
	if s.until < 0 {
		return w.end
	}
	return s.until
}
