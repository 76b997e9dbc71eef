// Command leaselab runs simulated leader elections: see `leaselab --help`.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Exit codes beside those of sim/summary.
const (
	exitUsage = 1
	exitCrash = 5
)

// exitError carries the exit code of a run that came to its end, and why it is not 0 (empty where the output says so).
type exitError struct {
	code int
	why  string
}

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

func main() {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(os.Stderr, "leaselab: crashed: %v\n%s\nPlease report this with the scenario and the seed.\n", cause, debug.Stack())
			os.Exit(exitCrash)
		}
	}()
	err := command().Execute()
	var exit exitError
	switch {
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
		Long: "leaselab runs Kubernetes leader election on virtual time: the same engine as the page, as a command.\n\n" +
			"Exit codes: 0 fine, 1 usage or input, 2 an expectation did not come true, 3 safety violated, 4 liveness violated, 5 crash.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(runCommand(), explainCommand(), rerollCommand(), scenariosCommand(), conformCommand(), benchCommand(), serveCommand(), openingCommand(), schemaCommand(), compareCommand(), sweepCommand(), referenceCommand())
	return root
}
