// Package check watches a run: who is active, how long none or more than one is, and which rules the run breaks.
// Each rule stands in a file of its own name with its state, its figure and its sentences; facts.go keeps what several
// rules need, checker.go says what a rule can hear.
//
// Guarantee: fed every trace record in order, the totals and violations are exact to the nanosecond.
// Non-guarantee: absence of a violation in one run says nothing about other seeds.
package check

import (
	"math"
	"slices"
	"unsafe"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

const never = math.MaxInt64

// Violation is one breach of a rule. UntilNs is -1 while it goes on, and FromNs for one that has no length.
type Violation struct {
	Rule     string
	Severity rules.Severity
	FromNs   int64
	UntilNs  int64
	First    int32 // the candidates concerned, -1: none
	Second   int32
	Number   int64 // what was measured, and
	Counted  int64 // what it should have been; the rule's sentences know the units
	// of the trace record inside its instant, from 1; -1: after all of it, when time alone broke the rule
	Ordinal int32

	Others []int32 // who joined First and Second, in order; never written to once it is here
}

// Change is a change of the active leader. From is -1 for the first.
type Change struct {
	AtNs         int64
	From, To     int32
	LeaderlessNs int64 // how long no candidate had been active just before
	Ordinal      int32 // of the trace record inside its instant, from 1
}

// Checks is the facts of a run and the state of every rule: a value that Clone copies.
type Checks struct {
	Changes    []Change
	Violations []Violation

	facts
	checkers []checker // in the order of checked
	dueNs    int64     // the earliest instant at which time alone breaks a rule

	// Those of checkers that hear of what happens all the time. To ask a checker for another interface each time costs
	// a search of a table in WebAssembly, which has no cache for it: 2 % of a run of three candidates.
	reading  []reading
	answered []answered
	timed    []timed
}

// New returns checks at instant 0 for a run without bounds and without a resource.
func New() Checks {
	c := Checks{facts: newFacts(), checkers: make([]checker, len(checked)), dueNs: never}
	for k := range checked {
		c.checkers[k] = checked[k].begin()
	}
	c.listen()
	return c
}

// listen lists the checkers that hear of what happens all the time.
func (c *Checks) listen() {
	c.reading, c.answered, c.timed = nil, nil, nil
	for _, k := range hears.reading {
		c.reading = append(c.reading, c.checkers[k].(reading))
	}
	for _, k := range hears.answered {
		c.answered = append(c.answered, c.checkers[k].(answered))
	}
	for _, k := range hears.timed {
		c.timed = append(c.timed, c.checkers[k].(timed))
	}
}

// For returns checks at instant 0 of a run of the setup.
func For(setup *world.Setup) Checks {
	c := New()
	c.facts.prepare(setup)
	for _, rule := range c.checkers {
		if rule, prepares := rule.(preparer); prepares {
			rule.prepare(setup)
		}
	}
	c.rearm()
	return c
}

// Bytes is about how much memory a clone takes.
func (c *Checks) Bytes() int64 {
	const checkerBytes = 128 // the state of one rule and its place in the list
	return int64(unsafe.Sizeof(*c)) + int64(len(c.checkers))*checkerBytes +
		int64(len(c.nodes))*int64(unsafe.Sizeof(node{})) + int64(len(c.Violations))*int64(unsafe.Sizeof(Violation{}))
}

// Clone returns an independent copy.
func (c *Checks) Clone() Checks {
	d := *c
	d.Changes = slices.Clip(c.Changes)
	d.Violations = slices.Clone(c.Violations)
	d.facts = c.facts.clone()
	d.checkers = make([]checker, len(c.checkers))
	for k, rule := range c.checkers {
		d.checkers[k] = rule.clone()
	}
	d.listen()
	return d
}

// Worst is the exit class of the violations so far, leaving out the rules in expected: 0, 3 (safety) or 4 (liveness).
func (c *Checks) Worst(expected func(rule string) bool) int {
	worst := 0
	for i := range c.Violations {
		v := &c.Violations[i]
		if v.Severity == rules.Observation || expected(v.Rule) {
			continue
		}
		if v.Severity == rules.Safety {
			return 3
		}
		worst = 4
	}
	return worst
}

// broken notes a violation and returns its index plus one. A rule that has a length sets UntilNs when it is over.
//
//go:noinline
func (c *Checks) broken(v Violation) int32 {
	c.Violations = append(c.Violations, v)
	return int32(len(c.Violations))
}

// breach is a violation at a record, without a length.
//
//go:noinline
func (c *Checks) breach(rule string, r *trace.Record, first, second int32) Violation {
	return Violation{Rule: rule, Severity: severityOf(rule), FromNs: r.At, UntilNs: r.At, First: first, Second: second,
		Ordinal: c.ordinal}
}

// overdue is a violation that time alone began after an instant, and that goes on.
func overdue(rule string, fromNs int64, first, second int32) Violation {
	return Violation{Rule: rule, Severity: severityOf(rule), FromNs: fromNs, UntilNs: -1, First: first, Second: second,
		Ordinal: -1}
}

// close ends the violation that a mark (its index plus one, 0: none) says goes on.
func (c *Checks) close(mark *int32, nowNs int64) {
	if *mark > 0 {
		c.Violations[*mark-1].UntilNs = nowNs
		*mark = 0
	}
}

// Settle tells the checks that the run has come to an instant, whether or not a record says so: what time alone breaks
// by then is broken.
func (c *Checks) Settle(nowNs int64) {
	if !c.Due(nowNs) {
		return
	}
	for _, rule := range c.timed {
		if nowNs > rule.due() {
			rule.settle(c, nowNs)
		}
	}
	c.rearm()
}

// Due reports whether time alone has broken something by an instant that has not been noted yet.
func (c *Checks) Due(nowNs int64) bool { return nowNs > c.dueNs }

// rearm is called whenever a due instant has moved.
func (c *Checks) rearm() {
	c.dueNs = never
	for _, rule := range c.timed {
		c.dueNs = min(c.dueNs, rule.due())
	}
}

// Observe takes the records of one step. The facts take a record first, and tell the rules of what it changes; then the
// rules that hear of its kind take it.
func (c *Checks) Observe(records []trace.Record) {
	for i := range records {
		r := &records[i]
		if r.At != c.atNs {
			c.atNs, c.ordinal = r.At, 0
			if c.Due(r.At) {
				c.Settle(r.At)
			}
		}
		c.ordinal++
		to := concerned[r.Kind]
		switch {
		case to == 0:
			continue
		case r.Kind == trace.RequestEnded:
			c.requestEnded(r)
		case to&theFacts != 0 && (r.Kind != trace.RequestServed || r.Verb != elector.Get):
			c.follow(r)
		}
		if to&someRules != 0 {
			for _, k := range hears.records[r.Kind] {
				c.checkers[k].observe(c, r)
			}
		}
	}
}
