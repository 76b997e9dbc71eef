package lesson

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/judge/expect"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

// Figure is a measured value. Figure has the words of the assertion, and a number: nanoseconds, a count, or NaN for a
// name.
type Figure struct {
	Text  string
	Value float64
}

// base returns the scenario of a lesson, or another scenario, with changed settings. The visitor's act is part of the
// lesson's run only.
func (l *Lesson) base(name string, set []Change) (scenario.Scenario, error) {
	if name == "" {
		s, err := l.plain()
		if err != nil {
			return s, err
		}
		for _, act := range l.acts() {
			s.Actions = append(s.Actions, act.action())
		}
		return applyChanges(s, set)
	}
	s, known := l.library.Find(name)
	if !known {
		return s, fmt.Errorf("no shipped scenario is named %q", name)
	}
	return applyChanges(s, set)
}

// `plain` returns a lesson's run before the visitor acts.
func (l *Lesson) plain() (s scenario.Scenario, err error) {
	if l.Scenario.Whole != nil {
		s, err = scenario.Decode(l.Scenario.Whole)
	} else {
		s, err = l.base(l.Scenario.Name, nil)
	}
	if l.Seed > 0 {
		s.Seed = uint64(l.Seed)
	}
	return s, err
}

// `outcomes` runs a copy of a scenario to its end and checks the clauses. In the copy, the clauses replace the
// scenario's own expectations.
func outcomes(s scenario.Scenario, clauses []scenario.Expect) ([]expect.Outcome, error) {
	s = s.Clone()
	s.Expect = make([]scenario.Expect, len(clauses))
	for i, e := range clauses {
		s.Expect[i] = withBound(e)
	}
	if err := scenario.Validate(s); err != nil {
		return nil, err
	}
	r := run.WithClauses(s)
	r.To(r.EndNs(), nil)
	r.Settle(r.EndNs())
	return r.Outcomes(r.EndNs()), nil
}

// Measure measures a number in a choice's run. If the argument "in" is nil, it uses the number's own run. A number
// whose field Seeds is not 0 needs one run per seed, so a lesson with several such numbers takes seconds.
func (l *Lesson) Measure(n *Number, in *Alternative) (Figure, error) {
	name, set := n.Scenario, n.Set
	if in != nil {
		name, set = in.Scenario, in.Set
	}
	s, err := l.base(name, set)
	if err != nil {
		return Figure{}, err
	}
	if n.Seeds == 0 {
		all, err := outcomes(s, []scenario.Expect{*n.Expect})
		if err != nil {
			return Figure{}, err
		}
		if n.Expect.Leader != "" {
			return Figure{all[0].Measured, math.NaN()}, nil
		}
		return Figure{all[0].Measured, all[0].Value}, nil
	}
	met := 0
	for seed := range n.Seeds {
		s.Seed = uint64(seed + 1)
		all, err := outcomes(s, []scenario.Expect{*n.Expect})
		if err != nil {
			return Figure{}, err
		}
		if all[0].Met {
			met++
		}
	}
	return Figure{strconv.Itoa(met), float64(met)}, nil
}

// Facts are the values of a lesson's run, as nanoseconds or counts.
type Facts struct {
	Values map[string]float64
	Texts  map[string]string // values of the numbers, in words
}

// Evaluate runs a lesson and measures everything that its texts name. The value act is a nanosecond after the instant
// in the file, because the page acts then; see Act.action. The value freeAt is when the Lease became free for the new
// leader: at the end of its countdown or, without a countdown, at the beginning of the gap.
func (l *Lesson) Evaluate() (*Facts, error) {
	f := &Facts{Values: map[string]float64{}, Texts: map[string]string{}}
	for i := range l.Numbers {
		n := &l.Numbers[i]
		figure, err := l.Measure(n, nil)
		if err != nil {
			return nil, fmt.Errorf("the number %s: %w", n.Name, err)
		}
		f.Values[n.Name], f.Texts[n.Name] = figure.Value, figure.Text
	}
	s, err := l.base("", nil)
	if err != nil {
		return nil, err
	}
	for name, length := range settingsOf(s) {
		f.Values[name] = float64(length)
	}
	if at := l.actAt(); at >= 0 {
		f.Values["act"] = float64(at + 1)
	}
	if l.Explain == 0 {
		return f, nil
	}
	session, err := l.session()
	if err != nil {
		return nil, err
	}
	why, err := view.ExplainChange(session.Look(), l.Explain)
	if err != nil {
		return nil, fmt.Errorf("the leader change to explain: %w", err)
	}
	f.Values["tookAt"], f.Values["freeAt"] = float64(why.Change.At), float64(why.Change.At-why.Change.LeaderlessNs)
	if len(why.Counts) > 0 {
		f.Values["freeAt"] = float64(why.Counts[0].Until)
	}
	return f, nil
}

// actAt returns when the visitor last acts before predicting, or -1.
func (l *Lesson) actAt() Length {
	if all := l.acts(); len(all) > 0 {
		return all[len(all)-1].At
	}
	return -1
}

// settingsOf returns the settings of a run's first candidate.
func settingsOf(s scenario.Scenario) map[string]scenario.Duration {
	first := scenario.Resolve(s).Candidates[0].Elector
	return map[string]scenario.Duration{
		"leaseDuration": *first.LeaseDuration, "renewDeadline": *first.RenewDeadline, "retryPeriod": *first.RetryPeriod,
		"requestTimeout": *first.RequestTimeout,
	}
}

// session opens a lesson's run with the visitor's act, and advances it through everything that the lesson shows. It
// uses the same code as the page, so that the figures in sentences match the figures on the screen.
func (l *Lesson) session() (*lab.Lab, error) {
	plain, err := l.plain()
	if err != nil {
		return nil, err
	}
	session := lab.New([]scenario.Scenario{plain})
	if err := session.Open(lab.Opening{Name: plain.Name}); err != nil {
		return nil, err
	}
	for _, act := range l.acts() {
		session.Show(int64(act.At))
		if err := session.Act(act.Act, act.Node, protocol.ActOptions{}); err != nil {
			return nil, err
		}
	}
	shown := l.Steps[len(l.Steps)-1].Until
	if see, _ := l.step(See); see != nil {
		shown = see.Until
	}
	session.Seek(timeline.Cursor{T: int64(shown), N: -1})
	session.Show(int64(shown))
	return session, nil
}

// Gap answers a question about the gap. It returns the gap of this run with changed settings, the median over several
// seeds, and the median of the same seeds without changes. If no candidate leads again, the gap is math.MaxInt64.
func (l *Lesson) Gap(q *Question, c *Alternative) (here, median, plain int64, err error) {
	session, err := l.session()
	if err != nil {
		return 0, 0, 0, err
	}
	patch := elements.Of(c.Set, func(one Change) protocol.PatchEntry {
		return protocol.PatchEntry{Path: one.Path, Value: one.Value}
	})
	after := max(0, int64(l.actAt()))
	for {
		swept, err := session.Sweep(patch, after, 1, q.Seeds)
		if err != nil {
			return 0, 0, 0, err
		}
		if swept.Done < swept.Of {
			continue
		}
		value := func(ns *int64) int64 {
			if ns == nil {
				return math.MaxInt64
			}
			return *ns
		}
		return value(swept.HereNs), value(swept.MedianNs), value(swept.PlainMedianNs), nil
	}
}

// String lists the values, one per line.
func (f *Facts) String() string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.Values)) {
		text := cmp.Or(f.Texts[name], Length(f.Values[name]).String())
		fmt.Fprintf(&out, "%-16s %s\n", name, text)
	}
	return out.String()
}

// `together` joins the texts of several numbers with spaces.
func (f *Facts) together(names string) string {
	return strings.Join(elements.Of(strings.Fields(names), func(name string) string { return f.Texts[name] }), " ")
}

// sum adds up the addends of a point. It returns false if a name in the point has no value.
func (f *Facts) sum(points []Point) (float64, bool) {
	total := 0.0
	for _, p := range points {
		value := float64(p.Value)
		if p.Name != "" {
			known := false
			if value, known = f.Values[p.Name]; !known || math.IsNaN(value) {
				return 0, false
			}
		}
		total += value
	}
	return total, true
}

// ThoughtOf returns the name of the first thought whose rule fits a prediction. Rules compare tenths of a second,
// because visitors do not predict more precisely. Example: with leaseDuration 15 s and the act at 20 s, the rule
// "near act + leaseDuration within 1s" fits predictions from 34 to 36 s: the visitor thought that the countdown
// starts at the act. The rules apply in the order of the file, and the last one fits every prediction.
func (f *Facts) ThoughtOf(thoughts []Thought, bet float64, counts bool) string {
	edge := func(at float64) float64 {
		if counts {
			return at
		}
		return math.Floor(at/1e8+0.5) * 1e8
	}
	for i := range thoughts {
		t := &thoughts[i]
		near, _ := f.sum(t.Near)
		before, _ := f.sum(t.Before)
		switch {
		case t.Within != nil:
			within, _ := f.sum([]Point{*t.Within})
			if bet >= edge(near-within) && bet <= edge(near+within) {
				return t.Name
			}
		case len(t.Before) > 0:
			if bet < edge(before) {
				return t.Name
			}
		default:
			return t.Name
		}
	}
	return ""
}
