package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/run/transcript"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/trace"
)

// isRecord reports whether a file is a record of real programs, by its first 200 bytes. It returns false for a name
// that is not a file, so commands may call it for any argument before they look for a scenario.
//
// A record is what `leaselab test --record` and `serve --faults --record` write: a header with the scenario, then every
// call that reached the world from outside, and the trace. The events in a record have already happened. Commands may
// read a record, but a seed or a counterfactual makes no sense for it.
func isRecord(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, 200)
	n, err := io.ReadFull(file, start)
	return (err == nil || errors.Is(err, io.ErrUnexpectedEOF)) && replay.IsRecord(start[:n])
}

// replayRecord replays a record through the engine and returns the run. It needs no program: the calls in the record
// take the place of the programs. An error names the file and the line.
func replayRecord(name string, see func(*run.Run, *trace.Record, explain.Note)) (*replay.Replayed, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := replay.Replay(file, configure, see)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// refuseRunFlags returns an error for a flag that would change the run, because what a record shows has already
// happened. It allows the flags in the list "reads", which only change what the command prints. It checks which flags
// the user gave rather than their values, so that `--seed 1` fails even if 1 is the record's seed.
func refuseRunFlags(c *cobra.Command, name string, reads ...string) error {
	if flag := flagBesides(c, reads...); flag != "" {
		return fmt.Errorf(
			"%s is a record of real programs, so --%s cannot change it; `leaselab import %s -o scenario` turns it "+
				"into a scenario", name, flag, name)
	}
	return nil
}

// notScenario is the error of a command that needs a scenario but got a record.
func notScenario(name string) error {
	return fmt.Errorf(
		"%s is a record of real programs; run, explain and import read it, and `leaselab import %s -o scenario` turns "+
			"it into a scenario", name, name)
}

// checkRecord is `leaselab import --judge` for a record. Unlike the logs of a cluster, a record shows everything, so
// checkRecord checks all rules of a run and exits like `leaselab run`.
func checkRecord(out io.Writer, name, output string) error {
	r, err := replayRecord(name, nil)
	if err != nil {
		return err
	}
	sum := summary.Of(r.Scenario, r.Run, r.EndNs)
	sum.Findings = r.Conduct.Tell(r.Run.World, r.EndNs)
	buffered := bufio.NewWriter(out)
	if output == "json" {
		writeDocument(buffered, "RunSummary", sum)
	} else {
		var text strings.Builder
		writeConduct(&text, sum.Findings)
		transcript.Summary(&text, &sum, transcript.Plain)
		transcript.Checks(&text, &sum, transcript.Plain)
		told := strings.TrimPrefix(text.String(), "\n")
		_, _ = buffered.WriteString(wrapLines(told, columnsOf(out))) // Flush reports the error
		writeBroken(buffered, r)
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if code := summary.Verdict(r.Scenario, r.Run, &sum); code != summary.Fine {
		return exitError{code, fmt.Sprintf("exit code %d: %s", code, verdictOf(code))}
	}
	return nil
}

// writeBroken says whether a record is incomplete. A complete record has a last line, which a killed leaselab never
// writes.
func writeBroken(out io.Writer, r *replay.Replayed) {
	if !r.Whole {
		fmt.Fprintln(out, "The record has no end: leaselab died while writing. The verdict covers only what it wrote.")
	}
}

// importRecord writes a record as a story, like explain's, or as a scenario. In the scenario, simulated candidates
// replace the real programs and do the same, as far as the record shows. The scenario answers questions that a record
// cannot answer, for example: what if the retryPeriod had been 1 s?
func importRecord(out *bufio.Writer, name, output string, wide int) error {
	r, err := replayRecord(name, nil)
	if err != nil {
		return err
	}
	if output == "scenario" {
		// %q leaves no line break in the comment.
		fmt.Fprintf(out, "# leaselab's candidates do what the programs of %q did, as far as the record shows it.\n",
			name)
		_, err := out.Write(yaml.Encode(r.ObservedScenario()))
		return err
	}
	told, err := (&explainFlags{}).explainRun(r.Scenario, r.Run, r.EndNs, &r.Conduct)
	if err != nil {
		return err
	}
	writeExplained(palette{wide: wide}.story(out), told)
	writeBroken(out, r)
	return nil
}
