package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// verbsGone has what replaces each command of an earlier version.
var verbsGone = map[string]string{
	"conform": "`go run ./sim/testsupport/recorded/conform` replays recordings in a clone of the repository",
}

// goneCommands are the commands of earlier versions. Each says what replaces it, whatever its arguments are.
func goneCommands() []*cobra.Command {
	var all []*cobra.Command
	for name, instead := range verbsGone {
		all = append(all, &cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error {
				return fmt.Errorf("%s is gone: %s", name, instead)
			}})
	}
	return all
}

// flagsGone has what replaces each flag of an earlier version.
var flagsGone = map[string]string{
	"run --rename": "edit the names in the scenario's file; a node with the field stream keeps the draws of that name",
}
