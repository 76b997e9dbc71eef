package explain

import (
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Part is one part of a gap.
type Part struct {
	FromNs, ToNs int64
	Text         string // what filled the time; the page puts the length before it: "left on b's countdown"
	Event        Place  // the record that shows the part
	Counting     bool   // the countdown of the new leader filled the time
}

// Line is one sentence of a story.
type Line struct {
	Text  string
	Event Place
	Why   Cause
}

// Explanation says why a leader change took as long as it did. Parts covers FromNs to ToNs without a gap. Example of
// Parts, for a crash at 60 s: 11.2 s "left on b's countdown", 2.1 s "until b tried again", 0.02 s "to read and write
// the Lease". Candidates appear as node indices of the run's world.
type Explanation struct {
	From, To     int32 // candidates; From is -1 for the first leader
	FromNs, ToNs int64 // the gap; both are equal if another candidate was still active
	Parts        []Part
	Story        []Line
	LeadsAt      Place
	AskedNs      int64 // when the winning attempt began
	Crashed      bool  // the previous leader crashed
	CountedNs    int64 // length of the countdown that ran out; 0 if none did
	Failed       int   // failed attempts after the Lease became free
	Counts       []Count
	// Chain covers the time from the last renewal that the new leader saw until it led, without a gap. A part that
	// contains the beginning of the gap is split there. Ending is how the previous leader spent the time from its
	// last renewal until the gap began.
	ChainFromNs, EndingFromNs int64
	Chain, Ending             []Part
	// The candidates' names, or their identities if every process has its own. FromName is "" for the first leader.
	FromName, ToName string
}

// Count is one live candidate's countdown on the Lease at the time of the change. The first candidate that tries
// after its own countdown ends the gap. The other countdowns show how close the others were.
type Count struct {
	Candidate int32
	SeenNs    int64 // when that candidate last saw the Lease change
	UntilNs   int64 // when its countdown ends
}

// countsKept limits the countdowns in an explanation, since the text has a sentence about each.
const countsKept = 8

// change is an explanation under construction: the new leader's view, the record with which its term begins, and the
// parts so far.
type change struct {
	builder
	t      *Tracker
	c      *watcher // the new leader
	leads  *trace.Record
	atLead Place
}

// `explain` adds the explanation of a leader change. It runs at StartedLeading, before the background forgets what led
// to the change. Parts, story, counts and chain come from the same facts but do not depend on each other.
func (t *Tracker) explain(w *world.World, c *watcher, r *trace.Record, at Place) {
	e := Explanation{From: t.leaders.last, To: r.Candidate, FromNs: r.At, ToNs: r.At, LeadsAt: at,
		AskedNs: c.attempt.fromNs}
	if t.leaders.active == 0 {
		e.FromNs, e.Crashed = t.leaders.end.at.AtNs, t.leaders.end.how == trace.Crashed
	}
	e.FromName, e.ToName = t.leaders.lastName, w.Node(r.Candidate).ProcessName()
	x := change{builder{w: w, e: &e, who: r.Candidate, name: e.ToName, cursor: e.FromNs}, t, c, r, at}
	x.gap()
	inOrder(e.Story)
	e.Story = slices.Compact(e.Story) // the same fault hindered the old leader and the new one
	x.counts()
	x.chain()
	if way := t.leaders.end.way; e.FromNs < e.ToNs && len(way) > 0 {
		e.Ending, e.EndingFromNs = way, way[0].FromNs
	}
	t.Explanations = append(t.Explanations, e)
}

// builder adds parts end to end, starting at the cursor. The parts must add up to the whole gap. That is certain,
// because the cursor only moves forward: each part begins where the previous one ended, and no part goes beyond the
// end.
type builder struct {
	w      *world.World
	e      *Explanation
	who    int32 // the new leader
	name   string
	cursor int64
	// lay splits a part that contains this instant
	splitNs int64
}

// `lay` adds a part from the cursor up to an instant, unless the cursor has already passed that instant. The page shows
// the text after a length: "11.2 s left on b's countdown". The argument event is the record that ends or shows the
// part.
func (b *builder) lay(toNs int64, event Place, text string, args ...any) {
	toNs = min(toNs, b.e.ToNs)
	if toNs <= b.cursor {
		return
	}
	part := Part{FromNs: b.cursor, ToNs: toNs, Text: fmt.Sprintf(ofLock(b.w, b.who, text), args...), Event: event}
	if b.cursor < b.splitNs && b.splitNs < toNs {
		before := part
		before.ToNs, part.FromNs = b.splitNs, b.splitNs
		before.Text += ", before the gap"
		part.Text += ", in the gap"
		b.e.Parts = append(b.e.Parts, before)
	}
	b.e.Parts = append(b.e.Parts, part)
	b.cursor = toNs
}

func (b *builder) line(event reason, text string, args ...any) {
	b.e.Story = append(b.e.Story, Line{Text: fmt.Sprintf(ofLock(b.w, b.who, text), args...),
		Event: event.Place, Why: event.why})
}

// `gap` divides the time without a leader into parts: the wait until the new leader saw a free Lease, the wait until it
// tried, its failed attempts, and the requests that made it leader. The Lease became free in one of four ways, at
// freeNs. Either nobody had created it, or another client had emptied it, or it already named the new leader, or the
// new leader's countdown ran out. The Lease names the new leader in advance if the coordinated election controller
// assigned it, or if the same identity held it before. From freeNs on the new leader could have taken the Lease, so any
// later time is its own wait.
func (x *change) gap() {
	b, c, r, at, taken := &x.builder, x.c, x.leads, x.atLead, &x.c.lock.taken
	before := &taken.before
	holder := b.w.ByIdentity(before.HolderIdentity)
	holderName := b.w.DisplayName(before.HolderIdentity)
	if x.t.leaders.last >= 0 && b.e.FromNs < b.e.ToNs {
		x.ending()
	}
	if x.t.leaders.active > 0 {
		x.stillThere()
	}
	x.tellFreeing()
	freeNs := b.e.FromNs
	switch {
	case taken.created:
		b.lay(c.started.AtNs, c.started, "until %s started", b.name)
		b.line(c.attempt.got.because(byNoLease), "The Lease did not exist, so the first candidate to ask created it.")
	case before.HolderIdentity == 0:
		stored := b.w.Node(b.who).EmptiedNs()
		freeNs = stored
		b.lay(stored, Place{AtNs: stored, Ordinal: -1}, "until the release of the Lease")
		b.line(Place{AtNs: stored, Ordinal: -1}.because(byNoHolder),
			"The Lease had no holder from %s on, so it was free to take at once.",
			words.Instant(stored))
	case holder == r.Candidate || before.HolderIdentity == b.w.Node(r.Candidate).Identity():
		if k := &x.t.election; k.given.Ordinal != 0 && k.to == r.Candidate && k.given.AtNs <= c.attempt.fromNs {
			if k.inGap(b) {
				b.line(k.pinged.because(byPing), "The controller pinged the candidates at %s.",
					words.Instant(k.pinged.AtNs))
			}
			b.line(k.given.because(byController), "The controller in %s gave the Lease to %s at %s.",
				b.w.Node(k.by).Name(), b.name,
				words.Instant(k.given.AtNs))
			x.layController()
			break
		}
		b.line(c.attempt.got.because(byOwnName), "The Lease already named %s, so it did not need to expire.", b.name)
	default:
		freeNs = taken.expiresNs
		x.countdown(holder, holderName)
	}
	x.failedAttempts(freeNs)
	b.laySlowCalls(&c.attempt, c.attempt.fromNs)
	x.late(freeNs)
	tried := "until " + b.name + " tried again"
	if c.attempt.wait.at == (Place{}) {
		tried = "until " + b.name + " tried"
	} else {
		b.line(c.attempt.wait.at.because(NoCause),
			"%s drew a wait of %s at %s (at random from retryPeriod to 2.2 × retryPeriod: %s).",
			b.name, words.Seconds(c.attempt.wait.ns), words.Instant(c.attempt.wait.at.AtNs),
			percent(c.attempt.wait.draw))
	}
	b.lay(c.attempt.fromNs, c.attempt.asked, "%s", tried)
	b.laySlowCalls(&c.attempt, r.At)
	b.lay(r.At, at, "%s", map[bool]string{true: "to read and create the Lease",
		false: "to read and write the Lease"}[taken.created])
	b.line(c.attempt.asked.because(NoCause), "%s tried at %s.", b.name, words.Instant(c.attempt.asked.AtNs))
	b.line(at.because(NoCause), "%s started leading at %s.", b.name, words.Instant(r.At))
}

// countdown tells how the new leader waited for another holder's Lease to expire. Electors of some dialects do not
// count from their own observation; the sentence about them has no count. The last sentence appears if the Lease
// names a client that was not the last leader, for example a candidate that wrote the Lease and stopped before it
// began to lead.
func (x *change) countdown(holder int32, holderName string) {
	b, c, taken := &x.builder, x.c, &x.c.lock.taken
	b.e.CountedNs = taken.expiresNs - taken.seen.AtNs
	saw := "last saw the Lease change"
	if taken.first {
		saw = "first saw the Lease"
	}
	saw = ofLock(b.w, b.who, saw)
	running, _ := b.w.Node(b.who).Settings()
	switch {
	case b.w.Node(b.who).RunsProgram():
		b.line(taken.seen.because(NoCause), "%s %s at %s. Its leaseDuration of %s ended at %s.", b.name, saw,
			words.Instant(taken.seen.AtNs), words.Seconds(taken.expiresNs-taken.seen.AtNs),
			words.Instant(taken.expiresNs))
	case running.Dialect&(wallDialects|elector.ForLife|elector.TTLLock) != 0:
		b.line(taken.seen.because(NoCause), "%s %s at %s.", b.name, saw, words.Instant(taken.seen.AtNs))
	default:
		b.line(taken.seen.because(NoCause), "%s %s at %s. From there %s counted %s by its own clock, until %s.",
			b.name, saw, words.Instant(taken.seen.AtNs), b.name, words.Seconds(taken.expiresNs-taken.seen.AtNs),
			words.Instant(taken.expiresNs))
	}
	b.lay(c.started.AtNs, c.started, "until %s started", b.name)
	if taken.first {
		b.lay(taken.seen.AtNs, taken.seen, "until %s first saw the Lease", b.name)
	} else {
		b.lay(taken.seen.AtNs, taken.seen, "until %s saw the last change of the Lease", b.name)
	}
	before := len(b.e.Parts)
	b.lay(taken.expiresNs, taken.seen, b.countdownLeft(), b.name)
	for k := range b.e.Parts[before:] {
		b.e.Parts[before+k].Counting = true
	}
	if last := x.t.leaders.last; last >= 0 && holder != last && holderName != "" {
		b.line(taken.seen.because(byOtherName), "The Lease named %s.", holderName)
	}
}

// countdownLeft is the text for the rest of the new leader's countdown. Nobody knows whether a real program counts.
func (b *builder) countdownLeft() string {
	return either(b.w, b.who, "left on %s's countdown", "left of the leaseDuration that %s last saw begin")
}

// `counts` collects the candidates' countdowns, the new leader's first. Each candidate has its own countdown for the
// same Lease. A candidate that is down, or that is itself active, has none.
func (x *change) counts() {
	b, taken := &x.builder, &x.c.lock.taken
	if b.e.CountedNs == 0 {
		return // no candidate waited for a countdown
	}
	b.e.Counts = append(b.e.Counts, Count{Candidate: b.who, SeenNs: taken.seen.AtNs, UntilNs: taken.expiresNs})
	for i := range x.t.watchers {
		other := &x.t.watchers[i].lock
		// An elector that has seen the new leader's write already counts from that write.
		counting := other.hasRead && other.read.HolderIdentity == taken.before.HolderIdentity
		if int32(i) == b.who || !counting || !b.w.Node(int32(i)).Alive() || b.w.Node(int32(i)).Active() ||
			len(b.e.Counts) == countsKept {
			continue
		}
		b.e.Counts = append(b.e.Counts, Count{Candidate: int32(i), SeenNs: other.seen.AtNs, UntilNs: other.expiresNs})
	}
}

// failedAttempts accounts for attempts that failed after the Lease became free. The search starts at freeNs: an
// earlier failure cost nothing, because the countdown was still running. Many attempts become one part. Its text
// names the time inside slow calls, since a call that repeats its request has not failed.
func (x *change) failedAttempts(freeNs int64) {
	b, failed := &x.builder, x.c.attempt.failed
	first := -1
	for k := range failed {
		if failed[k].fromNs >= freeNs && failed[k].toNs > b.cursor {
			first = k
			break
		}
	}
	if first < 0 {
		return
	}
	tries := failed[first:]
	b.e.Failed = len(tries)
	last := &tries[len(tries)-1]
	b.lay(tries[0].fromNs, tries[0].asked, "until %s tried", b.name)
	if last.wrote && len(tries) == 1 && last.result == step.Conflict {
		b.lay(last.toNs, last.place, "lost to a faster write")
	} else {
		inside := ""
		if ns := x.c.attempt.insideNs(b.cursor, last.toNs); ns > 0 {
			inside = ", " + words.Seconds(ns) + " of it waiting inside calls"
		}
		b.lay(last.toNs, last.place, "in %s%s", words.Count(len(tries), "failed attempt", "failed attempts"), inside)
	}
	b.line(tries[0].asked.because(byFailures.with(uint64(last.result))),
		"%s tried %s from %s on; the last attempt failed: %s.", b.name,
		words.Count(len(tries), "time", "times"), words.Instant(tries[0].fromNs), resultWord(last.result))
}

var endWord = map[trace.Kind]string{
	trace.Crashed: "crashed", trace.Removed: "left", trace.LeadingDone: "stopped leading",
	trace.WorkDone: "ended its work",
}

// stillThere says why other candidates were still active when the new leader began. Without a gap, the story is about
// these candidates and why they still led after they had lost the Lease.
func (x *change) stillThere() {
	b := &x.builder
	for i := range int32(b.w.Nodes()) {
		if i != b.who && b.w.Node(i).Active() && int(i) < len(x.t.watchers) {
			b.e.Story = append(b.e.Story, x.t.stillActive(b.w, i, x.leads)...)
		}
	}
}
