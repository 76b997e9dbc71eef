package lesson

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
)

// `sentences` checks the sentences of the whole lesson and of each step.
func (v *validator) sentences() {
	l := v.l
	for _, one := range []struct {
		path, text string
		needed     bool
	}{
		{"title", l.Title, true},
		{"question", l.Question, !l.Own()},
		{"teaser", l.Teaser, !l.Own()},
		{"takeaway", l.Takeaway, !l.Own()},
		{"goal.says", l.Goal.Says, len(l.Goal.Expect) > 0},
	} {
		if one.needed || one.text != "" {
			v.says(one.path, one.text, settings)
		}
	}
	if n := sentences(l.Takeaway); n != 1 && l.Takeaway != "" {
		v.add("takeaway", "has "+strconv.Itoa(n)+" sentences; write only one")
	}
	_, bet := l.step(Predict)
	for i := range l.Steps {
		s, path := &l.Steps[i], join(index("steps", i), "says")
		if s.Says == nil {
			v.add(path, "is missing")
			continue
		}
		v.step(path, s, s.Says, v.knownNames(bet >= 0 && i > bet))
	}
}

// knownNames returns the values that a text may name. Before the bet these are the settings, numbers that the run has
// already shown, and numbers from other runs that do not give away an answer. A text before the bet must not contain
// the bet's answer, even in braces. The argument "seen" is true for the step of kind see and all later steps.
func (v *validator) knownNames(seen bool) []string {
	all := append(slices.Clone(settings), "press")
	bet, _ := v.l.step(Predict)
	for i := range v.l.Numbers {
		n := &v.l.Numbers[i]
		if seen || bet == nil || n.early(bet.Until) || n.elsewhere() && bet.Bet != nil &&
			!slices.Contains(strings.Fields(bet.Bet.Answer), n.Name) {
			all = append(all, n.Name)
		}
	}
	if (seen || bet == nil) && v.l.Explain > 0 {
		all = append(all, explained...)
	}
	return all
}

// `early` reports whether the run has already shown a number at an instant.
func (n *Number) early(by Length) bool {
	return (n.Expect.At != nil && Length(*n.Expect.At) <= by) ||
		(n.Expect.Until != nil && Length(*n.Expect.Until) <= by)
}

// `elsewhere` reports whether a number comes from a run other than the lesson's.
func (n *Number) elsewhere() bool { return n.Scenario != "" || len(n.Set) > 0 }

// `says` checks one required sentence.
func (v *validator) says(path, text string, known []string) {
	if strings.TrimSpace(text) == "" {
		v.add(path, "is missing")
		return
	}
	for _, name := range namesIn(text) {
		if !slices.Contains(known, name) {
			v.add(path, "names {"+name+"}, which is not known at this step"+suggestWords(name, known))
		}
	}
	if strings.Count(text, "*")%2 != 0 || strings.Count(text, "{") != strings.Count(text, "}") {
		v.add(path, "has an unpaired mark; **, * and braces must come in pairs")
	}
}

// `optional` checks a sentence that your own lesson may leave out.
func (v *validator) optional(path, text string, known []string) {
	if text != "" || !v.l.Own() {
		v.says(path, text, known)
	}
}

func (v *validator) step(path string, s *Step, t *StepText, known []string) {
	v.says(join(path, "title"), t.Title, nil)
	if t.Notes != "" {
		v.says(join(path, "notes"), t.Notes, settings)
	}
	for i, paragraph := range t.Text {
		v.says(index(join(path, "text"), i), paragraph, known)
	}
	if len(t.Text) == 0 && s.Kind != See && s.Kind != Why {
		v.add(join(path, "text"), "is missing")
	}
	switch s.Kind {
	case DoIt:
		v.optional(join(path, "done"), t.Done, known)
		v.optional(join(path, "wrong"), t.Wrong, append(known, "verb"))
	case Predict:
		if s.Bet != nil {
			v.checkNames(join(path, "options"), t.Options, optionNames(s.Bet), known)
		}
	case See:
		v.outcome(path, s, t, known)
	case Why:
		v.says(join(path, "sum"), t.Sum, append(known, "chain"))
		v.says(join(path, "other"), t.Other, known)
		for i, part := range t.Parts {
			v.says(index(join(path, "parts"), i), part, known)
		}
	case Transfer:
		if s.Question != nil {
			v.answers(path, s.Question, t, known)
		}
	}
}

func optionNames(b *Bet) []string {
	return elements.Of(b.Options, func(o Option) string { return o.Name })
}

// checkNames checks that a group has one sentence for each name and no other sentences.
func (v *validator) checkNames(path string, have map[string]string, want, known []string) {
	for _, name := range want {
		v.says(join(path, name), have[name], known)
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if !slices.Contains(want, name) {
			v.add(join(path, name), "the lesson has nothing with this name"+suggestWords(name, want))
		}
	}
}

// `outcome` checks the sentences after the bet. Only these sentences may mention the prediction. The sentence "none"
// may not, because it is for a visitor who made no prediction.
func (v *validator) outcome(path string, s *Step, t *StepText, known []string) {
	bet, _ := v.l.step(Predict)
	if bet == nil || bet.Bet == nil {
		return
	}
	v.says(join(path, "outcome"), t.Outcome, known)
	names := []string{}
	if bet.Bet.Kind == Choice {
		names = optionNames(bet.Bet)
	} else {
		made := append(slices.Clone(known), "bet", "off", "side", "left")
		v.says(join(path, "missed"), t.Missed, made)
		v.says(join(path, "exact"), t.Exact, made)
		if len(t.Sides) != 2 {
			v.add(join(path, "sides"), "needs two words for {side}: too little, and too much")
		}
		for i := range s.Thoughts {
			names = append(names, s.Thoughts[i].Name)
		}
		known = made
	}
	names = append(names, "none")
	if v.l.Own() {
		names = slices.DeleteFunc(names, func(name string) bool {
			_, given := t.Thoughts[name]
			return !given && (name == "none" || bet.Bet.Kind == Choice)
		})
	}
	v.checkNames(join(path, "thoughts"), t.Thoughts, names, known)
	if none := t.Thoughts["none"]; strings.Contains(none, "{bet}") || strings.Contains(none, "{off}") ||
		strings.Contains(none, "{left}") {
		v.add(join(path, "thoughts.none"), "answers a reader who made no bet, so it cannot use {bet}, {off} or {left}")
	}
}

// `answers` checks the sentences about the choices' runs. Since the right answer comes after all these runs, its
// sentence may name any of their values.
func (v *validator) answers(path string, q *Question, t *StepText, known []string) {
	names, all := []string{}, slices.Clone(known)
	for i := range q.Choices {
		name := q.Choices[i].Name
		names = append(names, name)
		all = append(all, name+".here")
		if q.Number == "gap" {
			all = append(all, name+".median")
		}
	}
	all = append(all, "here", "plain", "change", "choice")
	if q.Number == "gap" {
		all = append(all, "median", "seeds", "medianChange")
	}
	v.checkNames(join(path, "choices"), t.Choices, names, known)
	v.checkNames(join(path, "answers"), t.Answers, names, all)
	v.says(join(path, "right"), t.Right, nil)
}

// `sentences` counts the ends of sentences: a period, question mark or exclamation mark before a space or the end.
func sentences(text string) int {
	n := 0
	for i, c := range text {
		if strings.ContainsRune(".?!", c) && (i == len(text)-1 || text[i+1] == ' ') {
			n++
		}
	}
	return n
}
