package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/words"
)

// maxSeeds is the maximum number of seeds in one range, --seeds A..B. The limit on the runs of one process may be
// lower: see sweep.go.
const maxSeeds = 10_000_000

// seedRange reads A..B, with both ends included. A seed has at most 53 bits, so that it is exact as a
// JavaScript number, in the page and in jq.
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

// seedRun is the run of one seed. It embeds the result type of a sweep, so the code for rows and verdicts works for
// both.
type seedRun struct {
	grid.Run
	summary *summary.Summary // nil for text
}

// seedPlan is the plan of a sweep without a varied field. Each run of the plan may have a summary. A summary needs more
// memory than a row, because it lists every leader change of the run.
type seedPlan struct {
	*grid.Plan
	summaries bool
	replay    func(seed uint64) string // the command that repeats a seed; nil if --seed is enough
}

// Run implements study.Plan. It makes one run and derives both results from it. The seed goes into a copy of the
// scenario, because other goroutines read the original.
func (p seedPlan) Run(number int) seedRun {
	s, r := p.Combinations[0].Scenario, p.Begin(number)
	one := seedRun{Run: grid.One(&s, r)}
	if p.summaries {
		_, s.Seed = p.Of(number)
		sum := summary.Of(s, r, r.EndNs())
		if p.replay != nil {
			sum.Replay = p.replay(s.Seed)
		}
		one.summary = &sum
	}
	return one
}

// runSeeds is `leaselab run --seeds`: it runs every seed on all cores. Text output is the row of a sweep without a
// varied field; other formats have one summary per line, in the order of the seeds.
//
// It writes the summaries in order and then drops them. Unlike sweep, it has no --resume. After Ctrl-C it prints the
// results of the finished seeds and exits 130.
//
// The exit code is that of the worst run. The order is the same as for a single run: safety (3) is worst, then liveness
// (4), then assertions (2). The reasons on standard error list all broken rules and assertions.
func (f *runFlags) runSeeds(ctx context.Context, out *bufio.Writer, s scenario.Scenario) error {
	if f.until > 0 {
		return fmt.Errorf("--until works for one run only; with --seeds, use --set duration=%s", f.until)
	}
	w := &swept{Argument: f.arg}
	var err error
	if w.First, w.Seeds, err = seedRange(f.seeds); err != nil {
		return err
	}
	if w.Seeds > maxSweepRuns {
		return fmt.Errorf("--seeds %q has %d seeds; the limit is %d: use a shorter range", f.seeds, w.Seeds,
			maxSweepRuns)
	}
	if err := w.open(s); err != nil {
		return err
	}
	warnOfOnePhase(&s, w.Seeds)
	rows, err := newSweptRows(out, w, "text", f.color)
	if err != nil {
		return err
	}
	plan := seedPlan{Plan: w.plan, summaries: f.output != "text"}
	if drawsAnInstant(&s) {
		sets, err := changesOf(f.sets)
		if err != nil {
			return err
		}
		plan.replay = func(seed uint64) string { return seedAgain(f.arg, s, seed, sets...) }
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	seeds, p, v := study.New(plan, study.Shard{}), newProgress(), seedsVerdict{failed: map[int]*failedClause{}}
	take := func() {
		for number, one, more := seeds.Take(); more; number, one, more = seeds.Take() {
			rows.Add(number, one.Run)
			v.add(w.First+uint64(number), &one.Run)
			if one.summary != nil {
				writeDocument(out, "RunSummary", one.summary)
			}
		}
	}
	err = onAllCores(ctx, seeds, nil, func(int, seedRun) error {
		p.tell(seeds.Done(), w.Seeds, "runs")
		take()
		return nil
	})
	p.erase()
	seeds.End()
	take()
	if f.output == "text" && v.runs > 0 {
		rows.End()
	} else {
		rows.Rows.End()
	}
	if err != nil {
		return exitError{exitCancelled, fmt.Sprintf("cancelled after %d of %s", v.runs, runs(w.Seeds))}
	}
	if v.code != summary.Fine {
		return exitError{v.code, v.reasons(&s, rows.rows[0])}
	}
	return nil
}

// seedsVerdict is the reason for the exit code of many runs of one scenario. Its size depends on the number of
// the scenario's assertions, not on the number of seeds.
type seedsVerdict struct {
	runs   int
	code   int // of the worst run
	failed map[int]*failedClause
}

// failedClause counts the runs in which one assertion is the first that fails.
type failedClause struct {
	runs      int
	firstSeed uint64
}

func (v *seedsVerdict) add(seed uint64, one *grid.Run) {
	v.runs++
	if isWorse(one.Code, v.code) {
		v.code = one.Code
	}
	if one.FailedClause == 0 {
		return
	}
	c := v.failed[one.FailedClause]
	if c == nil {
		c = &failedClause{firstSeed: seed}
		v.failed[one.FailedClause] = c
	}
	c.runs++
}

// reasons names the rules and assertions behind the exit code, each with its number of runs and its first seed.
// `leaselab run --seed` with that seed shows such a run.
func (v *seedsVerdict) reasons(s *scenario.Scenario, row *grid.Row) string {
	var parts []string
	for _, b := range row.Broken {
		if isUnexpected(s, b.Rule, b.Severity) {
			parts = append(parts, fmt.Sprintf("%s (%s) was broken in %d of %s, first seed %d", b.Rule, b.Severity,
				b.Runs, runs(row.Runs), b.FirstSeed))
		}
	}
	for i := range s.Expect {
		if c := v.failed[i+1]; c != nil {
			parts = append(parts, fmt.Sprintf("assertion %d failed in %d of %s, first seed %d", i+1, c.runs,
				runs(row.Runs), c.firstSeed))
		}
	}
	return fmt.Sprintf("exit code %d: %s", v.code, strings.Join(parts, "; "))
}

// isUnexpected reports whether a broken rule changes the exit code. An observation never changes it, and neither does a
// rule that the scenario expects to break.
func isUnexpected(s *scenario.Scenario, rule, severity string) bool {
	return severity != rules.Observation.String() &&
		!slices.ContainsFunc(s.Expect, func(e scenario.Expect) bool { return e.Expects(rule) })
}

func runs(n int) string { return words.Count(n, "run", "runs") }
