package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/study/runfile"
)

// maxSweepRuns is the maximum number of runs in one sweep. All shards together may make ten times as many runs. A run
// of a minute of virtual time takes less than a millisecond, so a sweep at the limit takes minutes. Above it, a
// mistyped range is more likely than a real need.
const (
	maxSweepRuns   = 1_000_000
	maxShardedRuns = 10_000_000
)

// sweepFlags are the flags of `leaselab sweep`. The fields "sets", "seeds" and "varyPhase" decide what the runs are.
// The others decide where the runs happen and how the rows print.
type sweepFlags struct {
	sets      []string
	seeds     string
	output    string
	varyPhase bool
	color     string
	kept      kept
	shard     string
}

// sweepCommand is `leaselab sweep`: it runs a scenario with every combination of some values and many seeds, and
// prints a row for each combination. Rows go to standard output as text, JSON or CSV; progress and warnings go to
// standard error. With --resume it saves finished runs in a file.
//
// It exits 0 even if rows show broken rules, because finding them is what a sweep is for. It exits 1 for wrong flags
// or a write error. After Ctrl-C it prints the rows so far and exits 130.
//
// A JSON or CSV row appears as soon as its combination finishes, so a killed sweep leaves complete rows. Text appears
// at the end, because each column is as wide as its widest cell.
func sweepCommand() *cobra.Command {
	var f sweepFlags
	c := &cobra.Command{
		Use:               "sweep SCENARIO --set PATH=VALUES …",
		Args:              aScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.kept.again = commandLine(cmd, args)
			swept, err := f.study(args[0])
			if err != nil {
				return err
			}
			shard, err := f.shardOf(swept)
			if err != nil {
				return err
			}
			rows, err := newSweptRows(cmd.OutOrStdout(), swept, f.output, f.color)
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), swept, shard, rows)
		},
	}
	c.Flags().StringArrayVar(&f.sets, "set", nil, "")
	c.Flags().StringVar(&f.seeds, "seeds", "", "")
	c.Flags().BoolVar(&f.varyPhase, "vary-phase", false, "")
	completeBy(c, "set", completeSet)
	formatFlag(c, &f.output, "text", "json", "csv")
	c.Flags().StringVar(&f.kept.file, "resume", "", "")
	c.Flags().StringVar(&f.shard, "shard", "", "")
	colorFlag(c, &f.color)
	c.AddCommand(mergeCommand())
	c.AddCommand(refusals("sweep")...)
	return c
}

// The type swept holds everything that a sweep depends on, as stored in a file of runs. Two files belong to one sweep
// if their swept values have the same JSON. So a new field needs omitempty, or older files no longer match. The command
// merge rebuilds the plan from this JSON, without the user's files.
type swept struct {
	Argument string          `json:"-"` // the user's name for the scenario: runs do not depend on it
	Scenario json.RawMessage `json:"scenario"`
	Sets     []string        `json:"sets"`
	Varied   bool            `json:"varyPhase,omitempty"`
	First    uint64          `json:"firstSeed"`
	Seeds    int             `json:"seeds"`

	scenario scenario.Scenario
	plan     *grid.Plan
}

// study reads the scenario and the flags, and checks everything that does not depend on a shard. It warns of two traps
// on standard error: acts that overtake each other, and seeds that share one phase. It does not apply --vary-phase to
// the scenario in its result. The method open does that, since each combination may have its own retryPeriod.
func (f *sweepFlags) study(arg string) (*swept, error) {
	s, err := load(arg)
	if err != nil {
		return nil, err
	}
	if f.varyPhase {
		if _, err := varyPhase(s); err != nil {
			return nil, err
		}
	}
	w := &swept{Argument: arg, Scenario: scenario.Encode(s), Sets: f.sets, Varied: f.varyPhase, First: s.Seed, Seeds: 1}
	if f.seeds != "" {
		if w.First, w.Seeds, err = seedRange(f.seeds); err != nil {
			return nil, err
		}
	}
	if len(f.sets) == 0 {
		return nil, fmt.Errorf("--set is missing; for example: --set elector.retryPeriod=1s,2s,4s")
	}
	if err := w.open(s); err != nil {
		return nil, err
	}
	if f.varyPhase {
		for i := range w.plan.Combinations {
			if warnOfOrder(&s, &w.plan.Combinations[i].Scenario) {
				break // one warning is enough
			}
		}
	}
	if !slices.ContainsFunc(w.plan.Combinations, func(c grid.Combination) bool { return drawsAnInstant(&c.Scenario) }) {
		warnOfOnePhase(&s, w.Seeds)
	}
	return w, nil
}

// open makes the plan of a scenario. It refuses --set seed, since each row already runs with all seeds of --seeds.
func (w *swept) open(s scenario.Scenario) error {
	for _, set := range w.Sets {
		if strings.HasPrefix(set, "seed=") {
			return fmt.Errorf("--set seed: use --seeds A..B instead")
		}
	}
	all, err := grid.Combinations(s, w.Sets)
	if err != nil {
		return fmt.Errorf("--set %w", err)
	}
	if w.Varied {
		grid.VaryPhases(all)
	}
	w.scenario, w.plan = s, grid.NewPlan(all, w.First, w.Seeds)
	return nil
}

// shardOf parses --shard and checks the number of runs. A shard without --resume is an error: it would make its seventh
// of the runs and throw the results away.
func (f *sweepFlags) shardOf(w *swept) (shard study.Shard, err error) {
	count, limit, way := w.plan.Runs(), maxSweepRuns, "use fewer values or seeds, or make shards with --shard I/N"
	if f.shard != "" {
		if shard, err = study.ParseShard(f.shard); err != nil {
			return shard, fmt.Errorf("--shard %w", err)
		}
		if f.kept.file == "" {
			return shard,
				errors.New("--shard needs --resume FILE: the file keeps the shard's runs for `leaselab sweep merge`")
		}
		limit, way = maxShardedRuns, "use fewer values or seeds"
	}
	if count > limit {
		return shard,
			fmt.Errorf("--set and --seeds: %d combinations with %d seeds each are %d runs; the limit is %d: %s",
				count/w.Seeds, w.Seeds, count, limit, way)
	}
	if has := shard.Runs(count); has > maxSweepRuns {
		return shard, fmt.Errorf("--shard %s: %d runs; the limit is %d: make more shards", shard, has, maxSweepRuns)
	}
	return shard, nil
}

// sweeping is the running shard of a sweep. If there are several shards, none of them writes rows, because a row from a
// part of the seeds would look like the whole answer.
type sweeping struct {
	*study.Study[grid.Run]
	shard study.Shard
	rows  *sweptRows
}

// take passes the next results to the rows, in the order of their numbers. It returns the first write error, which
// ends the sweep, because further runs would be useless.
func (s *sweeping) take() error {
	for number, one, more := s.Take(); more; number, one, more = s.Take() {
		if s.shard.Of <= 1 {
			s.rows.Add(number, one)
		}
	}
	return s.rows.err
}

// run makes the runs of a shard. It writes the rows unless other shards are missing. It first puts the runs from the
// file into the study. Before the first new run, the method take makes rows of these runs.
func (f *sweepFlags) run(ctx context.Context, w *swept, shard study.Shard, rows *sweptRows) (err error) {
	s, p := &sweeping{study.New(w.plan, shard), shard, rows}, newProgress()
	h, err := runfile.NewHeader(runfile.Header{Study: "sweep", Runs: w.plan.Runs(), Argument: w.Argument}, shard, w)
	if err != nil {
		return err
	}
	file, err := openRuns(f.kept, h, func(number int, one grid.Run) { s.Put(number, one) })
	if err != nil {
		return err
	}
	defer closeRuns(file, &err)
	if p.had = s.Done(); p.had > 0 {
		fmt.Fprintf(stderr, "leaselab: %s has %d of %s\n", f.kept.file, p.had, runs(s.Of()))
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	if err = s.take(); err == nil {
		err = onAllCores(ctx, s.Study, file.Append, func(int, grid.Run) error {
			p.tell(s.Done(), s.Of(), "runs")
			return s.take()
		})
	}
	p.erase()
	return f.end(s, err)
}

// end writes the results and says what is missing. After Ctrl-C some combinations have only part of their seeds, and
// their rows say so. The same write error may arrive both through the study and through rows.err; the method end
// reports it only once.
func (f *sweepFlags) end(s *sweeping, err error) error {
	s.End()
	if writing := s.take(); err == nil {
		err = writing
	}
	rows := s.rows
	if s.shard.Of > 1 {
		fmt.Fprintf(rows.out, "shard %s: %d of %s in %s; `leaselab sweep merge` joins the %d shards\n", s.shard,
			s.Done(), runs(s.Of()), f.kept.file, s.shard.Of)
		rows.flush()
	} else {
		rows.End()
	}
	if !errors.Is(err, context.Canceled) {
		if errors.Is(err, rows.err) {
			return err
		}
		return errors.Join(err, rows.err)
	}
	return exitError{exitCancelled, fmt.Sprintf("cancelled after %d of %s; %s", s.Done(), runs(s.Of()),
		f.kept.goesOn())}
}

// sweptRows writes the rows of a sweep in a format. grid.Rows collects runs and calls the method row whenever a
// combination is complete.
type sweptRows struct {
	*grid.Rows
	swept  *swept
	out    *bufio.Writer
	format string
	colors palette
	rows   []*grid.Row // by combination; text only
	err    error       // the first error of a write
}

// newSweptRows begins the output: the header of CSV, and nothing in other formats.
func newSweptRows(out io.Writer, w *swept, format, color string) (*sweptRows, error) {
	r := &sweptRows{swept: w, out: bufio.NewWriter(out), format: format,
		rows: make([]*grid.Row, len(w.plan.Combinations))}
	r.colors = paletteFor(out, color)
	r.Rows = grid.NewRows(w.plan, w.scenario.Name, r.row)
	if format == "csv" {
		r.csvHeader()
	}
	return r, nil
}

// row receives a finished row, or, for values that the scenario format does not allow, a refused one. Text waits for
// End. In other formats it flushes at once, so that a reader of a pipe sees the row, and the row survives a crash.
func (r *sweptRows) row(i int, row *grid.Row, refused *grid.RefusedRow) {
	if row != nil {
		row.Replay = r.replay(i, row)
	}
	switch {
	case r.format == "text":
		r.rows[i] = row
		return
	case r.format == "csv":
		r.csvRow(&r.swept.plan.Combinations[i], row)
	case row != nil:
		writeDocument(r.out, "SweepRow", row)
	default:
		writeDocument(r.out, "RefusedRow", refused)
	}
	r.flush()
}

// replay returns the command that repeats a seed of a row. It returns "" if --seed is enough, because no act has a
// random instant. It picks the first seed of the worst broken rule, because users want to see that run first.
func (r *sweptRows) replay(i int, row *grid.Row) string {
	c := &r.swept.plan.Combinations[i]
	if !drawsAnInstant(&c.Scenario) {
		return ""
	}
	seed := r.swept.First
	if len(row.Broken) > 0 {
		seed = row.Broken[0].FirstSeed
	}
	return seedAgain(r.swept.Argument, c.Scenario, seed, c.Changes...)
}

// flush writes the rows so far, so that they survive if the process dies.
func (r *sweptRows) flush() {
	if err := r.out.Flush(); err != nil && r.err == nil {
		r.err = fmt.Errorf("writing the rows: %w", err)
	}
}

// End writes the remaining rows. In the text format these are all rows. If the sweep ended early, some rows have few
// runs or none.
func (r *sweptRows) End() {
	r.Rows.End()
	if r.format == "text" {
		writeSwept(painter{r.out, r.colors}, r.swept, r.rows)
	}
	r.flush()
}
