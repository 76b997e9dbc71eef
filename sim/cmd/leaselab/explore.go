package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/explore"
	"github.com/leaselab/leaselab/sim/study/runfile"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// exploreFlags are the flags of `leaselab explore`. The fields from "sets" to "rules" say which choices the search
// tries, in which span, and which rules it watches. The fields "depth" and "states" bound the work.
type exploreFlags struct {
	sets   []string
	jitter string
	delay  string
	order  bool
	window string
	until  time.Duration
	rules  []string
	depth  int
	states int
	kept   kept
	write  string
	output string
	color  string

	colors palette
}

// exploreCommand is `leaselab explore`: it tries every schedule within bounds. If no schedule breaks a rule, it prints
// this as a claim. Otherwise it prints the first schedule that breaks a rule, as a scenario. The claim and the counts
// go to standard output, and notes on how to continue go to standard error. With --schedule, the counterexample also
// goes to a file.
//
// It exits 0 for a claim, 3 or 4 for a counterexample, and 130 if Ctrl-C came before either. A search that stops at
// --states also exits 0, since it has found nothing so far. It says "not complete", and its claim covers only the
// states that it has seen. Scripts must check .complete in -o json.
func exploreCommand() *cobra.Command {
	var f exploreFlags
	c := &cobra.Command{
		Use:               "explore SCENARIO",
		Args:              aScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.colors = paletteFor(cmd.OutOrStdout(), f.color)
			f.kept.again = commandLine(cmd, args)
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			return f.run(cmd.Context(), out, cmd.ErrOrStderr(), args[0])
		},
	}
	c.Flags().StringArrayVar(&f.sets, "set", nil, "")
	c.Flags().StringVar(&f.jitter, "jitter", "low,middle,high", "")
	c.Flags().StringVar(&f.delay, "delay", "none", "")
	c.Flags().BoolVar(&f.order, "order", true, "")
	c.Flags().StringVar(&f.window, "window", "", "")
	c.Flags().DurationVar(&f.until, "until", 0, "")
	c.Flags().StringArrayVar(&f.rules, "rule", nil, "")
	c.Flags().IntVar(&f.depth, "depth", 0, "")
	c.Flags().IntVar(&f.states, "states", explore.DefaultStates, "")
	c.Flags().StringVar(&f.kept.file, "resume", "", "")
	c.Flags().StringVar(&f.write, "schedule", "", "")
	formatFlag(c, &f.output, "text", "json", "yaml")
	completeWords(c, "rule", rules.WriteByNonHolder, rules.MoreThanOneActive, rules.MoreThanOneActive+">2s",
		"leaderless>30s")
	completeWords(c, "jitter", "low,middle,high", "low,high", "none")
	completeBy(c, "set", completeSet)
	colorFlag(c, &f.color)
	return c
}

// exploredReport is the JSON of `leaselab explore`. Claim spells out the bounds, so that it stays true when a reader
// quotes it alone. Seconds and the rates measure this process only, while States and Transitions include the rounds
// of earlier processes.
type exploredReport struct {
	Scenario             string            `json:"scenario"` // its name
	Engine               int               `json:"engine"`
	Rules                []string          `json:"rules"`
	Choices              []string          `json:"choices"` // the bounds, in words
	From                 summary.Seconds   `json:"from"`    // beginning of the window of choices
	To                   summary.Seconds   `json:"to"`
	Until                summary.Seconds   `json:"until"` // the end of the schedules
	Depth                int               `json:"depth"` // the bound on choices in a schedule; 0 for none
	Limit                int               `json:"limit"` // the bound on states
	Complete             bool              `json:"complete"`
	Claim                string            `json:"claim"`
	States               int64             `json:"states"`
	Transitions          int64             `json:"transitions"`
	Merged               int64             `json:"merged"` // transitions to a known state
	Events               int64             `json:"events"`
	Frontier             int               `json:"frontier"` // options that the search has not tried yet
	Deepest              int               `json:"deepest"`  // choices of the longest schedule
	Seconds              float64           `json:"seconds"`  // that it took
	StatesPerSecond      float64           `json:"statesPerSecond"`
	TransitionsPerSecond float64           `json:"transitionsPerSecond"`
	Counterexample       *exploredSchedule `json:"counterexample"` // null if no schedule breaks a rule
	Kept                 string            `json:"kept"`           // the file of --resume; "" if the search is over
}

// exploredSchedule is the schedule that breaks a rule first. Choices lists only the choices that differ from the
// default. The search looks for a schedule with few of them.
type exploredSchedule struct {
	Rule     string            `json:"rule"`
	Severity string            `json:"severity"` // safety or liveness
	At       summary.Seconds   `json:"at"`
	Text     string            `json:"text"`
	Choices  []exploredChoice  `json:"choices"`  // every other choice takes its default
	Scenario scenario.Scenario `json:"scenario"` // input for `leaselab run -`
}

// exploredChoice is one choice of a schedule, with its outcome in words: "b waits 2.400 s before its next attempt".
type exploredChoice struct {
	At   summary.Seconds `json:"at"`
	Kind string          `json:"kind"` // set, jitter, delay or order
	Node string          `json:"node"` // "" if the choice does not belong to a node
	Text string          `json:"text"`
}

// run makes the search. Its steps are in the order that loses the least work if one of them fails: refuse bounds that
// allow a single schedule, open the file, search, write the counterexample, print.
//
// If a counterexample's scenario does not break the rule when it runs, explore has a bug. Then run reports a crash
// (5) and prints no counterexample. It deletes the file of a finished search, because a resumed search would only
// print the same answer.
func (f *exploreFlags) run(ctx context.Context, out *bufio.Writer, notes io.Writer, arg string) (err error) {
	s, err := load(arg)
	if err != nil {
		return err
	}
	plan, err := f.plan(s)
	if err != nil {
		return err
	}
	x, err := explore.New(plan)
	if err != nil {
		return ofFlag(err)
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	if err := refuseOne(x); err != nil {
		return err
	}
	file, rounds, err := f.open(x)
	if err != nil {
		return err
	}
	defer closeRuns(file, &err)
	begun := time.Now()
	before := x.Counts()
	err = f.search(ctx, x, func(log []byte) error {
		rounds++
		return file.Append(rounds-1, log)
	})
	if err != nil {
		return fmt.Errorf("--resume %w", err)
	}
	c, err := x.Counterexample()
	if err != nil {
		return exitError{exitCrash, err.Error()}
	}
	report := f.report(x, c, before, time.Since(begun))
	switch {
	case file == nil:
	case x.Over():
		if err := file.Remove(); err != nil { // the search is over, so nothing remains to resume
			return err
		}
	default:
		report.Kept = f.kept.file
	}
	if f.write != "" && c != nil {
		if err := os.WriteFile(f.write, yaml.Encode(c.Scenario), 0o644); err != nil {
			return fmt.Errorf("--schedule: %w", err)
		}
	}
	switch f.output {
	case "json":
		writeDocument(out, "Exploration", report)
	case "yaml":
		if c != nil {
			out.Write(yaml.Encode(c.Scenario))
		} else {
			fmt.Fprintln(notes, "leaselab:", report.Claim)
		}
	default:
		writeExplored(f.colors.story(out), &report, f.write)
	}
	return f.code(ctx, x, c, notes)
}

// mostRounds is the most rounds that a file may have. The file's header needs a number of runs, and nobody can know
// in advance how many rounds a search takes.
const mostRounds = 1 << 30

// open opens the file of a search and continues from the rounds in it. Other studies may replay their runs in any
// order; here each round depends on the one before. So if a round is missing or does not fit, the later rounds are
// useless, and the error says to delete the file.
func (f *exploreFlags) open(x *explore.Explorer) (file *runfile.File[[]byte], rounds int, err error) {
	h, err := runfile.NewHeader(runfile.Header{Study: "explore", Runs: mostRounds}, study.Shard{}, x.Plan())
	if err != nil {
		return nil, 0, err
	}
	var stale error
	file, err = openRuns(f.kept, h, func(number int, log []byte) {
		switch {
		case stale != nil:
		case number != rounds:
			stale = errors.New("it is out of order")
		default:
			stale = x.Replay(log)
		}
		rounds++
	})
	if stale != nil {
		file.Close()
		return nil, 0, fmt.Errorf("--resume %s: the file has another search: %w; delete it and start again: %s",
			f.kept.file,
			stale, f.kept.again)
	}
	return file, rounds, err
}

// code returns the exit code and writes a note on how to continue. A search that found a counterexample exits with
// its verdict even after Ctrl-C.
func (f *exploreFlags) code(ctx context.Context, x *explore.Explorer, c *explore.Counterexample,
	notes io.Writer) error {
	if x.Full() {
		fmt.Fprintf(notes,
			"leaselab: stopped at --states %d; raise it, or use a narrower --window, fewer values or --depth to "+
				"finish\n", x.Plan().States)
	}
	switch {
	case c == nil && ctx.Err() != nil && !x.Full() && !x.Over(): // the search may not even have begun
		return exitError{exitCancelled, "cancelled; " + f.kept.goesOn()}
	case c == nil:
		return nil
	}
	code := exitLiveness
	if c.Rule.Severity() == rules.Safety {
		code = exitSafety
	}
	return exitError{code, fmt.Sprintf("exit code %d: %s is broken", code, c.Rule)}
}

// plan reads the flags. It checks --states itself, because 0 means the default in a plan but is a mistake on the
// command line.
func (f *exploreFlags) plan(s scenario.Scenario) (explore.Plan, error) {
	p := explore.Plan{Scenario: s, Sets: f.sets, Order: f.order, UntilNs: int64(f.until), Depth: f.depth,
		States: f.states}
	if f.states < 1 {
		return p, fmt.Errorf("--states %d must be 1 to %d", f.states, explore.MaxStates)
	}
	return p, ofFlag(p.Read(f.jitter, f.delay, f.window, f.rules))
}

// ofFlag puts the flag's name before an error about a bound. Each bound has the same name as its flag.
func ofFlag(err error) error {
	var wrong *explore.BoundError
	if errors.As(err, &wrong) {
		return fmt.Errorf("--%w", err)
	}
	return err
}

// refuseOne refuses bounds that allow only a single schedule. After one run, such a search would claim that no
// schedule breaks a rule, and a reader would mistake that for a proof.
func refuseOne(x *explore.Explorer) error {
	if p := x.Plan(); x.Single() {
		return fmt.Errorf(
			"these bounds allow only 1 schedule: from %s to %s the scenario draws no wait, delays no message "+
				"and has no two events at one instant; widen --window, or allow more with --jitter, --delay or --set",
			words.Seconds(p.FromNs), words.Seconds(p.ToNs))
	}
	return nil
}

// exploreGCPercent is how much a search lets the heap grow between two collections. Nearly all of the heap is known
// states, which have no pointers. So a collection costs little, and less garbage leaves room for more states.
const exploreGCPercent = 25

// search continues until the search is over or ctx ends. It calls the function keep with the log of each round. It
// checks ctx between two rounds, so that a file never has half a round.
func (f *exploreFlags) search(ctx context.Context, x *explore.Explorer, keep func(log []byte) error) error {
	defer debug.SetGCPercent(debug.SetGCPercent(exploreGCPercent))
	x.Workers(runtime.GOMAXPROCS(0))
	p := newProgress()
	defer p.erase()
	first := x.Counts().States
	for ctx.Err() == nil {
		p.say(func(took time.Duration) string {
			c := x.Counts()
			return fmt.Sprintf("%s states (%s/s), %s transitions, frontier %d, at most %d choices deep, at %s, %s",
				words.Thousands(c.States), roundRate(float64(c.States-first)/took.Seconds()),
				words.Thousands(c.Transitions), c.Frontier, c.Depth, words.Instant(c.NowNs), took.Round(time.Second))
		})
		log, more := x.Step()
		if !more {
			break
		}
		if err := keep(log); err != nil {
			return err
		}
	}
	return nil
}

// report is the answer as JSON, which is also the source of the text output. The argument "before" has the counts of
// the rounds in the file; the rates leave these counts out.
func (f *exploreFlags) report(x *explore.Explorer, c *explore.Counterexample, before explore.Counts,
	took time.Duration) exploredReport {
	p, n := x.Plan(), x.Counts()
	r := exploredReport{
		Scenario: p.Scenario.Name, Engine: world.Engine, Choices: x.Bounds(), From: summary.Seconds(p.FromNs),
		To: summary.Seconds(p.ToNs), Until: summary.Seconds(p.UntilNs),
		Depth: p.Depth, Limit: p.States, Complete: x.Complete(), Claim: x.Claim(), States: n.States,
		Transitions: n.Transitions, Merged: n.Merged, Events: n.Events,
		Frontier: n.Frontier, Deepest: n.Depth, Seconds: took.Seconds(),
		StatesPerSecond:      float64(n.States-before.States) / max(took.Seconds(), 1e-9),
		TransitionsPerSecond: float64(n.Transitions-before.Transitions) / max(took.Seconds(), 1e-9),
	}
	for _, rule := range p.Rules {
		r.Rules = append(r.Rules, rule.String())
	}
	if c == nil {
		return r
	}
	r.Counterexample = &exploredSchedule{
		Rule: c.Rule.String(), Severity: c.Rule.Severity().String(), At: summary.Seconds(c.AtNs), Text: c.Sentence,
		Choices: []exploredChoice{}, Scenario: c.Scenario,
	}
	for _, one := range c.Choices {
		r.Counterexample.Choices = append(r.Counterexample.Choices,
			exploredChoice{At: summary.Seconds(one.AtNs), Kind: one.Kind, Node: one.Node, Text: one.What})
	}
	return r
}

// writeExplored writes the claim first, then the schedule that breaks a rule, then the counts. Without --schedule it
// ends with the scenario itself, so that a reader with only the output can repeat the run.
func writeExplored(out painter, r *exploredReport, file string) {
	fmt.Fprintln(out, r.Claim)
	if c := r.Counterexample; c != nil {
		fmt.Fprintln(out)
		out.line(severity(c.Severity), "%s (%s) at %s: %s", c.Rule, c.Severity, words.Instant(int64(c.At)), c.Text)
		if len(c.Choices) == 0 {
			fmt.Fprintln(out, "This schedule takes the default at every choice.")
		} else {
			fmt.Fprintf(out, "%s there; all other choices take their defaults:\n",
				words.Count(len(c.Choices), "choice leads", "choices lead"))
		}
		for _, one := range c.Choices {
			fmt.Fprintf(out, "  %s  %-6s  %s\n", words.Instant(int64(one.At)), one.Kind, one.Text)
		}
	}
	complete := "complete"
	if !r.Complete {
		complete = "not complete"
	}
	fmt.Fprintf(out,
		"\n%s: %.1f s, %s states/s, %s transitions/s, %s of them to a known state, %s events, the longest schedule "+
			"has %s\n", complete,
		r.Seconds, roundRate(r.StatesPerSecond), roundRate(r.TransitionsPerSecond), words.Thousands(r.Merged),
		words.Thousands(r.Events), words.Count(r.Deepest, "choice", "choices"))
	switch {
	case r.Counterexample == nil:
	case file != "":
		out.whole("replay: leaselab run %s", words.ShellArgument(file))
	default:
		out.whole("\n%s", bytes.TrimSpace(yaml.Encode(r.Counterexample.Scenario)))
	}
}
