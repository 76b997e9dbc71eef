// Command leaselab runs simulated leader elections, judges them and serves them: see `leaselab --help`. Each subcommand
// has its own file, which parses flags, calls a package under sim, and prints. No rule of the simulation lives here.
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

	"github.com/spf13/cobra"
)

// Exit codes in addition to the exit codes in sim/run/summary.
const (
	exitUsage = 1
	exitCrash = 5
)

// exitError is the exit code of a finished run, and why it is not 0 (empty if the output already says so).
type exitError struct {
	code int
	why  string
}

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

func main() {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(os.Stderr, "leaselab: crashed: %v\n%s\nPlease report this with the scenario and the seed.\n",
				cause, debug.Stack())
			os.Exit(exitCrash)
		}
	}()
	out := &standardOutput{file: os.Stdout}
	root := command()
	root.SetOut(out)
	err := root.Execute()
	var exit exitError
	switch {
	case out.err != nil && (err == nil || errors.As(err, &exit)):
		fmt.Fprintln(os.Stderr, "leaselab: the output is incomplete:", out.err)
		os.Exit(exitUsage)
	case errors.As(err, &exit):
		if exit.why != "" {
			fmt.Fprintln(os.Stderr, "leaselab:", exit.why)
		}
		os.Exit(exit.code)
	case err != nil:
		fmt.Fprintln(os.Stderr, "leaselab:", err)
		os.Exit(exitUsage)
	}
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:   "leaselab",
		Short: "A laboratory for Kubernetes leader election",
		Example: "  leaselab run a-leader-dies                       # watch a run in words\n" +
			"  leaselab run crash --fold                        # with renewals summed up\n" +
			"  leaselab explain crash --counterfactuals         # why did it take so long, and what would have " +
			"helped?\n" +
			"  leaselab run crash --seeds 1..600                # try many seeds\n" +
			"  leaselab serve                                   # the page, and the API for kubectl",
		Version: versionText(),
		Args:    noCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Long: "leaselab simulates Kubernetes leader election in virtual time. The page runs the same engine.\n\n" +
			"Exit codes: 0 success, 1 wrong usage or input, 2 an assertion failed, 3 safety violated, 4 liveness " +
			"violated, 5 leaselab crashed.",
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return noEmptyFlag(cmd) },

		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetHelpFunc(printHelp)
	root.SetUsageFunc(printUsage)
	root.SetFlagErrorFunc(sayFlag)
	root.AddCommand(
		runCommand(), explainCommand(), rerollCommand(), scenariosCommand(),
		serveCommand(), openingCommand(), stillsCommand(), schemaCommand(),
		compareCommand(), sweepCommand(), referenceCommand(), openCommand(), linkCommand(),
		lessonsCommand(), lessonCommand(), exportCommand(), huntCommand(), shrinkCommand(),
		mergeCommand(), manifestCommand(), adviseCommand(), exploreCommand(),
		importCommand(), checkCommand(), testCommand(),
	)
	root.AddCommand(refusals("")...)
	return root
}
