package expect

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/words"
)

// Clause is one thing that a run must show, known before the run starts.
type Clause struct {
	Clause string `json:"clause"`         // the clause in words
	Name   string `json:"name,omitempty"` // same as Outcome.Name
}

// Clauses formats each assertion in words, in the order of Outcomes.
func Clauses(clauses []scenario.Expect) []Clause {
	var all []Clause
	for i := range clauses {
		e := &clauses[i]
		if e.Leader != "" {
			all = append(all, Clause{Clause: leads(e)})
		}
		if e.Changes != nil {
			all = append(all, Clause{Clause: changes(e)})
		}
		if name, clause := boundClause(e); name != "" {
			all = append(all, Clause{Clause: clause, Name: name})
		}
	}
	return all
}

func leads(e *scenario.Expect) string {
	if e.At != nil {
		return e.Leader + " leads at " + e.At.String()
	}
	return e.Leader + " leads at the end"
}

func changes(e *scenario.Expect) string {
	return words.Count(*e.Changes, "leader change", "leader changes")
}

// boundClause returns the rule, event or measure that an assertion bounds, and what the assertion asks for. If the
// assertion bounds none of these, it returns "".
func boundClause(e *scenario.Expect) (name, clause string) {
	switch {
	case e.Violation != "":
		title := e.Violation
		if rule, known := rules.ByName(e.Violation); known {
			title = rule.Title
		}
		how := map[string]string{scenario.MeasureLongest: ", at its longest",
			scenario.MeasureTotal: ", in total"}[e.Measure]
		return e.Violation, title + detail(e) + how + limits(e)
	case e.Event != "":
		return e.Event, "the event “" + splitWords(e.Event) + "”" + detail(e) + limits(e)
	case e.Measure != "":
		measure, _ := scenario.MeasureNamed(e.Measure)
		return e.Measure, measure.Help + limits(e)
	}
	return "", ""
}

// splitWords writes "requestTimedOut" as "request timed out".
func splitWords(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

func detail(e *scenario.Expect) string {
	text := ""
	if e.Node != "" {
		text += " of " + e.Node
	}
	if len(e.Nodes) > 0 {
		text += ", of " + strings.Join(e.Nodes, " and ")
	}
	if e.From != nil {
		text += ", from " + e.From.String()
	}
	if e.Until != nil {
		text += ", until " + e.Until.String()
	}
	return text
}

// `limits` formats a clause's bounds in words.
func limits(e *scenario.Expect) string {
	least, most := times(e, e.AtLeast), times(e, e.AtMost)
	switch {
	case least == "" && most == "" && e.UnitOf() == scenario.UnitLength:
		return ""
	case least == "" && most == "":
		return ", at least once"
	case least == most:
		return ", exactly " + least
	case e.AtMost == "0" && occurs(e):
		return ", never"
	case most == "":
		return ", at least " + least
	case least == "":
		return ", at most " + most
	}
	return ", between " + string(e.AtLeast) + " and " + most
}

// `occurs` reports whether an assertion bounds how often something happens.
func occurs(e *scenario.Expect) bool {
	return e.UnitOf() == scenario.UnitCount && (e.Violation != "" || e.Event != "")
}

// `times` formats a bound: "5 times" for how often something happens, "5" or "15s" for a figure.
func times(e *scenario.Expect, bound scenario.Amount) string {
	switch {
	case bound == "" || !occurs(e):
		return string(bound)
	case bound == "1":
		return "once"
	}
	return string(bound) + " times"
}

// `amount` formats a figure in words. Durations are in nanoseconds, counts in thousandths.
func amount(n int64, unit scenario.Unit) string {
	if unit == scenario.UnitLength {
		return decimals(n, 1_000_000_000, 9) + " s"
	}
	return decimals(n, 1000, 3)
}

func decimals(n, one int64, digits int) string {
	text := strconv.FormatInt(n/one, 10)
	if rest := n % one; rest != 0 {
		fraction := strconv.FormatInt(rest, 10)
		text += "." + strings.TrimRight(strings.Repeat("0", digits-len(fraction))+fraction, "0")
	}
	return text
}
