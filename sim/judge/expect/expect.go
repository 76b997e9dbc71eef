// Package expect compares a run with what its scenario says should happen: the clauses under expect. Each clause
// becomes an Outcome. It says whether the run met the clause, and if not, what happened instead. A Watch follows the
// run for clauses about single events. Violations, leader changes and leaderless time come from package check.
//
// Guarantee: an outcome depends only on scenario and seed, and every figure is exact to the nanosecond.
// Non-guarantee: a run that meets all its clauses may still be unsafe. summary.Verdict also counts the violations that
// no clause names.
package expect

import (
	"slices"

	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Outcome is the result of one clause.
type Outcome struct {
	Clause string `json:"clause"` // the clause in words
	// the rule, measure or event, in the spelling of scenarios
	Name     string `json:"name,omitempty"`
	Met      bool   `json:"met"`
	Measured string `json:"measured"` // what happened in the run, in words
	// Measured as a number, in nanoseconds or as a count; 0 if the clause is about the leader's name
	Value float64 `json:"-"`
}

// Watch follows a run for the clauses about single events. Its zero value is not ready; use New.
type Watch struct {
	clauses []scenario.Expect
	events  []*trace.Event // indexed by clause; nil if the clause asks for no event
	counts  []int64        // number of events, by clause
	leaders []int32        // by clause: the candidate that was active at the clause's instant; nobody if none was
	figures figures
}

// figures are the counts that every run keeps.
type figures struct {
	requests, conflicts int64
	second, inSecond    int64 // the current second, and the number of requests in it so far
	peak                int64
}

// New follows a run from its beginning for the clauses of its scenario.
func New(clauses []scenario.Expect) *Watch {
	n := len(clauses)
	w := &Watch{clauses: clauses, events: make([]*trace.Event, n), counts: make([]int64, n), leaders: make([]int32, n)}
	for i := range w.leaders {
		w.leaders[i] = nobody
		w.events[i], _ = trace.EventNamed(clauses[i].Event)
	}
	return w
}

// Clone returns an independent copy.
func (w *Watch) Clone() *Watch {
	c := *w
	c.counts, c.leaders = slices.Clone(w.counts), slices.Clone(w.leaders)
	return &c
}

const nobody = int32(-1)

var conflict, _ = trace.EventNamed("conflict")

// Observe takes the records of one step, after the checks have seen them. For a clause such as "leader: b, at: 30s",
// Observe keeps updating the leader until the run has passed 30 s, so events at exactly 30 s still count.
func (w *Watch) Observe(in *world.World, c *check.Checks, records []trace.Record) {
	for i := range records {
		w.record(in, &records[i])
	}
	if len(records) == 0 {
		return
	}
	at := records[len(records)-1].At
	for i := range w.clauses {
		if e := &w.clauses[i]; e.At != nil && at <= int64(*e.At) {
			w.leaders[i] = leader(c)
		}
	}
}

func leader(c *check.Checks) int32 {
	if active := c.Active(); len(active) > 0 {
		return active[len(active)-1]
	}
	return nobody
}

func (w *Watch) record(in *world.World, r *trace.Record) {
	f := &w.figures
	switch {
	case r.Kind == trace.RequestServed:
		f.requests++
		if second := r.At / 1e9; second != f.second {
			f.second, f.inSecond = second, 0
		}
		f.inSecond++
		f.peak = max(f.peak, f.inSecond)
	case conflict.Is(r):
		f.conflicts++
	}
	for i := range w.clauses {
		e := &w.clauses[i]
		if w.events[i] == nil || !isInWindow(e, r.At) ||
			(e.Node != "" && (r.Candidate < 0 || in.Node(r.Candidate).Name() != e.Node)) {
			continue
		}
		if w.events[i].Is(r) {
			w.counts[i]++
		}
	}
}

func isInWindow(e *scenario.Expect, atNs int64) bool {
	return (e.From == nil || atNs >= int64(*e.From)) && (e.Until == nil || atNs <= int64(*e.Until))
}

// Outcomes checks each clause of a run that has reached untilNs and settled there. Counts are in thousandths
// here, because a scenario may bound an average such as requestsPerSecond by 1.5.
func (w *Watch) Outcomes(in *world.World, c *check.Checks, untilNs int64) []Outcome {
	var all []Outcome
	for i := range w.clauses {
		e := &w.clauses[i]
		if e.Leader != "" {
			all = append(all, w.leader(i, in, c))
		}
		if e.Changes != nil {
			have := len(c.Changes)
			all = append(all, Outcome{Clause: changes(e), Met: have == *e.Changes, Measured: words.Number(int64(have)),
				Value: float64(have)})
		}
		var have int64
		switch {
		case e.Violation != "":
			have = violation(e, in, c, untilNs)
		case e.Event != "":
			have = w.counts[i] * 1000
		case e.Measure != "":
			have = w.measure(e.Measure, in, c, untilNs)
		default:
			continue
		}
		least, most := e.Bounds()
		name, clause := boundClause(e)
		one := Outcome{Clause: clause, Name: name, Met: have >= least && have <= most,
			Measured: amount(have, e.UnitOf()), Value: float64(have)}
		if e.UnitOf() != scenario.UnitLength {
			one.Value /= 1000
		}
		all = append(all, one)
	}
	return all
}

func (w *Watch) leader(i int, in *world.World, c *check.Checks) Outcome {
	e := &w.clauses[i]
	is := leader(c)
	if e.At != nil {
		is = w.leaders[i]
	}
	name := scenario.LeaderNobody
	if is != nobody {
		name = in.Node(is).Name()
	}
	return Outcome{Clause: leads(e), Met: name == e.Leader, Measured: name}
}

// `violation` counts the violations of the rule in a clause.
func violation(e *scenario.Expect, in *world.World, c *check.Checks, untilNs int64) int64 {
	count, longest, total := int64(0), int64(0), int64(0)
	for i := range c.Violations {
		v := &c.Violations[i]
		if v.Rule != e.Violation || !isInWindow(e, v.FromNs) || !concerns(v, in, e.Nodes) {
			continue
		}
		until := v.UntilNs
		if until < 0 {
			until = untilNs
		}
		count += 1000
		longest = max(longest, until-v.FromNs)
		total += until - v.FromNs
	}
	switch e.Measure {
	case scenario.MeasureLongest:
		return longest
	case scenario.MeasureTotal:
		return total
	}
	return count
}

func concerns(v *check.Violation, in *world.World, nodes []string) bool {
	return !slices.ContainsFunc(nodes, func(name string) bool {
		return !slices.ContainsFunc(append([]int32{v.First, v.Second}, v.Others...),
			func(k int32) bool { return k >= 0 && in.Node(k).Name() == name })
	})
}

func (w *Watch) measure(name string, in *world.World, c *check.Checks, untilNs int64) int64 {
	leaderless, double := c.Totals(untilNs)
	attempted, accepted, refused := c.StaleWrites()
	longest := int64(0)
	for i := range c.Changes {
		longest = max(longest, c.Changes[i].LeaderlessNs)
	}
	if len(c.Active()) == 0 {
		longest = max(longest, untilNs-c.SinceNs())
	}
	overlap := scenario.Expect{Violation: rules.MoreThanOneActive, Measure: scenario.MeasureLongest}
	return map[string]int64{
		"staleWritesAttempted": attempted * 1000,
		"staleWritesAccepted":  accepted * 1000,
		"staleWritesRefused":   refused * 1000,
		"leaderChanges":        int64(len(c.Changes)) * 1000,
		"leaderlessLongest":    longest,
		"leaderlessTotal":      leaderless,
		"doubleLeaderLongest":  violation(&overlap, in, c, untilNs),
		"doubleLeaderTotal":    double,
		"requests":             w.figures.requests * 1000,
		"requestsPerSecond":    w.figures.requests * 1000 / max(untilNs/1e9, 1),
		"requestsPeak":         w.figures.peak * 1000,
		"conflicts":            w.figures.conflicts * 1000,
	}[name]
}

// Unmet returns a sentence for each assertion that failed.
func Unmet(all []Outcome) []string {
	var out []string
	for i := range all {
		if !all[i].Met {
			out = append(out, "expected: "+all[i].String())
		}
	}
	return out
}

// String says what the clause asked for and what the run showed.
func (o *Outcome) String() string {
	clause := o.Clause
	if o.Name != "" {
		clause += " (" + o.Name + ")"
	}
	return clause + "; measured: " + o.Measured
}
