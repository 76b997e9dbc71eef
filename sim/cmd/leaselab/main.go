// Command leaselab runs simulated leader elections, judges them and serves them: see `leaselab --help`. Each subcommand
// has its own file, which parses flags, calls a package under sim, and prints. No rule of the simulation lives here.
//
// The subcommands answer different questions about one scenario:
//
//	what happens, and does it break a rule?              run
//	why did the change of leader take so long?           explain
//	from which instant on was it too late?               explain --point-of-no-return
//	which of two scenarios is better, and where?         run --against
//	how often, with other values and seeds?              sweep, run --seeds
//	which durations meet my goals?                       advise
//	which faults break it?                               hunt
//	can it break at all, within these bounds?            explore
//	what is the smallest scenario that still fails?      shrink
//	what happened in my cluster?                         import
//	does my own program survive it?                      test, serve --faults
//
// The other subcommands show, convert or serve something: scenarios, schema, export, serve. The subcommands opening,
// stills and reference are hidden, because only the page's build calls them. The file spelling.go says what
// replaces the commands and flags that leaselab no longer has.
//
// Four files serve all studies with many runs:
//
//	parallel.go   makes the runs on all cores
//	stages.go     makes all runs of a study, or of each of its stages
//	resume.go     keeps finished runs in a file
//	progress.go   reports progress on standard error
//
// # Streams
//
// Standard output carries the answer and nothing else, so that a pipe or a file gets only the answer. Warnings,
// progress, failed assertions and the reason for an exit code go to standard error, where each line begins with
// "leaselab:". Only the command serve writes warnings without that prefix.
//
// # Exit codes
//
//	0    the command succeeded, and no rule broke that it checked
//	1    wrong usage or input, or the output is incomplete
//	2    an assertion of the scenario failed
//	3    a rule of safety broke
//	4    a rule of liveness broke
//	5    leaselab itself crashed
//	130  Ctrl-C or SIGTERM ended the command early
//
// Codes 2 to 4 are verdicts, and only the commands that give verdicts return them: run, import --judge, test, hunt and
// explore. The others, such as explain, run --against and sweep, report violations in their output and still exit 0. A
// violation that the scenario expects does not count, because the run did what the scenario's author predicted.
//
// # Guarantees
//
// Guarantee: the same arguments and files print the same bytes on every machine, except where a command measures time,
// serves requests or follows the outside world. Non-guarantee: text is for people and may change; programs should read
// -o json. Instants in JSON are seconds of virtual time.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/run/summary"
)

// Exit codes in addition to the exit codes in sim/run/summary. The code exitUsage stands for every error that is not
// an exitError: a wrong flag, an unreadable file, an address in use. So a shell script can tell its own mistake from
// a verdict.
const (
	exitUsage = 1
	exitCrash = 5
)

// isWorse reports whether an exit code is a worse verdict than another one.
func isWorse(code, than int) bool {
	order := []int{summary.Fine, exitUsage, summary.Unexpected, exitLiveness, exitSafety, exitCrash}
	return slices.Index(order, code) > slices.Index(order, than)
}

// apiVersion is the version of the command's JSON documents. It changes when a field changes its meaning or goes.
const apiVersion = "leaselab.dev/v1alpha1"

// exitError is the exit code of a finished run, and the reason why it is not 0 (empty if the output already says so).
//
// Commands return it like any other error. Then cobra stops, deferred calls flush the output, and main turns the error
// into the exit code. A call of os.Exit inside a command would lose the buffered output.
type exitError struct {
	code int
	why  string
}

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// main turns the result of a command into an exit code. The order of the cases matters. If the disk fills up while a
// run that breaks safety prints its output, exit code 3 would suggest that the output is complete. So the first case
// overrides the verdict. An ordinary error takes precedence over the write error, because the ordinary error is the
// cause and the user can fix it.
//
// A panic anywhere on this goroutine prints its stack and exits 5. Without recovering, Go would exit 2, and exit code 2
// of leaselab means that an assertion failed. onAllCores passes panics of its workers on to this goroutine.
func main() {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(stderr, "leaselab: crashed: %v\n%s\nPlease report this with the scenario and the seed.\n",
				cause, debug.Stack())
			exit(exitCrash)
		}
	}()
	out := newStandardOutput(os.Stdout)
	root := command()
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.Execute()
	writing := out.close()
	var end exitError
	switch {
	case writing != nil && (err == nil || errors.As(err, &end)):
		fmt.Fprintln(stderr, "leaselab: the output is incomplete:", writing)
		exit(exitUsage)
	case errors.As(err, &end):
		if end.why != "" {
			fmt.Fprintln(stderr, "leaselab:", end.why)
		}
		exit(end.code)
	case err != nil:
		fmt.Fprintln(stderr, "leaselab:", err)
		exit(exitUsage)
	}
	exit(summary.Fine)
}

// exit ends the process, and what it has started.
func exit(code int) {
	endCopies()
	stderr.end()
	os.Exit(code)
}

// command builds the tree of subcommands. Tests call it, too, with their own writers, so it uses neither os.Args nor
// os.Stdout.
//
// cobra would print the usage after every error. A wrong seed does not justify forty lines of flags, so command
// silences cobra, and main prints one line.
func command() *cobra.Command {
	root := &cobra.Command{
		Use:     "leaselab COMMAND",
		Version: versionText(),
		Args:    noCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Long: "leaselab simulates Kubernetes leader election in virtual time. The page runs the same engine.\n\n" +
			"Exit codes: 0 success, 1 wrong usage or input, 2 an assertion failed, 3 safety violated, 4 liveness " +
			"violated, 5 leaselab crashed.",
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := noEmptyFlag(cmd); err != nil {
				return err
			}
			return redirect(cmd)
		},

		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetHelpFunc(printHelp)
	root.SetUsageFunc(printUsage)
	root.SetFlagErrorFunc(sayFlag)
	root.SetHelpCommand(helpCommand())
	outFlag(root)
	root.AddCommand(
		runCommand(), explainCommand(), testCommand(), serveCommand(), sweepCommand(), huntCommand(), shrinkCommand(),
		exploreCommand(), adviseCommand(), exportCommand(), importCommand(), scenariosCommand(), schemaCommand(),
		completionCommand(), scoreCommand(), numbersCommand(), checkupCommand(), whyCommand(), openingCommand(),
		stillsCommand(), referenceCommand(),
	)
	root.AddCommand(refusals("")...)
	addHelp(root)
	return root
}
