package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/study/advise"
	"github.com/leaselab/leaselab/sim/words"
)

// adviseScenario is the default scenario: the adviser measures with the scenario's candidates and network. It drops
// the scenario's acts and assertions, and adds its own faults at random instants between two renewals.
const adviseScenario = "fault-free"

// adviseCommand is `leaselab advise`: it finds durations that meet goals such as takeover=30s and writes=20, or says
// why none do. It prints the region of settings that meet the goals. It also prints three settings of the region,
// each with the measurements from a thousand runs.
//
// It exits 0 for both answers: "these goals contradict each other" is an answer, too. Ctrl-C exits 130 without an
// answer, since advice from half of the runs would be a guess.
func adviseCommand() *cobra.Command {
	var output, arg, color string
	var kinds strings.Builder
	for _, k := range advise.Kinds() {
		fmt.Fprintf(&kinds, "\n  %-10s %s", k.Name, k.Help)
	}
	c := &cobra.Command{
		Use:  "advise GOAL …",
		Long: kinds.String(),
		Args: takes(1, 100, "a goal, such as takeover=30s"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			all := elements.Of(advise.Kinds(), func(k advise.Kind) cobra.Completion {
				return cobra.CompletionWithDesc(k.Name+"=", k.Help)
			})
			return all, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			goals, err := advise.ParseGoals(args)
			if err != nil {
				return err
			}
			advice, err := runAdviser(cmd.Context(), arg, goals)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if output == "json" {
				writeDocument(out, "Advice", advice)
				return out.Flush()
			}
			colors := paletteFor(cmd.OutOrStdout(), color)
			writeAdvice(colors.story(out), advice, goals)
			return out.Flush()
		},
	}
	c.Flags().StringVar(&arg, "scenario", adviseScenario, "")
	formatFlag(c, &output, "text", "json")
	completeBy(c, "scenario", completeScenarios(100))
	colorFlag(c, &color)
	return c
}

// runAdviser makes the runs of an adviser. An error in the scenario names the flag --scenario, since most users leave
// this flag out.
func runAdviser(ctx context.Context, arg string, goals []advise.Goal) (*advise.Advice, error) {
	s, err := load(arg)
	if err != nil {
		return nil, err
	}
	a, err := advise.New(s, goals)
	if err != nil {
		return nil, fmt.Errorf("--scenario %s: %w", arg, err)
	}
	if err := makeStages(ctx, a, "runs"); err != nil {
		return nil, err
	}
	advice := a.Advice(arg)
	return &advice, nil
}

// writeAdvice writes one of three answers. If the goals contradict each other, writeContradiction explains why. If some
// settings meet the goals in a few runs, but none does in a thousand, writeAdvice shows the closest setting. Otherwise
// it shows the region and three of the region's settings.
//
// If no setting avoids two active leaders after a cut, writeAdvice says so, unless the user already knows it from the
// goal "overlap".
func writeAdvice(out painter, a *advise.Advice, goals []advise.Goal) {
	fmt.Fprintln(out, advise.Wish(goals))
	if a.Latency != "" {
		fmt.Fprintf(out, "In all runs %s.\n", a.Latency)
	}
	tried := fmt.Sprintf("%s settings, %d runs of each", words.Thousands(int64(a.Tried)), a.RunsOfEach)
	if a.Contradiction != nil {
		writeContradiction(out, a.Contradiction, tried)
		return
	}
	if a.Region == nil || len(a.Settings) == 0 {
		fmt.Fprintf(out,
			"\nSome of %s met all goals in a few runs, but none met them in a thousand runs. Relax a goal.\n", tried)
		if a.Almost != nil {
			fmt.Fprintf(out, "\nThis one comes close: %s\n", &a.Almost.Values)
			writeMeasured(out, a.Almost)
		}
		return
	}
	if r := a.Region; r != nil {
		fmt.Fprintf(out, "\nOf %s, %d meet all goals:\n", tried, r.Settings)
		for _, field := range []struct {
			name string
			of   advise.Range
		}{{"leaseDuration", r.LeaseDuration}, {"renewDeadline", r.RenewDeadline}, {"retryPeriod", r.RetryPeriod}} {
			fmt.Fprintf(out, "  %-14s %s to %s\n", field.name, field.of.From, field.of.To)
		}
	}
	switch {
	case slices.ContainsFunc(goals, func(g advise.Goal) bool { return g.Name == advise.Overlap }):
	case a.NeverTwo:
		fmt.Fprintln(out, "These never had two leaders after the leader lost the network:")
	default:
		fmt.Fprintln(out,
			"All of them sometimes had two leaders after the leader lost the network. The goal overlap=0s asks for "+
				"settings that never do.")
	}
	for i := range a.Settings {
		fmt.Fprintln(out)
		out.line(green, "The %s: %s", a.Settings[i].Role, &a.Settings[i].Values)
		writeMeasured(out, &a.Settings[i])
	}
	fmt.Fprintln(out, "\n* your goals")
}

// writeMeasured writes the measurements of one setting. Measurements from the same kind of run share a heading and a
// command that repeats them. An asterisk marks the user's own goals.
func writeMeasured(out painter, one *advise.Advised) {
	for k, m := range one.Measured {
		if k == 0 || m.Of != one.Measured[k-1].Of {
			fmt.Fprintf(out, "  %s runs: %s\n", words.Thousands(int64(m.Runs)), m.Of)
		}
		mark := " "
		if m.Wished {
			mark = "*"
		}
		fmt.Fprintf(out, "    %s %-13s %s\n", mark, m.Goal, m.Says)
		if k == len(one.Measured)-1 || m.Of != one.Measured[k+1].Of {
			out.whole("      %s", m.Replay)
		}
	}
}

// writeContradiction writes a set of goals that contradict each other, as small as possible, and the reason. Then it
// writes how close a setting can come to each of these goals.
func writeContradiction(out painter, c *advise.Contradiction, tried string) {
	fmt.Fprintln(out)
	out.line(red, "%s", strings.Join(append([]string{c.Title()}, c.Sentences()...), " "))
	for _, sentence := range c.Why {
		fmt.Fprintf(out, "  %s\n", sentence)
	}
	fmt.Fprintf(out, "\nMeasured, of %s:\n", tried)
	for i := range c.Nearest {
		n := &c.Nearest[i]
		fmt.Fprintf(out, "  %s: %s\n", c.NearestTo(n), n.Measure.Says)
		fmt.Fprintf(out, "    %s\n", &n.Values)
		out.whole("    replay: %s", n.Measure.Replay)
	}
}
