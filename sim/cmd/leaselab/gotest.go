package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/view/export/gotest"
)

// goTestCommand is `leaselab export go-test`: it writes a Go test. The test plays the scenario with the real client-go
// in a bubble of testing/synctest. The source goes to standard output or a file, and the exit code is 0. The test runs
// in the user's module, which needs client-go and, unless it is standalone, this module.
//
// The command does not link client-go, and jitter decides many breaches. So the test itself searches: it runs the real
// elector with one seed after another. The command could run `go test` and write the seed that it finds, but that needs
// a toolchain and a network, and the seed would hold for one version of client-go and Go only.
func goTestCommand() *cobra.Command {
	var seed string
	o := gotest.Options{Encode: yaml.Encode}
	c := &cobra.Command{
		Use:  "go-test SCENARIO",
		Args: aScenario, ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := loadWith(args[0], seed)
			if err != nil {
				return err
			}
			test, err := gotest.Export(s, o)
			if err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), test.Text)
			return err
		},
	}
	c.Flags().StringVar(&seed, "seed", "", "")
	c.Flags().BoolVar(&o.Violation, "expect-violation", false, "")
	c.Flags().BoolVar(&o.Standalone, "standalone", false, "")
	return c
}
