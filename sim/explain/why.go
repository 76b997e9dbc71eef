package explain

import (
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Part is one addend of a gap.
type Part struct {
	FromNs, ToNs int64
	Text         string // what the time was, after its length: "left on b's countdown"
	Event        Place  // the record that shows it
}

// Line is one sentence of the full chain.
type Line struct {
	Text  string
	Event Place
}

// Explanation says why a leader change took as long as it did. The parts cover FromNs…ToNs without a hole.
type Explanation struct {
	From, To     int32 // candidates; From is -1 for the first leader
	FromNs, ToNs int64 // the gap; equal when somebody was still active
	Parts        []Part
	Story        []Line
	LeadsAt      Place
	AskedNs      int64 // when the winning attempt began
	Crashed      bool  // the leader before it ended without a word
	CountedNs    int64 // the countdown that ran out, 0 if none did
	Vain         int   // attempts that failed after the Lease had become free
	Counts       []Count
	// The whole way from the last renewal that the new leader saw to its start, without a hole; in a gap it is divided
	// where the gap begins. And how the leader before spent its time from its own last renewal to the gap's beginning.
	ChainFromNs, EndingFromNs int64
	Chain, Ending             []Part
	FromName, ToName          string // the candidates, by identity where every process has its own; FromName is "" for the first leader
}

// Count is how long the Lease was still to count when the change came, as one live candidate saw it.
type Count struct {
	Candidate int32
	SeenNs    int64 // when that candidate last saw the Lease change
	UntilNs   int64 // when its countdown ends
}

// countsKept is of how many candidates an explanation keeps the countdown: enough for a sentence about each.
const countsKept = 8

// started explains the change that a candidate's start of leading makes.
func (t *Tracker) started(w *world.World, c *watcher, r *trace.Record, at Place) {
	e := Explanation{From: t.last, To: r.Candidate, FromNs: r.At, ToNs: r.At, LeadsAt: at, AskedNs: c.attempt}
	if t.active == 0 {
		e.FromNs, e.Crashed = t.idleFrom.AtNs, t.how == trace.Crashed
	}
	e.FromName, e.ToName = t.lastName, w.Node(r.Candidate).ProcessName()
	b := builder{w: w, e: &e, who: r.Candidate, name: e.ToName, cursor: e.FromNs}
	t.gap(&b, c, r, at)
	inOrder(e.Story)
	t.counts(&b, c, r)
	t.chain(w, c, r, at, &e)
	if e.FromNs < e.ToNs && len(t.wayOut) > 0 {
		e.Ending, e.EndingFromNs = t.wayOut, t.wayOut[0].FromNs
	}
	t.Explanations = append(t.Explanations, e)
	t.last, t.lastName = r.Candidate, e.ToName
	if !slices.Contains(t.who, r.Candidate) {
		t.who = append(t.who, r.Candidate)
	}
	t.active++
	c.inAttempt, c.failed = false, nil
}

// builder lays parts end to end.
type builder struct {
	w      *world.World
	e      *Explanation
	who    int32 // the new leader
	name   string
	cursor int64
	// Parts are divided here.
	splitNs int64
}

// until adds a part up to an instant, if there is time left before it.
func (b *builder) until(toNs int64, event Place, text string, args ...any) {
	toNs = min(toNs, b.e.ToNs)
	if toNs <= b.cursor {
		return
	}
	part := Part{FromNs: b.cursor, ToNs: toNs, Text: fmt.Sprintf(ofLock(b.w, b.who, text), args...), Event: event}
	if b.cursor < b.splitNs && b.splitNs < toNs {
		before := part
		before.ToNs, part.FromNs = b.splitNs, b.splitNs
		b.e.Parts = append(b.e.Parts, before)
	}
	b.e.Parts = append(b.e.Parts, part)
	b.cursor = toNs
}

func (b *builder) line(event Place, text string, args ...any) {
	b.e.Story = append(b.e.Story, Line{Text: fmt.Sprintf(ofLock(b.w, b.who, text), args...), Event: event})
}

// gap divides the time without a leader: until the Lease was free to take as the new leader saw it, until it looked,
// what it tried in vain, and the requests that made it leader.
func (t *Tracker) gap(b *builder, c *watcher, r *trace.Record, at Place) {
	before := &c.taken
	holder := b.w.ByIdentity(before.HolderIdentity)
	holderName := b.w.DisplayName(before.HolderIdentity)
	if t.last >= 0 && b.e.FromNs < b.e.ToNs {
		t.ending(b, before)
	}
	if t.active > 0 {
		t.stillThere(b, r)
	}
	freeNs := b.e.FromNs
	switch {
	case c.created:
		b.until(c.started.AtNs, c.started, "until %s started", b.name)
		b.line(c.got, "There was no Lease: the first to ask creates it.")
	case before.HolderIdentity == 0:
		stored := b.w.Node(b.who).EmptiedNs()
		freeNs = stored
		b.until(stored, Place{AtNs: stored, Ordinal: -1}, "until the Lease was let go")
		b.line(Place{AtNs: stored, Ordinal: -1}, "The Lease named nobody from %s on: free to take at once.", words.Instant(stored))
	case holder == r.Candidate || before.HolderIdentity == b.w.Node(r.Candidate).Identity():
		if k := &t.election; k.given.Ordinal != 0 && k.to == r.Candidate && k.given.AtNs <= c.attempt {
			if k.inGap(b) {
				b.line(k.pinged, "The controller pinged the candidates at %s.", words.Instant(k.pinged.AtNs))
			}
			b.line(k.given, "The controller in %s gave the Lease to %s at %s.", b.w.Node(k.by).Name(), b.name, words.Instant(k.given.AtNs))
			t.given(b, c, r)
			break
		}
		b.line(c.got, "The Lease already named %s, so it did not have to wait.", b.name)
	default:
		freeNs = c.takeExpiresNs
		b.e.CountedNs = c.takeExpiresNs - c.takeSeen.AtNs
		saw := "last saw the Lease change"
		if c.takeFirst {
			saw = "first saw the Lease"
		}
		saw = ofLock(b.w, b.who, saw)
		b.line(c.takeSeen, "%s %s at %s; it counts %s from there by %s's own clock, until %s.",
			b.name, saw, words.Instant(c.takeSeen.AtNs), words.Seconds(c.takeExpiresNs-c.takeSeen.AtNs), b.name, words.Instant(c.takeExpiresNs))
		b.until(c.started.AtNs, c.started, "until %s started", b.name)
		if c.takeFirst {
			b.until(c.takeSeen.AtNs, c.takeSeen, "until %s first saw the Lease", b.name)
		} else {
			b.until(c.takeSeen.AtNs, c.takeSeen, "until %s saw the last change of the Lease", b.name)
		}
		b.until(c.takeExpiresNs, c.takeSeen, "left on %s's countdown", b.name)
		if t.last >= 0 && holder != t.last && holderName != "" {
			b.line(c.takeSeen, "The Lease named %s.", holderName)
		}
	}
	t.vain(b, c, freeNs)
	look := "until " + b.name + " looked again"
	if c.wait.AtNs == 0 && c.wait.Ordinal == 0 {
		look = "until " + b.name + " looked"
	} else {
		b.line(c.wait, "%s had drawn a wait of %s at %s (retryPeriod to 2.2 × retryPeriod, at random: %s).",
			b.name, words.Seconds(c.waitNs), words.Instant(c.wait.AtNs), percent(c.draw))
	}
	b.until(c.attempt, c.got, "%s", look)
	b.until(r.At, at, "%s", map[bool]string{true: "to read and create the Lease", false: "to read and write the Lease"}[c.created])
	b.line(at, "%s looked at %s and led at %s.", b.name, words.Instant(c.attempt), words.Instant(r.At))
}

// counts notes the countdowns under way, the new leader's first: same Lease, as many countdowns as there are candidates.
func (t *Tracker) counts(b *builder, c *watcher, r *trace.Record) {
	if b.e.CountedNs == 0 {
		return // nobody waited for a countdown
	}
	b.e.Counts = append(b.e.Counts, Count{Candidate: r.Candidate, SeenNs: c.takeSeen.AtNs, UntilNs: c.takeExpiresNs})
	for i := range t.watchers {
		other := &t.watchers[i]
		// An elector that has seen the new leader's own write already counts from that one.
		counting := other.hasRead && other.read.HolderIdentity == c.taken.HolderIdentity
		if int32(i) == r.Candidate || !counting || !b.w.Node(int32(i)).Alive() || b.w.Node(int32(i)).Active() || len(b.e.Counts) == countsKept {
			continue
		}
		b.e.Counts = append(b.e.Counts, Count{Candidate: int32(i), SeenNs: other.seen.AtNs, UntilNs: other.expiresNs})
	}
}

// vain accounts for attempts that failed after the Lease had become free.
func (t *Tracker) vain(b *builder, c *watcher, freeNs int64) {
	first := -1
	for k := range c.failed {
		if c.failed[k].fromNs >= freeNs && c.failed[k].toNs > b.cursor {
			first = k
			break
		}
	}
	if first < 0 {
		return
	}
	tries := c.failed[first:]
	b.e.Vain = len(tries)
	last := &tries[len(tries)-1]
	b.until(tries[0].fromNs, tries[0].place, "until %s looked", b.name)
	if last.wrote && len(tries) == 1 && last.result == step.Conflict {
		b.until(last.toNs, last.place, "lost to a faster write")
	} else {
		b.until(last.toNs, last.place, "in %s", words.Count(len(tries), "vain try", "vain tries"))
	}
	b.line(last.place, "%s tried %s from %s on; the last one failed: %s.", b.name, words.Count(len(tries), "time", "times"), words.Instant(tries[0].fromNs), resultWord(last.result))
}

var endWord = map[trace.Kind]string{
	trace.Crashed: "crashed", trace.Removed: "left", trace.LeadingDone: "stopped leading", trace.WorkDone: "ended its work",
}

// ending says how the leader before came to its end, and why its goodbye did not help if it meant to say one.
func (t *Tracker) ending(b *builder, before *coordination.Record) {
	last := t.lastName
	c := &t.watchers[t.last]
	if cut := t.oldestCutAtEnd(t.last); cut.Ordinal > 0 {
		b.line(cut, "%s had been cut off from the API server since %s.", last, words.Instant(cut.AtNs))
	}
	if t.how == trace.LeadingDone {
		if c.stopAsked.Ordinal > 0 {
			b.line(c.stopAsked, "%s was asked to stop at %s.", last, words.Instant(c.stopAsked.AtNs))
		} else {
			b.line(t.idleFrom, "%s could not renew: it gave up when renewDeadline had passed.", last)
		}
	}
	b.line(t.idleFrom, "%s %s at %s.", last, endWord[t.how], words.Instant(t.idleFrom.AtNs))
	running, _ := b.w.Node(t.last).Settings()
	if t.how == trace.LeadingDone && running.ReleaseOnCancel && before.HolderIdentity == b.w.Node(t.last).Identity() {
		b.line(t.idleFrom, "Its goodbye never arrived: the Lease went on naming it.")
	}
}

// stillThere says why somebody else was still active when the new leader began.
func (t *Tracker) stillThere(b *builder, r *trace.Record) {
	for i := range int32(b.w.Nodes()) {
		if i != r.Candidate && b.w.Node(i).Active() && int(i) < len(t.watchers) {
			line := t.stillActive(b.w, i, r)
			b.line(line.Event, "%s", line.Text)
		}
	}
}

// stillActive is the reason for which a node is still active although another one begins to lead.
func (t *Tracker) stillActive(w *world.World, i int32, r *trace.Record) Line {
	name, c := w.Node(i).Name(), &t.watchers[i]
	_, rate, _ := w.Node(i).Clock()
	here := Place{AtNs: r.At, Ordinal: -1}
	say := func(at Place, text string, args ...any) Line {
		return Line{Text: fmt.Sprintf(text, args...), Event: at}
	}
	switch tail := c.last(tails); {
	case w.Node(i).Identity() == w.Node(r.Candidate).Identity():
		return say(here, "%s and %s go by the same holderIdentity: for the Lease they are one.", name, w.Node(r.Candidate).Name())
	case w.Node(i).Paused():
		return say(Place{AtNs: c.pausedNs, Ordinal: -1}, "%s had been paused since %s: its lease ran out, and it could not know.", name, words.Instant(c.pausedNs))
	case tail.Ordinal != 0:
		return say(tail, "%s's context had ended at %s, but its work went on.", name, words.Instant(tail.AtNs))
	case rate != 1_000_000:
		return say(here, "The clock of %s runs at %s of the true rate: its renewDeadline takes %s.", name, rateWord(rate), words.Seconds(w.Node(i).TimerNs(w.Node(i).RenewDeadlineNs())))
	case w.Node(i).Lock() != w.Node(r.Candidate).Lock() && w.Node(i).Lock() != elector.ConfigMapsLeases && w.Node(r.Candidate).Lock() != elector.ConfigMapsLeases:
		return say(here, "%s holds the %s and %s the %s: neither looks at the other's.", name, lockWords[w.Node(i).Lock()], w.Node(r.Candidate).Name(), lockWords[w.Node(r.Candidate).Lock()])
	case t.cutNow(i).Ordinal > 0:
		cut := t.cutNow(i)
		return say(cut, "%s had been cut off from the API server since %s and had not yet given up.", name, words.Instant(cut.AtNs))
	}
	return say(here, "%s was still at work: it had not noticed, or had not yet given up.", name)
}

// last is where a leader last came to a stage since it renewed, nowhere if it did not.
func (c *watcher) last(kind stageKind) Place {
	for k := len(c.stages) - 1; k >= 0; k-- {
		if c.stages[k].kind == kind {
			return c.stages[k].at
		}
	}
	return Place{}
}

// cutNow is where the oldest cut of a candidate began that is in force, nowhere if there is none.
func (t *Tracker) cutNow(candidate int32) Place {
	for _, c := range t.cuts {
		if c.candidate == candidate || c.candidate == trace.NoCandidate {
			return c.since
		}
	}
	return Place{}
}
