package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/view"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// comparedRun and compareReport are the JSON of `leaselab run --against`. Instants and lengths are seconds of virtual
// time. Hash names the trace of a run up to Until: two runs with the same hash have the same events.
type comparedRun struct {
	Title    string          `json:"title"`
	Scenario string          `json:"scenario"`
	Seed     uint64          `json:"seed"`
	Hash     string          `json:"hash"`
	Until    summary.Seconds `json:"until"`
}

// compareReport is the whole answer. The field Same is true if no event differs up to the end of the shorter run, and
// no leader change or violation differs at all. Totals contains the page's texts, with units, because some totals are
// counts, others durations or shares.
type compareReport struct {
	Engine      int                      `json:"engine"`
	A           comparedRun              `json:"a"`
	B           comparedRun              `json:"b"`
	Same        bool                     `json:"same"`
	Differences []comparedPlace          `json:"differences"`
	Changes     []comparedChange         `json:"leaderChanges"`
	Totals      []protocol.ComparedTotal `json:"totals"`
	Settings    []protocol.SettingPair   `json:"settings"` // fields that differ; "" means the default
}

// comparedPlace is one difference. Kind is "first" for the first event that differs (with both texts), "change" for a
// leader change, or "violation" for a violation that only one run has. The field In says which run has it: "a", "b" or
// "both".
type comparedPlace struct {
	At    summary.Seconds `json:"at"`
	Kind  string          `json:"kind"`
	In    string          `json:"in"`
	Text  string          `json:"text"`
	TextA string          `json:"textA,omitempty"`
	TextB string          `json:"textB,omitempty"`
}

// comparedChange pairs the leader changes of both runs by their number: the second change of run a with the second
// change of run b. If one run has fewer changes, its A or B is null, and so are both differences.
type comparedChange struct {
	A          *summary.Change  `json:"a,omitempty"`
	B          *summary.Change  `json:"b,omitempty"`
	AtSeconds  *summary.Seconds `json:"atSeconds,omitempty"`  // b's instant minus a's
	GapSeconds *summary.Seconds `json:"gapSeconds,omitempty"` // b's gap minus a's
	Differ     bool             `json:"differ"`
}

// compare shows two runs side by side, up to the first event that differs and beyond. It prints the settings that
// differ, the first difference, totals and leader changes. It returns no error whether the runs differ or not. Scripts
// should read .same from -o json.
//
// With --against-seed alone it compares two seeds of one scenario, which shows how much of an outcome is luck. With
// --against, --seed applies to both unless --against-seed says otherwise, because different seeds would hide the
// difference between the scenarios.
func (f *runFlags) compare(cmd *cobra.Command, arg string) error {
	if err := takesOnly(cmd, "against", "seed", "against-seed", "output", "color"); err != nil {
		return err
	}
	if err := checkOutput(f.output, "text", "json"); err != nil {
		return err
	}
	colors := paletteFor(cmd.OutOrStdout(), f.color)
	a, err := comparedSide(arg, f.seed)
	if err != nil {
		return err
	}
	b, err := comparedSide(cmp.Or(f.against, arg), cmp.Or(f.againstSeed, f.seed))
	if err != nil {
		return err
	}
	l := lab.New(nil)
	if err := l.Compare(a, b); err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	defer out.Flush()
	runs := l.TakeComparedRuns()
	outcome := view.Compare(&runs[0], &runs[1])
	if f.output == "json" {
		writeDocument(out, "Comparison", reportOf(outcome))
	} else {
		writeComparison(painter{out, colors}, outcome)
	}
	return nil
}

// comparedSide loads one side of a comparison. The side's title names the seed if the user gave one. Otherwise the two
// sides of `run crash --seed 1 --against-seed 17` would have the same title.
func comparedSide(arg, seed string) (protocol.Side, error) {
	s, err := loadWith(arg, seed)
	if err != nil {
		return protocol.Side{}, err
	}
	title := cmp.Or(s.Title, arg)
	if seed != "" {
		title += ", seed " + seed
	}
	return protocol.Side{Scenario: json.RawMessage(scenario.Encode(s)), Title: title}, nil
}

// reportOf turns the page's comparison, in nanoseconds, into the JSON of the command, in seconds. Pointers stay
// pointers: null means unknown, and 0 is a measured difference.
func reportOf(c *protocol.Comparison) compareReport {
	run := func(r *protocol.Compared) comparedRun {
		return comparedRun{Title: r.Title, Scenario: r.Scenario, Seed: r.Seed, Hash: r.Hash,
			Until: summary.Seconds(r.Until)}
	}
	change := func(r *protocol.ChangeRef) *summary.Change {
		if r == nil {
			return nil
		}
		return &summary.Change{At: summary.Seconds(r.At), From: r.From, To: r.To,
			LeaderlessSeconds: summary.Seconds(r.LeaderlessNs)}
	}
	out := compareReport{Engine: world.Engine, A: run(&c.A), B: run(&c.B), Same: c.Same, Differences: []comparedPlace{},
		Changes: []comparedChange{}, Totals: c.Totals, Settings: c.Settings}
	for _, d := range c.Differences {
		out.Differences = append(out.Differences,
			comparedPlace{At: summary.Seconds(d.T), Kind: d.Kind, In: d.In, Text: d.Text, TextA: d.TextA,
				TextB: d.TextB})
	}
	for _, p := range c.Changes {
		out.Changes = append(out.Changes,
			comparedChange{A: change(p.A), B: change(p.B), AtSeconds: (*summary.Seconds)(p.AtNs),
				GapSeconds: (*summary.Seconds)(p.GapNs), Differ: p.Differ})
	}
	return out
}

// writeComparison writes a comparison as text. It marks differences with an asterisk as well as a color, because a
// pipe removes the colors.
func writeComparison(out painter, c *protocol.Comparison) {
	fmt.Fprintf(out, "a: %s (seed %d, hash %s)\nb: %s (seed %d, hash %s)\n", c.A.Title, c.A.Seed, c.A.Hash, c.B.Title,
		c.B.Seed, c.B.Hash)
	for k, d := range c.Settings {
		if k == 0 {
			fmt.Fprintf(out, "\n%-32s %14s %14s\n", "settings", "a", "b")
		}
		fmt.Fprintf(out, "%-32s %14s %14s\n", d.Label, orDefault(d.A), orDefault(d.B))
	}
	if c.Same {
		out.line(green, "no difference: both runs have the same events up to %s",
			words.Instant(min(c.A.Until, c.B.Until)))
	}
	for _, d := range c.Differences {
		if d.Kind == "first" {
			fmt.Fprintln(out)
			out.line(yellow, "first difference at %s (%s)", words.Instant(d.T), exact((*summary.Seconds)(&d.T), ""))
			fmt.Fprintf(out, "  a: %s\n  b: %s\n", d.TextA, d.TextB)
		}
	}
	fmt.Fprintf(out, "\n%-32s %14s %14s %14s\n", "", "a", "b", "b - a")
	for _, t := range c.Totals {
		fmt.Fprintf(out, "%-32s %14s %14s %14s\n", t.Label, t.A, t.B, t.Delta)
	}
	fmt.Fprintf(out, "\nleader changes\n")
	for k, p := range c.Changes {
		mark, color := " ", ""
		if p.Differ {
			mark, color = "*", yellow
		}
		out.line(color, "%s %3d  %-34s  %s", mark, k+1, changeText(p.A), changeText(p.B))
	}
	for _, d := range c.Differences {
		if d.Kind == "violation" {
			out.line(yellow, "* %s  %s", words.Instant(d.T), d.Text)
		}
	}
}

// orDefault returns a field's value, or a word for the default.
func orDefault(value string) string {
	if value == "" {
		return "-"
	}
	return value
}

// changeText describes one leader change in a cell of the table: its instant, the new leader, and the gap before it.
func changeText(r *protocol.ChangeRef) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%s  %s, gap %s", words.Instant(r.At), r.To, words.Seconds(r.LeaderlessNs))
}
