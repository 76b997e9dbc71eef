package explain

import (
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// lock is what a candidate knows about its lock object: the record, when the candidate last saw the record change,
// and when the record expires. It mirrors three fields of client-go's LeaderElector: observedRecord,
// observedRawRecord and observedTime. The trace does not contain these fields, but the tracker needs them: "the Lease
// is free for b" is a fact about b's memory, not about the store.
type lock struct {
	_         incomparable
	known                    // knowledge about the object of the last request
	other     known          // about the other object, if the lock has two
	object    elector.Object // the object of the last request
	seen      Place          // where the candidate last saw the record change
	expiresNs int64          // when the record expires for this candidate
	first     bool           // the candidate has read only one version so far
	shown     Place          // the stored version after its last request
	seenShown Place          // the stored version that started the candidate's countdown
	mapped    int64          // instant of the attempt that last wrote the ConfigMap, plus 1
	taken     taken
}

// `known` is what a candidate knows about one object. client-go compares each read with the raw record of the last
// read, and a successful write does not update that raw record. So the first read after the candidate's own renewal
// looks like a change and restarts the countdown.
type known struct {
	_               incomparable
	raw, read       coordination.Record // read ignores the candidate's own writes, as in client-go
	hasRaw, hasRead bool
}

// taken is the lock just before the candidate's last successful write. The explanation comes later, at
// StartedLeading. By then the lock already has the new record, so taken keeps the old one.
type taken struct {
	_         incomparable
	before    coordination.Record
	created   bool
	seen      Place
	expiresNs int64
	first     bool
	shown     Place
}

// `turn` makes the field known describe the given object. A candidate whose lock has two objects, such as
// configmapsleases, reads and writes them in turn, and remembers separate records of them.
func (l *lock) turn(object elector.Object) {
	if object != l.object {
		l.object = object
		l.known, l.other = l.other, l.known
	}
}

// takeServed records that the API server has handled a request of the candidate. The answer will contain the stored
// version but not the instant at which the server stored it, so the field shown remembers that instant.
func (l *lock) takeServed(r *trace.Record, objects *objects) { l.shown = objects.last(r.Object) }

// takeAnswer records the end of a request and returns what a sentence about that request needs.
func (l *lock) takeAnswer(w *world.World, a *attempt, r *trace.Record, note *Note) {
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
		l.restartCountdown(w, r, note.Place)
	}
}

// `wrote` records a successful write and what the lock contained before. In a lock of two objects the ConfigMap decides
// who leads, and the Lease follows in the same attempt. The field mapped contains the instant plus 1, because 0 means
// "never".
func (l *lock) wrote(a *attempt, r *trace.Record) {
	if r.Object == elector.ConfigMap {
		l.mapped = a.fromNs + 1
	} else if l.mapped == a.fromNs+1 {
		return // the write to the ConfigMap decided
	}
	l.taken = taken{before: l.raw, created: r.Verb == elector.Create, seen: l.seen, expiresNs: l.expiresNs,
		first: l.first, shown: l.seenShown}
	if !l.hasRaw { // the candidate has read nothing since it started, so it owned the Lease before the start
		l.taken.before = r.Spec
	}
}

// `reads` records a successful read. note.Free uses the start of the attempt, not the instant of the answer:
// tryAcquireOrRenew takes the time once, at its beginning. If the read shows that another candidate holds the Lease,
// earlier failures become irrelevant.
func (l *lock) reads(w *world.World, a *attempt, r *trace.Record, note *Note) {
	note.Unseen = !l.hasRaw
	note.Changed = !l.hasRead || !l.read.SameRaw(&r.Spec)
	l.raw, l.hasRaw = r.Spec, true
	if note.Changed {
		a.slow = nil
		l.first = !l.hasRead
		l.read, l.hasRead = r.Spec, true
		l.restartCountdown(w, r, note.Place)
	}
	note.AgeNs = a.fromNs - l.seen.AtNs
	note.LengthNs = l.expiresNs - l.seen.AtNs
	note.Free = r.Spec.HolderIdentity == 0 || a.fromNs >= l.expiresNs
	if !note.Free {
		a.failed = nil // another candidate holds the Lease, so earlier failures explain nothing
	}
}

// restartCountdown restarts the countdown. If the candidate's clock runs at half the true rate, the countdown takes
// twice as long in true time; TimerNs computes the true length.
func (l *lock) restartCountdown(w *world.World, r *trace.Record, at Place) {
	l.seen, l.seenShown = at, l.shown
	l.expiresNs = r.At + w.Node(r.Candidate).TimerNs(int64(r.Spec.LeaseDurationSeconds)*1e9)
}
