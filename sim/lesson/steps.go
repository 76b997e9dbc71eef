package lesson

import (
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
)

// `steps` checks each step and their order. A lesson's steps begin with look. A step of kind see follows the
// prediction, and the question comes last.
func (v *validator) steps() {
	seen := map[string]int{}
	kinds := map[string]int{}
	last := Length(0)
	for i := range v.l.Steps {
		s, path := &v.l.Steps[i], index("steps", i)
		if before, twice := seen[s.Name]; twice {
			v.add(join(path, "name"), strconv.Quote(s.Name)+" is the name of "+index("steps", before)+
				", too; choose another")
		}
		seen[s.Name] = i
		kinds[s.Kind]++
		v.instant(join(path, "until"), s.Until)
		if s.Until < last {
			v.add(join(path, "until"), s.Until.String()+" is before the previous step ends, at "+last.String())
		}
		last = s.Until
		if s.Shows != nil {
			v.span(join(path, "shows"), s.Shows)
		}
		if s.Look != nil {
			v.place(join(path, "look"), s.Look)
		}
		if s.Visits != nil {
			v.visit(join(path, "visits"), s, kinds[See] > 0)
		}
		v.parts(path, s)
	}
	v.counts(kinds)
	if len(v.l.Steps) > 0 && v.l.Opens > v.l.Steps[0].Until {
		v.add("opens", v.l.Opens.String()+" is after the first step ends, at "+v.l.Steps[0].Until.String())
	}
	v.order()
}

// `counts` checks the number of steps of each kind. A lesson of the course has exactly one bet and one question; your
// own lesson has at most one of each.
func (v *validator) counts(kinds map[string]int) {
	if len(v.l.Steps) == 0 {
		v.add("steps", "has no steps; a lesson needs at least one")
	}
	for _, kind := range []string{Predict, See, Transfer} {
		switch n := kinds[kind]; {
		case n == 1 || n == 0 && v.l.Own():
		case v.l.Own():
			v.add("steps", "has "+strconv.Itoa(n)+" steps of kind "+kind+"; a lesson has at most one")
		default:
			v.add("steps", "has "+strconv.Itoa(n)+" steps of kind "+kind+"; a lesson has one")
		}
	}
}

func (v *validator) order() {
	bet, at := v.l.step(Predict)
	see, after := v.l.step(See)
	_, transfer := v.l.step(Transfer)
	if transfer >= 0 && transfer != len(v.l.Steps)-1 {
		v.add(index("steps", transfer), "must be the last step")
	}
	for i := range v.l.Steps {
		act := v.l.actOf(&v.l.Steps[i])
		if act == nil {
			continue
		}
		if until := v.l.Steps[i].Until; until != act.At {
			v.add(join(index("steps", i), "until"), until.String()+" must be the instant of the act, "+act.At.String())
		}
		if bet != nil && (i > at || !v.l.Own() && bet.Until != act.At) {
			v.add(index("steps", i), "the act comes before the bet, and both steps end at its instant, "+
				act.At.String())
		}
	}
	switch {
	case bet == nil && see == nil:
		return
	case see == nil:
		v.add(index("steps", at), "needs a step of kind see after it, which shows the answer")
		return
	case bet == nil:
		v.add(index("steps", after), "shows the answer of a bet, but no step of kind bet comes before it")
		return
	case after != at+1:
		v.add(index("steps", after), "must be the step after the bet")
	}
	if bet.Bet != nil {
		v.thoughts(index("steps", after), see, bet.Bet)
	}
}

func (v *validator) visit(path string, s *Step, seen bool) {
	of, known := v.scenario(join(path, "scenario"), s.Visits.Scenario)
	if end := Length(of.Duration); known && s.Visits.At > end {
		v.add(join(path, "at"), s.Visits.At.String()+" lies after the end of that run at "+end.String())
	}
	if s.Kind != Look || !seen {
		v.add(path, "belongs to a step of kind look after the outcome, because the lesson's run starts again after it")
	}
}

func (v *validator) place(path string, p *Place) {
	inLane := p.Region == "ticks" || p.Region == "slope"
	switch {
	case p.Region == "resource" && v.run.Resource == nil:
		v.add(join(path, "region"), "the scenario has no resource; add resource to it, or look elsewhere")
	case inLane && p.Node == "":
		v.add(join(path, "node"), "is missing: name the node whose lane has the "+p.Region)
	case p.Node != "":
		v.node(join(path, "node"), p.Node)
	}
}

// `parts` checks that a step has exactly the fields that its kind needs.
func (v *validator) parts(path string, s *Step) {
	for _, part := range []struct {
		name, kind string
		given      bool
		needed     string
	}{
		{"bet", Predict, s.Bet != nil, "a prediction has a bet with its answer"},
		{"thoughts", See, len(s.Thoughts) > 0, ""},
		{"question", Transfer, s.Question != nil, "this step asks a question"},
	} {
		switch {
		case part.given && s.Kind != part.kind:
			v.add(join(path, part.name), "belongs to a step of kind "+part.kind)
		case !part.given && s.Kind == part.kind && part.needed != "":
			v.add(join(path, part.name), "is missing: "+part.needed)
		}
	}
	if s.Kind == Predict && s.Bet != nil {
		v.bet(join(path, "bet"), s.Bet)
	}
	if s.Kind == Transfer && s.Question != nil {
		v.question(join(path, "question"), s.Question)
	}
}

func (v *validator) bet(path string, b *Bet) {
	switch {
	case b.Kind == Marker && b.Answer == "tookAt" && v.l.Explain == 0:
		v.add(join(path, "answer"),
			"tookAt is the leader change that the lesson explains; add explain: and its number, counted from 0")
	case b.Kind == Marker && b.Answer != "tookAt":
		v.add(join(path, "answer"), strconv.Quote(b.Answer)+" is not an instant; the answer of a marker is tookAt")
	case b.Kind == Choice:
		for _, name := range strings.Fields(b.Answer) {
			if v.l.number(name) == nil {
				v.add(join(path, "answer"), "no number is named "+strconv.Quote(name)+suggestWords(name, v.names())+
					", and a bet needs an answer that the engine measures")
			}
		}
		if b.Answer == "" {
			v.add(join(path, "answer"), "is empty; a bet needs an answer that the engine measures")
		}
	case b.Kind != Marker && v.l.number(b.Answer) == nil:
		v.add(join(path, "answer"), "no number is named "+strconv.Quote(b.Answer)+suggestWords(b.Answer, v.names())+
			", and a bet needs an answer that the engine measures")
	}
	asks := b.Kind == Seconds || b.Kind == Count
	if asks && b.Most <= 0 {
		v.add(join(path, "most"), "is missing: the largest answer that makes sense")
	}
	if (b.Kind == Choice) != (len(b.Options) > 0) || len(b.Options) == 1 {
		v.add(join(path, "options"), "a choice has two options or more; other bets have none")
	}
	if b.Kind == Choice && !slices.ContainsFunc(b.Options, func(o Option) bool { return o.Name == b.Right }) {
		v.add(join(path, "right"), "no option is named "+strconv.Quote(b.Right)+suggestWords(b.Right, optionNames(b)))
	}
	names, answers := []string{}, []string{}
	for i, o := range b.Options {
		if slices.Contains(names, o.Name) || slices.Contains(answers, o.Is) {
			v.add(index(join(path, "options"), i), "appears twice")
		}
		names, answers = append(names, o.Name), append(answers, o.Is)
	}
}

func (v *validator) names() []string {
	return elements.Of(v.l.Numbers, func(one Number) string { return one.Name })
}

func (v *validator) thoughts(path string, see *Step, b *Bet) {
	if b.Kind == Choice {
		if len(see.Thoughts) > 0 {
			v.add(join(path, "thoughts"), "leave it out: in a choice, each option has its own thought")
		}
		return
	}
	if len(see.Thoughts) < 3 && !v.l.Own() {
		v.add(join(path, "thoughts"), "needs at least three: the feedback names the thought behind an answer")
	}
	seen := []string{"none"}
	for i := range see.Thoughts {
		t, at := &see.Thoughts[i], index(join(path, "thoughts"), i)
		if slices.Contains(seen, t.Name) {
			v.add(join(at, "name"), strconv.Quote(t.Name)+" is taken; choose another")
		}
		seen = append(seen, t.Name)
		last := i == len(see.Thoughts)-1
		switch near, before := len(t.Near) > 0, len(t.Before) > 0; {
		case last && (near || before):
			v.add(at, "the last thought must not have \"near\" or \"before\": it covers all other predictions")
		case !last && near == before:
			v.add(at, "needs either \"near\" and \"within\", or \"before\"")
		case near != (t.Within != nil):
			v.add(join(at, "within"), "belongs with \"near\": give both or neither")
		}
		for _, sum := range [][]Point{t.Near, t.Before} {
			for _, p := range sum {
				v.point(at, p)
			}
		}
	}
}

func (v *validator) point(path string, p Point) {
	known := append(append(v.names(), settings...), points...)
	if p.Name != "" && !slices.Contains(known, p.Name) {
		v.add(path, strconv.Quote(p.Name)+" is not a value of this lesson"+suggestWords(p.Name, known))
	}
}

func (v *validator) question(path string, q *Question) {
	if q.Number != "gap" && v.l.number(q.Number) == nil {
		v.add(join(path, "number"), "no number is named "+strconv.Quote(q.Number)+
			suggestWords(q.Number, append(v.names(), "gap")))
	}
	if (q.Number == "gap") != (q.Seeds > 0) || q.Seeds < 0 || q.Seeds > 1000 {
		v.add(join(path, "seeds"), "must be 1 to 1000 if number is \"gap\"; otherwise leave it out")
	}
	if len(q.Choices) < 2 {
		v.add(join(path, "choices"), "needs two or more")
	}
	seen := []string{}
	for i := range q.Choices {
		c, at := &q.Choices[i], index(join(path, "choices"), i)
		if slices.Contains(seen, c.Name) || !wordForm.MatchString(c.Name) {
			v.add(join(at, "name"), strconv.Quote(c.Name)+" must be one word, and differ from the other choices")
		}
		seen = append(seen, c.Name)
		in, known := v.run, true
		if c.Scenario != "" {
			in, known = v.scenario(join(at, "scenario"), c.Scenario)
		}
		if !known {
			continue
		}
		if c.Scenario != "" && q.Number == "gap" {
			v.add(join(at, "scenario"), "gap needs other settings of the same run; use set")
		}
		if _, err := applyChanges(in, c.Set); err != nil {
			v.noteError(join(at, "set"), err)
		}
	}
	if !slices.Contains(seen, q.Right) {
		v.add(join(path, "right"), "no choice is named "+strconv.Quote(q.Right)+suggestWords(q.Right, seen))
	}
}
