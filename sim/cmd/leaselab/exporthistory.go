package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
)

// replayable is a history. For a run it also has what you need to repeat the run: the scenario and the hash of the
// trace. A run from evidence cannot be repeated, so a trace file of evidence has no scenario.
type replayable struct {
	history.History
	scenario *scenario.Scenario // nil for evidence
	hash     trace.Hash
}

// historyFlags are the flags of ndjson and csv: what to read, and the span.
type historyFlags struct {
	importFlags
	span
	seed, of     string
	foundNothing bool // the files may be evidence, but contain none
}

// historyCommands are the formats for both runs and evidence.
func historyCommands() []*cobra.Command {
	return []*cobra.Command{
		historyCommand("ndjson", func(t *replayable, _ string, out io.Writer) error {
			return t.NDJSON(out, t.scenario, t.hash)
		}),
		historyCommand("csv", func(t *replayable, of string, out io.Writer) error {
			if of == "leaders" {
				return t.LeadersCSV(out)
			}
			return t.EventsCSV(out)
		}),
	}
}

// historyCommand returns the command of a format for histories. The function write gets the value of --of, a flag that
// only csv has.
func historyCommand(format string, write func(t *replayable, of string, out io.Writer) error) *cobra.Command {
	f := historyFlags{}
	c := &cobra.Command{
		Use:               format + " SCENARIO|FILE…",
		Args:              takes(1, 1000, "a scenario, or files of evidence, such as audit.jsonl"),
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := f.read(cmd.Context(), cmd.InOrStdin(), args)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if err := write(t, f.of, out); err != nil {
				return err
			}
			return out.Flush()
		},
	}
	f.importFlags.add(c)
	c.Flags().StringVar(&f.seed, "seed", "", "")
	f.span.add(c)
	if format == "csv" {
		wordFlag(c, &f.of, "of", "events", "leaders")
	}
	return c
}

// read makes the history of a run if the only argument names one, and the history of evidence otherwise. The first case
// that fits decides:
//
//	several arguments, a kind, --node, --lease or --around   evidence
//	a record of real programs                                the record
//	anything that load understands                           a run
//	a file that exists                                       evidence
//
// A file in the last case may also be a scenario with a typo. If it contains no evidence at all, the method returns the
// error from reading it as a scenario: "unknown field" helps more than "found no Lease".
func (f *historyFlags) read(ctx context.Context, in io.Reader, args []string) (*replayable, error) {
	isEvidence := len(args) > 1 || slices.Contains(evidenceKinds, args[0]) || len(f.nodes) > 0 || f.lease != "" ||
		f.around != ""
	if len(args) == 1 && isRecord(args[0]) {
		return f.ofRecord(args[0])
	}
	if !isEvidence {
		s, err := loadWith(args[0], f.seed)
		if err == nil {
			return f.ofRun(&s)
		}
		if _, missing := os.Stat(args[0]); missing != nil {
			return nil, err
		}
		t, other := f.ofEvidence(ctx, in, args)
		if t == nil && other != nil && f.foundNothing {
			return nil, err // the user meant a scenario
		}
		return t, other
	}
	return f.ofEvidence(ctx, in, args)
}

// ofRun makes the history of a simulated run and computes the hash of its trace.
func (f *historyFlags) ofRun(s *scenario.Scenario) (*replayable, error) {
	if err := f.span.check(int64(s.Duration)); err != nil {
		return nil, err
	}
	h, hash := history.OfRun(*s, int64(f.from), int64(f.to))
	return &replayable{h, s, hash}, nil
}

// ofRecord makes the history of a record of real programs. The record's trace file has no scenario, because nobody can
// repeat the record. ofRecord replays the record twice. The first replay finds where the record ends, so that ofRecord
// can check --to before it writes the first event.
func (f *historyFlags) ofRecord(name string) (*replayable, error) {
	whole, err := replayRecord(name, nil) // find the end before writing events
	if err != nil {
		return nil, err
	}
	if err := f.span.check(whole.EndNs); err != nil {
		return nil, err
	}
	h, _, err := history.Of(whole.Scenario, int64(f.from), func(see history.Seen) (*run.Run, int64, error) {
		again, err := replayRecord(name, see)
		if err != nil {
			return nil, 0, err
		}
		return again.Run, again.EndNs, nil
	})
	if err != nil {
		return nil, err
	}
	h.ToNs, h.EpochNs, h.LeaseSeconds = int64(f.to), whole.EpochNs, int64(leaseDuration(&whole.Scenario)/time.Second)
	if whole.Lease != "" {
		h.Lease = whole.Lease
	}
	h.Clip()
	return &replayable{History: h}, nil
}

// leaseDuration returns the leaseDuration of the scenario's elector, for the header of a trace file without a scenario.
// A candidate with its own elector may differ.
func leaseDuration(s *scenario.Scenario) time.Duration {
	if d := s.Elector.LeaseDuration; d != nil {
		return time.Duration(*d)
	}
	return scenario.DefaultLeaseDuration
}

// ofEvidence makes the history of evidence. It tells the method read whether the files contain any evidence.
func (f *historyFlags) ofEvidence(ctx context.Context, in io.Reader, args []string) (*replayable, error) {
	report, err := f.importFlags.read(ctx, in, args)
	if err != nil {
		return nil, err
	}
	if err := nothingFound(report); err != nil {
		f.foundNothing = true
		return nil, err
	}
	l, err := onlyLease(report)
	if err != nil {
		return nil, err
	}
	h := l.History()
	if err := f.span.check(h.ToNs); err != nil {
		return nil, err
	}
	h.FromNs, h.ToNs = int64(f.from), int64(f.to)
	h.Clip()
	return &replayable{History: h}, nil
}

// onlyLease returns the report's only Lease with leader changes. If there are several such Leases, the user must choose
// one, and the error proposes the first. A Lease that had the same holder all the time has no story, so it does not
// count.
func onlyLease(r *evidence.Report) (*evidence.LeaseReport, error) {
	leases := slices.DeleteFunc(slices.Clone(r.Leases),
		func(l evidence.LeaseReport) bool { return len(l.LeaderChanges) == 0 })
	switch {
	case len(leases) == 0:
		return nil, fmt.Errorf("no Lease in these files has a leader change")
	case len(leases) > 1:
		return nil, fmt.Errorf("these files are about %d Leases; choose one: --lease %s", len(leases), leases[0].Name)
	}
	return &leases[0], nil
}
