package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/reroll"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// rerollFlags are the flags of `leaselab explain --point-of-no-return`. In the fields "from", "to" and "until", 0 means
// the default.
type rerollFlags struct {
	on       bool
	seed     string
	rule     string
	output   string
	runs     int
	points   int
	from, to time.Duration
	until    time.Duration
}

// The flag pointOfNoReturn makes explain find the instant from which a violation is inevitable. From each of several
// instants it continues the run many times with fresh randomness and counts how many continuations break the rule.
//
// It writes a curve to standard output, as bars or JSON, and exits 0 whatever it finds. After Ctrl-C it exits 130
// without a curve, because half a curve does not show where the share rises.
const pointOfNoReturn = "point-of-no-return"

// add adds the flags to explain.
func (f *rerollFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&f.on, pointOfNoReturn, false, "")
	flags.StringVar(&f.rule, "rule", "", "")
	flags.IntVar(&f.runs, "runs", 200, "")
	flags.IntVar(&f.points, "points", 20, "")
	flags.DurationVar(&f.from, "from", 0, "")
	flags.DurationVar(&f.to, "to", 0, "")
	flags.DurationVar(&f.until, "until", 0, "")
	completeWords(c, "rule", ruleWords()...)
}

// rerolled is the JSON of `leaselab explain --point-of-no-return`. Instants are seconds of virtual time. Three members
// look similar but differ: HappensAt is the instant at which the run itself breaks the rule. From InevitableFrom on, at
// least 99 % of the continuations break it. Turn is where that share rises most. In a typical failover, the fault is
// the turn, and the violation itself follows 15 s later.
type rerolled struct {
	Scenario       string           `json:"scenario"`
	Seed           uint64           `json:"seed"`
	Engine         int              `json:"engine"`
	Rule           string           `json:"rule"`
	Runs           int              `json:"runs"`
	HappensAt      *summary.Seconds `json:"happensAt"`      // in the run itself; null if never
	InevitableFrom *summary.Seconds `json:"inevitableFrom"` // null if never
	Turn           *rerolledTurn    `json:"turn"`           // null if the share does not rise
	Points         []rerolledPoint  `json:"points"`
}

// rerolledTurn is the span in which the share rises most, with the events in that span. The turn lies between two
// instants of the curve, because reroll measures the share only at these instants.
type rerolledTurn struct {
	After    summary.Seconds `json:"after"`
	UpTo     summary.Seconds `json:"upTo"`
	Share    [2]float64      `json:"share"` // before and after
	Happened []explainedLine `json:"happened"`
}

// rerolledPoint is one instant of the curve. Hits is the number of continuations from there that broke the rule.
type rerolledPoint struct {
	At    summary.Seconds `json:"at"`
	Hits  int             `json:"hits"`
	Share float64         `json:"share"`
	Low   float64         `json:"low"` // Wilson's 95 % interval
	High  float64         `json:"high"`
}

func (f *rerollFlags) run(ctx context.Context, out *bufio.Writer, arg string, colors palette) (err error) {
	s, err := loadWith(arg, f.seed)
	if err != nil {
		return err
	}
	event, err := reroll.ParseEvent(f.rule)
	if err != nil {
		return fmt.Errorf("--rule: %w", err)
	}
	for _, at := range []struct {
		flag string
		d    time.Duration
	}{{"from", f.from}, {"to", f.to}, {"until", f.until}} {
		if at.d < 0 || at.d > time.Duration(s.Duration) {
			return fmt.Errorf("--%s %s must lie between 0 and the scenario's duration, %s", at.flag, at.d, s.Duration)
		}
	}
	if f.to > 0 && f.from > f.to {
		return fmt.Errorf("--from %s must not be after --to %s", f.from, f.to)
	}
	r, err := reroll.New(reroll.Plan{
		Scenario: s, Event: event, Runs: f.runs, Points: f.points, FromNs: int64(f.from), ToNs: int64(f.to),
		UntilNs: int64(f.until),
	})
	if err != nil {
		return fmt.Errorf("--%w", err)
	}
	if err := makeStages(ctx, r, "continuations"); err != nil {
		return err
	}
	o := r.Outcome()
	if f.output == "json" {
		writeDocument(out, "PointOfNoReturn", rerolledOf(&s, f, &o))
		return nil
	}
	writeRerolled(colors.story(out), &s, f, &o)
	return nil
}

// rerolledOf turns an outcome into JSON. A negative instant stands for never, and becomes null.
func rerolledOf(s *scenario.Scenario, f *rerollFlags, o *reroll.Outcome) rerolled {
	all := rerolled{Scenario: s.Name, Seed: s.Seed, Engine: world.Engine, Rule: f.rule, Runs: f.runs,
		Points: []rerolledPoint{}}
	at := func(ns int64) *summary.Seconds {
		if ns < 0 {
			return nil
		}
		seconds := summary.Seconds(ns)
		return &seconds
	}
	all.HappensAt, all.InevitableFrom = at(o.HappensNs), at(o.InevitableNs)
	if turn := &o.Turn; turn.FromNs < turn.ToNs {
		all.Turn = &rerolledTurn{
			After: summary.Seconds(turn.FromNs), UpTo: summary.Seconds(turn.ToNs),
			Share: [2]float64{turn.From, turn.To}, Happened: eventsBetween(*s, turn.FromNs, turn.ToNs),
		}
	}
	for _, p := range o.Points {
		all.Points = append(all.Points, rerolledPoint{At: summary.Seconds(p.AtNs), Hits: p.Hits, Share: p.Share(),
			Low: p.Low, High: p.High})
	}
	return all
}

// mostHappened is the most events that a turn lists. If a turn has more, no single event is to blame, and the list
// stays empty.
const mostHappened = 4

// eventsBetween lists the events after afterNs, up to upToNs, that may have decided the outcome: events that draw a
// random number, and events that are not routine. It makes the run again, because the study keeps no events.
func eventsBetween(s scenario.Scenario, afterNs, upToNs int64) []explainedLine {
	r := run.WithAll(s)
	r.To(afterNs, nil)
	return linesOf(reroll.EventsUpTo(r, upToNs, mostHappened))
}

// barWidth is the width of a bar in characters. One character stands for 4 %, which is less than the confidence
// interval of 200 continuations.
const barWidth = 25

// writeRerolled writes the curve: a bar for each instant, then the turn with its events, then the answer.
func writeRerolled(out painter, s *scenario.Scenario, f *rerollFlags, o *reroll.Outcome) {
	happens := "is not broken in the run itself"
	if o.HappensNs >= 0 {
		happens = "is first broken at " + words.Instant(o.HappensNs)
	}
	fmt.Fprintf(out, "%s, seed %d: %s %s; %s from each instant\n\n", nameOr(s.Name), s.Seed, f.rule,
		happens, words.Count(f.runs, "continuation", "continuations"))
	for _, p := range o.Points {
		full := int(p.Share()*barWidth + 0.5)
		bar := strings.Repeat("█", full) + strings.Repeat("·", barWidth-full)
		fmt.Fprintf(out, "  %s  %s %5.1f %%  (%.1f to %.1f %%)\n", words.Instant(p.AtNs), bar, 100*p.Share(), 100*p.Low,
			100*p.High)
	}
	if turn := &o.Turn; turn.FromNs < turn.ToNs {
		fmt.Fprintf(out, "\nThe share rises most between %s and %s, from %.1f to %.1f %%.\n",
			words.Instant(turn.FromNs), words.Instant(turn.ToNs), 100*turn.From, 100*turn.To)
		for _, line := range eventsBetween(*s, turn.FromNs, turn.ToNs) {
			fmt.Fprintf(out, "  %s  %s\n", words.Instant(int64(line.Event.T)), line.Text)
		}
	}
	fmt.Fprintln(out)
	if o.InevitableNs < 0 {
		out.line(green, "Not inevitable at any of these instants.")
		return
	}
	out.line(red, "Inevitable from %s on: at least 99 %% of the continuations break the rule.",
		words.Instant(o.InevitableNs))
	if o.InevitableNs == 0 {
		fmt.Fprintln(out, "So the scenario decides, and no draw does. --counterfactuals shows which act matters.")
	}
}
