package lesson

import (
	"maps"
	"slices"
	"strconv"

	"github.com/leaselab/leaselab/sim/scenario"
)

// literals notes a number in a sentence that stands neither in the scenarios that the lesson runs nor in the lesson.
// What a run measures belongs in braces: then the engine fills it in.
func (r *report) literals(l *Lesson, t *Text) {
	known := l.written()
	for _, quoted := range l.Quotes {
		add(known, quoted)
	}
	t.each(func(path, text string) {
		_, rest := inBraces(text)
		for _, number := range numbersOf(rest) {
			if !known[number] {
				r.add(path, "the number "+number+
					" stands in no file that the lesson runs; measure it and name it in braces, or quote it in the "+
					"lesson's quotes")
			}
		}
	})
}

// written are the numbers of the lesson and of the scenarios that it runs, with their defaults.
func (l *Lesson) written() map[string]bool {
	known := map[string]bool{"1": true, "2": true} // as words
	all := []string{l.Scenario.Name}
	sets := [][]Change{l.Goal.ReachedBy}
	for i := range l.Numbers {
		all, sets = append(all, l.Numbers[i].Scenario), append(sets, l.Numbers[i].Set)
		known[strconv.Itoa(l.Numbers[i].Seeds)] = true
		addClause(known, l.Numbers[i].Expect)
	}
	for i := range l.Steps {
		step := &l.Steps[i]
		add(known, step.Until.String())
		if step.Visits != nil {
			all = append(all, step.Visits.Scenario)
			add(known, step.Visits.At.String())
			known[strconv.FormatFloat(float64(step.Visits.At)/1e9, 'f', -1, 64)] = true // "at 240 s", not "4m0s"
		}
		if step.Question == nil {
			continue
		}
		for j := range step.Question.Choices {
			all, sets = append(all, step.Question.Choices[j].Scenario), append(sets, step.Question.Choices[j].Set)
		}
	}
	for i := range l.Goal.Expect {
		addClause(known, &l.Goal.Expect[i])
	}
	for _, set := range sets {
		for _, c := range set {
			add(known, c.Value)
		}
	}
	for _, name := range all {
		s, there := l.library.Find(name)
		if !there {
			continue
		}
		add(known, string(l.library.Source(name)))
		for _, length := range settingsOf(s) {
			add(known, length.String())
		}
		add(known, string(scenario.Encode(s)))
	}
	return known
}

// addClause notes the numbers of an assertion, and its instants in seconds.
func addClause(known map[string]bool, e *scenario.Expect) {
	for _, at := range []*scenario.Duration{e.At, e.From, e.Until} {
		if at != nil {
			known[strconv.FormatFloat(float64(*at)/1e9, 'f', -1, 64)] = true
		}
	}
	add(known, string(e.AtLeast)+" "+string(e.AtMost))
}

// add notes each number of a text.
func add(known map[string]bool, text string) {
	for _, number := range numbersOf(text) {
		known[number] = true
	}
}

// each calls with every sentence of a text, in order of their paths.
func (t *Text) each(do func(path, text string)) {
	do("title", t.Title)
	do("teaser", t.Teaser)
	do("takeaway", t.Takeaway)
	do("goal", t.Goal)
	for _, name := range slices.Sorted(maps.Keys(t.Steps)) {
		s, path := t.Steps[name], join("steps", name)
		for _, one := range []struct{ name, text string }{
			{"title", s.Title}, {"done", s.Done}, {"wrong", s.Wrong}, {"outcome", s.Outcome}, {"missed", s.Missed},
			{"exact", s.Exact}, {"sum", s.Sum}, {"other", s.Other}, {"notes", s.Notes},
		} {
			do(join(path, one.name), one.text)
		}
		for i, text := range s.Text {
			do(index(join(path, "text"), i), text)
		}
		for i, text := range s.Parts {
			do(index(join(path, "parts"), i), text)
		}
		for _, group := range []struct {
			name  string
			texts map[string]string
		}{{"options", s.Options}, {"thoughts", s.Thoughts}, {"choices", s.Choices}, {"answers", s.Answers}} {
			for _, key := range slices.Sorted(maps.Keys(group.texts)) {
				do(join(join(path, group.name), key), group.texts[key])
			}
		}
	}
}
