package scenario

import (
	"reflect"
	"strings"
)

// MaxExpect limits the assertions of a scenario.
const MaxExpect = 1000

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
	UnitLength             // a length: "15s"
	UnitRate               // a number with up to three decimals
)

// Measure is a figure of a whole run that an assertion may bound.
type Measure struct {
	Name string
	Unit Unit
	Help string
}

var measures = []Measure{
	{"leaderChanges", UnitCount, "changes of the active leader, including the first election"},
	{"leaderlessLongest", UnitLength,
		"the longest time without an active leader, including before the first and after the last"},
	{"leaderlessTotal", UnitLength, "all the time without an active leader"},
	{"doubleLeaderLongest", UnitLength, "the longest time with two or more active"},
	{"doubleLeaderTotal", UnitLength, "all the time with two or more active"},
	{"requests", UnitCount, "requests of the candidates that the server answered"},
	{"requestsPerSecond", UnitRate, "requests per second, as the mean of the whole run"},
	{"requestsPeak", UnitCount, "the most requests within one second of the run's clock"},
	{"conflicts", UnitCount, "writes refused because the Lease had changed meanwhile, or existed already"},
	{"staleWritesAttempted", UnitCount,
		"writes to the resource by a node that was no longer the newest legitimate holder"},
	{"staleWritesAccepted", UnitCount, "stale writes that the resource accepted"},
	{"staleWritesRefused", UnitCount, "stale writes that the resource's fence refused"},
}

// Measures lists the figures of a run that an assertion may bound.
func Measures() []Measure { return append([]Measure(nil), measures...) }

// MeasureNamed returns the measure of that name, and whether there is one.
func MeasureNamed(name string) (Measure, bool) {
	for _, m := range measures {
		if m.Name == name {
			return m, true
		}
	}
	return Measure{}, false
}

func measureNames() []string {
	names := make([]string, len(measures))
	for i, m := range measures {
		names[i] = m.Name
	}
	return names
}

// UnitOf returns the unit of an assertion's bounds.
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

// Bounds returns an assertion's limits, in nanoseconds for a length and in thousandths for a number. Without limits it
// must happen at least once.
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

// Expects reports whether an assertion names the rule, so that a violation alone does not fail the scenario.
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

// expectations checks the assertions. It runs last, because they need the names and the length of the run.
func (v *validator) expectations() *FieldError {
	for i := range v.s.Expect {
		if err := v.clause(&v.s.Expect[i], index("expect", i)); err != nil {
			return err
		}
	}
	return v.contradictions()
}

func (v *validator) clause(e *Expect, path string) *FieldError {
	given := map[string]bool{}
	value := reflect.ValueOf(*e)
	for _, f := range fieldsOf(value.Type()) {
		given[f.name] = !value.Field(f.index).IsZero()
	}
	bounded := given["violation"] || given["event"] || given["measure"]
	switch {
	case !bounded && !given["leader"] && !given["changes"]:
		return refuseField(path, "empty; it needs violation, leader, changes, measure or event")
	case given["violation"] && given["event"]:
		return refuseField(join(path, "event"), "does not go with violation; write two clauses")
	case given["event"] && given["measure"]:
		return refuseField(join(path, "measure"), "does not go with event, whose bounds are counts; write two clauses")
	case bounded && (given["leader"] || given["changes"]) &&
		(len(e.Nodes) > 0 || given["measure"] || given["event"] || given["atLeast"] || given["atMost"]):
		return refuseField(path, "bounds two subjects; write two clauses")
	}
	for _, m := range modifiers {
		if !given[m.field] {
			continue
		}
		belongs := false
		for _, subject := range m.subjects {
			belongs = belongs || given[subject]
		}
		if !belongs {
			return refuseField(join(path, m.field), "belongs to "+listWords(m.subjects, "or")+
				", and this clause has none")
		}
	}
	for _, check := range []func(*Expect, string) *FieldError{v.clauseNames, v.clauseTimes, v.clauseMeasure,
		v.clauseBounds} {
		if err := check(e, path); err != nil {
			return err
		}
	}
	return nil
}

func (v *validator) clauseNames(e *Expect, path string) *FieldError {
	if e.Violation != "" {
		if err := checkRule(join(path, "violation"), e.Violation); err != nil {
			return err
		}
	}
	known := func(field, name string) *FieldError {
		if _, there := v.joined[name]; !there {
			return v.refuseNode(join(path, field), name)
		}
		return nil
	}
	if e.Leader != "" && e.Leader != LeaderNobody {
		if err := known("leader", e.Leader); err != nil {
			return err
		}
	}
	if e.Node != "" {
		if err := known("node", e.Node); err != nil {
			return err
		}
	}
	for i, name := range e.Nodes {
		if err := known(index("nodes", i), name); err != nil {
			return err
		}
	}
	return nil
}

func (v *validator) clauseTimes(e *Expect, path string) *FieldError {
	for _, t := range []struct {
		field string
		d     *Duration
	}{{"at", e.At}, {"from", e.From}, {"until", e.Until}} {
		if t.d != nil && *t.d > v.s.Duration {
			return refuseDuration(join(path, t.field), *t.d, "lies after the end of the run at "+v.s.Duration.String())
		}
	}
	if e.From != nil && e.Until != nil && *e.Until < *e.From {
		return refuseDuration(join(path, "until"), *e.Until, "lies before from, "+e.From.String())
	}
	return nil
}

func (v *validator) clauseMeasure(e *Expect, path string) *FieldError {
	path = join(path, "measure")
	words := measureNames()
	if e.Violation != "" {
		words = []string{MeasureCount, MeasureLongest, MeasureTotal}
	}
	if e.Measure == "" {
		return nil
	}
	for _, w := range words {
		if w == e.Measure {
			if e.Violation == "" && e.AtLeast == "" && e.AtMost == "" {
				return refuse(path, e.Measure, "needs atLeast or atMost")
			}
			return nil
		}
	}
	rule := "must be " + listWords(words, "or")
	if near := nearest(e.Measure, words); near != "" {
		rule += "; did you mean " + quote(near) + "?"
	}
	return refuse(path, e.Measure, rule)
}

func (v *validator) clauseBounds(e *Expect, path string) *FieldError {
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
			return refuseNumber(inner, string(b.amount), `must be a length with its unit, such as "15s"`)
		case unit != UnitLength && !isNumber:
			return refuse(inner, string(b.amount), "must be a number: it bounds how often, not how long")
		case unit == UnitCount && thousandths%1000 != 0:
			return refuseNumber(inner, string(b.amount), "must be a whole number: it bounds how often")
		case unit == UnitLength && ns > int64(v.s.Duration):
			return refuse(inner, string(b.amount), "is longer than the run of "+v.s.Duration.String())
		}
	}
	if least, most := e.Bounds(); least > most {
		return refuseNumber(join(path, "atMost"), string(e.AtMost), "is less than atLeast, "+string(e.AtLeast))
	}
	return nil
}

// contradictions finds two assertions of which at most one can hold.
func (v *validator) contradictions() *FieldError {
	type seen struct {
		least, most int64
		index       int
	}
	bounds := map[string]seen{}
	leaders := map[Duration]int{}
	narrow := func(i int, field, subject string, least, most int64) *FieldError {
		before, known := bounds[subject]
		if !known {
			bounds[subject] = seen{least, most, i}
			return nil
		}
		if least > before.most || most < before.least {
			return refuseField(join(index("expect", i), field), "contradicts "+index("expect", before.index)+
				": no run fulfils both")
		}
		bounds[subject] = seen{max(least, before.least), min(most, before.most), i}
		return nil
	}
	for i := range v.s.Expect {
		e := &v.s.Expect[i]
		var err *FieldError
		if e.Changes != nil {
			err = narrow(i, "changes", "leaderChanges", int64(*e.Changes)*1000, int64(*e.Changes)*1000)
		}
		least, most := e.Bounds()
		if err == nil {
			switch {
			case e.Violation != "":
				err = narrow(i, "violation", subjectOf(e), least, most)
			case e.Event != "":
				err = narrow(i, "event", subjectOf(e), least, most)
			case e.Measure != "":
				err = narrow(i, "measure", e.Measure, least, most)
			}
		}
		if err != nil {
			return err
		}
		if e.Leader != "" {
			at := v.s.Duration
			if e.At != nil {
				at = *e.At
			}
			if before, twice := leaders[at]; twice && v.s.Expect[before].Leader != e.Leader {
				return refuse(join(index("expect", i), "leader"), e.Leader, "contradicts "+index("expect", before)+
					", where it is "+quote(v.s.Expect[before].Leader)+" at the same instant")
			}
			leaders[at] = i
		}
	}
	return nil
}

// subjectOf returns what two assertions must share to be comparable: everything but their bounds.
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
