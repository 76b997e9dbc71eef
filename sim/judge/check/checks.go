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

// Violation is one breach of a rule. UntilNs is -1 while the breach lasts, and equals FromNs if the breach has no
// duration. What Number and Counted hold depends on the rule: for requestStorm, for example, the requests of the
// worst second and the bound.
type Violation struct {
	Rule     string
	Severity rules.Severity
	FromNs   int64
	UntilNs  int64
	First    int32 // the candidates involved; -1 for none
	Second   int32
	Number   int64 // the value that the rule measured
	Counted  int64 // the value that it should have measured; the rule's sentences know the units
	// the record's place within its instant, from 1; -1 if time alone broke the rule, after all records of that
	// instant
	Ordinal int32

	Others []int32 // candidates that joined First and Second, in order; append to a copy, never in place
}

// Change is a change of the active leader. From is -1 for the first. If a leader loses the Lease and takes it back,
// From equals To.
type Change struct {
	AtNs         int64
	From, To     int32
	LeaderlessNs int64 // how long nobody had been active just before
	Ordinal      int32 // the record's place within its instant, from 1
}

// Checks holds the facts of a run and the state of every rule. It is a value; copy it with Clone.
type Checks struct {
	Changes    []Change
	Violations []Violation

	facts
	checkers []checker // one for each rule, in the order of allChecks
	dueNs    int64     // the earliest instant at which time alone breaks a rule

	// The checkers that hear of frequent events, already converted to their interfaces. WebAssembly has no cache for
	// interface conversions: converting each time would take 2 % of the time of a run with three candidates.
	reading  []readHearer
	answered []answerHearer
	timed    []timed
}

// New returns checks at instant 0 for a run without bounds or a resource.
func New() Checks {
	c := Checks{facts: newFacts(), checkers: make([]checker, len(allChecks)), dueNs: never}
	for k := range allChecks {
		c.checkers[k] = allChecks[k].begin()
	}
	c.listen()
	return c
}

// `listen` lists the checkers that hear of frequent events.
func (c *Checks) listen() {
	c.reading, c.answered, c.timed = nil, nil, nil
	for _, k := range hears.reading {
		c.reading = append(c.reading, c.checkers[k].(readHearer))
	}
	for _, k := range hears.answered {
		c.answered = append(c.answered, c.checkers[k].(answerHearer))
	}
	for _, k := range hears.timed {
		c.timed = append(c.timed, c.checkers[k].(timed))
	}
}

// For creates the checks for a run with this setup, at instant 0.
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

// Bytes estimates how much memory a clone takes.
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

// Worst returns the exit code for the violations so far: 0, 3 (safety) or 4 (liveness). Worst does not count
// violations of rules that the scenario expects the run to break.
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

// noteViolation records a violation and returns its index plus one. If the violation lasts, the rule sets UntilNs at
// its end.
//
//go:noinline
func (c *Checks) noteViolation(v Violation) int32 {
	c.Violations = append(c.Violations, v)
	return int32(len(c.Violations))
}

// breach returns a violation that begins and ends at a record.
//
//go:noinline
func (c *Checks) breach(rule string, r *trace.Record, first, second int32) Violation {
	return Violation{Rule: rule, Severity: severityOf(rule), FromNs: r.At, UntilNs: r.At, First: first, Second: second,
		Ordinal: c.ordinal}
}

// `overdue` returns an open violation that the passage of time alone began, right after an instant.
func overdue(rule string, fromNs int64, first, second int32) Violation {
	return Violation{Rule: rule, Severity: severityOf(rule), FromNs: fromNs, UntilNs: -1, First: first, Second: second,
		Ordinal: -1}
}

// `close` ends an open violation. The parameter mark is the violation's index plus one, or 0 for none.
func (c *Checks) close(mark *int32, nowNs int64) {
	if *mark > 0 {
		c.Violations[*mark-1].UntilNs = nowNs
		*mark = 0
	}
}

// Settle tells the checks that the run has reached an instant, even if no record says so. Rules that time alone can
// break note their violations then.
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

// Due reports whether time alone has broken a rule by this instant and Settle has not noted it yet. It is a
// single comparison, because a run calls it after every event.
func (c *Checks) Due(nowNs int64) bool { return nowNs > c.dueNs }

// rearm finds the earliest due instant. Call it whenever a rule's due instant has moved.
func (c *Checks) rearm() {
	c.dueNs = never
	for _, rule := range c.timed {
		c.dueNs = min(c.dueNs, rule.due())
	}
}

// Observe takes the records of one step. The facts take each record first and tell the rules what it changes. Then
// the rules that hear of its kind observe it. Before the first record of a new instant, Observe settles. So if a
// bound ran out between two instants, the rule breaks before anything else happens.
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
		to := audience[r.Kind]
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
