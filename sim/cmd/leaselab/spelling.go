package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// removedCommands says what replaces a command that earlier versions had. The key is the path after "leaselab".
var removedCommands = map[string]string{
	"check":          "`leaselab import --judge` does the same",
	"compare":        "`leaselab run A --against B` does the same",
	"lesson":         "`leaselab scenarios check` does the same",
	"lessons":        "`leaselab scenarios --lessons` does the same",
	"link":           "`leaselab export link` does the same",
	"open":           "`leaselab export scenario` does the same",
	"reroll":         "`leaselab explain --point-of-no-return` does the same",
	"merge":          "`leaselab sweep merge` does the same",
	"sweep manifest": "docs/command.html shows an Indexed Job of Kubernetes that runs the shards of a sweep",
	"sweep image":    "the image ghcr.io/leaselab/leaselab contains only leaselab",
	"export session": "the page saves a session: open the scenarios there, and choose Save the session in the menu",
	"export shiviz":  "leaselab export mermaid draws the messages, and leaselab export csv lists the events",
	"export perfetto": "the page and leaselab export svg draw the timeline, and leaselab export csv lists the " +
		"events",
	"bench":   "run `make bench` in a checkout of leaselab to measure it",
	"conform": "run `go run ./sim/testsupport/recorded/conform` in a checkout of leaselab to replay recordings",
}

// removedFlags says what replaces a flag that earlier versions had, by command and flag, and perhaps value.
var removedFlags = map[string]string{
	"completion --no-descriptions": "the shell can hide descriptions",
	"run --break":                  "the page stops at breakpoints, and -o ndjson prints every event",
	"run --seed-b":                 "--against-seed does the same",
	"explore --write":              "--schedule does the same",
	"advise --resume":              "the advice takes seconds; run the command again",
	"explain --resume":             "the answer takes seconds; run the command again",
	"import --output html":         "drop the file onto the page, which `leaselab serve` serves",
	"serve --audit-policy-file":    "--audit-level sets one level for all Events",
	"run --expand": "the page's form for an act says what the act stands for, and `leaselab schema` shows what a " +
		"preset contains",
	"run --rename": "edit the names in the scenario's file; set the field stream to a node's old name to keep its " +
		"random draws",
}

// refusals returns a hidden command for each command that the given parent no longer has. Whatever its flags, the
// hidden command says what replaces the old one. So a script that still calls the old command gets exit code 1 and a
// hint, rather than "unknown command".
func refusals(parent string) []*cobra.Command {
	var all []*cobra.Command
	for name, instead := range removedCommands {
		at := strings.LastIndex(name, " ") + 1
		under, last := strings.TrimSpace(name[:at]), name[at:]
		if under != parent {
			continue
		}
		all = append(all, &cobra.Command{Use: last, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error {
				return fmt.Errorf("%s was removed: %s", name, instead)
			}})
	}
	return all
}
