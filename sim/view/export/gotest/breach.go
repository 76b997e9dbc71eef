package gotest

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/failure"
)

// Limits for the search over seeds in a test.
const (
	mostSeeds = 2000
	missed    = 1e-9 // the seeds of a test all miss the breach with a lower probability
)

// Breach is the violation that a scenario leads to, over many runs with random jitter. Whether client-go breaks the
// rule with one seed is a matter of its draws, and the engine draws others. So a test tries seeds until it sees the
// breach.
type Breach struct {
	Rule                 string
	Who                  []string // the candidates of each violation: "b and c"; sorted
	EarliestNs, LatestNs int64    // when it begins
	Runs                 int      // how many runs show it
	Function, Cause      string   // the function of client-go that behaves so, and what it does; "" if unknown
}

// breachOf returns what the scenario's own run breaks, or nil: the first violation that an assertion expects, else the
// worst one. It leaves observations alone, because they fail no test.
func breachOf(s scenario.Scenario, expected []scenario.Expect) *Breach {
	r := run.New(compile.Scenario(s), run.Watchers{Explanation: true})
	r.To(r.EndNs(), nil)
	k := failure.Expected(expected, &r.Checks)
	if k < 0 || r.Checks.Violations[k].Severity == rules.Observation {
		k = failure.Worst(&r.Checks, func(*check.Violation) bool { return true })
	}
	if k < 0 {
		return nil
	}
	v := &r.Checks.Violations[k]
	b := &Breach{Rule: v.Rule, EarliestNs: math.MaxInt64}
	b.Function, b.Cause = r.Tracker.Stories[k].Upstream()
	return b
}

// `take` widens the breach to include the first violation of a run.
func (b *Breach) take(r *run.Run) {
	for i := range r.Checks.Violations {
		v := &r.Checks.Violations[i]
		if v.Rule != b.Rule {
			continue
		}
		who := v.Who(func(i int32) string { return nameOf(r.World, i) })
		b.Who = with(b.Who, strings.Join(who, " and "))
		b.EarliestNs, b.LatestNs = min(b.EarliestNs, v.FromNs), max(b.LatestNs, v.FromNs)
		b.Runs++
		return
	}
}

// seeds returns how many seeds a test tries, from how many of the engine's runs show the breach.
func (b *Breach) seeds(runs int) int {
	share, seeds := float64(b.Runs)/float64(runs+1), 0
	for all := 1.0; all > missed; seeds++ {
		all *= 1 - share // the probability that all these seeds miss it
	}
	return seeds
}

// breachCode looks for a breach over the seeds. Each part between marks is for some tests only.
//
//go:embed breach.txt
var breachCode string

// `breach` returns the part of the test that looks for the breach, or for any broken rule, over the seeds.
func (t *Test) breach(o Options) string {
	b, text, values := t.Breach, breachCode, []string{"TRIAL\n", t.trial(o)}
	for _, part := range []struct {
		name string
		keep bool
	}{{"clean", b == nil}, {"breach", b != nil}, {"span", o.Violation}, {"finds", o.Violation},
		{"none", o.Standalone && !o.Violation}, {"failed", !o.Standalone && !o.Violation}} {
		text = keepIf(text, part.name, part.keep)
	}
	if b != nil {
		why := fmt.Sprintf("Jitter decides whether the breach shows. %d of %d runs of leaselab's engine show it, so "+
			"this many seeds all miss it with a probability below %.0e.", b.Runs, t.Changes.Runs, missed)
		values = append(values, "WHY", comment("\t", why), "SEEDS", strconv.Itoa(b.seeds(t.Changes.Runs)),
			"RULE", b.Rule, "EARLIEST", digits(max(b.EarliestNs-t.Changes.ToleranceNs, 0)),
			"LATEST", digits(b.LatestNs+t.Changes.ToleranceNs), "WHO", names(b.Who))
	}
	return strings.NewReplacer(values...).Replace(text)
}

// trial returns the line of a test that plays the scenario with one seed.
func (t *Test) trial(o Options) string {
	if o.Standalone {
		return "\t\tresult := play(t, int64(seed), program)\n"
	}
	text := "\t\tscenario.Seed = seed\n\t\t"
	if o.Violation {
		text += "result := "
	}
	return text + "electiontest.Run(t, scenario, func(c *electiontest.Cluster) { c.Start(program) }" +
		t.program.options(t.allowed(o), "\t") + ")\n"
}

// allowed returns the rules that a program may break without failing the test.
func (t *Test) allowed(o Options) []string {
	if o.Violation || t.Breach == nil {
		return t.Changes.Broken
	}
	return nil
}
