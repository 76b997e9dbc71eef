package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/failure"
	"github.com/leaselab/leaselab/sim/study/hunt"
	"github.com/leaselab/leaselab/sim/study/runfile"
	"github.com/leaselab/leaselab/sim/words"
	"github.com/leaselab/leaselab/sim/world"
)

// huntFlags are the flags of `leaselab hunt`. The field "given" says whether the user gave a flag. It is necessary
// because `--runs 0` is a mistake, but without --runs, zero means "the usual number, or as many as --budget allows".
type huntFlags struct {
	runs   int64
	budget time.Duration
	given  func(flag string) bool
	seed   string
	faults []string
	blind  bool
	shrink bool
	output string
	dir    string
	kept   kept
	color  string
}

// usualRuns is how many runs a hunt makes without --runs and --budget.
const usualRuns = 1000

// huntCommand is `leaselab hunt`: it looks for faults that make a scenario break a rule. It prints each distinct
// failure, shrunk, with the command that repeats it. With --failures it also writes each failure to a file in a
// directory, as soon as the hunt has shrunk it. With --resume it saves every trial in a file.
//
// It exits 0 if it found nothing, which proves nothing. Otherwise the worst failure determines the exit code: 5 for a
// crash of the simulator, then 3, then 4. After Ctrl-C the failures found so far determine the code; if there are none,
// it exits 130.
//
// The answer depends only on the scenario, the seed, the kinds of faults and the number of runs. With --budget, the
// number of runs depends on the clock, so to repeat such a hunt, use the number that it prints.
func huntCommand() *cobra.Command {
	var f huntFlags
	names, help := hunt.Kinds()
	var lines strings.Builder
	for i := range names {
		fmt.Fprintf(&lines, "\n  %-10s %s", names[i], help[i])
	}
	c := &cobra.Command{
		Use:               "hunt SCENARIO",
		Long:              lines.String(),
		Args:              aScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			colors := paletteFor(cmd.OutOrStdout(), f.color)
			f.given, f.kept.again = cmd.Flags().Changed, commandLine(cmd, args)
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			return f.run(cmd.Context(), out, args[0], colors)
		},
	}
	c.Flags().Int64Var(&f.runs, "runs", 0, "")
	c.Flags().DurationVar(&f.budget, "budget", 0, "")
	c.Flags().StringVar(&f.seed, "seed", "", "")
	c.Flags().StringSliceVar(&f.faults, "faults", nil, "")
	c.Flags().BoolVar(&f.blind, "blind", false, "")
	c.Flags().BoolVar(&f.shrink, "shrink", true, "")
	formatFlag(c, &f.output, "text", "json")
	c.Flags().StringVar(&f.dir, "failures", "", "")
	c.Flags().StringVar(&f.kept.file, "resume", "", "")
	completeWords(c, "faults", names...)
	colorFlag(c, &f.color)
	return c
}

// hunted is the JSON of `leaselab hunt`. Two hunts with equal hashes made the same runs. Seconds is the only member
// that differs between machines.
type hunted struct {
	Scenario string          `json:"scenario"` // its name
	Engine   int             `json:"engine"`
	Seed     uint64          `json:"seed"` // of the hunt
	Runs     int             `json:"runs"`
	Hash     string          `json:"hash"`     // over the trace hashes of all runs: the same on every machine
	Seconds  float64         `json:"seconds"`  // that it took
	Features int             `json:"features"` // kinds of event pairs, states and margins that runs reached
	Failures []huntedFailure `json:"failures"`
}

// huntedFailure is a distinct failure: no other failure has the same rule and the same causes. Acts and Found show what
// shrinking achieved: for example, Acts is 1 and Found is 7. Scenario asserts the violation itself, so `leaselab run`
// exits 0 for this scenario as long as the bug exists.
type huntedFailure struct {
	Rule     string            `json:"rule"`
	Severity string            `json:"severity"` // safety or liveness; crash if the simulator failed
	Seed     uint64            `json:"seed"`     // of the scenario
	Run      int               `json:"run"`      // the run that found it, from 1
	Acts     int               `json:"acts"`     // of the scenario
	Found    int               `json:"found"`    // acts of the run that found it
	Causes   []string          `json:"causes"`   // without names and times
	Replay   string            `json:"replay"`   // the command that runs it again
	Scenario scenario.Scenario `json:"scenario"` // input for `leaselab run -`
}

// run makes the hunt and prints what it found, even if the hunt ends with an error: a full disk under --resume must
// not lose the failures of an hour.
func (f *huntFlags) run(ctx context.Context, out *bufio.Writer, arg string, colors palette) (err error) {
	s, err := load(arg)
	if err != nil {
		return err
	}
	plan, err := f.plan(s)
	if err != nil {
		return err
	}
	h, err := hunt.New(plan)
	if err != nil {
		return fmt.Errorf("--%w", err)
	}
	header, err := runfile.NewHeader(runfile.Header{Study: "hunt", Runs: hunt.MaxRuns + 1}, study.Shard{}, plan)
	if err != nil {
		return err
	}
	continues := false
	file, err := openRuns(f.kept, header, func(_ int, r hunt.Record) {
		continues = true
		h.Know(r)
	})
	if err != nil {
		return err
	}
	defer closeRuns(file, &err)
	if f.dir != "" {
		if err := os.MkdirAll(f.dir, 0o755); err != nil {
			return err
		}
		there, _ := filepath.Glob(filepath.Join(f.dir, "hunt-*.yaml")) // the pattern is correct
		if len(there) > 0 && !continues {
			return fmt.Errorf("--failures %s: %s is there already, and this hunt would replace it; name another "+
				"folder, or move that file", f.dir, filepath.Base(there[0]))
		}
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	begun := time.Now()
	failed := f.rounds(ctx, h, file)
	o := h.Outcome()
	all := f.report(&s, plan.Seed, &o, time.Since(begun))
	if f.output == "json" {
		writeDocument(out, "Hunt", all)
	} else {
		writeHunted(colors.story(out), &all)
	}
	if failed != nil {
		return failed
	}
	if ctx.Err() != nil {
		fmt.Fprintln(stderr, "leaselab: cancelled; these are the results so far")
		if len(o.Failures) == 0 {
			return exitError{code: exitCancelled}
		}
	}
	return huntCode(&o)
}

// plan reads the flags. With only --budget, time is the limit, so the hunt may make as many runs as any hunt.
func (f *huntFlags) plan(s scenario.Scenario) (hunt.Plan, error) {
	p := hunt.Plan{Scenario: s, Seed: s.Seed, Faults: f.faults, Blind: f.blind, Whole: !f.shrink, Runs: usualRuns}
	if f.seed != "" {
		with, err := scenario.Set(s, "seed", f.seed)
		if err != nil {
			return p, fmt.Errorf("--%w", err)
		}
		p.Seed = with.Seed
	}
	switch {
	case f.given("runs") && (f.runs < 1 || f.runs > hunt.MaxRuns):
		return p,
			fmt.Errorf(
				"--runs %d must be 1 to %d, the limit of one hunt; to limit the time instead, use --budget 10m; to "+
					"try other faults, use another --seed", f.runs, hunt.MaxRuns)
	case f.given("budget") && f.budget <= 0:
		return p, fmt.Errorf("--budget %s must be above 0", f.budget)
	case f.runs > 0:
		p.Runs = int(f.runs)
	case f.budget > 0:
		p.Runs = hunt.MaxRuns
	}
	return p, nil
}

// round is a study.Plan of the trials of one round, so that onAllCores can make them like the runs of any study.
type round []*hunt.Trial

// Runs implements study.Plan.
func (r round) Runs() int { return len(r) }

// Run implements study.Plan. A trial is a run with its faults, or the shrinking of one failure, which takes as long
// as hundreds of runs. The page interleaves slices of trials, but here each trial has a core to itself.
func (r round) Run(number int) hunt.Record {
	for !r[number].Go(sliceRequests) {
	}
	return r[number].Record()
}

// rounds runs the rounds of a hunt on all cores, until the hunt is over, the time is up, or ctx ends. It writes each
// result to the file at once.
//
// A round ends before the next begins, because what its runs found determines the next runs. When the time is up,
// some failures may not be shrunk yet. Last returns the trials that shrink them, so a hunt with --budget takes
// somewhat longer than the budget.
//
// The --resume file may already have the results of some trials. The method rounds does not make those trials again,
// but h.Take gets all trials, in order.
func (f *huntFlags) rounds(ctx context.Context, h *hunt.Hunt, file *runfile.File[hunt.Record]) error {
	p, begun := newProgress(), time.Now()
	defer p.erase()
	made, written := 0, 0
	for late := false; !late && ctx.Err() == nil; {
		late = f.budget > 0 && time.Since(begun) > f.budget
		trials := h.Last()
		if !late {
			trials = h.Round()
		}
		if len(trials) == 0 {
			break
		}
		open := round(slices.DeleteFunc(slices.Clone(trials), (*hunt.Trial).Over))
		keep := func(_ int, r hunt.Record) error { return file.Append(r.Run, r) }
		if err := onAllCores(ctx, study.New(open, study.Shard{}), keep, nil); err != nil {
			if ctx.Err() != nil {
				break
			}
			return err
		}
		h.Take(trials)
		made += len(open)
		o := h.Outcome()
		p.say(func(took time.Duration) string {
			return fmt.Sprintf("%s runs, %s/s, %s kinds of events and states, %s",
				words.Thousands(int64(o.Runs)), roundRate(float64(made)/took.Seconds()),
				words.Thousands(int64(o.Features)), words.Count(len(o.Failures), "failure", "failures"))
		})
		if err := f.writeFiles(h, written); err != nil {
			return err
		}
		written = len(o.Failures)
	}
	return nil
}

// writeFiles writes the failures to files, beginning with the failure at the given index. Comments above the scenario
// name the rule and its causes, so that `head found/hunt-1.yaml` shows what the failure is about.
func (f *huntFlags) writeFiles(h *hunt.Hunt, from int) error {
	all := h.Outcome().Failures
	for i := from; f.dir != "" && i < len(all); i++ {
		var text strings.Builder
		fmt.Fprintf(&text, "# %s\n", all[i].Rule)
		for _, cause := range all[i].Causes {
			fmt.Fprintf(&text, "# - %s\n", cause)
		}
		text.Write(yaml.Encode(all[i].Scenario))
		if err := os.WriteFile(f.file(i), []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// file returns the name of a failure's file. File names count failures from 1, as the text does.
func (f *huntFlags) file(i int) string { return filepath.Join(f.dir, fmt.Sprintf("hunt-%d.yaml", i+1)) }

// report returns the answer as JSON. The text output prints from the same value, so both say the same.
func (f *huntFlags) report(s *scenario.Scenario, seed uint64, o *hunt.Outcome, took time.Duration) hunted {
	all := hunted{Scenario: s.Name, Engine: world.Engine, Seed: seed, Runs: o.Runs, Hash: o.Hash,
		Seconds: took.Seconds(), Features: o.Features, Failures: []huntedFailure{}}
	for i := range o.Failures {
		one := &o.Failures[i]
		severity := one.Severity.String()
		if one.Crash != "" {
			severity = hunt.Crashed
		}
		all.Failures = append(all.Failures, huntedFailure{
			Rule: one.Rule, Severity: severity, Seed: one.Scenario.Seed, Run: one.Run, Acts: len(one.Scenario.Actions),
			Found:  one.Found,
			Causes: append([]string{}, one.Causes...), Replay: f.replay(i, one), Scenario: one.Scenario,
		})
	}
	return all
}

// fromInput is the command that repeats a failure whose scenario is too long for a link.
const fromInput = "leaselab run -"

// replay returns the command that repeats a failure: from its file, or from a link that contains the whole scenario.
// Other programs cut off a link longer than link.MaxLength; then only -o json and --failures show the scenario.
func (f *huntFlags) replay(i int, one *hunt.Failure) string {
	if f.dir != "" {
		return "leaselab run " + words.ShellArgument(f.file(i))
	}
	address, err := linkOf(one.Scenario, "", 0, "")
	if err != nil {
		return fromInput
	}
	return "leaselab run '" + address + "'"
}

// writeHunted writes the failures, each with its acts in words, and a last line with everything that identifies the
// hunt.
func writeHunted(out painter, all *hunted) {
	for i := range all.Failures {
		one := &all.Failures[i]
		out.line(red, "failure %d: %s (%s), found by run %d with %s", i+1, one.Rule, one.Severity, one.Run,
			words.Count(one.Found, "act", "acts"))
		for k := range one.Scenario.Actions {
			fmt.Fprintf(out, "  %s\n", failure.ActWords(&one.Scenario.Actions[k]))
		}
		if one.Replay == fromInput {
			fmt.Fprintln(out,
				"  replay: its scenario is too long for a link; --failures DIRECTORY writes it to a file, and -o json "+
					"prints it")
			continue
		}
		out.whole("  replay: %s", one.Replay)
	}
	if len(all.Failures) > 0 {
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out,
		"%s, hunt with seed %d: %s in %.1f s (%.0f a second), %d kinds of events and states, %s, hash %s\n",
		nameOr(all.Scenario), all.Seed, runs(all.Runs), all.Seconds, float64(all.Runs)/max(all.Seconds, 0.001),
		all.Features, distinct(len(all.Failures)), all.Hash)
}

func distinct(failures int) string {
	return words.Count(failures, "distinct failure", "distinct failures")
}

// huntCode returns the exit code for the worst failure of a hunt: a crash, then safety, then liveness. The message
// names that failure's rule; the output above lists the others.
func huntCode(o *hunt.Outcome) error {
	code, why := 0, ""
	for i := range o.Failures {
		f := &o.Failures[i]
		one := exitLiveness
		switch {
		case f.Crash != "":
			one = exitCrash
		case f.Severity == rules.Safety:
			one = exitSafety
		}
		if isWorse(one, code) {
			code, why = one, f.Rule
		}
	}
	if code == 0 {
		return nil
	}
	return exitError{code, fmt.Sprintf("exit code %d: %s; found: %s", code, why, distinct(len(o.Failures)))}
}
