package main

import (
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/bench"
)

// benchReport is what `leaselab bench -o json` prints.
type benchReport struct {
	Go     string         `json:"go"`
	Arch   string         `json:"arch"`
	Native []bench.Result `json:"native"`

	Checkers []bench.Checkers `json:"checkers"` // what they cost, on against off
}

func benchCommand() *cobra.Command {
	var output string
	var atLeast time.Duration
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure the simulator on this machine",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if output != "text" && output != "json" {
				return fmt.Errorf("--output %q must be text or json", output)
			}
			report := benchReport{Go: runtime.Version(), Arch: runtime.GOARCH}
			for _, c := range bench.Cases() {
				if output == "text" {
					fmt.Fprintf(cmd.ErrOrStderr(), "running %s with %d candidates …\n", c.Scenario, c.Candidates)
				}
				report.Native = append(report.Native, bench.Run(c, atLeast))
				report.Checkers = append(report.Checkers, bench.CheckerCost(c, atLeast))
			}
			if output == "json" {
				_, err := cmd.OutOrStdout().Write(indented(report))
				return err
			}
			writeBench(cmd.OutOrStdout(), &report)
			return nil
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "text", "text or json")
	c.Flags().DurationVar(&atLeast, "at-least", time.Second, "wall time each case runs for, beyond one virtual hour")
	return c
}

func writeBench(out io.Writer, r *benchReport) {
	fmt.Fprintf(out, "%-14s %10s %14s %14s %10s %12s %12s\n", "scenario", "candidates", "requests/s", "virtual h/s", "ns/event", "bytes/req", "allocs/req")
	for _, n := range r.Native {
		fmt.Fprintf(out, "%-14s %10d %14.0f %14.1f %10.1f %12.2f %12.5f\n",
			n.Scenario, n.Candidates, n.RequestsPerSecond, n.VirtualHoursPerSecond, n.NsPerEvent, n.BytesPerRequest, n.AllocsPerRequest)
	}
	fmt.Fprintf(out, "\n%-14s %10s %14s %14s %10s   (budget: below %.0f %%)\n", "checkers", "candidates", "ns/event off", "ns/event on", "cost %", bench.CheckerBudget*100)
	for _, c := range r.Checkers {
		fmt.Fprintf(out, "%-14s %10d %14.1f %14.1f %10.1f\n", c.Scenario, c.Candidates, c.NsOff, c.NsOn, c.Cost*100)
	}
}
