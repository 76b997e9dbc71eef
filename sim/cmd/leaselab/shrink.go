package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/study/shrink"
)

type shrinkFlags struct {
	seed    string
	rule    string
	output  string
	windows bool
}

// shrinkCommand is `leaselab shrink`: it finds a minimal scenario that still breaks the same rule. It prints the
// scenario to standard output, in the form of a file. To standard error it prints each successful step and the windows
// of the acts.
//
// It exits 1 if the run does not break the rule, so that there is nothing to shrink, and 0 otherwise. It tries one
// proposal after another on one core, because each proposal starts from the last successful one. Ctrl-C ends it at
// once, without output.
func shrinkCommand() *cobra.Command {
	var f shrinkFlags
	c := &cobra.Command{
		Use:               "shrink SCENARIO",
		Args:              aScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0])
		},
	}
	c.Flags().StringVar(&f.seed, "seed", "", "")
	c.Flags().StringVar(&f.rule, "rule", "", "")
	formatFlag(c, &f.output, "yaml", "json")
	c.Flags().BoolVar(&f.windows, "windows", true, "")
	completeWords(c, "rule", append(ruleWords(), shrink.Assertion)...)
	return c
}

// run shrinks in slices and reports each step as soon as it succeeds. A shrink may take a minute. The steps already
// show what the failure does not depend on, and often that is all that the user wants to know.
func (f *shrinkFlags) run(out, notes io.Writer, arg string) error {
	s, err := loadWith(arg, f.seed)
	if err != nil {
		return err
	}
	study, err := shrink.New(shrink.Plan{Scenario: s, Rule: f.rule, Windows: f.windows})
	if err != nil {
		return fmt.Errorf("--rule: %w", err)
	}
	told := 0
	for over := false; !over; {
		over = study.Go(sliceRequests)
		for o := study.Outcome(); told < len(o.Steps); told++ {
			fmt.Fprintf(notes, "leaselab: run %d: %s\n", o.Steps[told].Tried, o.Steps[told].What)
		}
	}
	o := study.Outcome()
	if o.Rule == "" {
		return nothingToShrink(&s, f)
	}
	fmt.Fprintf(notes, "leaselab: %s: %s, from %s; %s\n", o.Rule, shrink.SizeOf(&o.Scenario), shrink.SizeOf(&s),
		runs(o.Tried))
	for _, w := range o.Windows {
		fmt.Fprintln(notes, "leaselab:", w.Says(&o.Scenario))
	}
	return writeScenario(out, o.Scenario, f.output)
}

// nothingToShrink is the error for a run without the failure that the user asks for.
func nothingToShrink(s *scenario.Scenario, f *shrinkFlags) error {
	switch f.rule {
	case "":
		return fmt.Errorf(
			"%s with seed %d breaks no rule of safety or liveness and fails no assertion, so shrink has nothing to "+
				"do; --rule names another rule, and `leaselab hunt` looks for faults that break one",
			nameOr(s.Name), s.Seed)
	case shrink.Assertion:
		return fmt.Errorf("%s with seed %d fails no assertion, so shrink has nothing to do", nameOr(s.Name), s.Seed)
	}
	return fmt.Errorf("%s with seed %d does not break %s, so shrink has nothing to do", nameOr(s.Name), s.Seed,
		f.rule)
}

// writeScenario prints a scenario in the form of a file, which `leaselab run -` reads.
func writeScenario(out io.Writer, s scenario.Scenario, format string) error {
	data := yaml.Encode(s)
	if format == "json" {
		data = []byte(strings.TrimRight(string(scenario.Encode(s)), "\n") + "\n")
	}
	_, err := out.Write(data)
	return err
}
