package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/study/numbers"
	"github.com/leaselab/leaselab/sim/words"
)

// numbersCommand is `leaselab numbers`: what three durations lead to, from formulas and 10,000 runs. It exits 1 for
// durations that client-go refuses, and says why.
func numbersCommand() *cobra.Command {
	var output string
	var candidates int
	c := &cobra.Command{
		Use:               "numbers LEASE/DEADLINE/RETRY [LEASE/DEADLINE/RETRY]",
		Args:              takes(1, 2, "three durations, such as 15s/10s/2s"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "badge" && len(args) > 1 {
				return fmt.Errorf("-o badge shows one setting; leave %s out", args[1])
			}
			var answers []numbers.Answer
			for _, arg := range args {
				a, err := measureNumbers(cmd.Context(), arg, candidates)
				if err != nil {
					return err
				}
				answers = append(answers, a)
			}
			return writeNumbers(cmd.OutOrStdout(), answers, output)
		},
	}
	c.Flags().IntVar(&candidates, "candidates", 3, "")
	formatFlag(c, &output, "text", "json", "markdown", "badge")
	return c
}

// measureNumbers makes the runs of a setting on all cores.
func measureNumbers(ctx context.Context, arg string, candidates int) (a numbers.Answer, err error) {
	s, err := numbers.Parse(arg)
	if err != nil {
		return a, err
	}
	base, err := load(numbers.Base)
	if err != nil {
		return a, err
	}
	plan, err := numbers.NewPlan(base, s, candidates)
	if err != nil {
		return a, err
	}
	var gaps []int64
	if err := makeRuns(ctx, plan, "runs", func(_ int, gap int64) { gaps = append(gaps, gap) }); err != nil {
		return a, err
	}
	return plan.Answer(gaps), nil
}

func writeNumbers(to io.Writer, answers []numbers.Answer, format string) error {
	out := bufio.NewWriter(to)
	switch format {
	case "json":
		for i := range answers {
			writeDocument(out, "Numbers", &answers[i])
		}
	case "badge":
		fmt.Fprint(out, answers[0].Badge())
	default:
		writeNumbersTable(out, answers, format == "markdown")
	}
	return out.Flush()
}

// numbersRow is a row of the table: the label, and the cell of a setting.
type numbersRow struct {
	label string
	cell  func(a *numbers.Answer) string
}

var numbersRows = []numbersRow{
	{"", func(a *numbers.Answer) string { return a.Setting }},
	{"takeover after a crash: half of them", func(a *numbers.Answer) string { return tenths(a.Takeover.P50) }},
	{"  99 of 100", func(a *numbers.Answer) string { return tenths(a.Takeover.P99) }},
	{"  at most", func(a *numbers.Answer) string { return tenths(a.Takeover.Max) }},
	{"takeover after a release: half of them", func(a *numbers.Answer) string { return tenths(a.AfterRelease.P50) }},
	{"  at most", func(a *numbers.Answer) string { return tenths(a.AfterRelease.Max) }},
	{"API may be away, if it refuses requests", func(a *numbers.Answer) string { return exact(a.APIOutage, "no end") }},
	{"  if requests get no answer", func(a *numbers.Answer) string { return exact(a.SilentOutage, "no end") }},
	{"safety margin", func(a *numbers.Answer) string { return exact(a.Margin, "none") }},
	{"a clock may be slow by", func(a *numbers.Answer) string {
		if a.Clock == nil {
			return "does not apply"
		}
		return decimal(max(0, *a.Clock)) + " %"
	}},
	{"a pause may last", func(a *numbers.Answer) string { return exact(&a.Pause, "") }},
	{"writes a minute", func(a *numbers.Answer) string { return decimal(a.Writes) }},
	{"requests a minute, all candidates", func(a *numbers.Answer) string { return decimal(a.Requests) }},
	{"safe timeout of a test", func(a *numbers.Answer) string { return words.Number(a.TestTimeout) + " s" }},
}

func decimal(v float64) string { return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0") }

func tenths(s summary.Seconds) string { return decimal(float64(s)/1e9) + " s" }

// exact writes a length with all its digits, or another text for nil.
func exact(s *summary.Seconds, other string) string {
	if s == nil {
		return other
	}
	text, _ := s.MarshalJSON()
	return string(text) + " s"
}

// writeNumbersTable writes the settings side by side, as text or as a table in Markdown.
func writeNumbersTable(out io.Writer, answers []numbers.Answer, markdown bool) {
	for i, row := range numbersRows {
		label, start, between, end := fmt.Sprintf("%-40s", row.label), "", "  ", ""
		if markdown {
			label, start, between, end = strings.TrimSpace(row.label), "| ", " | ", " |"
		}
		fmt.Fprint(out, start, label)
		for k := range answers {
			cell := row.cell(&answers[k])
			if !markdown {
				cell = fmt.Sprintf("%16s", cell)
			}
			fmt.Fprint(out, between, cell)
		}
		fmt.Fprintln(out, end)
		if markdown && i == 0 {
			fmt.Fprintln(out, "| --- |"+strings.Repeat(" ---: |", len(answers)))
		}
	}
	for k := range answers {
		m := answers[k].Measured
		var parts []string
		for _, part := range m.Middle {
			parts = append(parts, part.Shown+" s "+part.Text)
		}
		fmt.Fprintf(out, "\n%s, %d candidates: the slowest of %s runs took %s. The middle run: %s.\n",
			answers[k].Setting, answers[k].Candidates, words.Thousands(int64(m.Runs)), tenths(m.Slowest),
			strings.Join(parts, ", "))
		if !markdown {
			fmt.Fprintln(out, m.Command)
		}
	}
}
