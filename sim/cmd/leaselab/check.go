package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// These are the exit codes for broken rules, as in summary.Worst. The commands hunt, explore and test use them, too.
const (
	exitSafety   = 3
	exitLiveness = 4
)

// judge is `leaselab import --judge`: it checks the evidence of a cluster against the rules for runs, for use in CI. To
// standard output it prints the broken rules, with the lines of evidence for each. It also lists the rules that it
// could not check with these files.
//
// It exits 0 if the files show no broken rule, and 3 or 4 according to the worst broken rule. It exits 1 if a file is
// unreadable or no file shows a Lease. Exit code 0 means no more than the evidence can show: a watch, for example, does
// not show who worked, so a rule about work stays unchecked. A record of real programs shows everything, so checkRecord
// checks all rules.
func (f *importFlags) judge(cmd *cobra.Command, args []string) error {
	if err := checkOutput(f.output, "text", "json"); err != nil {
		return err
	}
	if len(args) == 1 && isRecord(args[0]) {
		if err := refuseRunFlags(cmd, args[0], "judge", "output"); err != nil {
			return err
		}
		return checkRecord(cmd.OutOrStdout(), args[0], f.output)
	}
	if f.leaderless < 0 {
		return fmt.Errorf("--leaderless %s is negative; use 0s or longer", f.leaderless)
	}
	report, err := f.read(cmd.Context(), cmd.InOrStdin(), args)
	if err != nil {
		return err
	}
	if err := nothingFound(report); err != nil {
		return err
	}
	v := evidence.Judge(report, int64(f.leaderless))
	out := bufio.NewWriter(cmd.OutOrStdout())
	if f.output == "json" {
		writeDocument(out, "Verdict", v)
	} else {
		writeVerdict(&wrapper{out: out, wide: columnsOf(cmd.OutOrStdout())}, &v, report)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := verdictError(&v); err != nil {
		return err
	}
	return brokenFile(report)
}

// writeVerdict writes the unreadable lines, then the violations with their evidence in parentheses. Then it lists the
// rules that check did and did not check. That last line matters most when nothing broke.
func writeVerdict(out io.Writer, v *evidence.Verdict, r *evidence.Report) {
	for _, p := range r.Problems {
		fmt.Fprintf(out, "%s:%d: %s\n", p.File, p.Line, p.Says)
	}
	for _, b := range v.Violations {
		fmt.Fprintf(out, "%s  %s: %s (%s): %s  [%s]\n", b.At, b.Lease, b.Rule, b.Severity, b.Says,
			strings.Join(b.Lines, " "))
	}
	if len(v.Violations) == 0 {
		fmt.Fprintln(out, "No rule was broken.")
	}
	unjudged := elements.Of(v.Unjudged, func(u evidence.Unjudged) string { return u.Rule })
	fmt.Fprintf(out, "Checked: %s.\nNot checked, because these files do not contain enough data: %s.\n",
		strings.Join(v.Judged, ", "), strings.Join(unjudged, ", "))
}

// brokenFile returns an error for a file that check could not read to its end, because the unread rest may show a
// broken rule. The verdict comes before the error, because a violation in the readable part is certain either way.
func brokenFile(r *evidence.Report) error {
	for _, f := range r.Files {
		if f.Broken != "" {
			return fmt.Errorf("%s is not checked %s", f.Name, f.Broken)
		}
	}
	return nil
}

// verdictError returns the exit code of the worst violation: safety is worse than liveness, and among equally bad
// violations the first one counts. Observations do not count.
func verdictError(v *evidence.Verdict) error {
	code, why := summary.Fine, ""
	codes := map[string]int{rules.Safety.String(): exitSafety, rules.Liveness.String(): exitLiveness}
	for _, b := range v.Violations {
		if isWorse(codes[b.Severity], code) {
			code, why = codes[b.Severity], b.Rule
		}
	}
	if code == summary.Fine {
		return nil
	}
	return exitError{code, fmt.Sprintf("exit code %d: %s was broken", code, why)}
}
