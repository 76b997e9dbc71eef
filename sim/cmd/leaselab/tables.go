package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/recorded"
	"github.com/leaselab/leaselab/sim/recorded/elector"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

func scenariosCommand() *cobra.Command {
	var output, colour string
	c := &cobra.Command{
		Use:   "scenarios [NAME]",
		Short: "List the shipped scenarios, or print the file of one of them",
		Example: "  leaselab scenarios\n  leaselab scenarios a-leader-dies > mine.yaml\n  leaselab scenarios -o json " +
			"| jq -r '.[].name'",
		Args: takes(0, 1, ""), ValidArgsFunction: completeShipped,
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			if len(args) == 1 {
				source := shipped.Source(args[0])
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
				_, err := out.Write(indented(shipped.Catalogue()))
				return err
			case "whole":
				_, err := out.Write(shipped.JSON())
				return err
			case "text":
				colours, err := paletteFor(out, colour)
				if err != nil {
					return err
				}
				shipped.WriteList(colours.lines(out, heading))
				return nil
			}
			return checkOutput(output, "text", "json", "whole")
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "text",
		"text, json (name, title, acts and assertions of each) or whole (the full scenarios as JSON)")
	completeWords(c, "output", "text", "json", "whole")
	colourFlag(c, &colour)
	return c
}

func conformCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "conform",
		Short:   "Replay a recording of real Kubernetes components and print the simulated run in the same format",
		Example: "  leaselab conform elector sim/recorded/elector/testdata/04-crash-failover.json.gz",
		Args:    noCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use:     "elector FILE",
		Short:   "Replay a recorded schedule or trace of client-go's LeaderElector (JSON or gzip; - is standard input)",
		Example: "  leaselab conform elector sim/recorded/elector/testdata/04-crash-failover.json.gz",
		Args:    aRecording,
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := recorded.Read(args[0])
			if err != nil {
				return err
			}
			trace, err := elector.Run(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			_, err = cmd.OutOrStdout().Write(trace.JSON())
			return err
		},
	}, conformCandidateCommand(), conformTimelineCommand(), conformRequestsCommand())
	return c
}

func indented(v any) []byte {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // plain structs always encode
	}
	return append(out, '\n')
}
