package scenario

import (
	"reflect"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
)

// An expectation makes a scenario a test. Its subject is a violation, a measure, an event, the leader, or the number
// of changes. Its bounds say how often or how long. Most of this file refuses clauses that would pass or fail for the
// wrong reason.

// Measures of a violation.
const (
	MeasureCount   = "count"
	MeasureLongest = "longest"
	MeasureTotal   = "total"
)

// Unit is the unit of a measure's bounds.
type Unit byte

const (
	UnitCount  Unit = iota // a whole number
	UnitLength             // a length, such as "15s"
	UnitRate               // a number with up to three decimals
)

// Measure is a figure of the whole run that an assertion may limit. Violations also have measures: count, longest and
// total, over all violations of one rule.
type Measure struct {
	Name string
	Unit Unit
	Help string
}

var measures = []Measure{
	{"leaderChanges", UnitCount, "changes of the active leader, including the first election"},
	{"leaderlessLongest", UnitLength,
		"the longest time without an active leader, including before the first and after the last"},
	{"leaderlessTotal", UnitLength, "the total time without an active leader"},
	{"doubleLeaderLongest", UnitLength, "the longest time with two or more active leaders"},
	{"doubleLeaderTotal", UnitLength, "the total time with two or more active leaders"},
	{"requests", UnitCount, "the candidates' requests that the server answered"},
	{"requestsPerSecond", UnitRate, "requests per second, as the mean of the whole run"},
	{"requestsPeak", UnitCount, "the most requests within one second of the run's clock"},
	{"conflicts", UnitCount, "writes refused because the Lease had changed meanwhile, or already existed"},
	{"staleWritesAttempted", UnitCount,
		"writes to the resource by a node that was no longer the newest legitimate holder"},
	{"staleWritesAccepted", UnitCount, "stale writes that the resource accepted"},
	{"staleWritesRefused", UnitCount, "stale writes that the resource's fence refused"},
}

// MeasureNamed finds the measure with that name.
func MeasureNamed(name string) (Measure, bool) {
	for _, m := range measures {
		if m.Name == name {
			return m, true
		}
	}
	return Measure{}, false
}

func measureNames() []string {
	return elements.Of(measures, func(m Measure) string { return m.Name })
}

// UnitOf returns the unit of an assertion's bounds. For an event, or for a violation without a measure, the bounds
// are counts.
func (e *Expect) UnitOf() Unit {
	switch {
	case e.Violation != "":
		if e.Measure == MeasureLongest || e.Measure == MeasureTotal {
			return UnitLength
		}
	case e.Measure != "":
		m, _ := MeasureNamed(e.Measure)
		return m.Unit
	}
	return UnitCount
}

// Bounds returns an assertion's limits, in nanoseconds for a length and in thousandths for a number. Without limits,
// the subject must happen at least once: "violation: moreThanOneActive" alone means at least one violation, and
// "atMost: 0" means none. A length without limits must be at least 1 ns.
func (e *Expect) Bounds() (least, most int64) {
	value := func(a Amount) int64 {
		if e.UnitOf() == UnitLength {
			ns, _ := a.Length()
			return ns
		}
		n, _ := a.Number()
		return n
	}
	least, most = 0, 1<<62
	switch {
	case e.AtLeast != "":
		least = value(e.AtLeast)
	case e.AtMost == "" && e.UnitOf() == UnitLength:
		least = 1
	case e.AtMost == "":
		least = 1000
	}
	if e.AtMost != "" {
		most = value(e.AtMost)
	}
	return least, most
}

// Expects reports whether an assertion expects the rule to break, so that a violation alone does not fail the
// scenario. An assertion with "atMost: 0" names the rule, too, but says that the rule does not break. Then a
// violation must fail the scenario.
func (e *Expect) Expects(rule string) bool {
	_, most := e.Bounds()
	return e.Violation == rule && most > 0
}

// modifiers are the fields that belong to a subject, in the order of the documentation.
var modifiers = []struct {
	field    string
	subjects []string
}{
	{"at", []string{"leader"}},
	{"nodes", []string{"violation"}},
	{"node", []string{"event"}},
	{"from", []string{"violation", "event"}},
	{"until", []string{"violation", "event"}},
	{"atLeast", []string{"violation", "measure", "event"}},
	{"atMost", []string{"violation", "measure", "event"}},
}

// `expectations` checks the assertions. It runs last, because it needs the names and the length of the run.
func (v *validator) expectations() {
	wrong := map[int]bool{}
	for i := 0; i < len(v.s.Expect) && !v.full(); i++ {
		before := len(v.all)
		v.clause(&v.s.Expect[i], index("expect", i))
		wrong[i] = len(v.all) > before || v.doubts[index("expect", i)]
	}
	v.contradictions(wrong)
}

// `clause` checks one assertion: first, whether it has exactly one subject that takes bounds, since everything else
// depends on that. A violation together with a leader is valid, because the leader takes no bounds.
func (v *validator) clause(e *Expect, path string) {
	given := map[string]bool{}
	value := reflect.ValueOf(*e)
	for _, f := range fieldsOf(value.Type()) {
		given[f.name] = !value.Field(f.index).IsZero()
	}
	bounded := given["violation"] || given["event"] || given["measure"]
	switch {
	case !bounded && !given["leader"] && !given["changes"]:
		v.relate(refuseField(path, "empty; it needs violation, leader, changes, measure or event"))
		return
	case given["violation"] && given["event"]:
		v.relate(refuseField(join(path, "event"), "cannot share a clause with violation; write two clauses"))
		return
	case given["event"] && given["measure"]:
		v.relate(refuseField(join(path, "measure"),
			"cannot share a clause with event, whose bounds are counts; write two clauses"))
		return
	case bounded && (given["leader"] || given["changes"]) &&
		(len(e.Nodes) > 0 || given["measure"] || given["event"] || given["atLeast"] || given["atMost"]):
		v.relate(refuseField(path, "sets bounds on two subjects; write two clauses"))
		return
	}
	for _, m := range modifiers {
		if given[m.field] && !slices.ContainsFunc(m.subjects, func(subject string) bool { return given[subject] }) {
			v.relate(refuseField(join(path, m.field), "belongs to "+listWords(m.subjects, "or")+
				", and this clause has none"))
		}
	}
	v.clauseNames(e, path)
	v.clauseTimes(e, path)
	if v.clauseMeasure(e, join(path, "measure")) {
		v.clauseBounds(e, path)
	}
}

// clauseNames checks the names of rules and nodes. A node that joins later is valid, too.
func (v *validator) clauseNames(e *Expect, path string) {
	if e.Violation != "" {
		v.add(checkRule(join(path, "violation"), e.Violation))
	}
	check := func(field, name string) {
		if _, there := v.joined[name]; !there && name != "" && !v.nameless {
			v.add(v.refuseNode(join(path, field), name))
		}
	}
	if e.Leader != LeaderNobody {
		check("leader", e.Leader)
	}
	check("node", e.Node)
	for i, name := range e.Nodes {
		check(index("nodes", i), name)
	}
}

// clauseTimes checks that the instants lie within the run and in order.
func (v *validator) clauseTimes(e *Expect, path string) {
	for _, t := range []struct {
		field string
		d     *Duration
	}{{"at", e.At}, {"from", e.From}, {"until", e.Until}} {
		if t.d != nil && *t.d > v.s.Duration {
			v.add(refuseDuration(join(path, t.field), *t.d, "lies after the end of the run at "+v.s.Duration.String()))
		}
	}
	if e.From != nil && e.Until != nil && *e.Until < *e.From {
		v.add(refuseDuration(join(path, "until"), *e.Until, "lies before from, "+e.From.String()))
	}
}

// clauseMeasure checks the measure. It returns false if it cannot tell the unit of the bounds.
func (v *validator) clauseMeasure(e *Expect, path string) bool {
	words := measureNames()
	if e.Violation != "" {
		words = []string{MeasureCount, MeasureLongest, MeasureTotal}
	}
	if e.Measure == "" {
		return !v.doubts[partOf(path)]
	}
	if !slices.Contains(words, e.Measure) {
		rule := "must be " + listWords(words, "or")
		if near := nearest(e.Measure, words); near != "" {
			rule += "; did you mean " + quote(near) + "?"
		}
		v.add(refuse(path, e.Measure, rule))
		return false
	}
	if e.Violation == "" && e.AtLeast == "" && e.AtMost == "" {
		v.relate(refuse(path, e.Measure, "needs atLeast or atMost"))
	}
	return true
}

// clauseBounds checks each bound against the unit, and both against each other.
func (v *validator) clauseBounds(e *Expect, path string) {
	for _, b := range []struct {
		field  string
		amount Amount
	}{{"atLeast", e.AtLeast}, {"atMost", e.AtMost}} {
		if b.amount == "" {
			continue
		}
		inner := join(path, b.field)
		ns, isLength := b.amount.Length()
		thousandths, isNumber := b.amount.Number()
		switch unit := e.UnitOf(); {
		case unit == UnitLength && !isLength:
			v.add(refuseNumber(inner, string(b.amount), `must be a length with its unit, such as "15s"`))
		case unit != UnitLength && !isNumber:
			v.add(refuse(inner, string(b.amount), "must be a number: the limit is a count, not a duration"))
		case unit == UnitCount && thousandths%1000 != 0:
			v.add(refuseNumber(inner, string(b.amount), "must be a whole number: the limit is a count"))
		case unit == UnitLength && ns > int64(v.s.Duration):
			v.add(refuse(inner, string(b.amount), "is longer than the run of "+v.s.Duration.String()))
		}
	}
	if v.has(join(path, "atLeast")) {
		return
	}
	if least, most := e.Bounds(); least > most {
		v.add(refuseNumber(join(path, "atMost"), string(e.AtMost), "is less than atLeast, "+string(e.AtLeast)))
	}
}

// `contradictions` finds pairs of assertions that cannot both hold. It skips assertions that are already wrong.
// Example: "changes: 3" and "measure: leaderChanges, atMost: 2". Such a scenario always fails, and its author would
// look for the bug in the run. All clauses about one subject narrow the same interval; if the interval becomes empty,
// they contradict each other.
func (v *validator) contradictions(wrong map[int]bool) {
	type seen struct {
		least, most int64
		index       int
	}
	bounds := map[string]seen{}
	leaders := map[Duration]int{}
	narrow := func(field, subject string, by seen) {
		before, known := bounds[subject]
		if !known {
			bounds[subject] = by
			return
		}
		if by.least > before.most || by.most < before.least {
			v.add(refuseField(join(index("expect", by.index), field), "contradicts "+index("expect", before.index)+
				": no run can meet both"))
			return
		}
		bounds[subject] = seen{max(by.least, before.least), min(by.most, before.most), by.index}
	}
	for i := range v.s.Expect {
		e := &v.s.Expect[i]
		if wrong[i] {
			continue
		}
		if e.Changes != nil {
			narrow("changes", "leaderChanges", seen{int64(*e.Changes) * 1000, int64(*e.Changes) * 1000, i})
		}
		least, most := e.Bounds()
		switch {
		case e.Violation != "":
			narrow("violation", subjectOf(e), seen{least, most, i})
		case e.Event != "":
			narrow("event", subjectOf(e), seen{least, most, i})
		case e.Measure != "":
			narrow("measure", e.Measure, seen{least, most, i})
		}
		if e.Leader != "" {
			at := v.s.Duration
			if e.At != nil {
				at = *e.At
			}
			if before, twice := leaders[at]; twice && v.s.Expect[before].Leader != e.Leader {
				v.add(refuse(join(index("expect", i), "leader"), e.Leader, "contradicts "+index("expect", before)+
					", where it is "+quote(v.s.Expect[before].Leader)+" at the same instant"))
				continue
			}
			leaders[at] = i
		}
	}
}

// subjectOf returns what two assertions must share to be comparable: everything except their bounds.
func subjectOf(e *Expect) string {
	part := func(d *Duration) string {
		if d == nil {
			return ""
		}
		return d.String()
	}
	return strings.Join([]string{e.Violation, e.Event, orDefault(e.Measure, MeasureCount), e.Node,
		strings.Join(e.Nodes, ","), part(e.From), part(e.Until)}, "|")
}
