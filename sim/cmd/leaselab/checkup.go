package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/evidence/checkup"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/study/numbers"
	"github.com/leaselab/leaselab/sim/words"
)

// checkupFlags are the flags of checkup.
type checkupFlags struct {
	stall, watched  time.Duration
	settings        []string
	context, output string
}

// checkupCommand is `leaselab checkup`: how the Leases of a cluster are, and what a stall of the API does to each. It
// exits 0 whatever the Leases are like, and 1 if it finds none.
func checkupCommand() *cobra.Command {
	var f checkupFlags
	c := &cobra.Command{
		Use: "checkup FILE…",
		Args: func(cmd *cobra.Command, args []string) error {
			if f.context != "" {
				return takes(0, 0, "no file with --context")(cmd, args)
			}
			return takes(1, 1000, "a file of `kubectl get leases -A -o json`, or - for standard input")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.stall <= 0 {
				return fmt.Errorf("--stall %v must be longer than 0, such as 30s", f.stall)
			}
			if f.context == "" {
				if err := needs(cmd, "context", "for"); err != nil {
					return err
				}
			}
			report, err := f.check(cmd, args)
			if err != nil {
				return err
			}
			if len(report.Leases) == 0 {
				return noLeases(report)
			}
			report.Stall = report.Predict(f.stall)
			out := bufio.NewWriter(cmd.OutOrStdout())
			if f.output == "json" {
				writeDocument(out, "Checkup", report)
			} else {
				writeCheckup(&wrapper{out: out, wide: columnsOf(cmd.OutOrStdout())}, report)
			}
			return out.Flush()
		},
	}
	c.Flags().DurationVar(&f.stall, "stall", 30*time.Second, "")
	c.Flags().StringArrayVar(&f.settings, "setting", nil, "")
	c.Flags().StringVar(&f.context, "context", "", "")
	c.Flags().DurationVar(&f.watched, "for", 25*time.Second, "")
	formatFlag(c, &f.output, "text", "json")
	return c
}

func noLeases(r *checkup.Cluster) error {
	if len(r.Problems) > 0 {
		p := r.Problems[0]
		return fmt.Errorf("%s:%d: %s; found no Lease", p.File, p.Line, p.Says)
	}
	return errors.New("found no Lease: give the output of kubectl get leases -A -o json")
}

// check reads the files, or what kubectl prints.
func (f *checkupFlags) check(cmd *cobra.Command, args []string) (*checkup.Cluster, error) {
	options := checkup.Options{Given: map[string]numbers.Setting{}}
	for _, one := range f.settings {
		name, value, _ := strings.Cut(one, "=")
		if strings.Count(name, "/") != 1 || value == "" {
			return nil, fmt.Errorf("--setting %q must be NAMESPACE/NAME=LEASE/DEADLINE/RETRY, such as "+
				"kube-system/kube-scheduler=15s/10s/2s", one)
		}
		set, err := numbers.Parse(value)
		if err == nil {
			err = set.Refusal()
		}
		if err != nil {
			return nil, fmt.Errorf("--setting %s: %w", name, err)
		}
		options.Given[name] = set
	}
	reader := evidence.NewReader(evidence.Options{Year: time.Now().Year()})
	if f.context != "" {
		if err := f.watch(cmd.Context(), reader); err != nil {
			return nil, err
		}
		options.NowNs = time.Now().UnixNano()
	}
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	for _, name := range args {
		if err := (&feeding{reader, cmd.InOrStdin()}).tree(ctx, name, func(int) {}); err != nil {
			return nil, err
		}
	}
	report := checkup.Check(reader, options)
	for name := range options.Given {
		if !slices.ContainsFunc(report.Leases, func(l checkup.Lease) bool { return l.Name == name }) {
			return nil, fmt.Errorf("--setting %s: the files show no such Lease", name)
		}
	}
	return &report, nil
}

// watch feeds the reader what kubectl prints until the time is over.
func (f *checkupFlags) watch(ctx context.Context, reader *evidence.Reader) error {
	ctx, stop := context.WithTimeout(ctx, f.watched)
	defer stop()
	kubectl := exec.CommandContext(ctx, "kubectl", "--context", f.context, "get", "leases", "-A", "--watch", "-o",
		"json")
	kubectl.Cancel = func() error { return kubectl.Process.Signal(os.Interrupt) }
	kubectl.WaitDelay = time.Second
	var said strings.Builder
	kubectl.Stdout, kubectl.Stderr = feeder{reader}, &said
	if err := kubectl.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("kubectl --context %s: %w: %s", f.context, err, strings.TrimSpace(said.String()))
	}
	reader.End(kubectlOutput)
	return nil
}

const kubectlOutput = "kubectl"

type feeder struct{ reader *evidence.Reader }

// Write implements io.Writer.
func (f feeder) Write(data []byte) (int, error) {
	f.reader.Feed(kubectlOutput, data)
	return len(data), nil
}

// writeCheckup writes a report as text. Healthy heartbeats are only counted.
func writeCheckup(out io.Writer, r *checkup.Cluster) {
	fmt.Fprint(out, words.Count(len(r.Leases), "Lease", "Leases"))
	if r.At != "" {
		fmt.Fprint(out, " at ", r.At)
	}
	fmt.Fprint(out, "\n\n")
	healthy := map[checkup.Kind]int{}
	for i := range r.Leases {
		l := &r.Leases[i]
		if l.Kind != checkup.Elector && len(l.Warnings) == 0 {
			healthy[l.Kind]++
			continue
		}
		fmt.Fprintf(out, "%s  %s, held by %s\n", l.Name, l.Kind, orElse(l.Holder, "nobody"))
		for i, s := range l.Settings {
			fmt.Fprintf(out, "%s%s %s, %s", []string{"    ", "; "}[min(i, 1)], s.Name, exact(&s.Seconds, ""),
				sourceText(&s))
		}
		fmt.Fprintf(out, "\n    renew period %s, age %s, safety margin %s\n", roughly(l.Period), roughly(l.Age),
			exact(l.Margin, "unknown"))
		for _, w := range l.Warnings {
			fmt.Fprintf(out, "  ! %s\n", w.Says)
		}
	}
	for _, kind := range []checkup.Kind{checkup.Node, checkup.APIServer} {
		if n := healthy[kind]; n > 0 {
			fmt.Fprintf(out, "%s without a warning: %d\n", kind, n)
		}
	}
	if len(r.Stall.Leases) > 0 {
		writeStall(out, r.Stall)
	}
	for _, p := range r.Problems {
		fmt.Fprintf(out, "\n%s:%d: %s", p.File, p.Line, p.Says)
	}
	if len(r.Problems) > 0 {
		fmt.Fprintln(out)
	}
}

// writeStall writes the prediction, one line for each Lease whose holder may lose it.
func writeStall(out io.Writer, s *checkup.Stall) {
	fmt.Fprintf(out, "\nIf the API refuses all requests for %s:\n", exact(&s.For, ""))
	same := map[checkup.Outcome]int{}
	for i := range s.Leases {
		one := &s.Leases[i]
		if one.Stops == nil {
			same[one.Outcome]++
			continue
		}
		fmt.Fprintf(out, "  %-8s %s: stops %s to %s after the start, back within %s (survives %s, loses from %s)\n",
			one.Outcome, one.Name, exact(&one.Stops.From, ""), exact(&one.Stops.To, ""), roughly(&one.Back),
			exact(one.Survives, ""), exact(one.Loses, ""))
	}
	if n := same[checkup.Expires]; n > 0 {
		fmt.Fprintf(out, "  may expire and come back: %s of nodes or API servers\n", words.Count(n, "Lease", "Leases"))
	}
	if n := same[checkup.Survives]; n > 0 {
		fmt.Fprintf(out, "  survives %s: the holder renews in time\n", words.Count(n, "Lease", "Leases"))
	}
	fmt.Fprintf(out, "Everybody is back at most %s after the start.\n", roughly(&s.Back))
}

func sourceText(s *checkup.Inferred) string {
	switch {
	case s.From == checkup.Assumed && s.Program != "":
		return "assumed as in " + s.Program
	case s.From == checkup.Stored:
		return "in the Lease"
	}
	return string(s.From)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// roughly writes a length with tenths of seconds.
func roughly(s *summary.Seconds) string {
	if s == nil {
		return "unknown"
	}
	return tenths(*s)
}
