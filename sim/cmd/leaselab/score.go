package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs/probe"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
)

// scoreReport is the score of an elector.
type scoreReport struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Program    []string        `json:"program"`
	Passed     int             `json:"passed"`
	Failed     int             `json:"failed"`
	Open       int             `json:"open"`
	Seconds    summary.Seconds `json:"seconds"`
	Results    []probe.Result  `json:"results"`
}

// scoreCommand is `leaselab score`: it asks the elector of a program the twenty probes of package probe, in real time.
//
// It exits 0 if all probes pass, 2 if one fails, and 1 if the copies never competed.
func scoreCommand() *cobra.Command {
	f := testFlags{addr: "127.0.0.1:0"}
	c := &cobra.Command{
		Use: "score -- PROGRAM [ARGUMENT…]",
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.ArgsLenAtDash() != 0 || len(args) == 0 {
				return errors.New(
					"score takes -- and the program with its arguments: leaselab score -- ./operator --leader-elect")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return f.runScore(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), args)
		},
	}
	f.programFlags(c)
	c.Flags().IntVar(&f.parallel, "parallel", 5, "")
	formatFlag(c, &f.output, "text", "json", "junit", "markdown", "svg")
	return c
}

// durations reads the settings that --set gives.
func (f *testFlags) durations() (d probe.Durations, err error) {
	defaults := probe.Durations{Lease: scenario.DefaultLeaseDuration, Renew: scenario.DefaultRenewDeadline,
		Retry: scenario.DefaultRetryPeriod}
	s, err := setAll(probe.Plays(defaults)[0].Scenario, f.sets)
	if err != nil {
		return d, err
	}
	full := scenario.Resolve(s)
	e := &full.Candidates[0].Elector
	return probe.Durations{Lease: time.Duration(*e.LeaseDuration), Renew: time.Duration(*e.RenewDeadline),
		Retry: time.Duration(*e.RetryPeriod), Namespace: full.Namespace, Name: full.LeaseName, Now: time.Now()}, nil
}

// runScore plays all plays and writes the report.
func (f *testFlags) runScore(ctx context.Context, out, warnings io.Writer, command []string) error {
	if f.parallel < 1 {
		return fmt.Errorf("--parallel %d must be at least 1", f.parallel)
	}
	program, err := newProgram(command, f.from, f.until, f.lasts)
	if err != nil {
		return err
	}
	program.tls = f.tls
	d, err := f.durations()
	if err != nil {
		return err
	}
	report := scoreReport{APIVersion: apiVersion, Kind: "ScoreReport", Program: command}
	begun, plays := time.Now(), probe.Plays(d)
	ended, nothing := 0, 0
	err = several(ctx, len(plays), f.parallel, func(k int) (tell func(), err error) {
		at := d
		at.Now = time.Now()
		p := probe.Plays(at)[k]
		w := probe.NewWatch()
		t := trial{scenario: p.Scenario, program: program, addr: f.addr,
			see: func(r *run.Run, record *trace.Record, _ explain.Note) { w.See(r, record) }}
		result, err := t.play(ctx)
		if err != nil {
			return nil, err
		}
		w.End(max(result.took, time.Duration(result.sum.VirtualSeconds)))
		return func() {
			ended++
			if result.unasked {
				if nothing++; nothing == 1 {
					result.copies.writeLastWords(warnings)
				}
				report.Results = append(report.Results, p.Unasked(result.nothing)...)
			} else {
				report.Results = append(report.Results, p.Answers(w, at)...)
			}
			if !f.quiet {
				fmt.Fprintf(warnings, "%2d of %d plays\n", ended, len(plays))
			}
		}, nil
	})
	if err != nil {
		return err
	}
	report.Seconds = summary.Seconds(time.Since(begun).Round(time.Millisecond))
	report.count()
	noVerdict := nothing == len(plays)
	if !noVerdict || f.output == "json" {
		if err := report.write(out, f.output); err != nil {
			return err
		}
	}
	if noVerdict {
		return exitError{exitUsage, "no verdict: no copy asked for the Lease"}
	}
	if report.Failed > 0 {
		return exitError{code: summary.Unexpected}
	}
	return nil
}

func (r *scoreReport) count() {
	r.Results = probe.InOrder(r.Results)
	for k := range r.Results {
		switch r.Results[k].State {
		case probe.Passed:
			r.Passed++
		case probe.Failed:
			r.Failed++
		case probe.Open:
			r.Open++
		}
	}
}

func (r *scoreReport) write(out io.Writer, format string) error {
	switch format {
	case "json":
		_, err := out.Write(indent(r))
		return err
	case "svg":
		_, err := io.WriteString(out, words.Badge("leader election", fmt.Sprintf("%d of %d", r.Passed, len(r.Results)),
			r.Failed == 0))
		return err
	}
	s := suiteReport{Suite: "score", Program: r.Program, Passed: r.Passed, Failed: r.Failed, Seconds: r.Seconds,
		noun:  "probes",
		again: func(*suiteResult) string { return "leaselab score -- " + strings.Join(r.Program, " ") }}
	for k := range r.Results {
		one := &r.Results[k]
		row := suiteResult{Scenario: one.Probe, Title: one.Asks, Passed: one.State == probe.Passed,
			open: one.State == probe.Open}
		for _, text := range []struct{ label, text string }{{"", one.Why}, {"Fix: ", one.Fix}, {"Known: ", one.Known}} {
			if text.text != "" {
				row.Reasons = append(row.Reasons, text.label+text.text)
			}
		}
		s.Results = append(s.Results, row)
	}
	return s.write(out, format)
}
