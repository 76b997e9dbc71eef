package view

import (
	"fmt"
	"sort"
	"strconv"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// This file compares two runs. Events of the two runs have different numbers: if the first run loses one message, all
// later events of the first run have different ordinals and instants. The third leader change of one run may be the
// fourth of the other. So the code finds the first difference exactly, from the trace hashes, and pairs everything
// after that by order within its kind. Such a pair is only a suggestion to the reader: the two events may have
// nothing to do with each other.

// comparedPx is the approximate width of a compared run on the page.
const comparedPx = 1000

// Compare compares two runs, each up to its live cursor. They need not have the same length or the same scenario. The
// search for the first difference ends with the shorter run. Changes and violations that only the longer run reaches
// also count as differences, so Same is false then. Settings lists where the scenarios differ, whether or not that
// made a difference.
func Compare(a, b *protocol.ComparedRun) *protocol.Comparison {
	out := &protocol.Comparison{A: comparedOf(a), B: comparedOf(b), To: max(a.Look.Live.T, b.Look.Live.T),
		Differences: []protocol.Difference{}, Changes: []protocol.ChangePair{}}
	if first := firstDifference(a.Look, b.Look); first != nil {
		out.Differences = append(out.Differences, *first)
	}
	compareChanges(out)
	compareViolations(out)
	out.Same = len(out.Differences) == 0
	sort.SliceStable(out.Differences, func(i, j int) bool { return out.Differences[i].T < out.Differences[j].T })
	out.Totals = totals(a.Look, b.Look, out)
	out.Settings = settingsThatDiffer(*a.Look.Run.Scenario(), *b.Look.Run.Scenario())
	return out
}

// comparedOf describes one run and contains what the page needs to open that run: scenario, patch, acts and seed.
func comparedOf(r *protocol.ComparedRun) protocol.Compared {
	look, share := r.Look, r.Share
	until, seed := look.Live.T, share.Seed
	drawn := Timeline(look, 0, until, comparedPx)
	if !drawn.Detail { // counts would be too much data for a small timeline
		drawn = Timeline(look, 0, until, 0)
	}
	return protocol.Compared{
		Title: r.Title, Scenario: look.Run.Scenario().Name, Seed: share.Seed, Hash: share.Hash, Until: until,
		Side: protocol.Side{Scenario: share.Scenario, Patch: share.Patch, Actions: share.Actions, Seed: &seed,
			Until: &until, Title: r.Title},
		View:     Of(look, r.Session),
		Timeline: *drawn,
	}
}

// firstDifference returns the first event that differs in words or in time, or nil if the runs are the same up to the
// end of the shorter one. Runs may diverge earlier, in something that no sentence mentions. LastSame finds a state
// shortly before the hashes differ, so the loop below steps through few events. It steps both runs together. If the
// hashes are equal, so are the records, and it compares nothing else. If the hashes differ but the sentences do not,
// the search goes on: the first difference that a reader can understand may come later.
func firstDifference(a, b timeline.Look) *protocol.Difference {
	limit := min(a.Live.T, b.Live.T)
	sa, sb := timeline.LastSame(a.Run, b.Run, limit)
	for {
		var seenA, seenB said
		stepA, stepB := seenA.next(sa, limit), seenB.next(sb, limit)
		if !stepA && !stepB {
			return hiddenDifference(sa, sb, limit)
		}
		if stepA && stepB && sa.World.Hash() == sb.World.Hash() {
			continue
		}
		if d := seenA.firstDifference(&seenB); d.TextA != d.TextB {
			return d
		}
	}
}

// hiddenDifference returns the difference between runs with the same sentences. A record may have a figure that its
// sentence does not mention. The hash includes that figure, so the runs differ.
func hiddenDifference(a, b *timeline.State, atNs int64) *protocol.Difference {
	if a.World.Hash() == b.World.Hash() {
		return nil
	}
	const text = "every event reads the same"
	return &protocol.Difference{T: atNs, Kind: "first", In: "both", Text: "The runs differ, but no event shows how",
		TextA: text, TextB: text}
}

// `said` contains the records of one step with their sentences. The four slices have the same indices. A step may write
// several records: an answer that makes its reader leader writes both.
type said struct {
	records []trace.Record
	texts   []string
	details []string
	places  []timeline.Cursor
}

// `next` takes the records of the next step that writes any. It returns false if no step up to limitNs does.
func (s *said) next(st *timeline.State, limitNs int64) bool {
	for len(s.records) == 0 {
		if !st.Step(limitNs, s.see(st)) {
			return false
		}
	}
	return true
}

// `see` returns a function that saves each record of a step with its sentence. The sentence needs the world after that
// step, so it cannot wait. It copies the records, because the next step reuses their memory.
func (s *said) see(st *timeline.State) func(*trace.Record, explain.Note) {
	return func(r *trace.Record, note explain.Note) {
		told := explain.Say(st.World, r, note)
		text := told.Text
		if told.Subject != "" {
			text = told.Subject + " " + text
		}
		s.records = append(s.records, *r)
		s.texts = append(s.texts, text)
		s.details = append(s.details, told.Detail)
		s.places = append(s.places, timeline.Cursor{T: r.At, N: note.Place.Ordinal})
	}
}

// firstDifference returns the first pair of records that differ, with their sentences. One side may have no record.
// If two records have the same sentence but different figures, the text includes the details in parentheses. If the
// sentences agree and only the instants differ, the text begins with the instants; otherwise a reader would see the
// same words twice.
func (s *said) firstDifference(o *said) *protocol.Difference {
	k := 0
	for k+1 < len(s.records) && k+1 < len(o.records) && s.records[k].At == o.records[k].At &&
		s.texts[k] == o.texts[k] && s.records[k].SameButForNames(&o.records[k]) {
		k++
	}
	d := &protocol.Difference{Kind: "first", In: "both", TextA: "nothing more happens", TextB: "nothing more happens",
		T: 1<<63 - 1}
	if k < len(s.records) {
		d.T, d.TextA, d.CursorA = s.places[k].T, s.texts[k], &s.places[k]
	}
	if k < len(o.records) {
		d.T, d.TextB, d.CursorB = min(d.T, o.places[k].T), o.texts[k], &o.places[k]
	}
	d.Text = "The first difference"
	if d.TextA == d.TextB && s.details[k] != o.details[k] {
		d.TextA, d.TextB = d.TextA+" ("+s.details[k]+")", d.TextB+" ("+o.details[k]+")"
	}
	if d.CursorA != nil && d.CursorB != nil && d.CursorA.T != d.CursorB.T {
		d.TextA = words.Instant(d.CursorA.T) + ": " + d.TextA
		d.TextB = words.Instant(d.CursorB.T) + ": " + d.TextB
	}
	return d
}

// compareChanges pairs the leader changes of both runs in order. A change that only one run has counts as a
// difference. Two changes of one pair differ if the instant, the length of the gap or one of the two nodes differs;
// AtNs and GapNs are second run minus first.
func compareChanges(c *protocol.Comparison) {
	as, bs := c.A.Timeline.Changes, c.B.Timeline.Changes
	for k := range max(len(as), len(bs)) {
		p := protocol.ChangePair{Differ: true}
		if k < len(as) {
			p.A = &as[k]
		}
		if k < len(bs) {
			p.B = &bs[k]
		}
		switch {
		case p.A != nil && p.B != nil:
			at, gap := p.B.At-p.A.At, p.B.LeaderlessNs-p.A.LeaderlessNs
			p.AtNs, p.GapNs = &at, &gap
			p.Differ = at != 0 || gap != 0 || p.A.To != p.B.To || p.A.From != p.B.From
			if p.Differ {
				text := fmt.Sprintf("%s leads at %s in the first run, %s at %s in the second", p.A.To,
					words.Instant(p.A.At), p.B.To, words.Instant(p.B.At))
				c.Differences = append(c.Differences,
					protocol.Difference{T: min(p.A.At, p.B.At), Kind: "change", In: "both", Text: text})
			}
		case p.A != nil:
			c.Differences = append(c.Differences,
				protocol.Difference{T: p.A.At, Kind: "change", In: "a", Text: p.A.To + " leads, in the first run only"})
		default:
			c.Differences = append(c.Differences,
				protocol.Difference{T: p.B.At, Kind: "change", In: "b", Text: p.B.To +
					" leads, in the second run only"})
		}
		c.Changes = append(c.Changes, p)
	}
}

// compareViolations adds the violations that only one run has. It pairs violations of one rule in order. Example:
// with three violations of rule 2 in the first run and two in the second, the third one counts as a difference.
// Nothing shows which of the three is really the additional one.
func compareViolations(c *protocol.Comparison) {
	only := func(these, others []protocol.ViolationMark, in, words string) {
		left := map[string]int{}
		for i := range others {
			left[others[i].Rule]++
		}
		for i := range these {
			v := &these[i]
			if left[v.Rule]--; left[v.Rule] >= 0 {
				continue
			}
			d := protocol.Difference{T: v.From, Kind: "violation", In: in,
				Text: fmt.Sprintf("%s, in the %s run only: %s", v.Rule, words, v.Text)}
			if in == "a" {
				d.CursorA = &v.Cursor
			} else {
				d.CursorB = &v.Cursor
			}
			c.Differences = append(c.Differences, d)
		}
	}
	only(c.A.Timeline.Violations, c.B.Timeline.Violations, "a", "first")
	only(c.B.Timeline.Violations, c.A.Timeline.Violations, "b", "second")
}

// `totals` returns the figures of both runs. Delta is second run minus first, with its sign, or "" if both are equal.
// Better names the run whose value is better, "a" or "b". It is "" for equal values, and for a figure that is neither
// good nor bad, such as the number of requests. The total of stale writes appears only for a scenario with a
// resource.
func totals(a, b timeline.Look, c *protocol.Comparison) []protocol.ComparedTotal {
	var all []protocol.ComparedTotal
	text := itoa
	count := func(label string, a, b int64, lessIsBetter bool) {
		t := protocol.ComparedTotal{Label: label, A: text(a), B: text(b)}
		if a != b {
			t.Delta = signedText(b-a, text)
		}
		if lessIsBetter {
			t.Better = better(a, b)
		}
		all = append(all, t)
	}
	length := func(label string, a, b int64, lessIsBetter bool) {
		text = words.Seconds
		count(label, a, b, lessIsBetter)
		text = itoa
	}
	x, y := c.A.View.Totals, c.B.View.Totals
	length("compared up to", c.A.Until, c.B.Until, false)
	count("leader changes", int64(len(c.A.Timeline.Changes)), int64(len(c.B.Timeline.Changes)), false)
	length("nobody led", x.LeaderlessNs, y.LeaderlessNs, true)
	if idleA, idleB := idleNs(c.A.Timeline.Bands), idleNs(c.B.Timeline.Bands); idleA+idleB > 0 {
		length("the only leader was paused", idleA, idleB, true)
	}
	length("longest time without a leader", longestGap(c.A.Timeline.Bands), longestGap(c.B.Timeline.Bands), true)
	length("more than one active", x.DoubleNs, y.DoubleNs, true)
	count("violations", int64(x.Violations), int64(y.Violations), true)
	count("observations", int64(x.Observations), int64(y.Observations), true)
	if a.Run.Scenario().Resource != nil || b.Run.Scenario().Resource != nil {
		triedA, takenA, _ := a.Here().Checks.StaleWrites()
		triedB, takenB, _ := b.Here().Checks.StaleWrites()
		count("stale writes attempted", triedA, triedB, true)
		count("stale writes accepted", takenA, takenB, true)
	}
	count("requests", int64(x.Requests), int64(y.Requests), false)
	count("versions of the Lease", int64(versions(a)), int64(versions(b)), false)
	return all
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// signedText formats a difference with its sign. It uses the typographic minus sign, which is as wide as the plus
// sign.
func signedText(n int64, text func(int64) string) string {
	if n < 0 {
		return "−" + text(-n)
	}
	return "+" + text(n)
}

// `better` returns the run with the smaller figure, or "" for a tie.
func better(a, b int64) string {
	switch {
	case a < b:
		return "a"
	case b < a:
		return "b"
	}
	return ""
}

// idleNs returns how long a pause kept the only leader from work. The other bands treat such a span as a time with a
// leader.
func idleNs(bands []protocol.Band) (sum int64) {
	for _, b := range bands {
		if b.Kind == "idle" {
			sum += b.To - b.From
		}
	}
	return sum
}

// longestGap returns the length of the longest span in a list without an active leader.
func longestGap(bands []protocol.Band) int64 {
	longest := int64(0)
	for _, b := range bands {
		if b.Kind == "nobody" {
			longest = max(longest, b.To-b.From)
		}
	}
	return longest
}
