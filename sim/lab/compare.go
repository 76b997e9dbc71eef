package lab

import (
	"encoding/json"
	"fmt"
	"sort"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
)

// Side: One of two runs to compare: a branch of the session up to its edge, or a scenario, a shipped one by name or a whole one, up to until or its end. A seed runs either with another one.
type Side struct {
	Branch   *int              `json:"branch,omitempty"`
	Scenario any               `json:"scenario,omitempty"`
	Patch    []PatchEntry      `json:"patch,omitempty"`
	Actions  []json.RawMessage `json:"actions,omitempty"`
	Seed     *uint64           `json:"seed,omitempty"`
	Until    *int64            `json:"until,omitempty"`
	Title    string            `json:"title,omitempty"`
}

// Compared: One of the two runs: everything drawn of it, and the side by which a link finds it again.
type Compared struct {
	Title    string   `json:"title"`
	Scenario string   `json:"scenario"`
	Seed     uint64   `json:"seed"`
	Hash     string   `json:"hash"`  // at until
	Until    int64    `json:"until"` // so far it is compared
	Side     Side     `json:"side"`
	Branch   int      `json:"branch"` // of the session, -1
	View     *View    `json:"view"`   // at until
	Timeline Timeline `json:"timeline"`
}

// Comparison: Two runs on one time axis, and where they differ.
type Comparison struct {
	A           Compared        `json:"a"`
	B           Compared        `json:"b"`
	To          int64           `json:"to"`   // end of the common axis
	Same        bool            `json:"same"` // nothing differs as far as both go
	Differences []Difference    `json:"differences"`
	Changes     []ChangePair    `json:"changes"`
	Totals      []ComparedTotal `json:"totals"`
}

// Difference: One place where two runs differ. kind: "first" (the first event that is not the same) | "change" | "violation".
type Difference struct {
	T       int64   `json:"t"`
	Kind    string  `json:"kind"`
	In      string  `json:"in"` // "a" | "b" | "both"
	Text    string  `json:"text"`
	TextA   string  `json:"textA,omitempty"` // first: what happens in a
	TextB   string  `json:"textB,omitempty"`
	CursorA *Cursor `json:"cursorA,omitempty"`
	CursorB *Cursor `json:"cursorB,omitempty"`
}

// ChangePair: The leader changes of two runs, matched in order.
type ChangePair struct {
	A      *ChangeRef `json:"a,omitempty"`
	B      *ChangeRef `json:"b,omitempty"`
	AtNs   *int64     `json:"atNs,omitempty"`  // b's instant minus a's
	GapNs  *int64     `json:"gapNs,omitempty"` // b's gap minus a's
	Differ bool       `json:"differ"`
}

// ComparedTotal: A figure of both runs, ready to print.
type ComparedTotal struct {
	Label  string `json:"label"`
	A      string `json:"a"`
	B      string `json:"b"`
	Delta  string `json:"delta"`            // "" if they are equal
	Better string `json:"better,omitempty"` // "a" | "b": which is the better one, where that has a meaning
}

// comparedPx is about how wide a compared run is drawn.
const comparedPx = 1000

// comparing is a comparison under way: each side is a session of its own that shares the branch's run.
type comparing struct {
	sides  [2]*Lab
	branch [2]int
	title  [2]string
}

// Compare begins to compare two runs; Compared has the outcome once all of both is computed. On an error nothing changes.
func (l *Lab) Compare(a, b Side) error {
	c := comparing{}
	for i, s := range []Side{a, b} {
		var err error
		if c.sides[i], c.branch[i], c.title[i], err = l.side(s); err != nil {
			return fmt.Errorf("the %s run: %w", [...]string{"first", "second"}[i], err)
		}
	}
	l.compared = nil
	first, second := c.sides[0], c.sides[1]
	l.besides = []*run{first.run(), second.run()}
	ofFirst, ofSecond := first.edge.T, second.edge.T
	l.begin(search{
		run: first.run(), toNs: ofFirst + ofSecond, look: nothing,
		at: func() int64 {
			return min(first.run().frontier.world.Now(), ofFirst) + min(second.run().frontier.world.Now(), ofSecond)
		},
		walk: func() bool {
			return first.run().compute(ofFirst, tickRequests) && second.run().compute(ofSecond, tickRequests)
		},
		done: func(Cursor, bool) { l.compared = c.outcome() },
	})
	return nil
}

// Compared is the outcome of a comparison, once.
func (l *Lab) Compared() *Comparison {
	c := l.compared
	l.compared = nil
	return c
}

// side is a run to compare as a session of its own.
func (l *Lab) side(s Side) (side *Lab, number int, title string, err error) {
	side = &Lab{named: l.named, seldom: l.seldom, sources: 1 << 20}
	number = -1
	switch {
	case s.Branch != nil && s.Scenario != nil:
		return nil, 0, "", refuseSide("branch", "a branch or a scenario, not both")
	case s.Branch != nil:
		b, err := l.branch(*s.Branch)
		if err != nil {
			return nil, 0, "", err
		}
		number = *s.Branch
		edge := b.edge
		if number == l.current {
			edge = l.edge
		}
		sp := b.spec
		title = b.view.Name
		if s.Seed != nil && *s.Seed != sp.begun.Seed {
			begun, err := scenario.Set(sp.begun, "seed", fmt.Sprint(*s.Seed))
			if err != nil {
				return nil, 0, "", err
			}
			next := &spec{base: sp.base, patch: append([]PatchEntry(nil), sp.patch...), begun: begun, actions: sp.actions, sources: sp.sources}
			next.change(PatchEntry{Path: "seed", Value: fmt.Sprint(*s.Seed)})
			sp, number = next, -1
			title = fmt.Sprintf("%s, seed %d", title, *s.Seed)
		}
		side.branches = []*branch{{view: BranchView{Name: title, Parent: -1}, spec: sp}}
		side.edge = edge
	case s.Scenario != nil:
		o := Opening{Patch: s.Patch, Seed: s.Seed}
		if name, named := s.Scenario.(string); named {
			o.Name = name
		} else {
			document, err := json.Marshal(s.Scenario)
			if err != nil {
				return nil, 0, "", err
			}
			whole, err := scenario.Decode(document)
			if err != nil {
				return nil, 0, "", err
			}
			o.Whole = &whole
		}
		if o.Actions, err = scenario.DecodeActions(s.Actions); err != nil {
			return nil, 0, "", err
		}
		if err := side.Open(o); err != nil {
			return nil, 0, "", err
		}
		title = side.branches[0].view.Name
		if s.Seed != nil {
			title = fmt.Sprintf("%s, seed %d", title, *s.Seed)
		}
		side.edge = Cursor{T: side.endNs(), N: -1}
	default:
		return nil, 0, "", refuseSide("scenario", "the name of a scenario, a whole one, or a branch")
	}
	if s.Until != nil {
		if *s.Until < 0 {
			return nil, 0, "", refuseSide("until", "an instant of the run")
		}
		side.edge = side.clamp(Cursor{T: *s.Until, N: -1})
	}
	if s.Title != "" {
		title = s.Title
	}
	side.cursor = side.edge
	return side, number, title, nil
}

func refuseSide(path, rule string) error {
	return &scenario.FieldError{Path: path, Rule: rule, Message: fmt.Sprintf("%s must be %s", path, rule)}
}

// outcome is the comparison of two runs that are computed.
func (c *comparing) outcome() *Comparison {
	a, b := c.sides[0], c.sides[1]
	out := &Comparison{A: c.compared(0), B: c.compared(1), To: max(a.edge.T, b.edge.T), Differences: []Difference{}, Changes: []ChangePair{}}
	if first := firstDifference(a, b); first != nil {
		out.Differences = append(out.Differences, *first)
	}
	out.changes()
	out.violations()
	out.Same = len(out.Differences) == 0
	sort.SliceStable(out.Differences, func(i, j int) bool { return out.Differences[i].T < out.Differences[j].T })
	out.Totals = totals(a, b, out)
	return out
}

func (c *comparing) compared(i int) Compared {
	l := c.sides[i]
	share := l.Share(false)
	until := l.edge.T
	seed := share.Seed
	timeline := l.Timeline(0, until, comparedPx)
	if !timeline.Detail { // counts would be much to hand over for a picture of this size
		timeline = l.Timeline(0, until, 0)
	}
	return Compared{
		Title: c.title[i], Scenario: l.spec().begun.Name, Seed: share.Seed, Hash: share.Hash, Until: until, Branch: c.branch[i],
		Side:     Side{Scenario: share.Scenario, Patch: share.Patch, Actions: share.Actions, Seed: &seed, Until: &until, Title: c.title[i]},
		View:     l.View(),
		Timeline: *timeline,
	}
}

// firstDifference is the first record that is not the same in both, nil if there is none as far as both go. The hash of
// the trace so far tells whether two runs have been the same up to an instant.
func firstDifference(a, b *Lab) *Difference {
	limit := min(a.edge.T, b.edge.T)
	ra, rb := a.run(), b.run()
	starts := ra.segments
	same := sort.Search(len(starts), func(k int) bool {
		at := starts[k].start.world.Now()
		return at > limit || starts[k].start.world.Hash() != rb.stateAt(Cursor{T: at, N: -1}, nil).world.Hash()
	}) - 1
	from := Cursor{T: -1, N: -1}
	if same > 0 {
		from.T = starts[same].start.world.Now()
	}
	sa, sb := ra.stateAt(from, nil), rb.stateAt(from, nil)
	for {
		var seenA, seenB said
		stepA, stepB := sa.step(limit, seenA.see(sa)), sb.step(limit, seenB.see(sb))
		if !stepA && !stepB {
			return nil
		}
		if stepA && stepB && sa.world.Hash() == sb.world.Hash() {
			continue
		}
		return seenA.against(&seenB)
	}
}

// said is what the records of one step say.
type said struct {
	records []trace.Record
	texts   []string
	places  []Cursor
}

func (s *said) see(st *state) func(*trace.Record, explain.Note) {
	return func(r *trace.Record, note explain.Note) {
		told := explain.Say(st.world, r, note)
		text := told.Text
		if told.Subject != "" {
			text = told.Subject + " " + text
		}
		s.records = append(s.records, *r)
		s.texts = append(s.texts, text)
		s.places = append(s.places, Cursor{T: r.At, N: note.Place.Ordinal})
	}
}

// against is the first of the records that differ, told for both.
func (s *said) against(o *said) *Difference {
	k := 0
	for k+1 < len(s.records) && k+1 < len(o.records) && s.records[k].At == o.records[k].At && s.texts[k] == o.texts[k] && s.records[k].SameButForNames(&o.records[k]) {
		k++
	}
	d := &Difference{Kind: "first", In: "both", TextA: "nothing more happens", TextB: "nothing more happens", T: 1<<63 - 1}
	if k < len(s.records) {
		d.T, d.TextA, d.CursorA = s.places[k].T, s.texts[k], &s.places[k]
	}
	if k < len(o.records) {
		d.T, d.TextB, d.CursorB = min(d.T, o.places[k].T), o.texts[k], &o.places[k]
	}
	d.Text = "The first difference"
	if d.CursorA != nil && d.CursorB != nil && d.CursorA.T != d.CursorB.T {
		d.TextA = explain.Instant(d.CursorA.T) + ": " + d.TextA
		d.TextB = explain.Instant(d.CursorB.T) + ": " + d.TextB
	}
	return d
}

// changes matches the leader changes in order.
func (c *Comparison) changes() {
	as, bs := c.A.Timeline.Changes, c.B.Timeline.Changes
	for k := range max(len(as), len(bs)) {
		p := ChangePair{Differ: true}
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
				text := fmt.Sprintf("%s leads at %s in the first run, %s at %s in the second", p.A.To, explain.Instant(p.A.At), p.B.To, explain.Instant(p.B.At))
				c.Differences = append(c.Differences, Difference{T: min(p.A.At, p.B.At), Kind: "change", In: "both", Text: text})
			}
		case p.A != nil:
			c.Differences = append(c.Differences, Difference{T: p.A.At, Kind: "change", In: "a", Text: p.A.To + " leads, in the first run only"})
		default:
			c.Differences = append(c.Differences, Difference{T: p.B.At, Kind: "change", In: "b", Text: p.B.To + " leads, in the second run only"})
		}
		c.Changes = append(c.Changes, p)
	}
}

// violations tells which are in one run only: those of a rule are matched in order.
func (c *Comparison) violations() {
	only := func(these, others []ViolationMark, in, words string) {
		left := map[string]int{}
		for i := range others {
			left[others[i].Rule]++
		}
		for i := range these {
			v := &these[i]
			if left[v.Rule]--; left[v.Rule] >= 0 {
				continue
			}
			d := Difference{T: v.From, Kind: "violation", In: in, Text: fmt.Sprintf("%s, in the %s run only: %s", v.Rule, words, v.Text)}
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

// totals are the figures of both runs side by side.
func totals(a, b *Lab, c *Comparison) []ComparedTotal {
	var all []ComparedTotal
	count := func(label string, a, b int64, lessIsBetter bool) {
		t := ComparedTotal{Label: label, A: itoa(a), B: itoa(b)}
		if a != b {
			t.Delta = signed(b-a, itoa)
		}
		if lessIsBetter {
			t.Better = better(a, b)
		}
		all = append(all, t)
	}
	length := func(label string, a, b int64, lessIsBetter bool) {
		t := ComparedTotal{Label: label, A: explain.Seconds(a), B: explain.Seconds(b)}
		if a != b {
			t.Delta = signed(b-a, explain.Seconds)
		}
		if lessIsBetter {
			t.Better = better(a, b)
		}
		all = append(all, t)
	}
	x, y := c.A.View.Totals, c.B.View.Totals
	length("compared up to", c.A.Until, c.B.Until, false)
	count("leader changes", int64(len(c.A.Timeline.Changes)), int64(len(c.B.Timeline.Changes)), false)
	length("nobody worked", x.LeaderlessNs, y.LeaderlessNs, true)
	length("longest time without a leader", longestGap(c.A.Timeline.Bands), longestGap(c.B.Timeline.Bands), true)
	length("more than one worked", x.DoubleNs, y.DoubleNs, true)
	count("violations", int64(x.Violations), int64(y.Violations), true)
	count("requests", int64(x.Requests), int64(y.Requests), false)
	count("versions of the Lease", int64(a.versions()), int64(b.versions()), false)
	return all
}

// signed writes a difference with its sign.
func signed(n int64, text func(int64) string) string {
	if n < 0 {
		return "−" + text(-n)
	}
	return "+" + text(n)
}

func better(a, b int64) string {
	switch {
	case a < b:
		return "a"
	case b < a:
		return "b"
	}
	return ""
}

func longestGap(bands []Band) int64 {
	longest := int64(0)
	for _, b := range bands {
		if b.Kind == "nobody" {
			longest = max(longest, b.To-b.From)
		}
	}
	return longest
}
