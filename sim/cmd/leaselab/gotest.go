package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/view/export/gotest"
)

// goTestCommand is `leaselab export go-test`: it writes a Go test. The test plays the scenario with the real client-go
// in a bubble of testing/synctest, and asserts the leader changes. The test runs in the user's module, which needs
// client-go and this module.
//
// The test takes a finding into a project that uses client-go. If the scenario shows a gap of 15 s in the model, the
// test shows the same gap with the library that the project ships.
func goTestCommand() *cobra.Command {
	var seed string
	c := &cobra.Command{
		Use: "go-test SCENARIO",
		Short: "Write a Go test that runs client-go's elector through the scenario in virtual time and asserts its " +
			"leader changes",
		Example: "  leaselab export go-test crash > crash_test.go\n  leaselab export go-test my.yaml " +
			"--out election_test.go",
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
			_, err = io.WriteString(cmd.OutOrStdout(), test.Text)
			return err
		},
	}
	c.Flags().StringVar(&seed, "seed", "", "use this seed instead of the scenario's (0 to 2^53-1)")
	return c
}
