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

// Story explains how a violation happened, in as few sentences as possible. While the violation continues, the story
// grows: Follow adds who joins an overlap and when it ends. Lines are in order of time up to the violation itself.
type Story struct {
	Rule    string
	FromNs  int64
	UntilNs int64 // -1 while the violation continues
	Change  int   // index of the leader change that began the violation; -1 for none
	Lines   []Line
	Parts   []Part // what filled the violation's time, without a gap; empty while the violation continues
}

// `stories` has one story for each violation that Follow has seen, in the same order.
type stories struct {
	Stories []Story
	open    []int32 // stories that have not ended
	lent    bool    // a clone shares the array of stories, so copy the array before writing
}

// lend returns a copy that shares the array of stories until one of the two writes.
func (s *stories) lend() stories {
	s.Stories, s.lent = slices.Clip(s.Stories), true
	return stories{Stories: s.Stories, open: slices.Clone(s.open), lent: true}
}

// telling is a story under construction. It exists only during one call of Follow or SoFar.
type telling struct {
	*Story
	t *Tracker
	w *world.World
	v *check.Violation
}

// Follow begins and ends the stories of violations. Call it after Observe has taken all records of a step. The
// argument violations has the run's violations so far, in the order in which the checks found them. Follow runs after
// every step, so if no story is open and no violation is new, it returns at once. A story begins together with its
// violation, because the background may soon drop the pause that explains it.
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
			story.tellOthers()
		}
		if !goes {
			story.end()
		}
	}
	t.open = kept
	for k := len(t.Stories); k < len(violations); k++ {
		v := &violations[k]
		s := Story{Rule: v.Rule, FromNs: v.FromNs, UntilNs: v.UntilNs, Change: -1}
		story := telling{&s, t, w, v}
		story.begin()
		inOrder(s.Lines)
		if goesOn(w, v) {
			s.UntilNs = -1
			t.open = append(t.open, int32(k))
		} else {
			story.length()
		}
		if t.lent { // the shared array has no spare capacity, so append copies it
			t.lent = false
		}
		t.Stories = append(t.Stories, s)
	}
}

// goesOn reports whether a violation may still change. While a worker is active, all of its stale writes count as one
// violation.
func goesOn(w *world.World, v *check.Violation) bool {
	return v.UntilNs < 0 || v.Rule == rules.StaleWriteAccepted && w.Node(v.First).Active()
}

// tellOthers adds who joined or left an overlap since the last call.
func (s *telling) tellOthers() {
	o := &s.t.leaders.overlap
	s.Lines = slices.Clip(s.Lines)
	for _, line := range o.lines[o.told:] {
		if !slices.Contains(s.Lines, line) {
			s.Lines = append(s.Lines, line)
		}
	}
	o.told = len(o.lines)
}

// SoFar returns a story as of an instant. If the violation continues, the parts cover the time so far. The page needs
// this for a violation that continues, and for a cursor at an earlier instant. SoFar does not change the tracker's
// own story.
func (t *Tracker) SoFar(w *world.World, k int, v *check.Violation, nowNs int64) Story {
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
		s.tell(begins(v).because(NoCause), "It has lasted %s so far.", words.Seconds(nowNs-s.FromNs))
	}
	(&telling{&s, t, w, &far}).length()
	return s
}

// inOrder sorts sentences by the instants that they are about. Sentences about the same instant keep their order.
func inOrder(lines []Line) {
	for k := 1; k < len(lines); k++ { // a story is short; a generic sort would add 2 KiB to the wasm file
		for i := k; i > 0 && lines[i-1].Event.AtNs > lines[i].Event.AtNs; i-- {
			lines[i-1], lines[i] = lines[i], lines[i-1]
		}
	}
}

func (s *Story) tell(at reason, text string, args ...any) {
	s.Lines = append(s.Lines, Line{Text: fmt.Sprintf(text, args...), Event: at.Place, Why: at.why})
}

// `did` adds a line about what a node did at a record. `text` has one placeholder for the name and one for the instant.
func (s *Story) did(at reason, text, name string) { s.tell(at, text, name, words.Instant(at.AtNs)) }

// `begin` tells how a violation began. Some rules have their own story. For all others, the story is the latest faults
// and acts, plus the leader change with which the rule broke, if any.
func (s *telling) begin() {
	w, v := s.w, s.v
	at := begins(v)
	switch v.Rule {
	case rules.MoreThanOneActive:
		s.twoActive()
	case rules.StaleWriteAccepted:
		s.tellStaleWrite()
	case rules.WriteByNonHolder:
		s.strangerWrote()
	case rules.TransitionsMiscount:
		s.tell(at.because(byMiscount),
			"The Lease said leaseTransitions %d at %s; by then its holder had changed %s.", v.Number,
			words.Instant(v.FromNs), words.Count(v.Counted, "time", "times"))
	default:
		s.tellLately()
		if n := len(s.t.Explanations); n > 0 && s.t.Explanations[n-1].ToNs == v.FromNs { // it began the violation
			s.Change = n - 1
			s.Lines = append(s.Lines, s.t.Explanations[n-1].Story...)
		}
		switch v.Rule {
		case rules.KnowsLostStillActive:
			s.knowsLost()
		case rules.ShownHolderNotActive:
			s.tellNamedHolder()
		}
		inOrder(s.Lines)
		if v.UntilNs < 0 { // the violation's length is still unknown
			s.tell(at.because(NoCause), "From %s on: %s.", words.Instant(v.FromNs), v.Clause(namer(w)))
			return
		}
		s.tell(names(v).because(NoCause), "%s", describe(w, v, v.UntilNs-v.FromNs))
	}
}

// `names` returns the place that a violation's sentence refers to. Usually the violation begins there. If a wait
// exceeds its bound, the wait began there.
func names(v *check.Violation) Place {
	switch v.Rule {
	case rules.LeaderlessTooLong, rules.NoRecovery:
		return Place{AtNs: v.Number, Ordinal: -1}
	}
	return begins(v)
}

// `begins` returns where a violation begins: at a record, or after all records of an instant if time alone broke the
// rule.
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

// tellLately tells the last faults and acts before a violation that affect its candidates, the holder in the Lease, or
// all nodes. For a violation without candidates, every fault and act counts.
func (s *telling) tellLately() {
	const most = 3
	v, holder := s.v, s.w.ByIdentity(s.t.objects.lease.holder)
	s.Lines = append(s.Lines, s.t.background.lastBefore(v.FromNs, most, func(i int32) bool {
		return v.First < 0 && v.Second < 0 || i == v.First || i == v.Second || i == holder
	})...)
}

// tellNamedHolder says which holder the Lease named instead, if time alone broke the rule.
func (s *telling) tellNamedHolder() {
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

// knowsLost says who led, and which holder it read. This case surprises people: client-go reads that another
// candidate holds the Lease, and stays leader until renewDeadline, because tryAcquireOrRenew only returns false.
func (s *telling) knowsLost() {
	w, v := s.w, s.v
	lock, term := &s.t.watchers[v.First].lock, &s.t.watchers[v.First].term
	name := w.Node(v.First).Name()
	s.did(term.since.because(NoCause), "%s led from %s on.", name)
	if term.renewed.Ordinal != 0 {
		s.did(term.renewed.because(NoCause),
			ofLock(w, v.First, "%s last heard at %s that it had renewed the Lease."), name)
	}
	if lock.hasRaw && lock.raw.HolderIdentity != 0 {
		what := "Lease"
		if lock.object == elector.ConfigMap {
			what = "ConfigMap"
		}
		stops := either(w, v.First, ", but client-go stops only when renewDeadline has passed.",
			", but its work went on.")
		s.tell(begins(v).because(byKnowing), "%s read at %s that %s holds the "+what+stops,
			name, words.Instant(v.FromNs), w.DisplayName(lock.raw.HolderIdentity))
	}
}

// twoActive says who led, why that leader still did, and why the other candidate could take the Lease. The middle
// part is the explanation of the leader change, which already says why the first leader is still active.
func (s *telling) twoActive() {
	w, v := s.w, s.v
	s.tellTerm(v.First)
	s.Change = len(s.t.Explanations) - 1
	s.Lines = append(s.Lines, s.t.Explanations[s.Change].Story...)
	s.tell(begins(v).because(NoCause), "%s started leading at %s, while %s was still active.", w.Node(v.Second).Name(),
		words.Instant(v.FromNs), w.Node(v.First).Name())
	s.tellFence()
}

// tellTerm says since when a candidate led, and when it last renewed, unless it has released the Lease since.
func (s *telling) tellTerm(i int32) {
	w, old := s.w, &s.t.watchers[i].term
	s.did(old.since.because(NoCause), "%s led from %s on.", w.Node(i).Name())
	if old.renewed.Ordinal != 0 && old.last(released).Ordinal == 0 {
		s.did(old.renewed.because(NoCause), ofLock(w, i, "%s last heard at %s that it had renewed the Lease."),
			w.Node(i).Name())
	}
}

// tellFence says whether the resource accepts what the old leader still writes. So the story ends with what the
// overlap can do to data. If the scenario has no resource, tellFence only names the danger. A fence compares tokens,
// and the resource does not know the new leader's token before the new leader has written once.
func (s *telling) tellFence() {
	text := "From now on, every write by %[1]s is stale. Only a fence at the resource can refuse it, and this " +
		"scenario has no resource."
	switch r := &s.w.Setup().Resource; {
	case r.WriteEveryNs == 0:
	case r.Fence == fencing.NoFence:
		text = "From now on, every write by %[1]s is stale, and the resource accepts it. A fence would refuse the " +
			"writes of %[1]s as soon as %[2]s has written."
	default:
		text = "From now on, every write by %[1]s is stale. The fence refuses it, but only once %[2]s has written."
	}
	s.tell(begins(s.v).because(NoCause), text, s.w.Node(s.v.First).Name(), s.w.Node(s.v.Second).Name())
}

// tellStaleWrite says why the writer was still active, and how the other candidate got the Lease. The writer may have
// stopped while its write was on the way. Then deliveredLate names the act that delayed the write.
func (s *telling) tellStaleWrite() {
	w, v := s.w, s.v
	s.tellTerm(v.First)
	s.Lines = append(s.Lines, s.t.background.deliveredLate(v.First, v.FromNs-w.Setup().Resource.LatencyNs, v.FromNs)...)
	for s.Change = len(s.t.Explanations) - 1; s.Change >= 0 && s.t.Explanations[s.Change].To != v.Second; {
		s.Change--
	}
	if s.Change >= 0 && s.t.Explanations[s.Change].ToNs >= s.t.watchers[v.First].term.since.AtNs {
		s.Lines = append(s.Lines, s.t.Explanations[s.Change].Story...)
	} else if w.Node(v.First).Active() { // the other candidate has the Lease but does not know it yet
		s.Lines = append(s.Lines, s.t.stillActive(w, v.First, &trace.Record{At: v.FromNs, Candidate: v.Second})...)
	}
	s.tellFence()
}

// strangerWrote tells why a candidate overwrote a Lease that named another holder and had not expired. The usual
// reason is a mistake about time: an old read, or a clock that runs too fast.
func (s *telling) strangerWrote() {
	w, v := s.w, s.v
	lock, objects, at := &s.t.watchers[v.First].lock, &s.t.objects, begins(v)
	name := w.Node(v.First).Name()
	if lock.hasRaw && lock.raw.HolderIdentity != 0 {
		counted := either(w, v.First, "%s counted from its read of the Lease at %s, which named %s.",
			"%s last read a change of the Lease at %s, which named %s.")
		s.tell(lock.seen.because(byOldRead), counted, name, words.Instant(lock.seen.AtNs),
			w.DisplayName(lock.raw.HolderIdentity))
		read, raw := &lock.read, &lock.raw
		if lock.hasRead && read.HolderIdentity == raw.HolderIdentity && read.RenewTime != raw.RenewTime &&
			!w.Node(v.First).RunsProgram() {
			s.tell(lock.seen.because(byOldRead), "%s did not notice the renewal after it: "+
				"client-go compares renewTime in whole seconds, and both writes have one second.", name)
		}
	}
	if _, rate, _ := w.Node(v.First).Clock(); rate != 1_000_000 {
		s.tell(Place{AtNs: v.FromNs, Ordinal: -1}.because(byShortLease),
			"The clock of %s ran at %s of the true rate, so the Lease ended too early for it.", name,
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

// `end` ends a story.
func (s *telling) end() {
	w, v := s.w, s.v
	s.Lines = slices.Clip(s.Lines)
	s.UntilNs = v.UntilNs
	s.length()
	end := Place{AtNs: v.UntilNs, Ordinal: s.t.ordinal}
	switch v.Rule {
	case rules.MoreThanOneActive:
		who := w.Node(s.t.leaders.ender).Name()
		s.tell(end.because(NoCause), "%s stopped being active at %s; more than one candidate had been active for %s.",
			who, words.Instant(v.UntilNs), words.Seconds(v.UntilNs-v.FromNs))
	case rules.StaleWriteAccepted:
		s.tell(Place{AtNs: v.UntilNs, Ordinal: -1}.because(NoCause), "%s", describe(w, v, v.UntilNs-v.FromNs))
	default:
		s.tell(end.because(NoCause), "It ended at %s: %s", words.Instant(v.UntilNs),
			describe(w, v, v.UntilNs-v.FromNs))
	}
}

// length divides the violation's duration into parts. Only an overlap has several parts. They describe what the
// leader that should have stopped was doing. Any other violation has one part.
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
