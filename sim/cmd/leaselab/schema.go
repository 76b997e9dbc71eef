package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario/schema"
)

// schemaCommand is `leaselab schema`: the JSON Schema of the scenario format on standard output, for editors that check
// and complete YAML. The argument is optional and must be "scenario". For the name of any other format, the error says
// how to check that format instead.
func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "schema",
		Args: takes(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] != "scenario" {
				return fmt.Errorf("%q: only the scenario format has a schema; `leaselab scenarios check FILE` checks "+
					"a lesson, and -o json | jq shows the fields of an output", args[0])
			}
			_, err := cmd.OutOrStdout().Write(schema.JSON())
			return err
		},
	}
}
