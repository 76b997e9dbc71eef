// Package explain describes a run in words. It answers three questions: what does this record mean, why did this
// leader change take so long, and how did this violation happen?
//
// # The problem
//
// A trace says what happened and when, but not why. If b became leader 18.4 s after node a crashed, where did the
// 18.4 s go? The time before b's countdown, the 15 s countdown, a random wait, and two requests add up to it. An
// engineer with a trace and an hour can find that out. This package does it for every leader change, and points to
// the record behind each part:
//
//	a crashes                                                                 b starts leading
//	   ┃◀── left on b's countdown ──▶┃◀── until b tried again ──▶┃◀── read, write ──▶┃
//
// # The types to know
//
// Say turns a trace.Record into a Sentence ("b takes the Lease: holderIdentity a → b, leaseTransitions 0 → 1."). A
// Tracker follows a run and collects an Explanation for each leader change and a Story for each violation. An
// Explanation has Parts, which add up to the gap, and a Story in sentences. Each Line of a story names a record and
// the Cause that it blames. A Cause contains no names, instants or numbers. Code that compares runs compares causes,
// so no decision depends on the words of a sentence.
//
// A Tracker is a value. It consists of smaller values that each follow one thing: what each candidate knows about its
// lock (lock.go), what it tries (attempt.go), how a leader spends its time (term.go), who is active (leaders.go),
// what the API server stores (objects.go), what the coordinated election controller does (election.go), and the
// faults and acts of the run (background.go). cause.go finds what kept a leader from its Lease and what freed the
// Lease for another candidate. change.go and chain.go explain a leader change, and story.go tells a violation.
//
// # Guarantee and non-guarantee
//
// All instants and lengths are nanoseconds of the run's true clock. Guarantee: the parts of an explanation add up to
// the gap exactly and do not overlap, and each part names the record behind it. Non-guarantee: an explanation says
// only what happened in this run. To find what would have helped, make other runs: see package sim/study/whatif. The
// order of requests follows client-go's tryAcquireOrRenew and renew.
package explain

import (
	"slices"
	"unsafe"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// Place identifies a record in a run: its instant, and its ordinal within the instant, from 1. Ordinal -1 means the
// instant itself, after all of its records. Each sentence and each part has a Place, so that a click on a sentence
// can move the page's cursor there. The zero Place stands for "nowhere", because ordinals begin at 1.
type Place struct {
	AtNs    int64
	Ordinal int32
}

// Note contains what a sentence about a record needs besides the record itself. The trace says what happened, but a
// reader wants to know what that meant. For example, a get that finds the Lease unchanged for 15.2 s is the moment at
// which the Lease becomes free. To say that, the Tracker remembers what the candidate has seen, and passes it on in a
// Note. If a field's comment names no kind of record, the field belongs to the successful end of a get.
type Note struct {
	Place      Place
	Changed    bool                // RequestEnded of a get: the Lease differs from the one last seen
	Unseen     bool                // RequestEnded of a get: the candidate had never seen a Lease before
	AgeNs      int64               // how long the candidate has seen the Lease unchanged
	LengthNs   int64               // length of the candidate's countdown
	Free       bool                // the Lease has expired or has no holder
	Before     coordination.Record // RequestEnded of a write: the replaced Lease, as the writer saw it
	HadBefore  bool
	CallNs     int64 // RequestEnded, RequestNotSent: start of the call; 0 if the call sent only one request
	DurationNs int64 // Resumed: length of the pause; RequestEnded: time in flight
}

// incomparable keeps the compiler from generating == for a type that no code compares. This makes the wasm file
// smaller.
type incomparable [0]func()

// watcher follows one candidate. A restart begins a new watcher, since a new process knows nothing. But the old term
// stays as long as the work of the old process goes on.
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
	handOver  Place // where the leader first read a preferredHolder after its last renewal
}

// Tracker follows a run. It is a value; copy it with Clone. It must be small: the run keeps a clone at each
// checkpoint, and each jump of the cursor makes another clone. So clones share the lists that only grow, and
// everything else has a limited size.
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

// Clone returns an independent copy. Clone does not copy slices that only grow: slices.Clip makes the clone's next
// append move to a new array, while the original continues in the old one. It copies slices that change in place.
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

// Bytes estimates the memory that a clone uses. Explanations and stories do not count, because clones share them.
func (t *Tracker) Bytes() int64 { return int64(len(t.watchers)) * int64(unsafe.Sizeof(watcher{})) }

// Observe takes the records one by one, in order, with the world in the state after the step. It returns what a
// sentence about the record needs. The order of the calls below matters. The election observes the Lease before the
// record changes it. Then the objects record the change. The candidate comes next, because its own view may refer to
// the stored version. Only then can the background describe what happened.
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

// `candidate` handles a record about a candidate.
func (t *Tracker) candidate(w *world.World, r *trace.Record, note *Note) {
	for int(r.Candidate) >= len(t.watchers) {
		t.watchers = append(t.watchers, watcher{})
	}
	// The attempt and the term come first: a note about a call needs the attempt, and the explanation below needs
	// both up to date.
	c := &t.watchers[r.Candidate]
	c.attempt.observe(r, note.Place)
	note.CallNs = c.attempt.callNs(r)
	c.term.observe(r, note.Place)
	switch r.Kind {
	case trace.Started, trace.Restarted:
		*c = watcher{started: note.Place, pausedNs: -1, term: c.term}
		if !slices.Contains(t.leaders.who, r.Candidate) { // a candidate in the list is still working for its last term
			c.term = term{}
		}
	case trace.RequestServed:
		if r.Seq == c.attempt.seq {
			c.lock.takeServed(r, &t.objects)
		}
	case trace.RequestEnded:
		c.lock.takeAnswer(w, &c.attempt, r, note)
		c.crowded.observe(w, r, note.Place)
		c.reads(r, note.Place)
	// `explain` must run before `start`, because it needs to know who was active until now, and how the last term
	// ended. After that the attempt starts from scratch, so that the next explanation does not count old failures.
	case trace.StartedLeading:
		c.term.program = w.Node(r.Candidate).RunsProgram()
		t.explain(w, c, r, note.Place)
		t.leaders.start(r.Candidate, w.Node(r.Candidate).ProcessName())
		t.joinOverlap(w, r, note.Place)
		c.handOver = Place{}
		c.attempt.underWay, c.attempt.failed, c.attempt.slow = false, nil, nil
		t.election = election{}
	case trace.LeadingDone:
		if r.Work().LeftNs == 0 {
			t.endTerm(w, r, note.Place)
		}
	case trace.WorkDone, trace.Crashed, trace.Removed:
		t.endTerm(w, r, note.Place)
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

// endTerm handles the end of a candidate's work as leader. It uses the world's count of active nodes, not its own
// list, because one step may end several terms. If no candidate is active anymore, a gap begins. Then endTerm saves
// in leaders.end what the leader did since its last renewal. It cannot do that later, because the background may soon
// drop the faults. If other candidates are still active, an overlap shrinks.
func (t *Tracker) endTerm(w *world.World, r *trace.Record, at Place) {
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
			why: append(t.background.hindrances(w, ender, during{from, r.At}, c.term.failing()),
				c.obstacles(w, ender, from, c.term.failing())...),
		}
	}
	if active < t.leaders.active && t.leaders.active > 1 {
		t.leaveOverlap(w, ender, r.At, at)
	}
	t.leaders.active = active
	c.term.leads = slices.Contains(t.leaders.who, ender)
}
