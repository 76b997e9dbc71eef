package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/suite"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// scenariosCommand is `leaselab scenarios`: it prints the list of shipped scenarios. With a name it prints that
// scenario's file, with its comments, as a starting point for your own scenario. With --lessons it lists the lessons of
// the page. It writes to standard output and exits 1 for an unknown name. The format `-o whole` is for the build of the
// page, which needs every scenario in full.
func scenariosCommand() *cobra.Command {
	var output, color string
	var teaches bool
	c := &cobra.Command{
		Use:  "scenarios [NAME]",
		Args: takes(0, 1, ""), ValidArgsFunction: completeShipped,
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			if teaches {
				if err := takes(0, 0, "")(cmd, args); err != nil {
					return err
				}
				return writeLessons(out, output)
			}
			if len(args) == 1 {
				source := slices.Concat(shipped.Source(args[0]), suite.Source(args[0]))
				if source == nil {
					if near := nearestScenario(args[0]); near != "" {
						return fmt.Errorf("no shipped scenario is named %q; did you mean %q?", args[0], near)
					}
					return fmt.Errorf("no shipped scenario is named %q; `leaselab scenarios` lists them", args[0])
				}
				_, err := out.Write(source)
				return err
			}
			switch output {
			case "json":
				return writeList(out, "ScenarioList", listed())
			case "whole":
				_, err := out.Write(shipped.JSON())
				return err
			case "text":
				colors := paletteFor(out, color)
				writeScenarios(colors.story(out), colors.heading)
				return nil
			}
			return checkOutput(output, "text", "json", "whole")
		},
	}
	formatFlag(c, &output, "text", "json", "whole")
	c.Flags().BoolVar(&teaches, "lessons", false, "")
	colorFlag(c, &color)
	c.AddCommand(checkFileCommand())
	return c
}

// listedScenario is a shipped scenario in the list.
type listedScenario struct {
	shipped.Entry
	OnPrograms bool   `json:"onPrograms"` // `leaselab test` can play it on a real program
	Suite      string `json:"suite,omitempty"`
}

// listed lists the shipped scenarios and the ones of the suites.
func listed() []listedScenario {
	var all []listedScenario
	for _, e := range shipped.Catalogue() {
		s, _ := shipped.ByName(e.Name)
		all = append(all, listedScenario{Entry: e, OnPrograms: playable(&s)})
	}
	for _, one := range suite.Names() {
		for _, name := range suite.Scenarios(one) {
			s, _ := suite.ByName(name)
			entry := shipped.Entry{Name: name, Title: s.Title, Expects: s.Expect}
			all = append(all, listedScenario{entry, true, one})
		}
	}
	return all
}

// playable reports whether `leaselab test` can play a scenario on a real program.
func playable(s *scenario.Scenario) bool { return programs.Expressible(s, programs.AsProcesses) == nil }

// writeScenarios writes the list as text.
func writeScenarios(out io.Writer, heading func(string) string) {
	shipped.WriteList(out, heading, func(s *scenario.Scenario) string {
		if playable(s) {
			return ""
		}
		return " · simulator only"
	})
	for _, one := range suite.Names() {
		fmt.Fprintf(out, "\n%s\n", heading("For your own program: leaselab test --suite "+one+" -- PROGRAM"))
		for _, name := range suite.Scenarios(one) {
			s, _ := suite.ByName(name)
			fmt.Fprintf(out, "  %-38s %s\n", name, s.Title)
		}
	}
	fmt.Fprintln(out, "\n`leaselab test` refuses a scenario marked “simulator only”, because programs cannot play it.")
}

// writeList writes a list as one JSON document for people.
func writeList[T any](out io.Writer, kind string, items []T) error {
	_, err := out.Write(indent(list[T]{apiVersion, kind, items}))
	return err
}

// indent encodes a value as JSON for people, with a line break at the end.
func indent(v any) []byte {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // cannot happen: plain structs always encode
	}
	return append(out, '\n')
}

// list is the JSON of a list.
type list[T any] struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Items      []T    `json:"items"`
}
