package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/run/bench"
	"github.com/leaselab/leaselab/sim/words"
)

// benchReport is the JSON of `leaselab bench`.
type benchReport struct {
	Go     string         `json:"go"`
	Arch   string         `json:"arch"`
	Native []bench.Result `json:"native"`

	Seek []bench.SeekResult `json:"seek"`

	Checkers []bench.Checkers `json:"checkers"` // the cost of the checkers: a run with them against a run without

	Explore *exploreFigures `json:"explore,omitempty"`

	Study *studyFigures `json:"study,omitempty"`

	Import *importFigures `json:"import,omitempty"`
}

// benchParts are what --only chooses from.
var benchParts = []string{"speed", "seek", "study", "import"}

func benchCommand() *cobra.Command {
	var output, only string
	var candidates int
	var atLeast time.Duration
	c := &cobra.Command{
		Use:     "bench",
		Short:   "Measure the simulator on this machine",
		Example: "  leaselab bench\n  leaselab bench --only speed --candidates 100 -o json",
		Args:    takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkOutput(output, "text", "json"); err != nil {
				return err
			}
			report := benchReport{Go: runtime.Version(), Arch: runtime.GOARCH}
			if only != "" {
				if err := checkWord("only", only, benchParts...); err != nil {
					return err
				}
			}
			cases, err := benchCases(only, candidates)
			if err != nil {
				return err
			}
			tell := func(format string, args ...any) {
				if output == "text" {
					fmt.Fprintf(cmd.ErrOrStderr(), format, args...)
				}
			}
			for _, c := range cases {
				tell("running %s with %d candidates …\n", c.Scenario, c.Candidates)
				report.Native = append(report.Native, bench.Run(c, atLeast))
				report.Checkers = append(report.Checkers, bench.CheckerCost(c, atLeast))
			}
			if err := report.measure(cmd.Context(), tell, only, candidates, atLeast); err != nil {
				return err
			}
			if output == "json" {
				_, err := cmd.OutOrStdout().Write(indented(report))
				return err
			}
			writeBench(cmd.OutOrStdout(), &report)
			return nil
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	c.Flags().StringVar(&only, "only", "", "speed, seek, study or import (default: all)")
	completeWords(c, "output", "text", "json")
	completeWords(c, "only", benchParts...)
	c.Flags().IntVar(&candidates, "candidates", 0,
		"measure only the speed of 3, 100 or 10000 candidates (default: all of them)")
	c.Flags().DurationVar(&atLeast, "at-least", time.Second,
		"minimum wall time of each case; every case simulates at least one hour")
	return c
}

// measure takes the figures besides those of the speed. tell says what is measured.
func (r *benchReport) measure(ctx context.Context, tell func(format string, args ...any), only string, candidates int,
	atLeast time.Duration) error {
	for _, n := range []int{3, 100} {
		if (only != "" && only != "seek") || candidates != 0 {
			break
		}
		tell("seeking in a day of %d candidates …\n", n)
		s, err := bench.Seek(n, 300)
		if err != nil {
			return err
		}
		r.Seek = append(r.Seek, s)
	}
	if only == "study" || (only == "" && candidates == 0) {
		tell("sweeping crash on one core and on all, in turns …\n")
		figures, err := measureStudy(ctx, atLeast)
		if err != nil {
			return err
		}
		r.Study = figures
		tell("exploring on one core …\n")
		if r.Explore, err = measureExplore(atLeast); err != nil {
			return err
		}
	}
	if only == "import" || (only == "" && candidates == 0) {
		tell("reading an audit log …\n")
		figures, err := measureImport(atLeast)
		if err != nil {
			return err
		}
		r.Import = figures
	}
	return nil
}

// benchCases are the cases of the speed that the flags ask for.
func benchCases(only string, candidates int) ([]bench.Case, error) {
	cases := bench.Cases()
	if only != "" && only != "speed" {
		cases = nil
	}
	if candidates == 0 {
		return cases, nil
	}
	if cases = slices.DeleteFunc(cases, func(c bench.Case) bool {
		return c.Candidates != candidates
	}); len(cases) == 0 {
		return nil, fmt.Errorf("--candidates %d must be 3, 100 or 10000, and only with --only speed or without --only",
			candidates)
	}
	return cases, nil
}

func writeBench(out io.Writer, r *benchReport) {
	if len(r.Native) > 0 {
		writeSpeed(out, r)
	}
	if len(r.Seek) > 0 {
		writeSeek(out, r)
	}
	if r.Study != nil {
		fmt.Fprintf(out, "sweep of crash: %s runs/s on one core, %.2f times as many on %d (reach: 12,000 and 1.7)\n",
			words.Thousands(int64(r.Study.RunsPerSecond)), r.Study.CoresRatio, r.Study.Cores)
	}
	if r.Import != nil {
		fmt.Fprintf(out,
			"import of an audit log of leases: %.0f MB/s, %.2f times as fast as json.Valid line by line, %.3f of the "+
				"bare lines (reach: 100 MB/s)\n",
			r.Import.MBPerSecond, r.Import.OfJSON, r.Import.OfLines)
	}
	if r.Explore != nil {
		writeExploreFigures(out, r.Explore)
	}
}

func writeSpeed(out io.Writer, r *benchReport) {
	fmt.Fprintf(out, "%-14s %10s %14s %14s %10s %14s %12s %12s\n", "scenario", "candidates", "requests/s",
		"virtual h/s", "ns/event", "of a bare heap", "bytes/req", "allocs/req")
	for _, n := range r.Native {
		fmt.Fprintf(out, "%-14s %10d %14.0f %14.1f %10.1f %14.2f %12.2f %12.5f\n",
			n.Scenario, n.Candidates, n.RequestsPerSecond, n.VirtualHoursPerSecond, n.NsPerEvent,
			n.HeapNsPerEvent/n.NsPerEvent, n.BytesPerRequest, n.AllocsPerRequest)
	}
	fmt.Fprintf(out,
		"of a bare heap: how many events a second, for each of a heap that holds %s events and does nothing else\n",
		words.Thousands(bench.HeapPending))
	fmt.Fprintf(out, "\n%-14s %10s %14s %14s %10s   (budget: below %.0f %%)\n", "checkers", "candidates",
		"ns/event off", "ns/event on", "cost %", bench.CheckerBudget*100)
	for _, c := range r.Checkers {
		fmt.Fprintf(out, "%-14s %10d %14.1f %14.1f %10.1f\n", c.Scenario, c.Candidates, c.NsOff, c.NsOn, c.Cost*100)
	}
}

func writeSeek(out io.Writer, r *benchReport) {
	fmt.Fprintf(out, "%-24s %10s %10s %10s %12s %12s %10s %12s %14s\n", "seek anywhere in 24 h", "p50 ms", "p99 ms",
		"worst ms", "filled p50", "filled p99", "heap MiB", "checkpoints", "of MiB")
	for _, s := range r.Seek {
		fmt.Fprintf(out, "%-24s %10.2f %10.2f %10.2f %12.2f %12.2f %10.1f %12d %14.1f\n",
			fmt.Sprintf("%d candidates", s.Candidates), s.SeekP50Ms, s.SeekP99Ms, s.SeekMaxMs, s.FilledP50Ms,
			s.FilledP99Ms, s.HeapMiB, s.Checkpoints, s.CheckpointMiB)
	}
}
