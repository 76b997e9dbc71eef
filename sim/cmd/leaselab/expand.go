package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// writeExpanded prints what the shorthands of a scenario stand for, as comments, and the scenario with all of them
// written out.
func writeExpanded(out io.Writer, s scenario.Scenario) error {
	s = compile.Pinned(s) // the seed has drawn the instants
	said := func(subject, preset string) {
		if preset != "" {
			which := slices.Index(scenario.Choices("Scenario.preset"), preset)
			fmt.Fprintf(out, "# %s: preset %s is %s\n", subject, preset, scenario.WordHelp("Scenario.preset")[which])
		}
	}
	said("every candidate", s.Preset)
	for i := range s.Candidates {
		said(s.Candidates[i].Name, s.Candidates[i].Preset)
	}
	for i := range s.Actions {
		a := &s.Actions[i]
		parts := scenario.Parts(s, a)
		if parts == nil {
			continue
		}
		subject := a.Phrase()
		if a.Target == "" {
			subject = a.Act + " at " + a.When()
		}
		fmt.Fprintf(out, "# %s stands for:\n", subject)
		for k := range parts {
			writePart(out, &parts[k])
		}
	}
	_, err := out.Write(yaml.Encode(scenario.Expanded(s)))
	return err
}

// writePart prints an act that another one stands for: "30s crash a, if it has not ended: SIGKILL".
func writePart(out io.Writer, p *scenario.Part) {
	whom := p.Target
	switch {
	case p.Candidate != nil:
		whom = p.Candidate.Name
	case p.If != "" && (whom == scenario.TargetHolder || whom == scenario.TargetEverybody):
		whom = "the same"
	}
	line := fmt.Sprintf("#   %s %s %s", p.When(), p.Act, whom)
	if p.Grace > 0 {
		line += fmt.Sprintf(", grace %s", p.Grace)
	}
	if p.If != "" {
		line += ", if " + p.If
	}
	fmt.Fprintln(out, line)
}
