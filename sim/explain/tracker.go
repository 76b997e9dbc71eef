// Package explain says in words what a run shows: a sentence for every trace record, and for every leader change why
// it took as long as it did.
//
// Guarantee: the parts of an explanation add up to the gap exactly, in nanoseconds, and each names the record behind it.
// Non-guarantee: an explanation tells what happened in this run; what would have helped takes other runs.
package explain

import (
	"slices"
	"unsafe"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Place is a record in a run: its instant and its ordinal inside the instant, from 1.
type Place struct {
	AtNs    int64
	Ordinal int32
}

// Note is what a sentence about a record needs to know besides the record itself.
type Note struct {
	Place      Place
	Changed    bool                // RequestEnded of a get: the record differs from the one seen before
	Unseen     bool                // RequestEnded of a get: nothing had been seen before
	AgeNs      int64               // how long the record has been seen unchanged
	LengthNs   int64               // how long it counts
	Free       bool                // it counts no longer
	Before     coordination.Record // RequestEnded of a write: the Lease it replaced, as the writer saw it
	HadBefore  bool
	DurationNs int64 // Resumed: length of the pause; RequestEnded: time in flight
}

// watcher follows one candidate.
type watcher struct {
	raw        coordination.Record // what its lock keeps, as last read or written
	hasRaw     bool
	read       coordination.Record // as last read: own writes do not count as seen, as in client-go
	hasRead    bool
	lastObject elector.Object // raw and read are of this one; of a lock of two, the other's are set aside
	aside      sight
	mapped     int64 // the attempt in which it last wrote a ConfigMap, plus 1
	seen       Place // when the record was last seen to change
	expiresNs  int64 // when it stops counting for this candidate
	inAttempt  bool
	attempt    int64 // start of the attempt under way
	wait       Place // the draw before it
	waitNs     int64
	draw       float64
	got        Place // the read of the attempt under way, its first request if it has read nothing
	failed     []try // attempts since the Lease was last seen to be somebody else's
	lastResult step.Result
	wrote      bool
	won        bool
	started    Place
	pausedNs   int64
	// The Lease as it stood before the last write that succeeded.
	taken         coordination.Record
	created       bool
	takeSeen      Place
	takeExpiresNs int64
	takeFirst     bool // nothing had been seen before
	firstLook     bool
	stopAsked     Place
	// What chains are made of.
	leads     bool
	leadsAt   Place
	renewed   Place // the last renewal that it knows of, since it leads
	trying    Place // its first request since
	answerNs  int64 // how long the answer to the last renewal took from the server
	stages    []stage
	seq       int32
	sent      Place
	held      Place // where its own rate limiter last held a request back
	shown     Place // the Lease that its last request found or left
	seenShown Place // the version it counts from
	takeShown Place
	leg       [maxLegs]leg
	legs      int
}

type try struct {
	fromNs, toNs int64
	result       step.Result
	wrote        bool
	place        Place
}

const maxTries = 64

// Tracker follows a run. It is a value that Clone copies.
type Tracker struct {
	Explanations []Explanation
	Stories      []Story // one for each violation that Follow was shown, in the same order

	watchers  []watcher
	who       []int32 // the active ones, in order of start
	ender     int32   // the last one to stop being active
	wayOut    []Part  // how the last active one spent its time since it last renewed
	open      []int32 // stories without an end
	lent      bool    // a clone has the same array of stories: it is not to be written to
	stored    version // the Lease as it stands
	was       version // and the version before
	election  election
	happened  []happened // faults and acts lately
	active    int
	idleFrom  Place // since when nobody is active
	how       trace.Kind
	cuts      []cutOff // in force
	cutsAtEnd []cutOff // in force when the last leader came to its end
	last      int32
	lastName  string // as it was told apart when it came to lead
	mapped    Place  // the ConfigMap as it stands
	at        int64
	ordinal   int32
}

// New returns a tracker at instant 0.
func New() Tracker { return Tracker{last: -1} }

// Clone returns an independent copy.
func (t *Tracker) Clone() Tracker {
	c := *t
	c.Explanations = slices.Clip(t.Explanations)
	c.cuts = slices.Clone(t.cuts)
	t.Stories, t.lent, c.lent = slices.Clip(t.Stories), true, true
	c.Stories, c.open = t.Stories, slices.Clone(t.open)
	c.who = slices.Clone(t.who)
	c.happened = slices.Clone(t.happened)
	c.watchers = slices.Clone(t.watchers)
	for i := range c.watchers {
		c.watchers[i].failed = slices.Clip(c.watchers[i].failed)
		c.watchers[i].stages = slices.Clip(c.watchers[i].stages)
	}
	return c
}

// Bytes is about how much memory a clone takes.
func (t *Tracker) Bytes() int64 { return int64(len(t.watchers)) * int64(unsafe.Sizeof(watcher{})) }

// Observe takes one record, in order, with the world as the step left it, and returns what a sentence about it needs.
func (t *Tracker) Observe(w *world.World, r *trace.Record) Note {
	note := t.observe(w, r)
	if !routine[r.Kind] {
		t.remember(w, r, note)
	}
	return note
}

func (t *Tracker) observe(w *world.World, r *trace.Record) Note {
	if r.At != t.at {
		t.at, t.ordinal = r.At, 0
	}
	t.ordinal++
	note := Note{Place: Place{AtNs: r.At, Ordinal: t.ordinal}}
	if r.Kind == trace.CutBegan || r.Kind == trace.CutEnded && !r.Over().AnotherLasts {
		t.cut(r, note.Place)
	}
	if r.Candidate < 0 {
		t.coordinate(w, r, note.Place)
		return note
	}
	for int(r.Candidate) >= len(t.watchers) {
		t.watchers = append(t.watchers, watcher{})
	}
	c := &t.watchers[r.Candidate]
	t.follow(w, c, r, note.Place)
	switch r.Kind {
	case trace.Started, trace.Restarted:
		again := watcher{started: note.Place, pausedNs: -1}
		if slices.Contains(t.who, r.Candidate) { // the work of the term before goes on
			again.leads, again.leadsAt, again.renewed, again.trying, again.stages = c.leads, c.leadsAt, c.renewed, c.trying, c.stages
		}
		*c = again
	case trace.RequestSent, trace.RequestNotSent, trace.Throttled:
		if !c.inAttempt {
			c.inAttempt, c.attempt, c.wrote = true, r.At, false
			c.got = note.Place // until it has read something
		}
	case trace.RequestEnded:
		t.ended(w, c, r, &note)
	case trace.EventBecameLeader:
		c.won = true
	case trace.JitterDrawn:
		if c.won { // the draw after the attempt that succeeded waits for nothing
			c.won = false
			return note
		}
		t.attemptOver(c, r, note.Place)
	case trace.StartedLeading:
		t.started(w, c, r, note.Place)
		t.coordinate(w, r, note.Place)
	case trace.LeadingDone:
		c.inAttempt = false
		if r.Work().LeftNs == 0 {
			t.stopped(w, r, note.Place)
		}
	case trace.WorkDone, trace.Crashed, trace.Removed:
		t.stopped(w, r, note.Place)
	case trace.StopAsked:
		c.stopAsked = note.Place
	case trace.Paused:
		c.pausedNs = r.At
	case trace.Resumed:
		note.DurationNs = r.At - c.pausedNs
	case trace.CandidatePinged:
		t.coordinate(w, r, note.Place)
	}
	return note
}

// sight is what a candidate knows of one of two objects.
type sight struct {
	raw, read       coordination.Record
	hasRaw, hasRead bool
}

// turn makes an object the one that raw and read are of.
func (c *watcher) turn(o elector.Object) {
	if o != c.lastObject {
		c.lastObject = o
		was := sight{c.raw, c.read, c.hasRaw, c.hasRead}
		c.raw, c.read, c.hasRaw, c.hasRead = c.aside.raw, c.aside.read, c.aside.hasRaw, c.aside.hasRead
		c.aside = was
	}
}

// ended follows an answer to a candidate: what it sees, since when, and whether it may take the Lease.
func (t *Tracker) ended(w *world.World, c *watcher, r *trace.Record, note *Note) {
	note.DurationNs = r.At - r.Exchange().SentNs
	c.turn(r.Object)
	note.Before, note.HadBefore = c.raw, c.hasRaw
	c.lastResult = r.Result
	if r.Verb != elector.Get {
		c.wrote = c.wrote || r.Exchange().ServedNs >= 0
		if r.Result == step.Success {
			if r.Object == elector.ConfigMap {
				c.mapped = c.attempt + 1
			}
			if r.Object == elector.ConfigMap || c.mapped != c.attempt+1 { // else the ConfigMap has decided
				c.taken, c.created, c.takeSeen, c.takeExpiresNs, c.takeFirst = c.raw, r.Verb == elector.Create, c.seen, c.expiresNs, c.firstLook
				c.takeShown = c.seenShown
				if !c.hasRaw { // it has read nothing since it started and goes by what it knew before: the Lease is its own
					c.taken = r.Spec
				}
			}
			c.raw, c.hasRaw = r.Spec, true
			c.look(w, r, note.Place)
		}
		return
	}
	c.got = note.Place
	if r.Result != step.Success {
		return
	}
	note.Unseen = !c.hasRaw
	note.Changed = !c.hasRead || !c.read.SameRaw(&r.Spec)
	c.raw, c.hasRaw = r.Spec, true
	if note.Changed {
		c.firstLook = !c.hasRead
		c.read, c.hasRead = r.Spec, true
		c.look(w, r, note.Place)
	}
	note.AgeNs = c.attempt - c.seen.AtNs
	note.LengthNs = c.expiresNs - c.seen.AtNs
	note.Free = r.Spec.HolderIdentity == 0 || c.attempt >= c.expiresNs
	if !note.Free {
		c.failed = nil // the Lease is somebody's: earlier failures explain nothing
	}
}

func (c *watcher) look(w *world.World, r *trace.Record, at Place) {
	c.seen, c.seenShown = at, c.shown
	c.expiresNs = r.At + w.Node(r.Candidate).TimerNs(int64(r.Spec.LeaseDurationSeconds)*1e9)
}

func (t *Tracker) attemptOver(c *watcher, r *trace.Record, at Place) {
	if c.inAttempt && c.lastResult != step.Success && len(c.failed) < maxTries {
		c.failed = append(c.failed, try{fromNs: c.attempt, toNs: r.At, result: c.lastResult, wrote: c.wrote, place: at})
	}
	c.inAttempt = false
	drawn := r.Jitter()
	c.wait, c.waitNs, c.draw = at, drawn.DelayNs, drawn.Draw
}

func (t *Tracker) stopped(w *world.World, r *trace.Record, at Place) {
	ender := r.Candidate
	if k := slices.Index(t.who, r.Candidate); k >= 0 {
		t.who = slices.Delete(t.who, k, k+1)
		t.ender = r.Candidate
	} else if len(t.who) > 0 {
		ender = t.who[0] // everybody ends in this step, and this is another one's record
	}
	c := &t.watchers[ender]
	active := 0
	for i := range int32(w.Nodes()) {
		if w.Node(i).Active() {
			active++
		}
	}
	if active == 0 && t.active > 0 {
		t.idleFrom, t.how = at, r.Kind
		from := c.leadsAt.AtNs
		if c.renewed.Ordinal != 0 {
			from = c.renewed.AtNs
		}
		t.wayOut = c.stagesOf(t.nameOf(w, ender), from, r.At)
		t.cutsAtEnd = slices.Clone(t.cuts)
	}
	t.active = active
	c.leads = slices.Contains(t.who, ender)
}

// cutOff is a cut that lasts: of one candidate, or of everybody (trace.NoCandidate).
type cutOff struct {
	candidate int32
	since     Place
}

func (t *Tracker) cut(r *trace.Record, at Place) {
	if r.Kind == trace.CutBegan {
		t.cuts = append(t.cuts, cutOff{candidate: r.Candidate, since: at})
		return
	}
	t.cuts = slices.DeleteFunc(t.cuts, func(c cutOff) bool { return r.Candidate == trace.NoCandidate || c.candidate == r.Candidate })
}

// oldestCutAtEnd returns where the oldest cut of a candidate began that was still in force when the last leader stopped, the zero
// Place if there was none.
func (t *Tracker) oldestCutAtEnd(candidate int32) Place {
	for _, c := range t.cutsAtEnd {
		if c.candidate == candidate || c.candidate == trace.NoCandidate {
			return c.since
		}
	}
	return Place{}
}

// nameOf is what a leader that may be gone was called.
func (t *Tracker) nameOf(w *world.World, i int32) string {
	if i == t.last {
		return t.lastName
	}
	return w.Node(i).Name()
}
