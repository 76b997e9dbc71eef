package main

import (
	"bufio"
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
	colour string

	colours palette
}

func exploreCommand() *cobra.Command {
	var f exploreFlags
	c := &cobra.Command{
		Use:   "explore SCENARIO",
		Short: "Go through every schedule within bounds: a claim about all of them, or the first that breaks a rule",
		Long: "explore decides what a run leaves to its seed and to its order in every way that the flags allow: how " +
			"long a candidate waits before an\n" +
			"attempt to acquire (--jitter), what comes first at one instant (--order), how much longer messages take " +
			"(--delay), and the values of\n" +
			"fields (--set), such as the instant of a fault. It claims that none of these schedules breaks a rule, " +
			"or prints the one that breaks it\n" +
			"first, with as few choices as that takes, as a scenario that `leaselab run` shows. A claim is about the " +
			"schedules within the\n" +
			"bounds and no others.\n\n" +
			"Schedules that come to the same state are explored once from there: states are the same if their " +
			"futures are, counted from their own\n" +
			"instants. A wait, a delay or an order is chosen within --window only; outside of it messages are not " +
			"delayed, what happens at one\n" +
			"instant has its usual order, waits before it are those of the seed, and waits after it are the middle " +
			"ones (without one in --jitter: the\n" +
			"first there). A node's own timers always come first at an instant.\n\n" +
			"Exit codes: 0 no schedule breaks a rule, 3 safety is broken, 4 liveness is broken. A search that ends " +
			"at a bound says so, in words and\n" +
			"as complete: false. Ctrl-C ends it; the exit code is 130 if nothing was found by then. With --resume " +
			"FILE the same command goes on from\n" +
			"there, also after a kill or on a full disk. It uses all cores, and the answer, its counts and its file " +
			"do not depend on how many there are.",
		Example: "  # B05: does a release wipe the Lease of a successor? When must the network heal for that?\n" +
			"  leaselab explore b05-wiped-lease --set 'actions[0].for=10s..21s/1s' --rule writeByNonHolder\n" +
			"  # and never with a release that compares the holder\n" +
			"  leaselab explore b05-wiped-lease-fixed --set 'actions[0].for=10s..21s/1s' --rule writeByNonHolder\n" +
			"  leaselab explore my.yaml --delay 1s,5s --window 20s..40s --rule 'moreThanOneActive>2s' --write " +
			"broken.yaml\n" +
			"  leaselab explore my.yaml --jitter 0,0.25,0.5,0.75 --depth 12 -o json",
		Args:              aScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if f.colours, err = paletteFor(cmd.OutOrStdout(), f.colour); err != nil {
				return err
			}
			f.kept.again = commandLine(cmd, args)
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			return f.run(cmd.Context(), out, cmd.ErrOrStderr(), args[0])
		},
	}
	c.Flags().StringArrayVar(&f.sets, "set", nil,
		"choose the value of a field, as `PATH=VALUES`: VALUE,VALUE,… or FROM..TO/STEP; repeat for another field")
	c.Flags().StringVar(&f.jitter, "jitter", "low,middle,high",
		"`draws` to choose from for each wait of a candidate: low, middle, high, numbers from 0 to below 1, or none "+
			"for the seed's own")
	c.Flags().StringVar(&f.delay, "delay", "none",
		"`lengths` to choose from, beside 0s, by which each request and each answer takes longer, such as 1s,5s")
	c.Flags().BoolVar(&f.order, "order", true,
		"take acts, requests and answers of one instant in every order, acts among themselves in the scenario's")
	c.Flags().StringVar(&f.window, "window", "", "choose from `FROM..TO` only (default: the whole run)")
	c.Flags().DurationVar(&f.until, "until", 0, "end of the schedules (default: the scenario's duration)")
	c.Flags().StringArrayVar(&f.rules, "rule", nil,
		"look for a breach of this `RULE`, and repeat for others: writeByNonHolder, moreThanOneActive, "+
			"moreThanOneActive>2s, leaderless>30s (default: the first two)")
	c.Flags().IntVar(&f.depth, "depth", 0, "vary only so many choices of each schedule (default: all)")
	c.Flags().IntVar(&f.states, "states", explore.DefaultStates, "stop at so many states; a million takes about 80 MB")
	resumeFlag(c, &f.kept.file,
		"keep the search in this `file`, and go on from it if it is there")
	c.Flags().StringVar(&f.write, "write", "", "write the schedule that breaks a rule to this `file`")
	c.Flags().StringVarP(&f.output, "output", "o", "text", "text, json, or yaml: the schedule that breaks a rule only")
	completeWords(c, "output", "text", "json", "yaml")
	completeWords(c, "rule", rules.WriteByNonHolder, rules.MoreThanOneActive, rules.MoreThanOneActive+">2s",
		"leaderless>30s")
	completeWords(c, "jitter", "low,middle,high", "low,high", "none")
	completeBy(c, "set", completeSet)
	colourFlag(c, &f.colour)
	return c
}

// exploredReport is the JSON of `leaselab explore`.
type exploredReport struct {
	Scenario             string            `json:"scenario"` // its name
	Engine               int               `json:"engine"`
	Rules                []string          `json:"rules"`
	Choices              []string          `json:"choices"` // the bounds, in words
	From                 summary.Seconds   `json:"from"`    // of the window of choices
	To                   summary.Seconds   `json:"to"`
	Until                summary.Seconds   `json:"until"` // the end of the schedules
	Depth                int               `json:"depth"` // the bound of choices of a schedule, 0: none
	Limit                int               `json:"limit"` // the bound of states
	Complete             bool              `json:"complete"`
	Claim                string            `json:"claim"`
	States               int64             `json:"states"`
	Transitions          int64             `json:"transitions"`
	Merged               int64             `json:"merged"` // transitions to a state that was known
	Events               int64             `json:"events"`
	Frontier             int               `json:"frontier"` // options that are still open
	Deepest              int               `json:"deepest"`  // choices of the longest schedule
	Seconds              float64           `json:"seconds"`  // that it took
	StatesPerSecond      float64           `json:"statesPerSecond"`
	TransitionsPerSecond float64           `json:"transitionsPerSecond"`
	Counterexample       *exploredSchedule `json:"counterexample"` // null: no schedule breaks a rule
	Kept                 string            `json:"kept"`           // the file of --resume, "": nothing to go on with
}

// exploredSchedule is the schedule that breaks a rule first.
type exploredSchedule struct {
	Rule     string            `json:"rule"`
	Severity string            `json:"severity"` // safety or liveness
	At       summary.Seconds   `json:"at"`
	Text     string            `json:"text"`
	Choices  []exploredChoice  `json:"choices"`  // all others are the default
	Scenario scenario.Scenario `json:"scenario"` // as `leaselab run -` takes it
}

type exploredChoice struct {
	At   summary.Seconds `json:"at"`
	Kind string          `json:"kind"` // set, jitter, delay or order
	Node string          `json:"node"` // "" if it is none of a node
	Text string          `json:"text"`
}

func (f *exploreFlags) run(ctx context.Context, out *bufio.Writer, notes io.Writer, arg string) error {
	if err := checkOutput(f.output, "text", "json", "yaml"); err != nil {
		return err
	}
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
	defer file.Close()
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
		if err := file.Remove(); err != nil { // it has nothing to go on with
			return err
		}
	default:
		report.Kept = f.kept.file
	}
	if f.write != "" && c != nil {
		if err := os.WriteFile(f.write, yaml.Encode(c.Scenario), 0o644); err != nil {
			return err
		}
	}
	switch f.output {
	case "json":
		writeLine(out, report)
	case "yaml":
		if c != nil {
			out.Write(yaml.Encode(c.Scenario))
		} else {
			fmt.Fprintln(notes, "leaselab:", report.Claim)
		}
	default:
		writeExplored(painter{out, f.colours}, &report, f.write)
	}
	return f.code(ctx, x, c, notes)
}

// mostRounds is how many rounds a file has at most.
const mostRounds = 1 << 30

// open opens the file of a search, and goes on from the rounds that it has.
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
			stale = errors.New("it is not the next one")
		default:
			stale = x.Replay(log)
		}
		rounds++
	})
	if stale != nil {
		file.Close()
		return nil, 0, fmt.Errorf("--resume %s: its rounds do not fit: %w; delete the file and start again: %s",
			f.kept.file,
			stale, f.kept.again)
	}
	return file, rounds, err
}

// code is the exit code, with a note on how to go on.
func (f *exploreFlags) code(ctx context.Context, x *explore.Explorer, c *explore.Counterexample,
	notes io.Writer) error {
	if x.Full() {
		fmt.Fprintf(notes,
			"leaselab: --states %d was reached; a larger one, or a narrower --window, fewer values or --depth let it "+
				"end\n", x.Plan().States)
	}
	switch {
	case c == nil && ctx.Err() != nil && !x.Full() && !x.Over(): // it may not even have begun
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

func (f *exploreFlags) plan(s scenario.Scenario) (explore.Plan, error) {
	p := explore.Plan{Scenario: s, Sets: f.sets, Order: f.order, UntilNs: int64(f.until), Depth: f.depth,
		States: f.states}
	if f.states < 1 {
		return p, fmt.Errorf("--states %d must be 1 to %d", f.states, explore.MaxStates)
	}
	return p, ofFlag(p.Read(f.jitter, f.delay, f.window, f.rules))
}

// ofFlag names the flag of an error about a bound, which has the name of its flag.
func ofFlag(err error) error {
	var wrong *explore.BoundError
	if errors.As(err, &wrong) {
		return fmt.Errorf("--%w", err)
	}
	return err
}

// refuseOne refuses bounds with a single schedule.
func refuseOne(x *explore.Explorer) error {
	if p := x.Plan(); x.Single() {
		return fmt.Errorf(
			"there is 1 schedule within these bounds: from %s to %s the scenario waits by no draw, delays no message "+
				"and has no two things at one instant; widen --window, or allow more with --jitter, --delay or --set",
			words.Seconds(p.FromNs), words.Seconds(p.ToNs))
	}
	return nil
}

// exploreGCPercent is how much a search lets the heap grow between two collections. Nearly all of it is states that are
// known, which have no pointers: a collection costs little, and what it waits for would be memory for more states.
const exploreGCPercent = 25

// search goes on until the search is over or ctx ends. It calls keep with the log of each round.
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
		Rule: c.Rule.String(), Severity: c.Rule.Severity().String(), At: summary.Seconds(c.AtNs), Text: c.Told,
		Choices: []exploredChoice{}, Scenario: c.Scenario,
	}
	for _, one := range c.Choices {
		r.Counterexample.Choices = append(r.Counterexample.Choices,
			exploredChoice{At: summary.Seconds(one.AtNs), Kind: one.Kind, Node: one.Node, Text: one.What})
	}
	return r
}

func writeExplored(out painter, r *exploredReport, file string) {
	fmt.Fprintln(out, r.Claim)
	if c := r.Counterexample; c != nil {
		fmt.Fprintln(out)
		out.line(severity(c.Severity), "%s (%s) at %s: %s", c.Rule, c.Severity, words.Instant(int64(c.At)), c.Text)
		if len(c.Choices) == 0 {
			fmt.Fprintln(out, "Every choice of this schedule is the default.")
		} else {
			fmt.Fprintf(out, "%s there; every other one is the default:\n",
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
		fmt.Fprintf(out, "replay: leaselab run %s\n", words.ShellArgument(file))
	default:
		fmt.Fprintf(out, "\n%s", yaml.Encode(r.Counterexample.Scenario))
	}
}
