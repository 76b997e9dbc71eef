package lesson

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/scenario"
)

// settings are values from the scenario, in seconds, that every text may name.
var settings = []string{"leaseDuration", "renewDeadline", "retryPeriod", "requestTimeout"}

// explained are the values of the leader change that a lesson explains.
var explained = []string{"actor", "winner", "tookAt", "gap", "freeAt", "lookedAt", "head", "other", "otherSeen",
	"otherFree"}

// filled are the values that the page itself fills in.
var filled = []string{"bet", "off", "side", "left", "press", "verb", "chain", "here", "plain", "change", "choice",
	"median", "medianChange", "seeds"}

// points are the names that a rule may use in addition to numbers and settings.
var points = []string{"act", "tookAt", "freeAt"}

type validator struct {
	*report
	l   *Lesson
	run scenario.Scenario
}

// validate checks everything in a lesson that does not need a run. Without a valid scenario the other checks make no
// sense, so base comes early.
func validate(l *Lesson, r *report) {
	v := validator{report: r, l: l}
	if l.Number < 0 || l.Number > scenario.Lessons {
		v.add("number", strconv.Itoa(l.Number)+" must be between 1 and "+strconv.Itoa(scenario.Lessons)+
			"; your own lesson has none")
	}
	if !nameForm.MatchString(l.Name) {
		v.add("name", strconv.Quote(l.Name)+" must be lower-case words with hyphens, such as a-leader-dies")
	}
	known := false
	if v.run, known = v.base(); !known {
		return
	}
	if l.Seed < 0 {
		v.add("seed", "must not be negative")
	}
	if l.Explain < 0 {
		v.add("explain", "must not be negative")
	}
	v.span("shows", &l.Shows)
	v.acts()
	v.numbers()
	v.steps()
	v.goal()
	v.sentences()
}

// base returns the lesson's scenario. If the scenario cannot run, it returns false and the report says why.
func (v *validator) base() (scenario.Scenario, bool) {
	whole := v.l.Scenario.Whole
	if whole == nil {
		return v.scenario("scenario", v.l.Scenario.Name)
	}
	s, all := scenario.DecodeAll(whole, nil)
	for _, e := range all {
		v.add(join("scenario", e.Path), e.Message)
	}
	return s, len(all) == 0
}

// scenario returns a shipped scenario. If no shipped scenario has that name, it returns false and the report says so.
func (v *validator) scenario(path, name string) (scenario.Scenario, bool) {
	s, known := v.l.library.Find(name)
	if !known {
		near := "; `leaselab scenarios` lists them"
		if name := scenario.Nearest(name, v.l.library.Names()); name != "" {
			near = "; did you mean " + strconv.Quote(name) + "?"
		}
		v.add(path, "no shipped scenario is named "+strconv.Quote(name)+near)
	}
	return s, known
}

func (v *validator) instant(path string, at Length) {
	if end := Length(v.run.Duration); at > end {
		v.add(path, at.String()+" lies after the end of the run at "+end.String())
	}
}

func (v *validator) span(path string, s *Span) {
	v.instant(join(path, "to"), s.To)
	if s.From >= s.To {
		v.add(join(path, "to"), s.To.String()+" must lie after from, "+s.From.String())
	}
}

// `acts` checks each of the visitor's acts together with all earlier ones.
func (v *validator) acts() {
	if _, at := v.l.step(DoIt); at < 0 && v.l.Act != nil {
		v.add("act", "no step of kind act asks for it")
	}
	with := v.run.Clone()
	for i := range v.l.Steps {
		s, path := &v.l.Steps[i], index("steps", i)
		if s.Kind != DoIt {
			if s.Act != nil {
				v.add(join(path, "act"), "belongs to a step of kind act")
			}
			continue
		}
		act := v.l.actOf(s)
		if act == nil {
			v.add(path, "asks for an act but has none; add act: {act, node, at}")
			continue
		}
		if s.Act == nil {
			path = ""
		}
		with.Actions = append(with.Actions, act.action())
		if err := scenario.Validate(with); err != nil {
			v.noteError(join(path, "act"), err)
			return
		}
		v.node(join(path, "act.node"), act.Node)
	}
}

// action converts the visitor's act to a scenario's action. The page performs the act a nanosecond after the act's
// instant, so everything else at that instant happens first.
func (a *Act) action() scenario.Action {
	return scenario.Action{At: scenario.Duration(a.At) + 1, Act: a.Act, Target: a.Node}
}

// noteError adds an error of package scenario to the problems.
func (v *validator) noteError(path string, err error) {
	var field *scenario.FieldError
	if !errors.As(err, &field) {
		v.add(path, err.Error())
		return
	}
	message := field.Rule
	if field.Value != "" {
		message = strconv.Quote(field.Value) + " " + field.Rule
	}
	if cut := strings.LastIndex(field.Path, "."); cut >= 0 && strings.HasPrefix(field.Path, "expect") {
		path += field.Path[cut:]
	} else if field.Path != "" && !strings.HasPrefix(field.Path, "expect") {
		message = field.Path + " " + message
	}
	v.add(path, message)
}

// node adds a problem if no node of the run has the given name.
func (v *validator) node(path, name string) {
	with := v.run.Clone()
	with.Expect = []scenario.Expect{{Event: "startedLeading", Node: name}}
	var field *scenario.FieldError
	if err := scenario.Validate(with); errors.As(err, &field) {
		v.add(path, strconv.Quote(name)+" "+field.Rule)
	}
}

func (v *validator) numbers() {
	for i := range v.l.Numbers {
		n, path := &v.l.Numbers[i], index("numbers", i)
		switch taken := slices.Concat(explained, settings, points, filled); {
		case !wordForm.MatchString(n.Name):
			v.add(join(path, "name"), strconv.Quote(n.Name)+" must be one word, such as overlap")
		case slices.Contains(taken, n.Name):
			v.add(join(path, "name"), strconv.Quote(n.Name)+
				" is the name of a value in every lesson; choose another")
		case v.l.number(n.Name) != n:
			v.add(join(path, "name"), strconv.Quote(n.Name)+" is given twice; choose another")
		}
		if n.Seeds < 0 || n.Seeds > 1000 {
			v.add(join(path, "seeds"), "must be between 1 and 1000")
		}
		in, known := v.run, true
		if n.Scenario != "" {
			in, known = v.scenario(join(path, "scenario"), n.Scenario)
		}
		if known {
			v.clause(join(path, "expect"), in, n)
		}
	}
}

// `clause` checks that the engine can measure a number. The number must have exactly one subject, and the scenario must
// contain that subject.
func (v *validator) clause(path string, in scenario.Scenario, n *Number) {
	e := n.Expect
	subjects := 0
	for _, given := range []bool{e.Violation != "", e.Event != "", e.Leader != "", e.Changes != nil, e.Measure != "" &&
		e.Violation == ""} {
		if given {
			subjects++
		}
	}
	if subjects != 1 {
		v.add(path, "measures one thing: a violation, a measure, an event, changes, or the leader at an instant")
		return
	}
	in, err := applyChanges(in, n.Set)
	if err != nil {
		v.noteError(join(path[:strings.LastIndex(path, ".")], "set"), err)
		return
	}
	in.Expect = []scenario.Expect{withBound(*e)}
	if err := scenario.Validate(in); err != nil {
		v.noteError(path, err)
	}
}

// withBound adds a bound to a clause, because scenario.Validate requires one. The lesson ignores the bound and only
// uses the measured value.
func withBound(e scenario.Expect) scenario.Expect {
	if e.Measure != "" && e.Violation == "" && e.AtLeast == "" && e.AtMost == "" {
		e.AtLeast = "0"
		if e.UnitOf() == scenario.UnitLength {
			e.AtLeast = "0s"
		}
	}
	return e
}

func applyChanges(s scenario.Scenario, set []Change) (scenario.Scenario, error) {
	changes := elements.Of(set, func(c Change) scenario.Change { return scenario.Change{Path: c.Path, Value: c.Value} })
	return scenario.SetAll(s, changes)
}

func (v *validator) goal() {
	if len(v.l.Goal.Expect) == 0 {
		if v.l.Own() {
			return
		}
		v.add("goal.expect", "is empty; a goal says when it is reached")
		return
	}
	s, err := applyChanges(v.run, v.l.Goal.ReachedBy)
	if err != nil {
		v.noteError("goal.reachedBy", err)
		return
	}
	for i, e := range v.l.Goal.Expect {
		s.Expect = []scenario.Expect{e}
		if err := scenario.Validate(s); err != nil {
			v.noteError(index("goal.expect", i), err)
		}
	}
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
