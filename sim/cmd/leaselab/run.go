package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/run/transcript"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
)

// runFlags are the flags of `leaselab run`. Two of them decide what the command does: --seeds makes many runs
// (seeds.go), and --against compares two (compare.go). The others change the run or its output. The field "arg" is not
// a flag but the argument, for the commands that repeat a seed.
type runFlags struct {
	arg       string // the user's name for the scenario
	sets      []string
	varyPhase bool
	seed      string
	seeds     string
	until     time.Duration
	output    string
	trace     string

	against, againstSeed string

	quiet, fold bool
	color       string
}

// runCommand is `leaselab run`: it prints one run of a scenario, event by event, with its outcome and a line for each
// rule.
//
// On standard output it writes the events and then the summary; with -q only the summary. With -o json it writes the
// summary as one line of JSON, with -o ndjson one line for each event and then the summary. The flag --trace also
// writes the events of ndjson to a file. On standard error it names each failed assertion and, in a last line, what the
// exit code stands for.
//
// It exits 0 if the run breaks no rules except the expected ones, and meets its assertions. Otherwise it exits 2, 3 or
// 4; a broken safety rule outranks the others. A scenario that demonstrates a failure expects it: `leaselab run
// paused-leader` shows two active leaders for 24 s and exits 0.
func runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:               "run SCENARIO|RECORD",
		Args:              aScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isRecord(args[0]) {
				if err := refuseRunFlags(cmd, args[0], "output", "trace", "quiet", "fold", "color"); err != nil {
					return err
				}
				return f.runRecord(cmd.OutOrStdout(), args[0])
			}
			if f.against != "" || f.againstSeed != "" {
				return f.compare(cmd, args[0])
			}
			return f.run(cmd.Context(), cmd.OutOrStdout(), args[0])
		},
	}
	c.Flags().StringVar(&f.seed, "seed", "", "")
	c.Flags().StringVar(&f.seeds, "seeds", "", "")
	c.Flags().DurationVar(&f.until, "until", 0, "")
	formatFlag(c, &f.output, "text", "json", "ndjson")
	c.Flags().StringVar(&f.against, "against", "", "")
	c.Flags().StringVar(&f.againstSeed, "against-seed", "", "")
	completeBy(c, "against", completeScenarios(1))
	c.Flags().StringVar(&f.trace, "trace", "", "")
	c.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "")
	c.Flags().BoolVar(&f.fold, "fold", false, "")
	colorFlag(c, &f.color)
	c.Flags().StringArrayVar(&f.sets, "set", nil, "")
	c.Flags().BoolVar(&f.varyPhase, "vary-phase", false, "")
	completeBy(c, "set", completeSet)
	return c
}

// run checks everything before the first byte of output: a wrong --until must not leave half a run on the screen. It
// changes the scenario in a fixed order: --seed, --set, --vary-phase. So if --set changes the retryPeriod,
// --vary-phase uses the new value.
func (f *runFlags) run(ctx context.Context, out io.Writer, arg string) error {
	s, err := loadWith(arg, f.seed)
	if err != nil {
		return err
	}
	if len(f.sets) > 0 {
		if s, err = setAll(s, f.sets); err != nil {
			return err
		}
	}
	if f.varyPhase {
		if f.seeds == "" {
			return fmt.Errorf("--vary-phase needs --seeds: it draws an instant for each seed")
		}
		before := s
		if s, err = varyPhase(s); err != nil {
			return err
		}
		warnOfOrder(&before, &s)
	}
	f.arg = arg
	if f.until < 0 || f.until > time.Duration(s.Duration) {
		return fmt.Errorf("--until %s must lie between 0 and the scenario's duration, %s", f.until, s.Duration)
	}
	colors := paletteFor(out, f.color)
	buffered := bufio.NewWriter(out)
	defer buffered.Flush()
	if f.seeds != "" {
		return f.runSeeds(ctx, buffered, s)
	}
	return f.runOne(buffered, s, colors)
}

// untilNs returns the instant at which the run stops. A value of 0 means that the user gave no --until, so `--until
// 0s` runs to the end as well.
func (f *runFlags) untilNs(s *scenario.Scenario) int64 {
	if f.until > 0 {
		return int64(f.until)
	}
	return int64(s.Duration)
}

// runRecord prints a record of real programs as if it were a run. It replays the record twice. The transcript needs the
// scenario before the first event, and replayRecord returns the scenario only at the end. Keeping all events in memory
// would cost more than a second replay, because a busy group may have millions of events in a night.
func (f *runFlags) runRecord(out io.Writer, name string) error {
	colors := paletteFor(out, f.color)
	r, err := replayRecord(name, nil) // the transcript needs its scenario first
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	defer buffered.Flush()
	return f.tell(buffered, r.Scenario, colors, func(see seen) (*run.Run, int64) {
		if r, err = replayRecord(name, see); err != nil {
			panic(err) // cannot happen: the first replay read the same file
		}
		return r.Run, r.EndNs
	})
}

// A seen function handles one record of a run, at the moment when the run makes it. The run's world has just processed
// the event, so a handler may read the Lease and the nodes in it.
type seen = func(r *run.Run, record *trace.Record, note explain.Note)

// runOne makes one simulated run. With -q or -o json no handler exists, and the run spends no time on sentences
// about its events.
func (f *runFlags) runOne(out *bufio.Writer, s scenario.Scenario, colors palette) error {
	return f.tell(out, s, colors, func(see seen) (*run.Run, int64) {
		r, until := run.WithAll(s), f.untilNs(&s)
		if see == nil {
			r.To(until, nil)
		} else {
			r.To(until, func(record *trace.Record, note explain.Note) { see(r, record, note) })
		}
		return r, until
	})
}

// tell makes one run and writes what happens and the outcome. The function carryOut simulates or replays the run,
// passes its records to a handler, and returns the run and its end.
//
// Up to two handlers see each record: the one for ndjson (to --trace, or to the output) and the one for the transcript.
// With -o text and --trace they run one after the other, so the file and the screen show the same order.
func (f *runFlags) tell(out *bufio.Writer, s scenario.Scenario, colors palette,
	carryOut func(seen) (*run.Run, int64)) (err error) {
	var see seen
	var events *bufio.Writer
	switch {
	case f.trace != "":
		file, wrong := os.Create(f.trace)
		if wrong != nil {
			return fmt.Errorf("--trace: %w", wrong)
		}
		events = bufio.NewWriter(file)
		defer func() {
			if writing := cmp.Or(events.Flush(), file.Close()); writing != nil {
				err = fmt.Errorf("--trace %s is incomplete: %w", f.trace, writing)
			}
		}()
	case f.output == "ndjson":
		events = out
	}
	if events != nil {
		see = func(r *run.Run, record *trace.Record, note explain.Note) { writeEvent(events, r.World, record, note) }
	}
	lines := transcript.New(io.Discard, s, transcript.Style{})
	if f.output == "text" && !f.quiet {
		plain := see
		lines = transcript.New(colors.story(out), s, transcript.Style{Fold: f.fold, Paint: colors.event})
		see = func(r *run.Run, record *trace.Record, note explain.Note) {
			lines.Record(r.World, record, note)
			if plain != nil {
				plain(r, record, note)
			}
		}
	}
	r, until := carryOut(see)
	sum := summary.Of(s, r, until)
	if f.output == "text" {
		lines.End()
		var text strings.Builder
		transcript.Summary(&text, &sum, colors.tone)
		transcript.Checks(&text, &sum, colors.tone)
		told := text.String()
		if f.quiet {
			told = strings.TrimPrefix(told, "\n")
		}
		fmt.Fprint(out, wrapLines(told, colors.wide))
	} else {
		writeDocument(out, "RunSummary", sum)
	}
	for _, clause := range sum.Unmet {
		fmt.Fprintln(stderr, "leaselab:", clause)
	}
	if code := summary.Verdict(s, r, &sum); code != summary.Fine {
		return exitError{code, whyOne(s, &sum, code)}
	}
	return nil
}

// whyOne explains the exit code of one run. The output above already shows the failed assertions, so whyOne only
// counts them. It names each broken rule only once, even if two leaders appear ten times, and leaves out the rules
// that the scenario expects.
func whyOne(s scenario.Scenario, sum *summary.Summary, code int) string {
	var parts []string
	for i := range sum.Violations {
		v := &sum.Violations[i]
		part := v.Rule + " (" + v.Severity + ") was broken"
		if isUnexpected(&s, v.Rule, v.Severity) && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	switch len(sum.Unmet) {
	case 0:
	case 1:
		parts = append(parts, "an assertion failed")
	default:
		parts = append(parts, fmt.Sprintf("%d assertions failed", len(sum.Unmet)))
	}
	return fmt.Sprintf("exit code %d: %s", code, strings.Join(parts, "; "))
}

// writeLine writes a value as one line of JSON. It keeps <, > and & readable: sentences contain them, and the output
// goes to jq rather than into HTML.
func writeLine(out *bufio.Writer, v any) {
	_, _ = out.Write(lineOf(v)) // main checks whether the output is complete
}

func lineOf(v any) []byte {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // cannot happen: plain structs always encode
	}
	return line.Bytes()
}

// writeDocument writes an object as one line of JSON that begins with its apiVersion and kind. So a program that stores
// documents can tell what each one is, and whether it knows that version.
func writeDocument(out *bufio.Writer, kind string, object any) {
	fmt.Fprintf(out, `{"apiVersion":%q,"kind":%q,`, apiVersion, kind)
	_, _ = out.Write(lineOf(object)[1:]) // behind the brace
}
