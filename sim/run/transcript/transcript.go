// Package transcript prints a run as text: one line for each event, in the words of sim/explain, then the outcome.
// `leaselab run` prints it, and the golden files hold it. A Printer writes the events of one run in a Style.
//
// Guarantee: a transcript is a function of the scenario. Non-guarantee: nothing reads it back; package history has a
// format for that.
package transcript

import (
	"fmt"
	"io"
	"strings"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// Printer prints the events of one run.
type Printer struct {
	out   io.Writer
	style Style
	folds folds
}

// Style says how a printer writes events. The zero value writes a line for each.
type Style struct {
	// one line for repeated renewals and reads
	Fold  bool
	Paint func(said explain.Sentence, line string) (text string) // nil for a transcript without colors
}

// New prints the heading of a scenario and returns the printer of its events. Call End after the last event.
func New(out io.Writer, s scenario.Scenario, style Style) *Printer {
	about := s.Summary
	if about == "" && s.Museum != nil {
		about = s.Museum.Watch
	}
	for _, line := range words.Wrap(about, 98) {
		fmt.Fprintln(out, "#", line)
	}
	return &Printer{out: out, style: style}
}

// Record prints one event, unless its kind is a minor one.
func (p *Printer) Record(w *world.World, r *trace.Record, note explain.Note) {
	if explain.Minor(r.Kind) {
		return
	}
	said := explain.Say(w, r, note)
	if p.style.Fold {
		if what := repetition(w, r, note, said); what != "" {
			p.folds.add(r.At, said, what)
			return
		}
		p.End()
	}
	p.line(r.At, said, said.String())
}

// End prints the folds that the printer has held back, if its style has Fold set.
func (p *Printer) End() {
	for i := range p.folds {
		f := &p.folds[i]
		p.line(f.firstNs, f.said, f.String())
	}
	p.folds = p.folds[:0]
}

func (p *Printer) line(ns int64, said explain.Sentence, text string) {
	line := fmt.Sprintf("%10s %s", at(ns), text)
	if p.style.Paint != nil {
		line = p.style.Paint(said, line)
	}
	fmt.Fprintln(p.out, line)
}

// `at` returns an instant in seconds with three decimals, rounded half up.
func at(ns int64) string { return strings.ReplaceAll(words.Seconds(ns), " ", "") }

// Tone says how good or bad a line of an outcome is. The caller decides how to show that, since a golden file has no
// colors.
type Tone int

// The tones of a line.
const (
	Neutral Tone = iota
	Good
	Odd
	Bad
)

// Plain returns a line unchanged.
func Plain(_ Tone, line string) string { return line }

// Summary prints the outcome and passes every line through paint.
func Summary(out io.Writer, s *summary.Summary, paint func(of Tone, line string) string) {
	fmt.Fprintf(out, "\n%s: seed %d, engine %d, hash %s\n", orUnnamed(s.Scenario), s.Seed, s.Engine, s.Hash)
	fmt.Fprintf(out, "%s, %d requests, %d trace records\n", words.Seconds(int64(s.VirtualSeconds)), s.Requests,
		s.Events)
	for _, c := range s.LeaderChanges {
		from := ""
		switch c.From {
		case "":
		case c.To: // the process restarted
			from = " again"
		default:
			from = " after " + c.From
		}
		fmt.Fprintf(out, "%10s %s leads%s, nobody led for %s\n", at(int64(c.At)), c.To, from,
			words.Seconds(int64(c.LeaderlessSeconds)))
	}
	fmt.Fprintf(out, "nobody led for %s in all; two or more led at once for %s\n",
		words.Seconds(int64(s.LeaderlessSeconds)), words.Seconds(int64(s.DoubleLeaderSeconds)))
	if len(s.Violations) == 0 {
		fmt.Fprintln(out, paint(Good, "no violations"))
	}
	for _, v := range s.Violations {
		nodes := ""
		if len(v.Nodes) > 0 {
			nodes = " (" + strings.Join(v.Nodes, ", ") + ")"
		}
		tone := Bad
		if v.Severity == rules.Observation.String() {
			tone = Odd
		}
		fmt.Fprintln(out, paint(tone, fmt.Sprintf("%10s %s: %s%s, %s", at(int64(v.At)), v.Severity, v.Rule, nodes,
			words.Seconds(int64(v.Seconds)))))
	}
}

// Checks prints one line for each rule, with its first violation below.
func Checks(out io.Writer, s *summary.Summary, paint func(of Tone, line string) string) {
	fmt.Fprintln(out)
	for _, c := range s.Checks {
		if c.State == "off" {
			continue
		}
		state, tone := c.State, Neutral
		switch state {
		case "notEvaluated":
			state = "not evaluated"
		case "violated":
			tone = Bad
		case "observed":
			tone = Odd
		}
		fmt.Fprintln(out, paint(tone, fmt.Sprintf("%2d %-21s %-13s %s", c.Number, c.Rule, state, c.Figure)))
		if c.Text != "" {
			fmt.Fprintf(out, "%38s%s: %s\n", "", at(int64(*c.At)), c.Text)
		}
	}
}

func orUnnamed(name string) string {
	if name == "" {
		return "unnamed scenario"
	}
	return name
}
