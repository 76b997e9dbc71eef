package rebuild

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/evidence"
)

// curesShown is how many cures a post-mortem lists.
const curesShown = 5

// WritePostmortem writes a post-mortem as Markdown: for each incident a summary, the timeline as a table and as a
// picture, the cause with its lines, what would have helped with its price, and the command that runs it again. Other
// Leases get a line each. WritePostmortem calls the function alive after each slice of work.
func WritePostmortem(out io.Writer, r *evidence.Report, alive func()) {
	names := elements.Of(r.Files, func(f evidence.FileReport) string { return f.Name })
	var others []string
	for i := range r.Leases {
		if l := &r.Leases[i]; l.Incident() {
			writeIncident(out, l, names, alive)
		} else {
			others = append(others, fmt.Sprintf("- `%s`: %s", cell(l.Name), cell(l.Brief())))
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(out, "## Other Leases\n\n%s\n", strings.Join(others, "\n"))
	}
}

func writeIncident(out io.Writer, l *evidence.LeaseReport, files []string, alive func()) {
	fmt.Fprintf(out, "# Lease `%s`: %s\n\n", cell(l.Name), cell(l.Answer()))
	fmt.Fprintf(out, "- From %s to %s, UTC\n", l.FromTime, l.ToTime)
	if cause := l.LikelyCause(); cause != "" {
		fmt.Fprintf(out, "- Likely cause: **%s**%s\n", cause, evidence.ConfidenceText(l.Confidence))
	}
	fmt.Fprintf(out, "- Files: %s\n\n## Timeline\n\n", cell(strings.Join(files, ", ")))
	fmt.Fprintln(out, "| UTC | What happened | Lines |\n|---|---|---|")
	for _, m := range l.Moments() {
		if m.Kind != "near" {
			fmt.Fprintf(out, "| %s | %s | %s |\n", m.Time, cell(m.Says), places(m.Lines))
		}
	}
	fmt.Fprintf(out, "\n```text\n%s```\n\n", picture(l))
	s, fit, err := Scenario(l)
	fmt.Fprint(out, "## What would have helped\n\n")
	if err != nil {
		fmt.Fprintf(out, "%s\n\n", cell(err.Error()))
	} else {
		for _, sentence := range fit.Sentences() {
			fmt.Fprintln(out, cell(sentence))
		}
		cures := CuresOf(s, fit, alive)
		if helpful := cures.Helpful(curesShown); helpful > 0 {
			fmt.Fprintln(out, "\n| Change | Effect | Price |\n|---|---|---|")
			for k := range helpful {
				fmt.Fprintf(out, "| %s | %s | %s |\n", cell(cures.Tried[k].Label), cures.Effect(k),
					cmp.Or(cures.Price(k), "none"))
			}
		}
		for _, sentence := range []string{cures.Nothing(fit), cures.Beyond(l.Cause)} {
			if sentence != "" {
				fmt.Fprintf(out, "\n%s\n", sentence)
			}
		}
		fmt.Fprintf(out, "\n## Run it again\n\n```sh\nleaselab import %s --lease %s -o scenario > again.yaml\n"+
			"leaselab run again.yaml\n```\n\n", quoted(files), l.Name)
	}
	if len(l.Limits) > 0 {
		fmt.Fprint(out, "## What these files cannot show\n\n")
		for _, limit := range l.Limits {
			fmt.Fprintf(out, "- %s\n", cell(limit))
		}
		fmt.Fprintln(out)
	}
}

// The width of the picture, and its marks: the candidate renews, the Lease names it without a renewal, and it believes
// that it leads while another one does.
const (
	width                    = 64
	renews, silent, believes = '█', '░', '▓'
)

// picture draws a row of characters for each leader.
func picture(l *evidence.LeaseReport) string {
	from, _ := time.Parse(time.RFC3339Nano, l.FromTime)
	to, _ := time.Parse(time.RFC3339Nano, l.ToTime)
	fromNs, lengthNs := from.UnixNano(), max(1, to.Sub(from).Nanoseconds())
	var names []string
	rows := map[string][]rune{}
	paint := func(name string, fromAt, toAt int64, mark rune) {
		if _, known := rows[name]; !known {
			names = append(names, name)
			rows[name] = slices.Repeat([]rune{'·'}, width)
		}
		first := max(0, (fromAt-fromNs)*width/lengthNs)
		for k := first; k < width && k <= (toAt-fromNs)*width/lengthNs; k++ {
			rows[name][k] = mark
		}
	}
	terms := l.Terms()
	for i := range terms {
		t, endNs := &terms[i], to.UnixNano()
		if i+1 < len(terms) {
			endNs = terms[i+1].FromNs - lengthNs/width
		}
		paint(t.Holder, t.FromNs, endNs, silent)
		paint(t.Holder, t.FromNs, min(t.LastNs, endNs), renews)
	}
	for _, o := range l.Overlaps {
		if at, err := time.Parse(time.RFC3339Nano, o.From); err == nil && len(o.Who) > 0 {
			paint(o.Who[0], at.UnixNano(), at.UnixNano()+int64(o.Seconds*1e9), believes)
		}
	}
	slices.Sort(names)
	pad := 0
	for _, name := range names {
		pad = max(pad, len([]rune(name)))
	}
	var out strings.Builder
	for _, name := range names {
		fmt.Fprintf(&out, "%-*s  %s\n", pad, name, string(rows[name]))
	}
	fmt.Fprintf(&out, "%-*s  %-*s%s\n", pad, "", width-8, from.UTC().Format(time.TimeOnly),
		to.UTC().Format(time.TimeOnly))
	fmt.Fprintf(&out, "%-*s  █ renews   ░ named, but does not renew   ▓ believes that it leads\n", pad, "")
	return out.String()
}

// cell keeps a text in its cell of a table. The reader has escaped the control characters of the files.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

func places(lines []string) string {
	return strings.Join(elements.Of(lines, func(line string) string { return "`" + cell(line) + "`" }), " ")
}

// quoted lists files for a shell.
func quoted(files []string) string {
	all := make([]string, len(files))
	for i, f := range files {
		all[i] = f
		if strings.ContainsFunc(f, func(r rune) bool {
			return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./", r)
		}) {
			all[i] = "'" + strings.ReplaceAll(f, "'", `'\''`) + "'"
		}
	}
	return strings.Join(all, " ")
}
