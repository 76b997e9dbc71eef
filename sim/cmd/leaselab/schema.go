package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/lesson"
	"github.com/leaselab/leaselab/sim/scenario/schema"
)

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "schema [scenario|lesson]",
		Short:     "Print the JSON Schema of the scenario format, or of lesson files",
		Example:   "  leaselab schema > scenario.schema.json\n  leaselab schema lesson > lesson.schema.json",
		Args:      takes(0, 1, ""),
		ValidArgs: []cobra.Completion{"scenario", "lesson"},
		RunE: func(cmd *cobra.Command, args []string) error {
			data := schema.JSON()
			switch {
			case len(args) == 0 || args[0] == "scenario":
			case args[0] == "lesson":
				data = lesson.Schema()
			default:
				return fmt.Errorf("%q: the schemas are scenario and lesson; those of outputs are gone: -o json | jq "+
					"shows the fields", args[0])
			}
			_, err := cmd.OutOrStdout().Write(data)
			return err
		},
	}
}
