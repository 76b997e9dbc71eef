package explain

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// lock is what a candidate knows of its lock object: the record, since when it has seen it unchanged, and when it
// expires.
type lock struct {
	_         incomparable
	known                    // of the object of its last request
	other     known          // of the other object of a lock of two
	object    elector.Object // that known is of
	seen      Place          // where the record was last seen to change
	expiresNs int64          // when it expires for this candidate
	first     bool           // the version seen is the first it has read
	shown     Place          // the version that its last request found or left
	seenShown Place          // the version it counts from
	mapped    int64          // the attempt in which it last wrote a ConfigMap, plus 1
	taken     taken
}

// known is what a candidate knows of one object.
type known struct {
	_               incomparable
	raw, read       coordination.Record // read: own writes do not count, as in client-go
	hasRaw, hasRead bool
}

// taken is the lock as the candidate's last write that succeeded found it.
type taken struct {
	_         incomparable
	before    coordination.Record
	created   bool
	seen      Place
	expiresNs int64
	first     bool
	shown     Place
}

// turn makes an object the one that raw and read are of.
func (l *lock) turn(object elector.Object) {
	if object != l.object {
		l.object = object
		l.known, l.other = l.other, l.known
	}
}

// served takes a request of the candidate that the API server has handled.
func (l *lock) served(r *trace.Record, objects *objects) { l.shown = objects.last(r.Object) }

// answered takes the end of a request, and notes what a sentence about it needs.
func (l *lock) answered(w *world.World, a *attempt, r *trace.Record, note *Note) {
	note.DurationNs = r.At - r.Exchange().SentNs
	l.turn(r.Object)
	note.Before, note.HadBefore = l.raw, l.hasRaw
	switch {
	case r.Result != step.Success:
	case r.Verb == elector.Get:
		l.reads(w, a, r, note)
	default:
		l.wrote(a, r)
		l.raw, l.hasRaw = r.Spec, true
		l.changed(w, r, note.Place)
	}
}

func (l *lock) wrote(a *attempt, r *trace.Record) {
	if r.Object == elector.ConfigMap {
		l.mapped = a.fromNs + 1
	} else if l.mapped == a.fromNs+1 {
		return // the ConfigMap has decided
	}
	l.taken = taken{before: l.raw, created: r.Verb == elector.Create, seen: l.seen, expiresNs: l.expiresNs,
		first: l.first, shown: l.seenShown}
	if !l.hasRaw { // it has read nothing since it started and uses what it knew before: the Lease is its own
		l.taken.before = r.Spec
	}
}

func (l *lock) reads(w *world.World, a *attempt, r *trace.Record, note *Note) {
	note.Unseen = !l.hasRaw
	note.Changed = !l.hasRead || !l.read.SameRaw(&r.Spec)
	l.raw, l.hasRaw = r.Spec, true
	if note.Changed {
		a.slow = nil
		l.first = !l.hasRead
		l.read, l.hasRead = r.Spec, true
		l.changed(w, r, note.Place)
	}
	note.AgeNs = a.fromNs - l.seen.AtNs
	note.LengthNs = l.expiresNs - l.seen.AtNs
	note.Free = r.Spec.HolderIdentity == 0 || a.fromNs >= l.expiresNs
	if !note.Free {
		a.failed = nil // the Lease belongs to another candidate: earlier failures explain nothing
	}
}

// changed begins the countdown anew.
func (l *lock) changed(w *world.World, r *trace.Record, at Place) {
	l.seen, l.seenShown = at, l.shown
	l.expiresNs = r.At + w.Node(r.Candidate).TimerNs(int64(r.Spec.LeaseDurationSeconds)*1e9)
}
