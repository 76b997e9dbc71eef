package summary

import (
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/world"
)

// Check is the verdict of one checker on a run.
type Check struct {
	Rule     string `json:"rule"`
	Number   int    `json:"number"`
	Severity string `json:"severity"` // severity of a breach: safety, liveness or observation
	// ok, off (nothing to check), notEvaluated (no bound to check against), observed or violated
	State  string   `json:"state"`
	Figure string   `json:"figure"` // the measurement, in words
	Count  int      `json:"count"`  // number of breaches
	At     *Seconds `json:"at,omitempty"`
	Text   string   `json:"text,omitempty"` // the first breach in a sentence
}

// checksOf returns one entry for each rule.
func checksOf(w *world.World, c *check.Checks, untilNs int64) []Check {
	name := func(i int32) string {
		if i < 0 {
			return "an administrator"
		}
		return w.Node(i).Name()
	}
	var all []Check
	for _, f := range c.Findings(untilNs) {
		one := Check{Rule: f.Rule.Name, Number: f.Rule.Number, Severity: f.Rule.Severity.String(),
			State: f.State.String(), Figure: f.Figure, Count: f.Count}
		if f.First >= 0 {
			v := &c.Violations[f.First]
			at, until := Seconds(v.FromNs), v.UntilNs
			if until < 0 {
				until = untilNs
			}
			one.At, one.Text = &at, v.Describe(name, until-v.FromNs)
		}
		all = append(all, one)
	}
	return all
}
