package explain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
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

// routine are the records that happen all the time: they are no part of the background of a story.
var routine = [trace.NoKind]bool{
	trace.Started: true, trace.RequestSent: true, trace.RequestNotSent: true, trace.RequestServed: true, trace.RequestEnded: true,
	trace.JitterDrawn: true, trace.MetricLeaderOn: true, trace.MetricLeaderOff: true, trace.MetricSlowPath: true, trace.EventBecameLeader: true,
	trace.EventStoppedLeading: true, trace.StartedLeading: true, trace.LeadingDone: true, trace.WorkDone: true, trace.NewLeader: true,
	trace.StoppedLeading: true, trace.RunReturned: true, trace.Probed: true, trace.CandidateStored: true, trace.CandidatePinged: true,
	trace.Decided: true, trace.Coordinated: true, trace.Throttled: true,
}

const (
	keptHappened = 16
	lateNs       = 60_000_000_000 // what lies longer back is no cause
)

// happened is what was done to a candidate, or to nobody in particular.
type happened struct {
	Line
	candidate int32
}

// remember keeps what was done to the run lately.
func (t *Tracker) remember(w *world.World, r *trace.Record, note Note) {
	if Minor(r.Kind) {
		return
	}
	s := Say(w, r, note)
	s.Detail = ""
	if len(t.happened) == keptHappened {
		t.happened = slices.Delete(t.happened, 0, 1)
	}
	t.happened = append(t.happened, happened{Line{Text: s.String(), Event: note.Place}, r.Candidate})
}

// Follow begins and ends the stories of violations; it comes after every step's records have been observed. The
// violations are the run's so far, in the order in which they were found.
func (t *Tracker) Follow(w *world.World, violations []check.Violation) {
	if len(violations) == len(t.Stories) && len(t.open) == 0 {
		return
	}
	kept := t.open[:0]
	for _, k := range t.open {
		v := &violations[k]
		if v.UntilNs < 0 {
			kept = append(kept, k)
			continue
		}
		if t.lent {
			t.Stories, t.lent = slices.Clone(t.Stories), false
		}
		t.over(w, &t.Stories[k], v)
	}
	t.open = kept
	for k := len(t.Stories); k < len(violations); k++ {
		v := &violations[k]
		s := Story{Rule: v.Rule, FromNs: v.FromNs, UntilNs: v.UntilNs, Change: -1}
		t.begun(w, &s, v)
		inOrder(s.Lines)
		if v.UntilNs < 0 {
			t.open = append(t.open, int32(k))
		} else {
			t.length(w, &s, v)
		}
		if t.lent { // the array has no room left, so that this makes another
			t.lent = false
		}
		t.Stories = append(t.Stories, s)
	}
}

// Unended is a story as it stands at an instant: of a violation that goes on, with the parts of its length so far.
func (t *Tracker) Unended(w *world.World, k int, v *check.Violation, nowNs int64) Story {
	s := t.Stories[k]
	if s.UntilNs >= 0 {
		return s
	}
	s.Lines = slices.Clone(s.Lines)
	far := *v
	far.UntilNs = nowNs
	t.length(w, &s, &far)
	s.tell(begins(v), "It goes on: %s so far.", words.Seconds(nowNs-s.FromNs))
	return s
}

// inOrder puts sentences in the order in which what they tell happened; those of one instant stay as they are.
func inOrder(lines []Line) {
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(a.Event.AtNs, b.Event.AtNs) })
}

func (s *Story) tell(at Place, text string, args ...any) {
	s.Lines = append(s.Lines, Line{Text: fmt.Sprintf(text, args...), Event: at})
}

func (t *Tracker) begun(w *world.World, s *Story, v *check.Violation) {
	at := begins(v)
	switch v.Rule {
	case rules.MoreThanOneActive:
		t.twoActive(w, s, v, at)
	case rules.WriteByNonHolder:
		t.strangerWrote(w, s, v, at)
	case rules.TransitionsMiscount:
		s.tell(at, "The Lease says leaseTransitions %d at %s; by then its holder had changed %s.", v.Number, words.Instant(v.FromNs), words.Count(v.Counted, "time", "times"))
	default:
		t.background(w, s, v)
		if n := len(t.Explanations); n > 0 && t.Explanations[n-1].ToNs == v.FromNs { // it is about that change
			s.Change = n - 1
			s.Lines = append(s.Lines, t.Explanations[n-1].Story...)
		}
		switch v.Rule {
		case rules.KnowsLostStillActive:
			t.knowsLost(w, s, v)
		case rules.ShownHolderNotActive:
			t.shown(w, s, v)
		}
		slices.SortStableFunc(s.Lines, func(a, b Line) int { return cmp.Compare(a.Event.AtNs, b.Event.AtNs) })
		if v.UntilNs < 0 { // its length is not known yet
			s.tell(at, "From %s on: %s.", words.Instant(v.FromNs), v.Clause(namer(w)))
			return
		}
		s.tell(at, "%s", describe(w, v, v.UntilNs-v.FromNs))
	}
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
			return "somebody"
		}
		return w.Node(i).Name()
	}
}

// background are the last things done before a violation to those whom it concerns: its candidates, the one whom the Lease
// names, and everybody. Without candidates it concerns all.
func (t *Tracker) background(w *world.World, s *Story, v *check.Violation) {
	const most = 3
	holder := w.ByIdentity(t.stored.holder)
	var lines []Line
	for k := range t.happened {
		h := &t.happened[k]
		if h.Event.AtNs < v.FromNs-lateNs || h.Event.AtNs > v.FromNs {
			continue
		}
		if i := h.candidate; i < 0 || v.First < 0 && v.Second < 0 || i == v.First || i == v.Second || i == holder {
			lines = append(lines, h.Line)
		}
	}
	s.Lines = append(s.Lines, lines[max(0, len(lines)-most):]...)
}

// shown: whom the Lease named instead when time alone broke the rule.
func (t *Tracker) shown(w *world.World, s *Story, v *check.Violation) {
	lease := &t.stored
	if lease.at.AtNs > v.FromNs {
		lease = &t.was
	}
	switch {
	case lease.at.Ordinal == 0, lease.holder == w.Node(v.First).Identity():
	case lease.holder == 0:
		s.tell(lease.at, "The stored Lease named nobody since %s.", words.Instant(lease.at.AtNs))
	default:
		s.tell(lease.at, "The stored Lease named %s since %s.", w.DisplayName(lease.holder), words.Instant(lease.at.AtNs))
	}
}

// knowsLost: who led, and whose name it read.
func (t *Tracker) knowsLost(w *world.World, s *Story, v *check.Violation) {
	c := &t.watchers[v.First]
	name := w.Node(v.First).Name()
	s.tell(c.leadsAt, "%s led from %s on.", name, words.Instant(c.leadsAt.AtNs))
	if c.renewed.Ordinal != 0 {
		s.tell(c.renewed, ofLock(w, v.First, "It last heard that it had renewed the Lease at %s."), words.Instant(c.renewed.AtNs))
	}
	if c.hasRaw && c.raw.HolderIdentity != 0 {
		what := "Lease"
		if c.lastObject == elector.ConfigMap {
			what = "ConfigMap"
		}
		s.tell(begins(v), "%s read at %s that %s holds the "+what+": a leader like client-go's stops only when its renewDeadline has passed.",
			name, words.Instant(v.FromNs), w.DisplayName(c.raw.HolderIdentity))
	}
}

// twoActive: who led, why it still did, and why the other one could take the Lease.
func (t *Tracker) twoActive(w *world.World, s *Story, v *check.Violation, at Place) {
	old := &t.watchers[v.First]
	first, second := w.Node(v.First).Name(), w.Node(v.Second).Name()
	s.tell(old.leadsAt, "%s led from %s on.", first, words.Instant(old.leadsAt.AtNs))
	if old.renewed.Ordinal != 0 {
		s.tell(old.renewed, ofLock(w, v.First, "%s last heard that it had renewed the Lease at %s."), first, words.Instant(old.renewed.AtNs))
	}
	record := trace.Record{At: v.FromNs, Candidate: v.Second}
	line := t.stillActive(w, v.First, &record)
	s.tell(line.Event, "%s", line.Text)
	s.Change = len(t.Explanations) - 1
	if e := &t.Explanations[s.Change]; e.CountedNs > 0 {
		c := &t.watchers[v.Second]
		s.tell(c.takeSeen, ofLock(w, v.Second, "%s had seen no change of the Lease since %s; for it the Lease was free from %s on."), second, words.Instant(c.takeSeen.AtNs), words.Instant(c.takeExpiresNs))
	} else {
		s.tell(Place{AtNs: e.AskedNs, Ordinal: -1}, ofLock(w, v.Second, "%s did not have to wait: it looked at %s, and the Lease was free to take."), second, words.Instant(e.AskedNs))
	}
	s.tell(at, "%s led at %s, while %s was still active.", second, words.Instant(v.FromNs), first)
}

// strangerWrote: a candidate wrote over a Lease that named somebody else and still counted.
func (t *Tracker) strangerWrote(w *world.World, s *Story, v *check.Violation, at Place) {
	c := &t.watchers[v.First]
	name := w.Node(v.First).Name()
	if c.hasRaw && c.raw.HolderIdentity != 0 {
		s.tell(c.seen, "%s had read the Lease and counted from %s; it named %s.", name, words.Instant(c.seen.AtNs), w.DisplayName(c.raw.HolderIdentity))
	}
	if _, rate, _ := w.Node(v.First).Clock(); rate != 1_000_000 {
		s.tell(Place{AtNs: v.FromNs, Ordinal: -1}, "The clock of %s runs at %s of the true rate, so that the Lease ended too early for it.", name, rateWord(rate))
	}
	if t.was.at.Ordinal != 0 && t.was.holder != 0 {
		s.tell(t.was.at, "The stored Lease named %s since %s.", w.DisplayName(t.was.holder), words.Instant(t.was.at.AtNs))
	}
	if t.stored.holder == 0 {
		s.tell(at, "%s emptied the Lease at %s, as if it were still its own.", name, words.Instant(v.FromNs))
		return
	}
	s.tell(at, "%s wrote the Lease at %s, before it had run out.", name, words.Instant(v.FromNs))
}

// over ends a story.
func (t *Tracker) over(w *world.World, s *Story, v *check.Violation) {
	s.Lines = slices.Clip(s.Lines)
	s.UntilNs = v.UntilNs
	t.length(w, s, v)
	end := Place{AtNs: v.UntilNs, Ordinal: t.ordinal}
	if v.Rule == rules.MoreThanOneActive {
		who := w.Node(t.ender).Name()
		s.tell(end, "%s was active no more at %s: two had been for %s.", who, words.Instant(v.UntilNs), words.Seconds(v.UntilNs-v.FromNs))
		return
	}
	s.tell(end, "It was over at %s: %s", words.Instant(v.UntilNs), describe(w, v, v.UntilNs-v.FromNs))
}

// length divides how long the violation lasted.
func (t *Tracker) length(w *world.World, s *Story, v *check.Violation) {
	if v.UntilNs <= v.FromNs {
		return
	}
	if v.Rule != rules.MoreThanOneActive {
		s.Parts = []Part{{FromNs: v.FromNs, ToNs: v.UntilNs, Text: v.Clause(namer(w)), Event: begins(v)}}
		return
	}
	who := v.First
	switch {
	case s.UntilNs >= 0:
		who = t.ender
	case len(t.who) > 0:
		who = t.who[0]
	}
	s.Parts = t.watchers[who].stagesOf(w.Node(who).Name(), v.FromNs, v.UntilNs)
}
