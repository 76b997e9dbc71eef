package main

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/words"
)

// column is a column of sweep's text output: its heading, and the function that fills its cells.
type column struct {
	head string
	cell func(row *grid.Row) string
}

// sweepColumns returns the columns of a sweep, from danger to cost: two leaders at once, time without a leader, load,
// and how many runs passed. The last column exists only if "judged" is true, that is, if some row has a verdict.
// Otherwise the column would contain nothing but dashes.
func sweepColumns(judged bool) []column {
	s := func(of func(*grid.Row) *grid.Spread, figure string) func(*grid.Row) string {
		return func(row *grid.Row) string {
			length, atLeast := of(row).Figure(figure)
			text := strconv.FormatFloat(float64(length)/1e9, 'f', 3, 64)
			if atLeast {
				text = "≥" + text
			}
			return text
		}
	}
	leaderless := func(r *grid.Row) *grid.Spread { return &r.LeaderlessSeconds }
	double := func(r *grid.Row) *grid.Spread { return &r.DoubleLeaderSeconds }
	all := []column{
		{"two leaders (95 %)", func(r *grid.Row) string { return shareText(&r.TwoWorked) }},
		{"max", s(double, grid.Longest)},
		{"leaderless p50", s(leaderless, grid.Median)},
		{"p95", s(leaderless, grid.P95)},
		{"p99", s(leaderless, grid.P99)},
		{"max", s(leaderless, grid.Longest)},
		{"writes/min", func(r *grid.Row) string { return fmt.Sprintf("%.1f", r.WritesPerMinute) }},
		{"requests/min", func(r *grid.Row) string { return fmt.Sprintf("%.1f", r.RequestsPerMinute) }},
		{"changes", func(r *grid.Row) string { return fmt.Sprintf("%.2f", r.LeaderChangesPerRun) }},
		{"margin", func(r *grid.Row) string {
			if r.LeastMarginSeconds == nil {
				return "-"
			}
			return strconv.FormatFloat(float64(*r.LeastMarginSeconds)/1e9, 'f', 3, 64)
		}},
	}
	if judged {
		all = append(all, column{"passed", func(r *grid.Row) string {
			if r.Passed == nil {
				return "-"
			}
			return fmt.Sprintf("%d/%d", r.Passed.Runs, r.Runs)
		}})
	}
	return all
}

// shareText writes a share with its interval, in percent. The interval matters most if the share is 0: "0.0 % (0.0 to
// 2.5)" from 150 runs does not mean that the event never happens.
func shareText(s *grid.Share) string {
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*s.Share, 100*s.Low, 100*s.High)
}

// writeSwept writes the rows as a table, then where runs broke rules, then how to repeat seeds. rows[i] is the row of
// combination i, or nil if the format refuses the combination or the combination has no run yet.
//
// The first line says how many runs the table covers: "crash, seeds 1 to 600: 4 × 600 = 2400 runs".
func writeSwept(out painter, w *swept, rows []*grid.Row) {
	all := w.plan.Combinations
	which := fmt.Sprintf("seed %d", w.First)
	if w.Seeds > 1 {
		which = fmt.Sprintf("seeds %d to %d", w.First, w.First+uint64(w.Seeds)-1)
	}
	times := ""
	if len(w.Sets) > 0 {
		times = fmt.Sprintf("%d × %d = ", w.plan.Runs()/w.Seeds, w.Seeds)
	}
	fmt.Fprintf(out, "%s, %s: %s%s\n", nameOr(w.scenario.Name), which, times, runs(w.plan.Runs()))
	var heads []string
	for _, change := range all[0].Changes {
		heads = append(heads, change.Path)
	}
	fmt.Fprint(out, "lengths are in seconds\n\n")

	writeTable(out, w, heads, rows)
	if slices.ContainsFunc(rows, isLowerBound) {
		fmt.Fprintln(out,
			"\n≥ is a lower bound: some runs end while nobody leads, or while two do. A longer duration shows more, "+
				"such as --set duration=10m.")
	}
	writeFindings(out, w, rows)
	for i, row := range rows {
		if row != nil && row.Replay != "" {
			fmt.Fprintf(out, "replay %d: %s\n", i+1, row.Replay)
		}
	}
}

// isLowerBound reports whether a row's longest time without a leader is a lower bound. If a run ends while nobody
// leads, the gap might have become longer.
func isLowerBound(row *grid.Row) bool {
	return row != nil && len(row.LeaderlessSeconds.AtLeast)+len(row.DoubleLeaderSeconds.AtLeast) > 0
}

// writeTable writes the grid. It aligns values of fields left and figures right, so that digits line up. Widths count
// characters rather than bytes, because × and ≥ have several bytes. A refused combination keeps its line, with the
// reason in place of figures. With a gap in the grid, a reader's eye would slip to the wrong row.
func writeTable(out painter, w *swept, heads []string, rows []*grid.Row) {
	all := w.plan.Combinations
	columns := sweepColumns(slices.ContainsFunc(rows, func(r *grid.Row) bool { return r != nil && r.Passed != nil }))
	lines := [][]string{slices.Clone(heads)}
	for _, c := range columns {
		lines[0] = append(lines[0], c.head)
	}
	for i := range all {
		var line []string
		for _, change := range all[i].Changes {
			line = append(line, change.Value)
		}
		if rows[i] != nil {
			for _, c := range columns {
				line = append(line, c.cell(rows[i]))
			}
		}
		lines = append(lines, line)
	}
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for k, cell := range line {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	for i, line := range lines {
		var b strings.Builder
		for k, cell := range line {
			gap := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell))
			if k < len(heads) {
				cell, gap = gap, cell
			}
			b.WriteString(gap + cell + "  ")
		}
		color := ""
		if i > 0 {
			var end string
			end, color = rowEnd(&all[i-1], rows[i-1], w.Seeds)
			b.WriteString(end)
		}
		out.line(color, "%s", strings.TrimRight(b.String(), " "))
	}
}

// rowEnd says why a combination has no figures or few runs. Refused rows and rows with two leaders get a color. The
// argument "seeds" is the number of runs in a complete row.
func rowEnd(c *grid.Combination, row *grid.Row, seeds int) (text, color string) {
	switch {
	case c.Refused != "":
		return "refused: " + c.RefusedShort(), yellow // -o csv and -o json have the library's full words
	case row == nil:
		return "cancelled before its first run", ""
	case row.TwoWorked.Runs > 0:
		color = yellow
	}
	if row.Runs < seeds {
		text = runs(row.Runs) + " only"
	}
	return text, color
}

// writeFindings says where in the grid runs broke each rule: "actions[0].for 14s to 16.5s" rather than a list of rows.
// If the sweep ended early, "No rule was broken" is only about the runs that it made.
func writeFindings(out painter, w *swept, rows []*grid.Row) {
	findings := grid.Findings(w.plan.Combinations, rows)
	made := 0
	for _, row := range rows {
		if row != nil {
			made += row.Runs
		}
	}
	if made == 0 {
		return
	}
	fmt.Fprintln(out)
	switch {
	case len(findings) == 0 && made < w.plan.Runs():
		fmt.Fprintf(out, "No rule was broken in %d of %s.\n", made, runs(w.plan.Runs()))
		return
	case len(findings) == 0:
		fmt.Fprintln(out, "No rule was broken.")
		return
	}
	fmt.Fprintln(out, "Broken rules:")
	for _, f := range findings {
		where := ": every combination"
		switch {
		case len(w.Sets) == 0:
			where = ""
		case len(f.Where) > 0:
			parts := elements.Of(f.Where, func(one grid.Where) string { return one.Path + " " + one.Values })
			where = ": " + strings.Join(parts, " and ")
		case f.Combinations == 1:
			where = ": the only combination"
		}
		color := ""
		if f.Severity == rules.Safety.String() {
			color = red
		}
		out.line(color, "  %s (%s) in %d of %s%s; first seed %d", f.Rule, f.Severity, f.Runs, runs(f.Of), where,
			f.FirstSeed)
	}
}

// csvHeader writes the names of the columns. The names are an interface: spreadsheets and scripts refer to them. So add
// new columns at the end.
func (r *sweptRows) csvHeader() {
	var line []string
	for _, change := range r.swept.plan.Combinations[0].Changes {
		line = append(line, change.Path)
	}
	r.csvLine(append(line, "runs", "twoWorked", "twoWorkedLow", "twoWorkedHigh",
		"leaderlessMedian", "leaderlessP95", "leaderlessP99", "leaderlessLongest", "leaderlessUnended",
		"doubleLeaderMedian", "doubleLeaderP95", "doubleLeaderP99", "doubleLeaderLongest", "doubleLeaderUnended",
		"leaderChangesPerRun", "requestsPerMinute", "writesPerMinute", "leastMargin", "passed", "passedLow",
		"passedHigh", "broken", "refused", "replay"))
}

// csvRow writes a row or, if row is nil, why the scenario format refuses the combination. Durations are in seconds,
// and shares are between 0 and 1. A missing figure is an empty cell rather than 0, so that a spreadsheet does not
// include it in an average.
func (r *sweptRows) csvRow(c *grid.Combination, row *grid.Row) {
	var line []string
	for _, change := range c.Changes {
		line = append(line, change.Value)
	}
	if row == nil {
		line = append(append(line, "0"), make([]string, 21)...)
		r.csvLine(append(line, c.Refused, ""))
		return
	}
	l, d := &row.LeaderlessSeconds, &row.DoubleLeaderSeconds
	cells := []any{row.Runs, row.TwoWorked.Share, row.TwoWorked.Low, row.TwoWorked.High,
		l.Median, l.P95, l.P99, l.Longest, l.Unended, d.Median, d.P95, d.P99, d.Longest, d.Unended,
		row.LeaderChangesPerRun, row.RequestsPerMinute, row.WritesPerMinute, "", "", "", ""}
	if margin := row.LeastMarginSeconds; margin != nil {
		cells[17] = *margin
	}
	if p := row.Passed; p != nil {
		cells[18], cells[19], cells[20] = p.Share, p.Low, p.High
	}
	for _, cell := range cells {
		line = append(line, csvCell(cell))
	}
	broken := elements.Of(row.Broken, func(b grid.BrokenRule) string { return fmt.Sprintf("%s %d", b.Rule, b.Runs) })
	r.csvLine(append(line, strings.Join(broken, "; "), "", row.Replay))
}

// csvCell writes a number with all its digits.
func csvCell(cell any) string {
	switch v := cell.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case summary.Seconds:
		return strconv.FormatFloat(float64(v)/1e9, 'f', -1, 64)
	}
	return fmt.Sprint(cell)
}

// csvLine writes one line, with quotes where RFC 4180 needs them: a replay command contains commas and quotes. No cell
// can become a formula.
func (r *sweptRows) csvLine(cells []string) {
	for i := range cells {
		cells[i] = words.Cell(cells[i])
	}
	w := csv.NewWriter(r.out)
	_ = w.Write(cells) // flush reports errors
	w.Flush()
}
