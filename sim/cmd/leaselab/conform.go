package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/recorded"
	"github.com/leaselab/leaselab/sim/recorded/coordinated"
	"github.com/leaselab/leaselab/sim/recorded/leasecandidate"
	"github.com/leaselab/leaselab/sim/recorded/requests"
)

func conformCandidateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "leasecandidate FILE",
		Short: "Replay a trace, or an array of traces, of client-go's LeaseCandidate client (JSON or gzip; - is " +
			"standard input)",
		Example: "  leaselab conform leasecandidate sim/recorded/leasecandidate/testdata/lc-ping.json.gz",
		Args:    aRecording,
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := recorded.Read(args[0])
			if err != nil {
				return err
			}
			traces, array, err := leasecandidate.Parse(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			runs := make([]leasecandidate.Trace, len(traces))
			for i := range traces {
				runs[i] = traces[i].Run()
			}
			_, err = cmd.OutOrStdout().Write(leasecandidate.JSON(runs, array))
			return err
		},
	}
}

func conformRequestsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "requests FILE",
		Short: "Replay a recording, or an array of recordings, of the requests of client-go's elector (JSON or " +
			"gzip; - is standard input)",
		Example: "  leaselab conform requests sim/recorded/requests/testdata/409-put.json.gz",
		Args:    aRecording,
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := recorded.Read(args[0])
			if err != nil {
				return err
			}
			recordings, array, err := requests.Parse(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			runs := make([]requests.Recording, len(recordings))
			for i := range recordings {
				runs[i] = requests.Run(&recordings[i])
			}
			_, err = cmd.OutOrStdout().Write(requests.JSON(runs, array))
			return err
		},
	}
}

func conformTimelineCommand() *cobra.Command {
	var watch bool
	c := &cobra.Command{
		Use: "cle FILE",
		Short: "Replay a timeline, or an array of timelines, of a kube-apiserver's coordinated leader election " +
			"(JSON or gzip; - is standard input)",
		Example: "  leaselab conform cle sim/recorded/coordinated/testdata/timelines.json.gz --explain",
		Args:    aRecording,
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := recorded.Read(args[0])
			if err != nil {
				return err
			}
			timelines, err := coordinated.Parse(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			constants := coordinated.Measured
			fmt.Fprintf(cmd.ErrOrStderr(),
				"assumed for every timeline: controller latency %s one way, overhead %s per cycle\n", constants.Latency,
				constants.Overhead)
			if watch {
				for i := range timelines {
					if err := coordinated.WriteTranscript(cmd.OutOrStdout(), &timelines[i], constants); err != nil {
						return fmt.Errorf("%s: %w", args[0], err)
					}
				}
				return nil
			}
			runs := make([]coordinated.Run, len(timelines))
			for i := range timelines {
				if runs[i], err = timelines[i].Run(constants); err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
			}
			_, err = cmd.OutOrStdout().Write(coordinated.JSON(runs))
			return err
		},
	}
	c.Flags().BoolVar(&watch, "explain", false, "print the controller's decisions and writes as text instead of JSON")
	return c
}
