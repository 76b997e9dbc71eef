// Package explain says in words what a run shows: a sentence for every trace record, and for every leader change why
// it took as long as it did.
//
// A tracker asks each record a few questions, each a value in a file of its own: what each candidate knows of its lock
// (lock.go), what it tries (attempt.go), how a leader spends its time (term.go), who is active (leaders.go), what is
// stored (objects.go), what the controller of coordinated election does (election.go) and what was done to the run
// (background.go). cause.go says what kept a leader from its Lease and what freed it for another. change.go and
// chain.go answer why a leader change took its time, story.go how a violation came about. because.go lists what a
// sentence can blame, for those who compare runs: nobody needs to read a sentence.
//
// Guarantee: the parts of an explanation add up to the gap exactly, in nanoseconds, and each names the record behind
// it. Non-guarantee: an explanation tells what happened in this run; what would have helped takes other runs.
package explain

import (
	"slices"
	"unsafe"

	"github.com/leaselab/leaselab/core/coordination"
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
	AgeNs      int64               // how long the candidate has seen the record unchanged
	LengthNs   int64               // how long it counts
	Free       bool                // the Lease has expired or names nobody
	Before     coordination.Record // RequestEnded of a write: the Lease it replaced, as the writer saw it
	HadBefore  bool
	CallNs     int64 // RequestEnded, RequestNotSent: when the call sent its first request, 0 if this is the only one
	DurationNs int64 // Resumed: length of the pause; RequestEnded: time in flight
}

// incomparable keeps the compiler from writing a comparison for a type that nobody compares, for a smaller engine of
// the page.
type incomparable [0]func()

// watcher follows one candidate.
type watcher struct {
	_         incomparable
	lock      lock
	attempt   attempt
	term      term
	started   Place
	pausedNs  int64
	pause     trace.PauseKind
	stopAsked Place
	crowded   crowded
	handOver  Place // where it first read a preferredHolder since it last renewed
}

// Tracker follows a run. It is a value that Clone copies.
type Tracker struct {
	Explanations []Explanation
	stories

	watchers   []watcher
	leaders    leaders
	objects    objects
	election   election
	background background
	at         int64
	ordinal    int32
}

// New returns a tracker at instant 0.
func New() Tracker { return Tracker{leaders: leaders{last: -1}} }

// Clone returns an independent copy.
func (t *Tracker) Clone() Tracker {
	c := *t
	c.Explanations = slices.Clip(t.Explanations)
	c.stories = t.stories.lend()
	c.leaders = t.leaders.clone()
	c.background = slices.Clone(t.background)
	c.watchers = slices.Clone(t.watchers)
	for i := range c.watchers {
		c.watchers[i].attempt.failed = slices.Clip(c.watchers[i].attempt.failed)
		c.watchers[i].attempt.slow = slices.Clone(c.watchers[i].attempt.slow)
		c.watchers[i].term.stages = slices.Clip(c.watchers[i].term.stages)
	}
	return c
}

// Bytes is about how much memory a clone takes.
func (t *Tracker) Bytes() int64 { return int64(len(t.watchers)) * int64(unsafe.Sizeof(watcher{})) }

// Renewal is when a node last heard that it had renewed the Lease as a leader, and how long that answer had been on its
// way from the instant at which the server stored the renewal.
func (t *Tracker) Renewal(i int32) (at Place, answerNs int64, known bool) {
	if int(i) >= len(t.watchers) || t.watchers[i].term.renewed.Ordinal == 0 {
		return Place{}, 0, false
	}
	return t.watchers[i].term.renewed, t.watchers[i].term.answerNs, true
}

// Observe takes one record, in order, with the world as the step left it, and returns what a sentence about it needs.
func (t *Tracker) Observe(w *world.World, r *trace.Record) Note {
	if r.At != t.at {
		t.at, t.ordinal = r.At, 0
	}
	t.ordinal++
	note := Note{Place: Place{AtNs: r.At, Ordinal: t.ordinal}}
	t.election.observe(w, r, note.Place, &t.objects)
	t.objects.observe(r, note.Place)
	if r.Candidate >= 0 {
		t.candidate(w, r, &note)
	}
	if !routine[r.Kind] {
		t.background.observe(w, r, note, &t.objects)
	}
	return note
}

// candidate takes a record about a candidate.
func (t *Tracker) candidate(w *world.World, r *trace.Record, note *Note) {
	for int(r.Candidate) >= len(t.watchers) {
		t.watchers = append(t.watchers, watcher{})
	}
	c := &t.watchers[r.Candidate]
	c.attempt.observe(r, note.Place)
	note.CallNs = c.attempt.callNs(r)
	c.term.observe(r, note.Place)
	switch r.Kind {
	case trace.Started, trace.Restarted:
		*c = watcher{started: note.Place, pausedNs: -1, term: c.term}
		if !slices.Contains(t.leaders.who, r.Candidate) { // else the work of the term before goes on
			c.term = term{}
		}
	case trace.RequestServed:
		if r.Seq == c.attempt.seq {
			c.lock.served(r, &t.objects)
		}
	case trace.RequestEnded:
		c.lock.answered(w, &c.attempt, r, note)
		c.crowded.observe(w, r, note.Place)
		c.reads(r, note.Place)
	case trace.StartedLeading:
		t.explain(w, c, r, note.Place)
		t.leaders.start(r.Candidate, w.Node(r.Candidate).ProcessName())
		t.joined(w, r, note.Place)
		c.handOver = Place{}
		c.attempt.underWay, c.attempt.failed, c.attempt.slow = false, nil, nil
		t.election = election{}
	case trace.LeadingDone:
		if r.Work().LeftNs == 0 {
			t.stopped(w, r, note.Place)
		}
	case trace.WorkDone, trace.Crashed, trace.Removed:
		t.stopped(w, r, note.Place)
	case trace.StopAsked:
		c.stopAsked = note.Place
		if running, _ := w.Node(r.Candidate).Settings(); running.ReleaseAfterWork {
			c.term.enter(finishes, note.Place)
		} else {
			c.term.enter(asked, note.Place)
		}
	case trace.Paused:
		c.pausedNs, c.pause = r.At, r.Pause().Kind
	case trace.Resumed:
		note.DurationNs = r.At - c.pausedNs
	}
}

// stopped takes the end of what a candidate does as a leader.
func (t *Tracker) stopped(w *world.World, r *trace.Record, at Place) {
	ender := t.leaders.stop(r.Candidate)
	c := &t.watchers[ender]
	active := 0
	for i := range int32(w.Nodes()) {
		if w.Node(i).Active() {
			active++
		}
	}
	if active == 0 && t.leaders.active > 0 {
		from := c.term.lastNs()
		t.leaders.end = end{
			at: at, how: r.Kind, killed: r.Kind == trace.Crashed && r.Crash().ByGrace, fromNs: from,
			failing: c.term.failing(), way: c.term.parts(t.leaders.nameOf(w, ender), from, r.At),
			why: append(t.background.hindered(w, ender, during{from, r.At}, c.term.failing()),
				c.kept(w, ender, from, c.term.failing())...),
		}
	}
	if active < t.leaders.active && t.leaders.active > 1 {
		t.left(w, ender, r.At, at)
	}
	t.leaders.active = active
	c.term.leads = slices.Contains(t.leaders.who, ender)
}
