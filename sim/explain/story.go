package explain

import (
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
	"github.com/leaselab/leaselab/sim/world/fencing"
)

// Story is how a violation came about, in the fewest sentences that name its cause.
type Story struct {
	Rule    string
	FromNs  int64
	UntilNs int64 // -1 while it goes on
	Change  int   // the explanation of the leader change that began it, -1
	Lines   []Line
	Parts   []Part // what its length was made of; they cover it without a hole, and come when it is over
}

// stories has one story for each violation that Follow was shown, in the same order.
type stories struct {
	Stories []Story
	open    []int32 // those without an end
	lent    bool    // a clone has the same array of stories: do not write to it
}

// lend returns a copy that shares the array of stories until one of the two writes.
func (s *stories) lend() stories {
	s.Stories, s.lent = slices.Clip(s.Stories), true
	return stories{Stories: s.Stories, open: slices.Clone(s.open), lent: true}
}

// telling is one story that is being told.
type telling struct {
	*Story
	t *Tracker
	w *world.World
	v *check.Violation
}

// Follow begins and ends the stories of violations; it comes after every step's records have been observed. The
// violations are the run's so far, in the order in which they were found.
func (t *Tracker) Follow(w *world.World, violations []check.Violation) {
	if len(violations) == len(t.Stories) && len(t.open) == 0 {
		return
	}
	kept := t.open[:0]
	for _, k := range t.open {
		v, goes := &violations[k], goesOn(w, &violations[k])
		if goes {
			kept = append(kept, k)
		}
		more := v.Rule == rules.MoreThanOneActive && t.leaders.overlap.told < len(t.leaders.overlap.lines)
		if goes && !more {
			continue
		}
		if t.lent {
			t.Stories, t.lent = slices.Clone(t.Stories), false
		}
		story := telling{&t.Stories[k], t, w, v}
		if more {
			story.others()
		}
		if !goes {
			story.over()
		}
	}
	t.open = kept
	for k := len(t.Stories); k < len(violations); k++ {
		v := &violations[k]
		s := Story{Rule: v.Rule, FromNs: v.FromNs, UntilNs: v.UntilNs, Change: -1}
		story := telling{&s, t, w, v}
		story.begun()
		inOrder(s.Lines)
		if goesOn(w, v) {
			s.UntilNs = -1
			t.open = append(t.open, int32(k))
		} else {
			story.length()
		}
		if t.lent { // the array has no room left, so that this makes another
			t.lent = false
		}
		t.Stories = append(t.Stories, s)
	}
}

// goesOn reports whether a violation may still change: stale writes of a worker are one violation as long as it is
// active.
func goesOn(w *world.World, v *check.Violation) bool {
	return v.UntilNs < 0 || v.Rule == rules.StaleWriteAccepted && w.Node(v.First).Active()
}

// others tells who joined an overlap, and who left it to others, since it was last asked.
func (s *telling) others() {
	o := &s.t.leaders.overlap
	s.Lines = slices.Clip(s.Lines)
	for _, line := range o.lines[o.told:] {
		if !slices.Contains(s.Lines, line) {
			s.Lines = append(s.Lines, line)
		}
	}
	o.told = len(o.lines)
}

// Unended is a story as it stands at an instant: of a violation that goes on, with the parts of its length so far.
func (t *Tracker) Unended(w *world.World, k int, v *check.Violation, nowNs int64) Story {
	s := t.Stories[k]
	if s.UntilNs >= 0 {
		return s
	}
	s.Lines = slices.Clone(s.Lines)
	far := *v
	if v.UntilNs >= 0 {
		s.tell(begins(v).because(NoCause), "%s", describe(w, v, v.UntilNs-v.FromNs))
	} else {
		far.UntilNs = nowNs
		s.tell(begins(v).because(NoCause), "It goes on: %s so far.", words.Seconds(nowNs-s.FromNs))
	}
	(&telling{&s, t, w, &far}).length()
	return s
}

// inOrder puts sentences in the order in which what they tell happened; those of one instant stay as they are.
func inOrder(lines []Line) {
	for k := 1; k < len(lines); k++ { // a story is short; a generic sort would be 2 KiB of the page's engine
		for i := k; i > 0 && lines[i-1].Event.AtNs > lines[i].Event.AtNs; i-- {
			lines[i-1], lines[i] = lines[i], lines[i-1]
		}
	}
}

func (s *Story) tell(at reason, text string, args ...any) {
	s.Lines = append(s.Lines, Line{Text: fmt.Sprintf(text, args...), Event: at.Place, Why: at.why})
}

// did tells what a node did at a record: text has its name and the instant.
func (s *Story) did(at reason, text, name string) { s.tell(at, text, name, words.Instant(at.AtNs)) }

func (s *telling) begun() {
	w, v := s.w, s.v
	at := begins(v)
	switch v.Rule {
	case rules.MoreThanOneActive:
		s.twoActive()
	case rules.StaleWriteAccepted:
		s.stale()
	case rules.WriteByNonHolder:
		s.strangerWrote()
	case rules.TransitionsMiscount:
		s.tell(at.because(byMiscount),
			"The Lease says leaseTransitions %d at %s; by then its holder had changed %s.", v.Number,
			words.Instant(v.FromNs), words.Count(v.Counted, "time", "times"))
	default:
		s.lately()
		if n := len(s.t.Explanations); n > 0 && s.t.Explanations[n-1].ToNs == v.FromNs { // it is about that change
			s.Change = n - 1
			s.Lines = append(s.Lines, s.t.Explanations[n-1].Story...)
		}
		switch v.Rule {
		case rules.KnowsLostStillActive:
			s.knowsLost()
		case rules.ShownHolderNotActive:
			s.shown()
		}
		inOrder(s.Lines)
		if v.UntilNs < 0 { // its length is not known yet
			s.tell(at.because(NoCause), "From %s on: %s.", words.Instant(v.FromNs), v.Clause(namer(w)))
			return
		}
		s.tell(names(v).because(NoCause), "%s", describe(w, v, v.UntilNs-v.FromNs))
	}
}

// names is the place of the instant that the sentence of a violation names: where the violation begins, or where the
// wait began that passes its bound there.
func names(v *check.Violation) Place {
	switch v.Rule {
	case rules.LeaderlessTooLong, rules.NoRecovery:
		return Place{AtNs: v.Number, Ordinal: -1}
	}
	return begins(v)
}

// begins is where a violation begins: at a record, or after all of an instant when time alone broke the rule.
func begins(v *check.Violation) Place {
	if v.Ordinal == 0 {
		return Place{AtNs: v.FromNs, Ordinal: -1}
	}
	return Place{AtNs: v.FromNs, Ordinal: v.Ordinal}
}

func describe(w *world.World, v *check.Violation, lengthNs int64) string {
	return v.Describe(namer(w), lengthNs)
}

func namer(w *world.World) func(int32) string {
	return func(i int32) string {
		if i < 0 || int(i) >= w.Nodes() {
			return "another client"
		}
		return w.Node(i).Name()
	}
}

// lately tells the last faults and acts before a violation that concern it: those of its candidates, of the holder in
// the Lease, and of all. A violation without candidates concerns all.
func (s *telling) lately() {
	const most = 3
	v, holder := s.v, s.w.ByIdentity(s.t.objects.lease.holder)
	s.Lines = append(s.Lines, s.t.background.before(v.FromNs, most, func(i int32) bool {
		return v.First < 0 && v.Second < 0 || i == v.First || i == v.Second || i == holder
	})...)
}

// shown: whom the Lease named instead when time alone broke the rule.
func (s *telling) shown() {
	w, v := s.w, s.v
	lease := &s.t.objects.lease
	if lease.at.AtNs > v.FromNs {
		lease = &s.t.objects.before
	}
	switch {
	case lease.at.Ordinal == 0, lease.holder == w.Node(v.First).Identity():
	case lease.holder == 0:
		s.tell(lease.at.because(byEmptyStore), "The stored Lease had no holder from %s on.",
			words.Instant(lease.at.AtNs))
	default:
		s.did(lease.at.because(byStoredName), "The stored Lease named %s from %s on.", w.DisplayName(lease.holder))
	}
}

// knowsLost: who led, and whose name it read.
func (s *telling) knowsLost() {
	w, v := s.w, s.v
	lock, term := &s.t.watchers[v.First].lock, &s.t.watchers[v.First].term
	name := w.Node(v.First).Name()
	s.did(term.since.because(NoCause), "%s led from %s on.", name)
	if term.renewed.Ordinal != 0 {
		s.did(term.renewed.because(NoCause),
			ofLock(w, v.First, "%s last heard that it had renewed the Lease at %s."), name)
	}
	if lock.hasRaw && lock.raw.HolderIdentity != 0 {
		what := "Lease"
		if lock.object == elector.ConfigMap {
			what = "ConfigMap"
		}
		s.tell(begins(v).because(byKnowing), "%s read at %s that %s holds the "+what+
			": a leader like client-go's stops only when its renewDeadline has passed.",
			name, words.Instant(v.FromNs), w.DisplayName(lock.raw.HolderIdentity))
	}
}

// twoActive: who led, why it still did, and why the other one could take the Lease.
func (s *telling) twoActive() {
	w, v := s.w, s.v
	s.led(v.First)
	s.Change = len(s.t.Explanations) - 1
	s.Lines = append(s.Lines, s.t.Explanations[s.Change].Story...)
	s.tell(begins(v).because(NoCause), "%s led at %s, while %s was still active.", w.Node(v.Second).Name(),
		words.Instant(v.FromNs), w.Node(v.First).Name())
	s.fence()
}

// led: since when a candidate led, and when it last renewed.
func (s *telling) led(i int32) {
	w, old := s.w, &s.t.watchers[i].term
	s.did(old.since.because(NoCause), "%s led from %s on.", w.Node(i).Name())
	if old.renewed.Ordinal != 0 {
		s.did(old.renewed.because(NoCause), ofLock(w, i, "%s last heard that it had renewed the Lease at %s."),
			w.Node(i).Name())
	}
}

// fence: whether the resource takes what the first one still writes.
func (s *telling) fence() {
	text := "What %[1]s writes from now on is stale. Only a fence at the resource refuses it; this scenario has no " +
		"resource."
	switch r := &s.w.Setup().Resource; {
	case r.WriteEveryNs == 0:
	case r.Fence == fencing.NoFence:
		text = "What %[1]s writes from now on is stale, and the resource takes it. With a fence it refuses the " +
			"writes of %[1]s as soon as %[2]s has written."
	default:
		text = "What %[1]s writes from now on is stale. The fence refuses it as soon as %[2]s has written, and not " +
			"before."
	}
	s.tell(begins(s.v).because(NoCause), text, s.w.Node(s.v.First).Name(), s.w.Node(s.v.Second).Name())
}

// stale: why the writer was still active, and how the other one came by the Lease.
func (s *telling) stale() {
	w, v := s.w, s.v
	s.led(v.First)
	s.Lines = append(s.Lines, s.t.background.deliveredLate(v.First, v.FromNs-w.Setup().Resource.LatencyNs, v.FromNs)...)
	for s.Change = len(s.t.Explanations) - 1; s.Change >= 0 && s.t.Explanations[s.Change].To != v.Second; {
		s.Change--
	}
	if s.Change >= 0 && s.t.Explanations[s.Change].ToNs >= s.t.watchers[v.First].term.since.AtNs {
		s.Lines = append(s.Lines, s.t.Explanations[s.Change].Story...)
	} else if w.Node(v.First).Active() { // the other one has the Lease, and does not know it yet
		s.Lines = append(s.Lines, s.t.stillActive(w, v.First, &trace.Record{At: v.FromNs, Candidate: v.Second})...)
	}
	s.fence()
}

// strangerWrote: a candidate wrote over a Lease that named another holder and had not expired.
func (s *telling) strangerWrote() {
	w, v := s.w, s.v
	lock, objects, at := &s.t.watchers[v.First].lock, &s.t.objects, begins(v)
	name := w.Node(v.First).Name()
	if lock.hasRaw && lock.raw.HolderIdentity != 0 {
		s.tell(lock.seen.because(byOldRead), "%s had read the Lease and counted from %s; it named %s.", name,
			words.Instant(lock.seen.AtNs), w.DisplayName(lock.raw.HolderIdentity))
	}
	if _, rate, _ := w.Node(v.First).Clock(); rate != 1_000_000 {
		s.tell(Place{AtNs: v.FromNs, Ordinal: -1}.because(byShortLease),
			"The clock of %s runs at %s of the true rate, so that the Lease ended too early for it.", name,
			rateWord(rate))
	}
	if objects.before.at.Ordinal != 0 && objects.before.holder != 0 {
		s.did(objects.before.at.because(byStoredName), "The stored Lease named %s from %s on.",
			w.DisplayName(objects.before.holder))
	}
	if objects.lease.holder == 0 {
		s.tell(at.because(byEmptying), "%s emptied the Lease at %s, as if it were still its own.", name,
			words.Instant(v.FromNs))
		return
	}
	s.tell(at.because(byEarlyWrite), "%s wrote the Lease at %s, before it had expired.", name, words.Instant(v.FromNs))
}

// over ends a story.
func (s *telling) over() {
	w, v := s.w, s.v
	s.Lines = slices.Clip(s.Lines)
	s.UntilNs = v.UntilNs
	s.length()
	end := Place{AtNs: v.UntilNs, Ordinal: s.t.ordinal}
	switch v.Rule {
	case rules.MoreThanOneActive:
		who := w.Node(s.t.leaders.ender).Name()
		s.tell(end.because(NoCause), "%s was no longer active at %s: more than one candidate had been for %s.", who,
			words.Instant(v.UntilNs), words.Seconds(v.UntilNs-v.FromNs))
	case rules.StaleWriteAccepted:
		s.tell(Place{AtNs: v.UntilNs, Ordinal: -1}.because(NoCause), "%s", describe(w, v, v.UntilNs-v.FromNs))
	default:
		s.tell(end.because(NoCause), "It was over at %s: %s", words.Instant(v.UntilNs),
			describe(w, v, v.UntilNs-v.FromNs))
	}
}

// length divides how long the violation lasted.
func (s *telling) length() {
	w, v, o := s.w, s.v, &s.t.leaders.overlap
	if v.UntilNs <= v.FromNs {
		return
	}
	if v.Rule != rules.MoreThanOneActive {
		s.Parts = []Part{{FromNs: v.FromNs, ToNs: v.UntilNs, Text: v.Clause(namer(w)), Event: begins(v)}}
		return
	}
	s.Parts = o.parts
	if who := s.t.leaders.who; o.cursorNs < v.UntilNs && len(who) > 0 {
		s.Parts = append(s.Parts[:len(s.Parts):len(s.Parts)],
			s.t.watchers[who[0]].term.parts(w.Node(who[0]).Name(), o.cursorNs, v.UntilNs)...)
	}
}
