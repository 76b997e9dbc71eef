package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/view/export/gotest"
)

// goTestCommand is leaselab export go-test.
func goTestCommand() *cobra.Command {
	var seed, output string
	c := &cobra.Command{
		Use: "go-test SCENARIO",
		Short: "Write a Go test that runs client-go's elector through the scenario in virtual time and asserts its " +
			"leader changes",
		Long: "The test imports client-go and sim/electiontest, and needs no cluster. It has the latencies and the " +
			"faults of the scenario. A leader change is exact where no " +
			"jitter decides; else the test accepts the interval between the earliest and the latest instant that a " +
			"search of the engine reached, and a quarter of one draw's " +
			"range beyond both: a rare draw may lead there. " +
			"A renewDeadline that is a multiple of retryPeriod is a nanosecond shorter in the test, because " +
			"testing/synctest may fire the two in either order.",
		Example: "  leaselab export go-test crash > crash_test.go\n  leaselab export go-test my.yaml -o " +
			"election_test.go",
		Args: aScenario, ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := loadWith(args[0], seed)
			if err != nil {
				return err
			}
			test, err := gotest.Export(s, yaml.Encode)
			if err != nil {
				return err
			}
			if output == "" {
				_, err = io.WriteString(cmd.OutOrStdout(), test.Text)
				return err
			}
			return os.WriteFile(output, []byte(test.Text), 0o644)
		},
	}
	c.Flags().StringVar(&seed, "seed", "", "use this seed instead of the scenario's (0 to 2^53-1)")
	c.Flags().StringVarP(&output, "output", "o", "", "write to this `file` instead of standard output")
	completeFiles(c, "output")
	return c
}
