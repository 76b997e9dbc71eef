package main

import (
	"fmt"
	"io"
	"time"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/evidence/rebuild"
	"github.com/leaselab/leaselab/sim/judge/rules"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/study/whatif"
)

// writeRebuilt prints the scenario of the only Lease as YAML, and above it as comments how well it fits, what would have helped
// and which exhibits are alike.
func writeRebuilt(out io.Writer, r *evidence.Report) error {
	l, err := onlyLease(r)
	if err != nil {
		return err
	}
	s, fit, err := rebuild.Scenario(l)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "# %s, inferred cause: %s (confidence %.2f). What the evidence does not show is chosen.\n", l.Name, l.Cause, l.Confidence)
	if fit.SameLeaders {
		fmt.Fprintf(out, "# The run has the same leaders; each begins within %.3f s of the evidence.\n", time.Duration(fit.ChangeNs).Seconds())
		if fit.Writes > 0 {
			fmt.Fprintf(out, "# max |model − observed| of %d writes: %.3f s.\n", fit.Writes, time.Duration(fit.WriteNs).Seconds())
		}
	} else {
		fmt.Fprintln(out, "# No seed that was tried gives the leaders of the evidence in their order: the run differs.")
	}
	writeCures(out, s)
	for _, like := range rebuild.Alike(s, shipped.List()) {
		fmt.Fprintf(out, "# Like it in the museum: %s (%s): %s\n", like.Name, like.Title, like.Why)
	}
	_, err = out.Write(yaml.Encode(s))
	return err
}

// writeCures says what would have prevented the overlap, or shortened the last change of leader.
func writeCures(out io.Writer, s scenario.Scenario) {
	r := run.Judged(s)
	r.To(int64(s.Duration), nil)
	subject := whatif.Subject{Number: len(r.Checks.Changes) - 1}
	for i, v := range r.Checks.Violations {
		if v.Rule == rules.MoreThanOneActive {
			subject = whatif.Subject{Violation: true, Number: i}
			break
		}
	}
	const most = 4
	told := 0
	for _, line := range whatIf(s, subject) {
		if !line.same && told < most {
			told++
			fmt.Fprintf(out, "# What if: %s\n", line.sentence)
		}
	}
}
