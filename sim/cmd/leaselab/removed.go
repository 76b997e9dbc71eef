package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// removedCommands says what replaces a command that earlier versions had.
var removedCommands = map[string]string{
	"bench":   "run `make bench` in a checkout of leaselab to measure it",
	"conform": "run `go run ./sim/testsupport/recorded/conform` in a checkout of leaselab to replay recordings",
}

// removedFlags says what replaces a flag that earlier versions had, by command and flag.
var removedFlags = map[string]string{
	"run --rename": "edit the names in the scenario's file; a node with the field stream keeps the draws of that name",
}

// refusals are hidden commands, one for each removed command: it says what replaces it, whatever its flags are.
func refusals() []*cobra.Command {
	var all []*cobra.Command
	for name, instead := range removedCommands {
		all = append(all, &cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error {
				return fmt.Errorf("%s was removed: %s", name, instead)
			}})
	}
	return all
}
