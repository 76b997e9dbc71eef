package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/suite"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/words"
)

// testFlags are the flags of `leaselab test`. The fields "from" and "until" are regular expressions; a user gives both
// or neither.
type testFlags struct {
	addr, record, seed, from, until, output, suite, crds string
	sets                                                 []string
	lasts                                                time.Duration
	parallel                                             int
	quiet, tls                                           bool
}

// testCommand is `leaselab test`. It starts a copy of a program for each candidate of a scenario, and plays the acts
// on the copies in real time. Then it checks the run against the rules.
//
// Standard output gets the address, the summary and the stories, or with -o json only the summary. Standard error gets
// what the copies print. --record keeps the run in a file for run, explain and import.
//
// It exits like `leaselab run`: 0, 2, 3 or 4. It exits 1 for a program that cannot start. If a signal ends it early,
// it still prints a verdict on the part that it saw, and exits 130. It kills all copies before it exits.
func testCommand() *cobra.Command {
	var f testFlags
	c := &cobra.Command{
		Use: "test {SCENARIO | --suite NAME} -- PROGRAM [ARGUMENT…]",
		Args: func(cmd *cobra.Command, args []string) error {
			scenarios := 1
			if f.suite != "" {
				scenarios = 0
			}
			if at := cmd.ArgsLenAtDash(); at != scenarios || len(args) < scenarios+1 {
				return errors.New(
					"test takes a scenario or --suite operator, then -- and the program with its arguments: leaselab " +
						"test pause.yaml -- ./operator --leader-elect")
			}
			return nil
		},
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			if f.suite != "" {
				return f.runSuite(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), args)
			}
			return f.run(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), args)
		},
	}
	c.Flags().StringVar(&f.suite, "suite", "", "")
	completeWords(c, "suite", suite.Names()...)
	c.Flags().IntVar(&f.parallel, "parallel", 3, "")
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:0", "")
	c.Flags().StringVar(&f.crds, "crds", "", "")
	c.Flags().StringVar(&f.record, "record", "", "")
	c.Flags().StringVar(&f.seed, "seed", "", "")
	f.programFlags(c)
	formatFlag(c, &f.output, "text", "json", "junit", "markdown")
	return c
}

// programFlags adds the flags that every command with a program has.
func (f *testFlags) programFlags(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.sets, "set", nil, "")
	completeBy(c, "set", completeSet)
	c.Flags().StringVar(&f.from, "works-from", "", "")
	c.Flags().StringVar(&f.until, "works-until", "", "")
	c.Flags().DurationVar(&f.lasts, "work-lasts", time.Second, "")
	c.Flags().BoolVar(&f.tls, "tls", false, "")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "")
}

// check reads the flags, before anything starts.
func (f *testFlags) check(command []string) (*program, error) {
	formats := []string{"text", "json"}
	if f.suite != "" {
		formats = append(formats, "junit", "markdown")
		switch {
		case f.record != "":
			return nil, errors.New("--record keeps one run, so it needs a scenario instead of --suite")
		case f.parallel < 1:
			return nil, fmt.Errorf("--parallel %d must be at least 1", f.parallel)
		}
	}
	if err := checkOutput(f.output, formats...); err != nil {
		return nil, err
	}
	p, err := newProgram(command, f.from, f.until, f.lasts)
	if err != nil {
		return nil, err
	}
	p.tls = f.tls
	p.definitions, err = readDefinitions(f.crds)
	return p, err
}

// scenario reads a scenario for real programs. On a system without signals it refuses acts that need them, because a
// pause that does nothing would pass every test.
func (f *testFlags) scenario(arg string) (scenario.Scenario, error) {
	s, err := loadWith(arg, f.seed)
	if err != nil {
		return s, err
	}
	if s, err = setAll(s, f.sets); err != nil {
		return s, err
	}
	if err = programs.Expressible(&s, programs.AsProcesses); err != nil {
		return s, fmt.Errorf("%s: %w", arg, err)
	}
	if !hasSignals {
		for _, a := range scenario.Resolve(s).Actions {
			if slices.Contains([]string{scenario.ActPause, scenario.ActResume, scenario.ActStop,
				scenario.ActRollingUpdate}, a.Act) {
				return s,
					fmt.Errorf(
						"%s: the act %q at %s needs signals, which %s does not have; leave it out, use crash, or "+
							"test on Linux or macOS", arg, a.Act, a.At, runtime.GOOS)
			}
		}
	}
	return programs.Restarted(s), nil
}

// run plays one scenario, and writes the verdict.
func (f *testFlags) run(ctx context.Context, out, warnings io.Writer, args []string) error {
	arg, command := args[0], args[1:]
	program, err := f.check(command)
	if err != nil {
		return err
	}
	s, err := f.scenario(arg)
	if err != nil {
		return err
	}
	t := trial{scenario: s, program: program, addr: f.addr, record: f.record}
	if !f.quiet {
		t.shows = warnings
	}
	if f.output == "text" {
		t.begins = func(url string) {
			fmt.Fprintf(out, "%s; the API and a page that follows the run are at %s/\n", playedActs(&s), url)
		}
	}
	result, err := t.play(ctx)
	if err != nil {
		return err
	}
	if result.early != "" {
		fmt.Fprintf(warnings, "The test ended after %s of %s: %s.\n", words.Seconds(int64(result.took)),
			words.Seconds(int64(s.Duration)), result.early)
	}
	if result.nothing != "" {
		result.copies.writeLastWords(warnings)
		result.sum.NoVerdict = result.nothing
	}
	if result.nothing == "" || f.output == "json" {
		if err := result.write(out, f.output, true); err != nil {
			return err
		}
	}
	return result.exit()
}

// verdictOf puts the exit code of a run into words, for commands whose output already names the rules.
func verdictOf(code int) string {
	switch code {
	case exitSafety:
		return "a safety rule was broken"
	case exitLiveness:
		return "a liveness rule was broken"
	}
	return "an assertion failed"
}
