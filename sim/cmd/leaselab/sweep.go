package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/words"
)

// maxSweepRuns is how many runs one sweep makes at most.
const maxSweepRuns = 1_000_000

type sweepFlags struct {
	sets      []string
	seeds     string
	output    string
	varyPhase bool
	colour    string
}

func sweepCommand() *cobra.Command {
	var f sweepFlags
	c := &cobra.Command{
		Use:   "sweep SCENARIO --set PATH=VALUES …",
		Short: "Run every combination of some fields' values with many seeds and print one row for each",
		Long: "sweep runs the scenario with every combination of the values and every seed, and prints one row per combination: the share of\n" +
			"runs with two active leaders at once (with Wilson's 95 % interval), the longest time without a leader after the first election\n" +
			"(median, p99 and maximum over the runs), leader changes after the first, requests, the least margin, and the broken rules.\n\n" +
			"`leaselab schema` lists the paths, such as elector.retryPeriod or actions[0].at. VALUES are separated by commas; FROM..TO/STEP\n" +
			"is a range of durations or numbers that includes both ends; an empty value leaves the field to its default. sweep ignores the\n" +
			"scenario's assertions.",
		Example: "  # B02: how late may the answer to the last renewal arrive?\n" +
			"  leaselab sweep b02-three-second-margin --set 'actions[0].response=1ms,2s,3500ms,4900ms' --seeds 1..150\n" +
			"  # B05: how long after the cut must the network heal?\n" +
			"  leaselab sweep b05-wiped-lease --set 'actions[0].for=9s..22s/500ms' --seeds 1..40",
		Args:              aScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			colours, err := paletteFor(cmd.OutOrStdout(), f.colour)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			return f.run(out, args[0], colours)
		},
	}
	c.Flags().StringArrayVar(&f.sets, "set", nil, "the values of a field, as `PATH=VALUES`: VALUE,VALUE,… or FROM..TO/STEP; repeat for every combination with another field")
	c.Flags().StringVar(&f.seeds, "seeds", "", "run each combination once with each seed `A..B` (default: the scenario's seed)")
	c.Flags().StringVarP(&f.output, "output", "o", "text", "text or json (one combination per line)")
	c.Flags().BoolVar(&f.varyPhase, "vary-phase", false, varyPhaseHelp)
	completeWords(c, "output", "text", "json")
	completeBy(c, "set", completeSet)
	colourFlag(c, &f.colour)
	return c
}

func (f *sweepFlags) run(out *bufio.Writer, arg string, colours palette) error {
	if err := checkOutput(f.output, "text", "json"); err != nil {
		return err
	}
	s, err := load(arg)
	if err != nil {
		return err
	}
	if f.varyPhase {
		if s, err = varied(s); err != nil {
			return err
		}
	}
	first, seeds := s.Seed, 1
	if f.seeds != "" {
		if first, seeds, err = seedRange(f.seeds); err != nil {
			return err
		}
	}
	all, err := f.combinations(s)
	if err != nil {
		return err
	}
	count := len(all) * seeds
	if count > maxSweepRuns {
		return fmt.Errorf("--set and --seeds: %d combinations with %d seeds each are %d runs; the limit is %d", len(all), seeds, count, maxSweepRuns)
	}
	warnOfOnePhase(&s, seeds)
	p := newProgress()
	var rows []grid.Row
	var row []grid.Run
	inOrder(count, func(i int) grid.Run {
		one := all[i/seeds].Scenario
		one.Seed = first + uint64(i%seeds)
		return grid.One(one)
	}, func(i int, one grid.Run) {
		p.tell(i+1, count, "runs")
		if row = append(row, one); len(row) < seeds {
			return
		}
		whole := grid.RowOf(&all[i/seeds], first, row)
		row = row[:0]
		if one := all[i/seeds].Scenario; slices.ContainsFunc(one.Actions, func(a scenario.Action) bool { return a.Within > 0 }) {
			seed := first
			if len(whole.Broken) > 0 {
				seed = whole.Broken[0].FirstSeed
			}
			whole.Replay = replay(arg, one, seed, all[i/seeds].Changes...)
		}
		if f.output == "json" {
			writeLine(out, whole)
			return
		}
		rows = append(rows, whole)
	})
	p.over()
	if f.output == "text" {
		writeSwept(colours.lines(out, combination), &s, all, rows, first, seeds)
	}
	return nil
}

func (f *sweepFlags) combinations(s scenario.Scenario) ([]grid.Combination, error) {
	if len(f.sets) == 0 {
		return nil, fmt.Errorf("--set is missing; for example: --set elector.retryPeriod=1s,2s,4s")
	}
	for _, set := range f.sets {
		if strings.HasPrefix(set, "seed=") {
			return nil, fmt.Errorf("--set seed: use --seeds A..B instead")
		}
	}
	all, err := grid.Combinations(s, f.sets)
	if err != nil {
		return nil, fmt.Errorf("--set %w", err)
	}
	return all, nil
}

func writeSwept(out io.Writer, s *scenario.Scenario, all []grid.Combination, rows []grid.Row, first uint64, seeds int) {
	which := fmt.Sprintf("seed %d", first)
	if seeds > 1 {
		which = fmt.Sprintf("seeds %d to %d", first, first+uint64(seeds)-1)
	}
	fmt.Fprintf(out, "%s, %s: %d × %d = %s\n\n", nameOr(s.Name), which, len(all), seeds, runs(len(all)*seeds))
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, change := range all[0].Changes {
		fmt.Fprintf(t, "%s\t", change.Path)
	}
	fmt.Fprintln(t, "overlap\tleaderless p50\tp99\tlongest\tchanges\trequests/s\tleast margin\tbroken rules (runs)")
	for i := range rows {
		r := &rows[i]
		for _, change := range all[i].Changes {
			value := change.Value
			if value == "" {
				value = "(default)"
			}
			fmt.Fprintf(t, "%s\t", value)
		}
		margin := "-"
		if r.LeastMarginSeconds != nil {
			margin = words.Seconds(int64(*r.LeastMarginSeconds))
		}
		fmt.Fprintf(t, "%5.1f %% (%.1f to %.1f %%)\t%s\t%s\t%s\t%.2f\t%.2f\t%s\t%s\n", 100*r.TwoWorked.Share, 100*r.TwoWorked.Low, 100*r.TwoWorked.High,
			words.Seconds(int64(r.LeaderlessSeconds.Median)), words.Seconds(int64(r.LeaderlessSeconds.P99)), words.Seconds(int64(r.LeaderlessSeconds.Longest)), r.LeaderChangesPerRun, r.RequestsPerSecond,
			margin, brokenWords(r.Broken))
	}
	t.Flush()
	for i := range rows {
		if rows[i].Replay != "" {
			fmt.Fprintf(out, "replay %d: %s\n", i+1, rows[i].Replay)
		}
	}
}

func brokenWords(all []grid.BrokenRule) string {
	if len(all) == 0 {
		return "none"
	}
	words := make([]string, len(all))
	for i, b := range all {
		words[i] = fmt.Sprintf("%s %d", b.Rule, b.Runs)
	}
	return strings.Join(words, ", ")
}
