package export

import (
	"strings"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// mostSections limits how many violations, and how many leader changes, a report explains. The report only counts the
// others.
const mostSections = 10

// report is a Markdown report under construction.
type report struct {
	writer
	look timeline.Look
}

// Markdown writes a report to paste into an issue: the run, the violations in the span with what led to them, the
// leader changes with the parts of each gap, and the link. It returns an error if an instant is outside the run.
func Markdown(look timeline.Look, o Options) (string, error) {
	if err := o.check(look); err != nil {
		return "", err
	}
	r := report{look: look}
	s := look.Run.Scenario()
	state := look.AtLive()
	r.line("## ", forMarkdown(title(look)), "\n")
	if s.Name != "" {
		r.line("- scenario: ", code(s.Name))
	}
	r.line("- seed: ", words.Number(int64(s.Seed)))
	r.line("- engine: ", words.Number(world.Engine), ", trace hash ", code(state.World.Hash().String()), " at ",
		words.Instant(look.Live.T))
	r.line("- span: ", words.Instant(o.FromNs), " to ", words.Instant(o.ToNs))
	if o.Link != "" {
		r.line("- open it in leaselab: <", address(o.Link), ">")
	}
	var violations, changes []int
	for k := range state.Checks.Violations {
		v := &state.Checks.Violations[k]
		if v.Severity != rules.Observation && v.FromNs <= o.ToNs && (v.UntilNs < 0 || v.UntilNs >= o.FromNs) {
			violations = append(violations, k)
		}
	}
	for k := range state.Tracker.Explanations {
		e := &state.Tracker.Explanations[k]
		if e.From >= 0 && e.FromNs <= o.ToNs && e.ToNs >= o.FromNs {
			changes = append(changes, k)
		}
	}
	r.section("Violations", "No violation in this span.", timeline.SubjectViolation, violations)
	r.section("Leader changes", "The leader did not change in this span.", timeline.SubjectChange, changes)
	return string(r.out), nil
}

// section explains violations or leader changes of the run.
func (r *report) section(heading, none, kind string, numbers []int) {
	r.line("\n### ", heading)
	if len(numbers) == 0 {
		r.line("\n", none)
	}
	for k, number := range numbers {
		if k == mostSections {
			r.line("\nAnd ", words.Number(int64(len(numbers)-k)), " more.")
			return
		}
		if c, err := view.Cause(r.look, kind, number); err == nil {
			r.cause(k+1, c)
		}
	}
}

// `cause` writes one explanation: its title, the events that led to the change or violation, and the parts of its
// length.
func (r *report) cause(number int, c *protocol.Cause) {
	rule := ""
	if c.Kind == timeline.SubjectViolation {
		rule = " Rule: " + forMarkdown(c.Bound) + "."
	}
	r.line("\n**", words.Number(int64(number)), ". ", forMarkdown(c.Title), "**", rule, "\n")
	for i := range c.Story {
		r.line("- ", words.Instant(c.Story[i].Cursor.T), " ", forMarkdown(c.Story[i].Text))
	}
	if len(c.Parts) == 0 {
		return
	}
	r.line("\n| s | what |\n|--:|:--|")
	total := int64(0)
	for i := range c.Parts {
		total += c.Parts[i].Ns
		r.line("| ", c.Parts[i].Shown, " | ", forMarkdown(c.Parts[i].Text), " |")
	}
	r.line("| ", strings.TrimSuffix(words.Seconds(total), " s"), " | in all |")
}
