package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/expect"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/words"
)

// maxSeeds is the most runs of one command.
const maxSeeds = 10_000_000

// seedRange reads A..B.
func seedRange(text string) (first uint64, count int, err error) {
	from, to, found := strings.Cut(text, "..")
	last := uint64(0)
	if found {
		if first, err = strconv.ParseUint(from, 10, 53); err == nil {
			last, err = strconv.ParseUint(to, 10, 53)
		}
	}
	if !found || err != nil || last < first {
		return 0, 0, fmt.Errorf("--seeds %q must be A..B with 0 <= A <= B < 2^53, such as 1..600", text)
	}
	if last-first >= maxSeeds {
		return 0, 0,
			fmt.Errorf(
				"--seeds %q has %d seeds; the limit is %d: use a shorter range, or several commands with a part each",
				text, last-first+1, maxSeeds)
	}
	return first, int(last-first) + 1, nil
}

// seedRun is the result of one seed.
type seedRun struct {
	sum      summary.Summary
	code     int
	outcomes []expect.Outcome // one per assertion
	nearest  int64            // the shortest time from a leader's stop to its successor's start; negative: they overlap
	followed bool             // the run has such a time
}

func runSeed(s *scenario.Scenario, r *run.Run, untilNs int64) seedRun {
	r.To(untilNs, nil)
	one := seedRun{outcomes: r.Outcomes(untilNs), sum: summary.Of(*s, r, untilNs)}
	one.code = summary.Verdict(*s, r, &one.sum)
	one.nearest, one.followed = r.Checks.NearestNs()
	return one
}

// seedPlan runs a scenario with every seed from first on.
type seedPlan struct {
	scenario scenario.Scenario
	compiled *compile.Seeds
	first    uint64
	seeds    int
	untilNs  int64
}

// Runs implements study.Plan.
func (p seedPlan) Runs() int { return p.seeds }

// Run implements study.Plan.
func (p seedPlan) Run(number int) seedRun {
	p.scenario.Seed = p.first + uint64(number)
	return runSeed(&p.scenario, run.New(p.compiled.Setup(p.scenario.Seed), run.Watchers{Clauses: p.scenario.Expect}),
		p.untilNs)
}

// runSeeds runs every seed. Text output is one tally of all runs; the others have one summary per line.
func (f *runFlags) runSeeds(ctx context.Context, out *bufio.Writer, s scenario.Scenario) error {
	first, count, err := seedRange(f.seeds)
	if err != nil {
		return err
	}
	warnOfOnePhase(&s, count)
	all := newTally(&s)
	if drawsAnInstant(&s) {
		all.replay = func(seed uint64) string { return seedAgain(f.arg, s, seed) }
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	seeds, p := study.New(seedPlan{s, compile.ForSeeds(s), first, count, f.untilNs(&s)}, study.Shard{}), newProgress()
	take := func() {
		for _, one, more := seeds.Take(); more; _, one, more = seeds.Take() {
			all.add(&one)
			if f.output != "text" {
				if all.replay != nil {
					one.sum.Replay = all.replay(one.sum.Seed)
				}
				writeLine(out, one.sum)
			}
		}
	}
	err = onAllCores(ctx, seeds, nil, func(int, seedRun) error {
		p.tell(seeds.Done(), count, "runs")
		take()
		return nil
	})
	p.over()
	seeds.End()
	take()
	if f.output == "text" && all.runs > 0 {
		all.write(out)
	}
	if err != nil {
		return exitError{exitCancelled, fmt.Sprintf("cancelled after %d of %s", all.runs, runs(count))}
	}
	if code := all.code(); code != summary.Fine {
		return exitError{code, all.why(code)}
	}
	return nil
}

// tally adds up many runs of one scenario. Seeds arrive in ascending order.
type tally struct {
	runs     int
	gaps     []int64 // leaderless times of the changes after the first
	nearest  []int64 // seedRun.nearest of each run that has it
	broken   []brokenRule
	clauses  []unmetClause
	expected func(rule string) bool
	codes    map[int]int              // runs by exit code
	replay   func(seed uint64) string // the command that runs a seed again; nil: --seed is enough
}

// brokenRule counts the runs that broke a rule with a severity.
type brokenRule struct {
	rule     string
	number   int
	severity string
	runs     int
	seeds    []uint64 // the first few
	lengths  []int64  // total duration of the violations, of each run where it is above 0
}

// unmetClause counts the runs in which an assertion failed.
type unmetClause struct {
	clause   string
	runs     int
	seeds    []uint64 // the first few
	measured []string // in the runs of seeds
}

// fewSeeds is how many seeds a line lists at most.
const fewSeeds = 5

func newTally(s *scenario.Scenario) *tally {
	t := &tally{codes: map[int]int{}}
	t.expected = func(rule string) bool {
		return slices.ContainsFunc(s.Expect, func(e scenario.Expect) bool { return e.Expects(rule) })
	}
	for _, severity := range []rules.Severity{rules.Safety, rules.Liveness, rules.Observation} {
		for _, rule := range rules.All() {
			t.broken = append(t.broken, brokenRule{rule: rule.Name, number: rule.Number, severity: severity.String()})
		}
	}
	return t
}

func (t *tally) add(one *seedRun) {
	t.runs++
	t.codes[one.code]++
	for _, change := range one.sum.LeaderChanges[min(1, len(one.sum.LeaderChanges)):] {
		t.gaps = append(t.gaps, int64(change.LeaderlessSeconds))
	}
	if one.followed {
		t.nearest = append(t.nearest, one.nearest)
	}
	for k := range t.broken {
		t.broken[k].add(one.sum.Seed, one.sum.Violations)
	}
	if t.clauses == nil {
		t.clauses = make([]unmetClause, len(one.outcomes))
	}
	for i, o := range one.outcomes {
		c := &t.clauses[i]
		c.clause = o.Clause
		if o.Met {
			continue
		}
		if c.runs++; c.runs <= fewSeeds {
			c.seeds, c.measured = append(c.seeds, one.sum.Seed), append(c.measured, o.Measured)
		}
	}
}

func (b *brokenRule) add(seed uint64, violations []summary.Violation) {
	number, total := 0, int64(0)
	for i := range violations {
		if v := &violations[i]; v.Rule == b.rule && v.Severity == b.severity {
			number++
			total += int64(v.Seconds)
		}
	}
	if number == 0 {
		return
	}
	if b.runs++; b.runs <= fewSeeds {
		b.seeds = append(b.seeds, seed)
	}
	if total > 0 {
		b.lengths = append(b.lengths, total)
	}
}

// code returns the worst exit code of the runs.
func (t *tally) code() int {
	worst := summary.Fine
	for code := range t.codes {
		worst = max(worst, code)
	}
	return worst
}

// why names the rules and assertions behind an exit code.
func (t *tally) why(code int) string {
	var parts []string
	for k := range t.broken {
		if b := &t.broken[k]; t.counts(b) {
			parts = append(parts, fmt.Sprintf("%s (%s) was broken in %d of %s, first seed %d", b.rule, b.severity,
				b.runs, runs(t.runs), b.seeds[0]))
		}
	}
	for i := range t.clauses {
		if c := &t.clauses[i]; c.runs > 0 {
			parts = append(parts, fmt.Sprintf("assertion %d failed in %d of %s, first seed %d", i+1, c.runs,
				runs(t.runs), c.seeds[0]))
		}
	}
	return fmt.Sprintf("exit code %d: %s", code, strings.Join(parts, "; "))
}

// counts reports whether a broken rule changes the exit code.
func (t *tally) counts(b *brokenRule) bool {
	return b.runs > 0 && b.severity != rules.Observation.String() && !t.expected(b.rule)
}

func runs(n int) string {
	if n == 1 {
		return "1 run"
	}
	return strconv.Itoa(n) + " runs"
}

func (t *tally) write(out io.Writer) {
	fmt.Fprintf(out, "%d runs, %d leader changes after the first\n", t.runs, len(t.gaps))
	if len(t.gaps) > 0 {
		slices.Sort(t.gaps)
		at := func(share float64) string { return words.Seconds(study.Quantile(t.gaps, share)) }
		fmt.Fprintf(out, "time without a leader: min %s  p50 %s  p95 %s  p99 %s  max %s\n", at(0), at(0.5), at(0.95),
			at(0.99), at(1))
	}
	if len(t.nearest) > 0 {
		slices.Sort(t.nearest)
		over, _ := slices.BinarySearch(t.nearest, 0)
		fmt.Fprintf(out,
			"least margin of each of %s (the successor's start minus the old leader's stop): %s; below 0 in %d\n",
			runs(len(t.nearest)), spread(t.nearest), over)
	}
	t.writeBroken(out)
	if len(t.clauses) > 0 {
		fmt.Fprintln(out, "\nassertions")
	}
	for i := range t.clauses {
		c := &t.clauses[i]
		if c.runs == 0 {
			fmt.Fprintf(out, "  assertion %d held in every run: %s\n", i+1, c.clause)
			continue
		}
		fmt.Fprintf(out, "  assertion %d failed in %d of %s: %s\n", i+1, c.runs, runs(t.runs), c.clause)
		measured := make([]string, len(c.seeds))
		for k, seed := range c.seeds {
			measured[k] = fmt.Sprintf("%s with seed %d", c.measured[k], seed)
		}
		fmt.Fprintf(out, "    measured %s%s\n", strings.Join(measured, ", "), andMore(c.runs))
	}
}

func (t *tally) writeBroken(out io.Writer) {
	severity, none := "", true
	end := func() {
		if severity != "" && none {
			fmt.Fprintln(out, "  no rule was broken")
		}
	}
	for k := range t.broken {
		b := &t.broken[k]
		if b.severity != severity {
			end()
			severity, none = b.severity, true
			fmt.Fprintf(out, "\n%s\n", severity)
		}
		if b.runs == 0 {
			continue
		}
		none = false
		seeds := make([]string, len(b.seeds))
		for i, seed := range b.seeds {
			seeds[i] = strconv.FormatUint(seed, 10)
		}
		expected := ""
		if b.severity != rules.Observation.String() && t.expected(b.rule) {
			expected = " (expected)"
		}
		fmt.Fprintf(out, "%3d %-21s in %d of %s%s, seeds %s%s\n", b.number, b.rule, b.runs, runs(t.runs), expected,
			strings.Join(seeds, ", "), andMore(b.runs))
		t.writeReplay(out, b.seeds[0])
		if len(b.lengths) > 0 {
			slices.Sort(b.lengths)
			fmt.Fprintf(out, "    total duration in each of %s: %s\n", runs(len(b.lengths)), spread(b.lengths))
		}
	}
	end()
}

// writeReplay writes how to run a seed again where its number alone does not say when the acts happen.
func (t *tally) writeReplay(out io.Writer, seed uint64) {
	if t.replay != nil {
		fmt.Fprintf(out, "    replay: %s\n", t.replay(seed))
	}
}

func andMore(n int) string {
	if n > fewSeeds {
		return ", …"
	}
	return ""
}

func spread(sorted []int64) string {
	at := func(share float64) string { return words.Seconds(study.Quantile(sorted, share)) }
	return "min " + at(0) + "  p50 " + at(0.5) + "  max " + at(1)
}
