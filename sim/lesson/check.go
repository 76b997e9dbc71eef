package lesson

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
)

// Check runs a lesson and lists the statements that the runs contradict. The lesson must have passed Read. Check
// stops at the first number that the engine cannot measure, because everything else depends on the numbers. If a
// lesson has no bet, question or goal, Check only measures its numbers.
func Check(file string, l *Lesson) Problems {
	r := &report{file: file, lines: l.lines}
	facts, err := l.Evaluate()
	if err != nil {
		r.add("numbers", err.Error())
		return r.found
	}
	c := checker{r, l, facts}
	c.bet()
	c.question()
	c.goal()
	return r.found
}

// checker compares a lesson with the facts of its runs.
type checker struct {
	*report
	l     *Lesson
	facts *Facts
}

// `bet` checks that the prediction has an answer: a marker is between the bet and the end of the outcome, the runs
// confirm the right option, and a typed figure fits into its field.
func (c checker) bet() {
	step, at := c.l.step(Predict)
	if step == nil {
		return
	}
	see, _ := c.l.step(See)
	path := join(index("steps", at), "bet")
	b := step.Bet
	answer := c.facts.Values[b.Answer]
	switch b.Kind {
	case Marker:
		if answer <= float64(step.Until) || answer > float64(see.Until) {
			c.add(join(path, "answer"), fmt.Sprintf("is at %v; it must be after the bet (%v) and by the see (%v)",
				Length(answer), step.Until, see.Until))
		}
	case Choice:
		measured := c.facts.together(b.Answer)
		at := slices.IndexFunc(b.Options, func(o Option) bool { return o.Is == measured })
		if at < 0 || b.Options[at].Name != b.Right {
			c.add(join(path, "right"), fmt.Sprintf("%q contradicts the runs: the engine measured %q", b.Right,
				measured))
		}
		return
	default:
		if math.IsNaN(answer) || answer > c.most(b) {
			c.add(join(path, "most"), fmt.Sprintf("the answer is %s, so \"most\" must not be smaller",
				c.facts.Texts[b.Answer]))
			return
		}
	}
	c.reachable(step, see, at+1)
}

// `most` returns the largest prediction allowed, in the unit of the answer.
func (c checker) most(b *Bet) float64 {
	if b.Kind == Seconds {
		return float64(b.Most) * 1e9
	}
	return float64(b.Most)
}

// `reachable` reports thoughts that no prediction leads to. It tries every count, or every hundredth of a second. An
// author easily writes a rule that an earlier rule hides: "before 20 s" after "before 30 s" never applies.
func (c checker) reachable(bet, see *Step, at int) {
	counts := bet.Bet.Kind == Count
	from, to, by := 0.0, c.most(bet.Bet), 1e7
	switch bet.Bet.Kind {
	case Marker:
		run, _ := c.l.base("", nil)
		from, to = float64(bet.Until), float64(run.Duration)
	case Count:
		by = 1
	}
	met := map[string]bool{}
	for v := from; v <= to; v += by {
		met[c.facts.ThoughtOf(see.Thoughts, v, counts)] = true
	}
	for i := range see.Thoughts {
		if name := see.Thoughts[i].Name; !met[name] {
			c.add(index(join(index("steps", at), "thoughts"), i),
				fmt.Sprintf("no prediction leads to %q, because earlier rules match all of them", name))
		}
	}
}

// `question` compares the choices that the lesson calls right with the choices that turn out best in the runs.
func (c checker) question() {
	step, at := c.l.step(Transfer)
	if step == nil {
		return
	}
	q, path := step.Question, join(index("steps", at), "question")
	all, err := c.l.values(q)
	if err != nil {
		c.add(join(path, "choices"), err.Error())
		return
	}
	own := c.facts.Values[q.Number]
	if q.Number == "gap" {
		own = 0 // the values are differences from the lesson's own run
	}
	for i := range q.Choices {
		if right := best(q.By, all, i, own); right != (q.Choices[i].Name == q.Right) {
			c.add(join(path, "right"),
				fmt.Sprintf("%q contradicts the runs: %s is %v for the choices and %v for the lesson's run", q.Right,
					q.Number, all, own))
			return
		}
	}
}

// `values` measures a question's number for each choice. For gap, the number is the increase of the median gap.
func (l *Lesson) values(q *Question) ([]float64, error) {
	var all []float64
	for i := range q.Choices {
		if q.Number == "gap" {
			_, median, plain, err := l.Gap(q, &q.Choices[i])
			if err != nil {
				return nil, err
			}
			all = append(all, float64(median)-float64(plain))
			continue
		}
		figure, err := l.Measure(l.number(q.Number), &q.Choices[i])
		if err != nil {
			return nil, err
		}
		all = append(all, figure.Value)
	}
	return all, nil
}

// `best` reports whether exactly one of the values matches what a question asks for. If two choices share the best
// value, the question fails, whichever of them the lesson calls right.
func best(by string, all []float64, at int, own float64) bool {
	for i, other := range all {
		switch {
		case by == Same && all[at] != own,
			by == Least && i != at && other <= all[at],
			by == Most && i != at && other >= all[at]:
			return false
		}
	}
	return true
}

// `goal` checks that the lesson's own run misses the goal, and that the lesson's solution reaches it.
func (c checker) goal() {
	if len(c.l.Goal.Expect) == 0 {
		return
	}
	for _, way := range []struct {
		set   []Change
		meets bool
		path  string
		wrong string
	}{
		{nil, false, "goal.expect", "the lesson's own run already reaches this goal"},
		{c.l.Goal.ReachedBy, true, "goal.reachedBy", "does not reach the goal: "},
	} {
		s, err := c.l.base("", way.set)
		if err == nil {
			err = c.meets(s, way.meets)
		}
		if err != nil {
			c.add(way.path, way.wrong+err.Error())
		}
	}
}

// `meets` runs a scenario and checks whether it meets the goal, or misses it, as the caller wants. The error lists the
// clauses that fail. If the run meets a goal that it should miss, the error has no text, because the caller supplies
// the text.
func (c checker) meets(s scenario.Scenario, wanted bool) error {
	all, err := outcomes(s, c.l.Goal.Expect)
	if err != nil {
		return err
	}
	var unmet []string
	for i := range all {
		if !all[i].Met {
			unmet = append(unmet, all[i].String())
		}
	}
	if wanted && len(unmet) > 0 {
		return fmt.Errorf("%s", strings.Join(unmet, ", "))
	}
	if !wanted && len(unmet) == 0 {
		return fmt.Errorf("")
	}
	return nil
}
