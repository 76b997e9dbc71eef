package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// testFlags are the flags of `leaselab test`. The fields "from" and "until" are regular expressions; a user gives both
// or neither.
type testFlags struct {
	addr, record, seed, from, until, output string
	lasts                                   time.Duration
	quiet                                   bool
}

// testCommand is `leaselab test`. It starts a copy of a program for each candidate of a scenario, and plays the acts
// on the copies in real time. Then it checks the run against the rules.
//
// Standard output gets the address, the summary and the stories, or with -o json only the summary. Standard error gets
// what the copies print. --record keeps the run in a file for run, explain, check and import.
//
// It exits like `leaselab run`: 0, 2, 3 or 4. It exits 1 for a program that cannot start. If a signal ends it early,
// it still prints a verdict on the part that it saw, and exits 130. It kills all copies before it exits.
func testCommand() *cobra.Command {
	var f testFlags
	c := &cobra.Command{
		Use: "test SCENARIO -- PROGRAM [ARGUMENT…]",
		Short: "Test your own program: run a copy of it for each candidate, play the acts on the copies, and check " +
			"the rules",
		Long: "test serves the API on a free port. It starts one copy of PROGRAM for each candidate, when the\n" +
			"scenario starts that candidate. Each copy gets its own KUBECONFIG. The acts happen in real time:\n" +
			"pause sends SIGSTOP, resume SIGCONT, stop SIGTERM, crash SIGKILL, and restart starts the copy again.\n" +
			"Cuts, faults and latencies affect a copy's requests by the same rules as in the simulator. At the\n" +
			"end of the scenario, test kills the copies and prints the verdict and the story. {node} in an\n" +
			"ARGUMENT stands for the candidate's name.\n\n" +
			"A copy reports when it works, in one of four ways:\n" +
			"  - PUT $LEASELAB_WORK in OnStartedLeading, DELETE $LEASELAB_WORK when the work has ended.\n" +
			"  - POST $LEASELAB_WORK before each piece of work: the copy works until it loses the Lease and no\n" +
			"    piece follows for --work-lasts.\n" +
			"  - Print a line that --works-from or --works-until matches.\n" +
			"  - Write any object except Leases, LeaseCandidates and Events. A write is a piece of work.\n" +
			"If a copy uses none of them, the rules see no leader in it. Faults do not affect requests to\n" +
			"$LEASELAB_WORK.\n\n" +
			"A copy's environment has KUBECONFIG, LEASELAB_NODE, LEASELAB_IDENTITY, LEASELAB_NAMESPACE,\n" +
			"LEASELAB_LEASE and LEASELAB_WORK. In the scenario, give the elector the program's own durations: the\n" +
			"rules about time depend on them.\n\n" +
			"Exit codes: 0 success, 1 wrong usage or input, 2 an assertion failed, 3 safety violated, 4 liveness\n" +
			"violated, 130 interrupted.",
		Example: "  leaselab test pause.yaml -- ./operator --leader-elect\n" +
			"  leaselab test pause.yaml --works-from 'became leader' --works-until 'lost the lease' -- ./operator " +
			"--id {node}\n" +
			"  leaselab test pause.yaml --record run.ndjson -- ./operator && leaselab explain run.ndjson",
		Args: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at != 1 || len(args) < 2 {
				return errors.New(
					"test takes a scenario, then -- and the program with its arguments: leaselab test pause.yaml -- " +
						"./operator --leader-elect")
			}
			return nil
		},
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := refuseEmpty(cmd); err != nil {
				return err
			}
			ctx := cmd.Context()
			if ctx == nil {
				ctx = context.Background()
			}
			return f.run(ctx, cmd.OutOrStdout(), cmd.ErrOrStderr(), args)
		},
	}
	c.Flags().StringVar(&f.addr, "addr", "127.0.0.1:0", "address of the API server; port 0 picks a free port")
	c.Flags().StringVar(&f.record, "record", "", "also keep the run in this `file`, for run, explain, check and import")
	c.Flags().StringVar(&f.seed, "seed", "",
		"use this seed instead of the scenario's (0 to 2^53-1); random faults depend on it")
	c.Flags().StringVar(&f.from, "works-from", "",
		"a copy starts to work when it prints a line that matches this `regexp`")
	c.Flags().StringVar(&f.until, "works-until", "",
		"its work ends when it prints a line that matches this `regexp`")
	c.Flags().DurationVar(&f.lasts, "work-lasts", time.Second,
		"the longest time that a piece of work may last after the copy loses the Lease")
	c.Flags().StringVarP(&f.output, "output", "o", "text", "text or json (the summary on one line)")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "do not show what the copies print")
	completeWords(c, "output", "text", "json")
	return c
}

// check reads the flags and the scenario, before anything starts. It looks for the program first. Its errors
// distinguish a missing file from a file that is not executable. On a system without signals it refuses acts that
// need them, because a pause that does nothing would pass every test.
func (f *testFlags) check(arg string, command []string) (s scenario.Scenario, from, until *regexp.Regexp, err error) {
	if err = checkOutput(f.output, "text", "json"); err != nil {
		return s, nil, nil, err
	}
	if f.lasts <= 0 {
		return s, nil, nil, fmt.Errorf("--work-lasts %s must be longer than 0s", f.lasts)
	}
	if (f.from == "") != (f.until == "") {
		return s, nil, nil,
			errors.New(
				"--works-from and --works-until belong together: one line says that the work begins, another that " +
					"it ends")
	}
	if f.from != "" {
		if from, err = regexp.Compile(f.from); err != nil {
			return s, nil, nil, fmt.Errorf("--works-from %q must be a Go regular expression: %w", f.from, err)
		}
		if until, err = regexp.Compile(f.until); err != nil {
			return s, nil, nil, fmt.Errorf("--works-until %q must be a Go regular expression: %w", f.until, err)
		}
	}
	if _, err = exec.LookPath(command[0]); errors.Is(err, fs.ErrPermission) {
		return s, nil, nil, fmt.Errorf("cannot run the program %q: %w; chmod +x %s lets it run", command[0], err,
			command[0])
	}
	if err != nil {
		return s, nil, nil, fmt.Errorf("cannot run the program %q: %w; a program in this folder is ./%s", command[0],
			err, strings.TrimPrefix(command[0], "./"))
	}
	if s, err = loadWith(arg, f.seed); err != nil {
		return s, nil, nil, err
	}
	if err = programs.Expressible(&s, programs.AsProcesses); err != nil {
		return s, nil, nil, fmt.Errorf("%s: %w", arg, err)
	}
	if !hasSignals {
		for _, a := range scenario.Resolve(s).Actions {
			if slices.Contains([]string{scenario.ActPause, scenario.ActResume, scenario.ActStop,
				scenario.ActRollingUpdate}, a.Act) {
				return s, nil, nil,
					fmt.Errorf(
						"%s: the act %q at %s needs signals, which %s does not have; leave it out, use crash, or "+
							"test on Linux or macOS", arg, a.Act, a.At, runtime.GOOS)
			}
		}
	}
	return s, from, until, nil
}

// run starts the server and the copies, waits for the end of the scenario, and gives the verdict.
//
// The scenario's time begins in newGroup, so the timer gets only the remaining time. Once the copies run, every return
// follows the same order: the cluster ends first (g.end), then the copies die (ending), then the server and the
// listener close. If the copies died first, the world would report a crash of every candidate.
//
// If a copy cannot start, the context ends with that error as its cause. Then run ends and returns the error instead
// of a verdict.
func (f *testFlags) run(ctx context.Context, out, warnings io.Writer, args []string) error {
	arg, command := args[0], args[1:]
	s, from, until, err := f.check(arg, command)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return notListening(f.addr, err)
	}
	defer listener.Close()
	access, err := serve.NewAccess(listener.Addr().String(), nil, nil)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "leaselab-test-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)

	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	p := newProcesses(command)
	p.url, p.folder, p.from, p.until, p.failed = "http://"+address(listener.Addr().String()), folder, from, until, fail
	if !f.quiet {
		p.shows = warnings
	}
	ending := sync.OnceFunc(p.End)
	defer ending()
	serves := defaultAPI(&s)
	g, err := newGroup(s, f.record, programs.Options{Processes: p, PieceLasts: f.lasts, Serves: serves},
		rbac.New(rbac.Config{Open: true}))
	if err != nil {
		return err
	}
	g.control(serves)
	if f.output == "text" {
		fmt.Fprintf(out, "%s; the API and a page that follows the run are at %s/\n", playedActs(&s), p.url)
	}
	server := &http.Server{Handler: g.answers(access, access.API(g.front), builtIn()),
		ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // Close ends it
	defer server.Close()
	go g.cluster.Drive()
	go g.keep(ctx)

	timer := time.NewTimer(time.Duration(s.Duration) - g.cluster.Now())
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	interrupted := context.Cause(ctx)
	code, err := g.end(out, f.output, true)
	ending()
	switch {
	case interrupted != nil && !errors.Is(interrupted, context.Canceled):
		return interrupted
	case err != nil:
		return err
	case interrupted != nil:
		return exitError{exitCancelled, "interrupted before the end of the scenario; killed the copies"}
	case code != summary.Fine:
		return exitError{code, fmt.Sprintf("exit code %d: %s", code, verdictOf(code))}
	}
	return nil
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
