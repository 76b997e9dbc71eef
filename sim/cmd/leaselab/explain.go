package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/whatif"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// explainFlags are the flags of `leaselab explain`. The fields "change" and "violation" count from 1; 0 means all. If
// the user gives only one of them, the other kind does not print: `--change 2` shows no violations. The zero value
// explains everything, and record.go and group.go use it for the stories of real programs.
type explainFlags struct {
	seed            string
	output          string
	counterfactuals bool
	change          int
	violation       int
	color           string
}

// explainCommand is `leaselab explain`: it explains why each leader change took as long as it did, and what led to each
// violation. It prints to standard output, as text or as one line of JSON. It exits 0 whatever it finds, because run
// and import --judge give the verdicts.
//
// With --counterfactuals it runs the scenario again a dozen times or more, each time with one thing changed. That works
// only for a scenario: nobody can repeat a record of real programs, so refuseRunFlags refuses the flag there.
func explainCommand() *cobra.Command {
	var f explainFlags
	var turn rerollFlags
	c := &cobra.Command{
		Use:               "explain SCENARIO|RECORD",
		Args:              aScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			colors := paletteFor(cmd.OutOrStdout(), f.color)
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			rerolls := []string{"rule", "runs", "points", "from", "to", "until"}
			switch {
			case isRecord(args[0]):
				if err := refuseRunFlags(cmd, args[0], "output", "change", "violation", "color"); err != nil {
					return err
				}
				return f.runRecord(out, args[0], colors)
			case turn.on:
				err := takesOnly(cmd, pointOfNoReturn, append(rerolls, "seed", "output", "color")...)
				if err != nil {
					return err
				}
				turn.seed, turn.output = f.seed, f.output
				return turn.run(cmd.Context(), out, args[0], colors)
			}
			if err := needs(cmd, pointOfNoReturn, rerolls...); err != nil {
				return err
			}
			return f.run(out, args[0], colors)
		},
	}
	c.Flags().StringVar(&f.seed, "seed", "", "")
	formatFlag(c, &f.output, "text", "json")
	c.Flags().BoolVar(&f.counterfactuals, "counterfactuals", false, "")
	c.Flags().IntVar(&f.change, "change", 0, "")
	colorFlag(c, &f.color)
	c.Flags().IntVar(&f.violation, "violation", 0, "")
	turn.add(c)
	return c
}

// explained is the JSON of `leaselab explain`. Instants and lengths are seconds of virtual time, exact to the
// nanosecond.
//
// The fields "changes" and "violations" are the counts for the whole run, even if the flags select a single one. The
// first line of the text needs both numbers: "crash, seed 1: 2 leader changes, 1 violation".
type explained struct {
	Findings   []summary.Finding    `json:"findings,omitempty"` // the mistakes of real programs
	Scenario   string               `json:"scenario"`
	Seed       uint64               `json:"seed"`
	Engine     int                  `json:"engine"`
	Changes    []explainedChange    `json:"changes"`
	Violations []explainedViolation `json:"violations"`

	changes, violations int // of the run
}

// explainedChange is one leader change. Parts, Chain and Ending split three overlapping spans of time:
//
//	old leader  renews         crashes
//	            |-- Ending ----|
//	                           |--- Parts: nobody leads -----|
//	               |------------- Chain: the takeover -------|
//	new leader     observes the renewal    waits   acquires  leads
//
// The parts of each list add up to its span, exact to the nanosecond. If the new leader starts before the old one
// stops, the gap is empty and LeaderlessSeconds is 0.
type explainedChange struct {
	Number            int             `json:"number"` // from 1
	At                summary.Seconds `json:"at"`
	From              string          `json:"from"` // "" for the first leader
	To                string          `json:"to"`
	LeaderlessSeconds summary.Seconds `json:"leaderlessSeconds"`
	Parts             []explainedPart `json:"parts"` // of the gap
	// the takeover: from the last renewal that the new leader observed until it started leading
	Chain           []explainedPart      `json:"chain"`
	Ending          []explainedPart      `json:"ending,omitempty"` // the previous leader's end, since its last renewal
	Story           []explainedLine      `json:"story"`
	Counterfactuals []counterfactualLine `json:"counterfactuals,omitempty"`
}

// explainedViolation is one broken rule. Parts splits the violation's duration. It is absent for a violation that
// continues, and for a rule that breaks at an instant, such as writeByNonHolder.
type explainedViolation struct {
	Number          int                  `json:"number"` // from 1
	Rule            string               `json:"rule"`
	Severity        string               `json:"severity"`
	From            summary.Seconds      `json:"from"`
	Until           *summary.Seconds     `json:"until"` // null if it lasts beyond the end of the run
	Parts           []explainedPart      `json:"parts,omitempty"`
	Story           []explainedLine      `json:"story"`
	Counterfactuals []counterfactualLine `json:"counterfactuals,omitempty"`
}

// explainedPart is one part of a length. Event is the event that shows the part, so that a reader can find the part in
// the trace.
type explainedPart struct {
	From    summary.Seconds `json:"from"`
	Seconds summary.Seconds `json:"seconds"`
	Text    string          `json:"text"`
	Event   explainedPlace  `json:"event"`
}

// explainedLine is one sentence of a story, with the event that it is about.
type explainedLine struct {
	Text  string         `json:"text"`
	Event explainedPlace `json:"event"`
}

// explainedPlace names an event of `leaselab run -o ndjson` by its instant and its number within the instant. The
// number is necessary because many events share an instant: a response arrives, the elector decides, and the next
// request leaves, all at 12.003 s. -1 means all events of the instant.
type explainedPlace struct {
	T summary.Seconds `json:"t"`
	N int32           `json:"n"`
}

// counterfactualLine is the result of one run with one change. Patch has the pairs for `leaselab run --set
// PATH=VALUE`. It is empty for a change of acts or candidates. The field "same" means that the change made no
// difference to the result; the text output combines such lines into one.
type counterfactualLine struct {
	With     string            `json:"with"`
	Patch    map[string]string `json:"patch,omitempty"`
	Result   string            `json:"result"` // a whatif.Fate, such as measured or neverAgain
	Seconds  summary.Seconds   `json:"seconds"`
	Longer   summary.Seconds   `json:"longer"` // the difference to the original run; negative means shorter
	Without  summary.Seconds   `json:"leaderlessSeconds,omitempty"`
	sentence string
	same     bool
}

func (f *explainFlags) run(out *bufio.Writer, arg string, colors palette) error {
	s, err := loadWith(arg, f.seed)
	if err != nil {
		return err
	}
	r := run.WithAll(s)
	r.To(r.EndNs(), nil)
	all, err := f.explainRun(s, r, int64(s.Duration), &conduct.Fold{})
	if err == nil {
		f.write(out, colors, all)
	}
	return err
}

// runRecord explains a record of real programs. It ends with a warning if leaselab died while it wrote the record.
func (f *explainFlags) runRecord(out *bufio.Writer, name string, colors palette) error {
	r, err := replayRecord(name, nil)
	if err != nil {
		return err
	}
	all, err := f.explainRun(r.Scenario, r.Run, r.EndNs, &r.Conduct)
	if err != nil {
		return err
	}
	f.write(out, colors, all)
	if f.output == "text" {
		writeBroken(out, r)
	}
	return nil
}

// write writes an explanation in the form that the flags ask for.
func (f *explainFlags) write(out *bufio.Writer, colors palette, all *explained) {
	if f.output == "json" {
		writeDocument(out, "Explanation", all)
	} else {
		writeExplained(colors.story(out), all)
	}
}

// explainRun explains a run that has settled at endNs. If a number exceeds the run's changes or violations, its error
// says how many the run has.
//
// The first leader gets no counterfactuals, because it has no predecessor. Neither does a change without a gap,
// because there is nothing to shorten. Observations such as knowsLostStillActive are not failures, and each would
// cost a dozen runs or more. So they get counterfactuals only if the user names one with --violation.
//
// The argument `did` has what real programs did wrong, and what they printed.
func (f *explainFlags) explainRun(s scenario.Scenario, r *run.Run, endNs int64,
	did *conduct.Fold) (*explained, error) {
	w, c, t := r.World, &r.Checks, r.Tracker
	switch {
	case f.change < 0 || f.change > len(t.Explanations):
		return nil, fmt.Errorf("--change %d: the run has %s", f.change,
			words.Count(len(t.Explanations), "leader change", "leader changes"))
	case f.violation < 0 || f.violation > len(c.Violations):
		return nil, fmt.Errorf("--violation %d: the run has %s", f.violation,
			words.Count(len(c.Violations), "violation", "violations"))
	}
	all := &explained{Findings: did.Tell(w, endNs), Scenario: s.Name, Seed: s.Seed, Engine: world.Engine,
		Changes: []explainedChange{}, Violations: []explainedViolation{}}
	all.changes, all.violations = len(t.Explanations), len(c.Violations)
	for k := range t.Explanations {
		if f.change != k+1 && (f.change != 0 || f.violation != 0) {
			continue
		}
		e := &t.Explanations[k]
		one := explainedChange{
			Number: k + 1, At: summary.Seconds(e.ToNs), From: e.FromName, To: e.ToName,
			LeaderlessSeconds: summary.Seconds(e.ToNs - e.FromNs),
			Parts:             partsOf(e.Parts), Chain: partsOf(e.Chain), Ending: partsOf(e.Ending),
			Story: withFacts(linesOf(e.Story), w, factsOf(did, t.Explanations, k, e.ToNs)),
		}
		if f.counterfactuals && k > 0 && e.FromNs < e.ToNs {
			var err error
			if one.Counterfactuals, err = whatIf(s, whatif.Subject{Number: k}); err != nil {
				return nil, err
			}
		}
		all.Changes = append(all.Changes, one)
	}
	for k := range c.Violations {
		if f.violation != k+1 && (f.change != 0 || f.violation != 0) {
			continue
		}
		v := &c.Violations[k]
		story := t.SoFar(w, k, v, endNs)
		one := explainedViolation{
			Number: k + 1, Rule: v.Rule, Severity: v.Severity.String(), From: summary.Seconds(v.FromNs),
			Parts: partsOf(story.Parts), Story: linesOf(story.Lines),
		}
		if k := story.Change; k >= 0 {
			untilNs := max(t.Explanations[k].ToNs, v.UntilNs)
			one.Story = withFacts(one.Story, w, factsOf(did, t.Explanations, k, untilNs))
		}
		if v.UntilNs >= 0 {
			until := summary.Seconds(v.UntilNs)
			one.Until = &until
		}
		if f.counterfactuals && (v.Severity != rules.Observation || f.violation != 0) {
			var err error
			if one.Counterfactuals, err = whatIf(s, whatif.Subject{Violation: true, Number: k}); err != nil {
				return nil, err
			}
		}
		all.Violations = append(all.Violations, one)
	}
	return all, nil
}

// placeOf, partsOf and linesOf turn the explanation's own types into JSON. They return empty lists rather than null, so
// that jq can iterate.
func placeOf(p explain.Place) explainedPlace {
	return explainedPlace{T: summary.Seconds(p.AtNs), N: p.Ordinal}
}

func partsOf(parts []explain.Part) []explainedPart {
	return elements.Of(parts, func(p explain.Part) explainedPart {
		return explainedPart{From: summary.Seconds(p.FromNs), Seconds: summary.Seconds(p.ToNs - p.FromNs),
			Text: p.Text, Event: placeOf(p.Event)}
	})
}

func linesOf(lines []explain.Line) []explainedLine {
	return elements.Of(lines, func(l explain.Line) explainedLine {
		return explainedLine{Text: l.Text, Event: placeOf(l.Event)}
	})
}

// sliceRequests is the number of requests in one slice of a trial. A shrink also reports its progress after that many
// requests, so a larger number would only delay its messages.
const sliceRequests = 50_000

// whatIf makes the counterfactual runs, on all cores. It needs no --resume file and no signal handler: Ctrl-C simply
// ends the process, because a few seconds of work are not worth saving.
func whatIf(s scenario.Scenario, subject whatif.Subject) ([]counterfactualLine, error) {
	c := whatif.New(whatif.Plan{Scenario: s, Subject: subject})
	if err := makeStages(context.Background(), c, "counterfactual runs"); err != nil {
		return nil, err
	}
	o := c.Outcome()
	all := make([]counterfactualLine, len(o.Lines))
	for i := range o.Lines {
		l := &o.Lines[i]
		all[i] = counterfactualLine{
			With: l.Label, Result: l.Result.Fate.String(), Seconds: summary.Seconds(l.Result.LengthNs),
			Longer:  summary.Seconds(l.Result.LengthNs - o.Base.LengthNs),
			Without: summary.Seconds(l.Result.LeaderlessNs), sentence: l.Sentence(&o), same: l.Result == o.Base,
		}
		for _, e := range l.Patch {
			if all[i].Patch == nil {
				all[i].Patch = map[string]string{}
			}
			all[i].Patch[e.Path] = e.Value
		}
	}
	return all, nil
}

// writeExplained writes the text of `leaselab explain`: a line with the counts, then each change and each violation as
// a block. The numbers in "change 2" are the ones that --change takes.
func writeExplained(out painter, all *explained) {
	fmt.Fprintf(out, "%s, seed %d: %s, %s\n", nameOr(all.Scenario), all.Seed,
		words.Count(all.changes, "leader change", "leader changes"),
		words.Count(all.violations, "violation", "violations"))
	writeConduct(out, all.Findings)
	for i := range all.Changes {
		c := &all.Changes[i]
		how := "Nobody led for " + words.Seconds(int64(c.LeaderlessSeconds)) + "."
		if c.LeaderlessSeconds == 0 {
			how = "Another leader was still active, so the cluster was never without one."
		}
		from := c.From + " → "
		if c.From == "" {
			from = ""
		}
		fmt.Fprintln(out)
		out.line(bold, "change %d: %s%s at %s. %s", c.Number, from, c.To, words.Instant(int64(c.At)), how)
		writeSum(out, c.Parts)
		writeStory(out, "events", c.Story)
		writeSumTitled(out, "takeover by "+c.To, c.Chain)
		if c.From != "" {
			writeSumTitled(out, "previous leader, from its last renewal", c.Ending)
		}
		writeWhatIf(out, c.Counterfactuals)
	}
	for i := range all.Violations {
		v := &all.Violations[i]
		length := ""
		if v.Until != nil && *v.Until > v.From {
			length = ", for " + words.Seconds(int64(*v.Until-v.From))
		}
		fmt.Fprintln(out)
		out.line(severity(v.Severity), "violation %d: %s (%s) at %s%s", v.Number, v.Rule, v.Severity,
			words.Instant(int64(v.From)), length)
		writeStory(out, "events", v.Story)
		writeSumTitled(out, "duration", v.Parts)
		writeWhatIf(out, v.Counterfactuals)
	}
}

// nameOr returns a scenario's name for the beginning of a sentence. A scenario from standard input may have none.
func nameOr(name string) string {
	if name == "" {
		return "the scenario"
	}
	return name
}

// writeStory writes the sentences of a story, each with the instant of its event.
func writeStory(out painter, title string, lines []explainedLine) {
	if len(lines) == 0 {
		return
	}
	out.line(faint, "  %s", title)
	for _, l := range lines {
		fmt.Fprintf(out, "    %s  %s\n", words.Instant(int64(l.Event.T)), l.Text)
	}
}

// writeSumTitled writes a sum under a title. It writes nothing for an empty sum.
func writeSumTitled(out painter, title string, parts []explainedPart) {
	if len(parts) == 0 {
		return
	}
	out.line(faint, "  %s", title)
	writeSum(out, parts)
}

// writeSum writes one part per line, and the total. The rounded parts add up to the rounded sum. Rounding each part
// alone could print 0.333 + 0.333 + 0.333 = 1.000, and a reader would look for the missing millisecond.
// LargestRemainder adds that millisecond to the part that rounding shortened the most.
func writeSum(out io.Writer, parts []explainedPart) {
	if len(parts) == 0 {
		return
	}
	lengths, total := make([]int64, len(parts)), int64(0)
	for i, p := range parts {
		lengths[i] = int64(p.Seconds)
		total += lengths[i]
	}
	sum := words.Seconds(total)
	for i, ms := range explain.LargestRemainder(lengths, 1e6) {
		sign := "+"
		if i == 0 {
			sign = " "
		}
		fmt.Fprintf(out, "    %s %*s  %s\n", sign, len(sum), fmt.Sprintf("%d.%03d s", ms/1000, ms%1000), parts[i].Text)
	}
	fmt.Fprintf(out, "    = %s\n", sum)
}

// writeWhatIf writes the counterfactuals, best first, as whatif ranks them. Changes that made no difference share one
// faint line at the end. A reader should know that these changes do not help, but none of them deserves its own line.
func writeWhatIf(out painter, all []counterfactualLine) {
	if len(all) == 0 {
		return
	}
	out.line(faint, "  counterfactuals (same seed, one change each)")
	var same []string
	for i := range all {
		if all[i].same {
			same = append(same, all[i].With)
			continue
		}
		fmt.Fprintf(out, "    with %s\n", all[i].sentence)
	}
	if len(same) > 0 {
		out.line(faint, "    no difference with %s", strings.Join(same, ", "))
	}
}
