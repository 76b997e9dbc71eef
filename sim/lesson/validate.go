package lesson

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// wordForm is a name that a text can have in braces.
var wordForm = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// settings are values that every text may name: they come from the scenario, in seconds.
var settings = []string{"leaseDuration", "renewDeadline", "retryPeriod", "requestTimeout"}

// explained are the values of the leader change that a lesson explains.
var explained = []string{"actor", "winner", "tookAt", "gap", "freeAt", "lookedAt", "head", "other", "otherSeen", "otherFree"}

// filled are the values that the page fills in by itself.
var filled = []string{"bet", "off", "side", "left", "press", "verb", "chain", "here", "plain", "change", "choice", "median", "medianChange", "seeds"}

// Points that a rule may name besides numbers and settings.
var points = []string{"act", "tookAt", "freeAt"}

type validator struct {
	*report
	l   *Lesson
	run scenario.Scenario
}

// validate checks everything in a lesson that needs no run.
func validate(l *Lesson, r *report) {
	v := validator{report: r, l: l}
	if l.Number < 1 || l.Number > scenario.Lessons {
		v.add("number", strconv.Itoa(l.Number)+" must be between 1 and "+strconv.Itoa(scenario.Lessons))
	}
	if !nameForm.MatchString(l.Name) {
		v.add("name", strconv.Quote(l.Name)+" must be lower-case words with hyphens, such as a-leader-dies")
	}
	known := false
	if v.run, known = v.scenario("scenario", l.Scenario); !known {
		return
	}
	if l.Seed < 0 {
		v.add("seed", "must not be negative")
	}
	if l.Explain < 0 {
		v.add("explain", "must not be negative")
	}
	v.span("shows", &l.Shows)
	v.act()
	v.numbers()
	v.steps()
	v.goal()
}

// scenario returns a shipped scenario; false: there is none of that name, and the report says so.
func (v *validator) scenario(path, name string) (scenario.Scenario, bool) {
	s, known := shipped.ByName(name)
	if !known {
		all := []string{}
		for _, one := range shipped.Catalogue() {
			all = append(all, one.Name)
		}
		near := "; `leaselab scenarios` lists them"
		if name := scenario.Nearest(name, all); name != "" {
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

func (v *validator) act() {
	step, at := v.l.step(DoIt)
	switch {
	case v.l.Act == nil && step != nil:
		v.add(index("steps", at), "asks for an act, and the lesson has none; add act: {act, node, at}")
		return
	case v.l.Act == nil:
		return
	case step == nil:
		v.add("act", "no step of kind act asks for it")
	}
	with := v.run.Clone()
	with.Actions = append(with.Actions, v.l.action())
	if err := scenario.Validate(with); err != nil {
		v.refused("act", err)
	}
	v.node("act.node", v.l.Act.Node)
}

// action is what the visitor does, as a scenario has it: the page does it a nanosecond after its instant.
func (l *Lesson) action() scenario.Action {
	return scenario.Action{At: scenario.Duration(l.Act.At) + 1, Act: l.Act.Act, Target: l.Act.Node}
}

// refused notes an error of package scenario.
func (v *validator) refused(path string, err error) {
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

// node notes a name that no node of the run has.
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
			v.add(join(path, "name"), strconv.Quote(n.Name)+" is the name of a value that every lesson has; take another")
		case v.l.number(n.Name) != n:
			v.add(join(path, "name"), strconv.Quote(n.Name)+" is given twice; take another")
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

// clause checks that a number can be measured: one subject, known to the scenario.
func (v *validator) clause(path string, in scenario.Scenario, n *Number) {
	e := n.Expect
	subjects := 0
	for _, given := range []bool{e.Violation != "", e.Event != "", e.Leader != "", e.Changes != nil, e.Measure != "" && e.Violation == ""} {
		if given {
			subjects++
		}
	}
	if subjects != 1 {
		v.add(path, "measures one thing: a violation, a measure, an event, changes, or the leader at an instant")
		return
	}
	in, err := changed(in, n.Set)
	if err != nil {
		v.refused(join(path[:strings.LastIndex(path, ".")], "set"), err)
		return
	}
	in.Expect = []scenario.Expect{bounded(*e)}
	if err := scenario.Validate(in); err != nil {
		v.refused(path, err)
	}
}

// bounded is a clause that scenario.Validate accepts although a lesson asks only what it measures.
func bounded(e scenario.Expect) scenario.Expect {
	if e.Measure != "" && e.Violation == "" && e.AtLeast == "" && e.AtMost == "" {
		e.AtLeast = "0"
		if e.UnitOf() == scenario.UnitLength {
			e.AtLeast = "0s"
		}
	}
	return e
}

func changed(s scenario.Scenario, set []Change) (scenario.Scenario, error) {
	changes := make([]scenario.Change, len(set))
	for i, c := range set {
		changes[i] = scenario.Change{Path: c.Path, Value: c.Value}
	}
	return scenario.SetAll(s, changes)
}

func (v *validator) goal() {
	if len(v.l.Goal.Expect) == 0 {
		v.add("goal.expect", "is empty; a goal says when it is reached")
		return
	}
	s, err := changed(v.run, v.l.Goal.ReachedBy)
	if err != nil {
		v.refused("goal.reachedBy", err)
		return
	}
	for i, e := range v.l.Goal.Expect {
		s.Expect = []scenario.Expect{e}
		if err := scenario.Validate(s); err != nil {
			v.refused(index("goal.expect", i), err)
		}
	}
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
