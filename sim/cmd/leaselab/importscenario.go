package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/evidence/rebuild"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// actsText writes the acts of a scenario as one line of YAML.
func actsText(s scenario.Scenario) string {
	text, err := json.Marshal(s.Actions)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// writeRebuilt prints the scenario of the only Lease as YAML. Comments above it say how well it fits, what would have
// helped, and which exhibits of the museum are similar.
//
// The comments keep the file honest: even a scenario that reproduces an outage to the second only guesses the cause.
// "What if" lines come from counterfactual runs of the rebuilt scenario, so they are only as good as its fit.
func writeRebuilt(out io.Writer, r *evidence.Report) error {
	l, err := onlyLease(r)
	if err != nil {
		return err
	}
	s, fit, err := rebuild.Scenario(l)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "# %s, inferred cause: %s (confidence %.2f). The other values are guesses.\n", l.Name,
		l.Causes(), l.Confidence)
	for _, sentence := range fit.Sentences() {
		fmt.Fprintf(out, "# %s\n", sentence)
	}
	cures := rebuild.CuresOf(s, fit, func() {})
	const most = 4
	for k := range cures.Helpful(most) {
		fmt.Fprintf(out, "# What if: %s\n", cures.Sentence(k))
	}
	for _, cause := range l.Alternatives {
		other, fit, err := rebuild.ScenarioAs(l, cause)
		if err != nil {
			continue
		}
		says := "the run has other leaders"
		if fit.SameLeaders {
			says = "the run has the same leaders"
			if cures := rebuild.CuresOf(other, fit, func() {}); cures.Helpful(1) > 0 {
				says += "; what if: " + cures.Sentence(0)
			}
		}
		fmt.Fprintf(out, "# The evidence fits another cause, too: %s. Its acts are %s; %s\n", cause, actsText(other),
			says)
	}
	for _, like := range rebuild.Alike(s, shipped.List()) {
		fmt.Fprintf(out, "# Similar in the museum: %s (%s): %s\n", like.Name, like.Title, like.Why)
	}
	_, err = out.Write(yaml.Encode(s))
	return err
}
