package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/evidence/rebuild"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
)

// evidenceKinds are the words that may precede the files. A file with such a name needs a path, such as ./audit.
var evidenceKinds = []string{"audit", "watch", "klog", "lease", "trace"}

// chunkBytes is how much of a file import reads at once. Audit logs reach gigabytes, so import never holds a whole
// file.
const chunkBytes = 1 << 20

// importFlags are the flags of import and of the exports of evidence, which read the same files. The field "leaderless"
// is only for --judge.
type importFlags struct {
	nodes      []string
	lease      string
	around     string
	within     time.Duration
	leaderless time.Duration
	output     string
}

// add adds the flags that say what to read. The caller adds --output, since each command has its own formats.
func (f *importFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.nodes, "node", nil, "")
	c.Flags().StringVar(&f.lease, "lease", "", "")
	c.Flags().StringVar(&f.around, "around", "", "")
	c.Flags().DurationVar(&f.within, "within", 10*time.Minute, "")
}

// The method files checks that the arguments, or --node, name a file.
func (f *importFlags) files(cmd *cobra.Command, args []string) error {
	if len(f.nodes) > 0 {
		return nil
	}
	return takes(1, 1000, "a file, such as audit.jsonl")(cmd, args)
}

// importCommand is `leaselab import`: it finds out what really happened to a Lease, from audit logs, watches and logs
// of electors. To standard output it writes a story, JSON, or a scenario that reproduces what happened. To standard
// error it writes progress.
//
// It exits 0 if it found a Lease, whatever happened to it, and 1 if it found none or cannot read a file. It gives a
// verdict only with --judge. For a trace file, it makes the run again and compares both runs. A
// difference is only a finding, unless the user named the kind trace; then the difference is an error (1).
func importCommand() *cobra.Command {
	var f importFlags
	var judges bool
	c := &cobra.Command{
		Use:  "import [audit|watch|klog|lease|trace] FILE…",
		Args: f.files,
		RunE: func(cmd *cobra.Command, args []string) error {
			if judges {
				return f.judge(cmd, args)
			}
			if err := needs(cmd, "judge", "leaderless"); err != nil {
				return err
			}
			out, wide := bufio.NewWriter(cmd.OutOrStdout()), columnsOf(cmd.OutOrStdout())
			// As JSON, a record looks like other evidence; only explain gives the causes.
			if len(args) == 1 && isRecord(args[0]) && f.output != "json" {
				if err := errors.Join(refuseRunFlags(cmd, args[0], "output"),
					importRecord(out, args[0], f.output, wide)); err != nil {
					return err
				}
				return out.Flush()
			}
			report, err := f.read(cmd.Context(), cmd.InOrStdin(), args)
			if err != nil {
				return err
			}
			switch f.output {
			case "json":
				writeDocument(out, "EvidenceReport", report)
			case "markdown":
				rebuild.WritePostmortem(out, report, func() {})
			case "scenario":
				if err := nothingFound(report); err != nil {
					return err
				}
				if run := report.Files[0].Run; run != nil && len(report.Files) == 1 {
					if _, err := out.Write(yaml.Encode(run.Traced.Scenario)); err != nil {
						return err
					}
				} else if err := writeRebuilt(out, report); err != nil {
					return err
				}
			default:
				evidence.WriteStory(&wrapper{out: out, wide: wide}, report)
			}
			if err := out.Flush(); err != nil {
				return err
			}
			return nothingFound(report)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&judges, "judge", false, "")
	c.Flags().DurationVar(&f.leaderless, "leaderless", 0, "")
	formatFlag(c, &f.output, "text", "json", "markdown", "scenario")
	return c
}

// nothingFound refuses evidence without a Lease, and says what the evidence contains. The most likely reason comes
// first: an unreadable line, then what the reader says about a file, then an audit policy that omits the Lease's
// fields.
func nothingFound(r *evidence.Report) error {
	if len(r.Leases) > 0 {
		return nil
	}
	if len(r.Problems) > 0 {
		p := r.Problems[0]
		return fmt.Errorf("%s:%d: %s; found no Lease", p.File, p.Line, p.Says)
	}
	for _, file := range r.Files {
		if file.Says != "" {
			return fmt.Errorf("%s: %s; found no Lease", file.Name, file.Says)
		}
	}
	return errors.New(
		"found no Lease: an audit log needs level Request for leases, and --lease and --around must match the files")
}

// read reads all files that the arguments name, in their order, and returns one report about all of them. The order
// does not change the timeline, because records have times. If a --node file is not among the arguments, the method
// reads it, too.
//
// Lines of klog have no year. If no other file shows the year, the method assumes the current one.
func (f *importFlags) read(ctx context.Context, in io.Reader, args []string) (*evidence.Report, error) {
	kind := evidence.Detect
	if len(args) > 0 && slices.Contains(evidenceKinds, args[0]) {
		if kind, args = evidence.Kind(args[0]), args[1:]; len(args) == 0 && len(f.nodes) == 0 {
			return nil, fmt.Errorf("import %s needs a file", kind)
		}
	}
	options := evidence.Options{Lease: f.lease, WithinNs: int64(f.within), Nodes: map[string]string{},
		Year: time.Now().Year()}
	if f.lease != "" && strings.Count(f.lease, "/") != 1 {
		return nil, fmt.Errorf("--lease %q must be namespace/name", f.lease)
	}
	if f.around != "" {
		at, err := time.Parse(time.RFC3339Nano, f.around)
		if err != nil {
			return nil, fmt.Errorf("--around %q must be an RFC 3339 time, such as 2026-11-20T19:17:00Z", f.around)
		}
		options.AroundNs = at.UnixNano()
	}
	for _, node := range f.nodes {
		name, file, ok := strings.Cut(node, "=")
		if !ok || name == "" || file == "" {
			return nil, fmt.Errorf("--node %q must be NAME=FILE: the candidate and its log, such as "+
				"--node node-a=old.log", node)
		}
		if options.Nodes[file] = name; !slices.Contains(args, file) {
			args = append(args, file)
		}
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	reader, p := evidence.NewReader(options), newProgress()
	defer p.erase()
	read := 0
	for _, name := range args {
		if err := (&feeding{reader, in}).tree(ctx, name, func(n int) {
			read += n
			p.say(func(took time.Duration) string {
				return fmt.Sprintf("%d MiB read, %.0f MiB/s", read>>20, float64(read>>20)/took.Seconds())
			})
		}); err != nil {
			return nil, err
		}
	}
	report := reader.Report()
	if err := asKind(kind, &report); err != nil {
		return nil, err
	}
	for _, file := range report.Files {
		if kind == evidence.Trace && file.Unequal != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, file.Unequal)
		}
	}
	return &report, nil
}

// asKind refuses a file that is not of the kind that the user named. A watch may contain Leases and nothing else,
// because kubectl does not always print event types.
func asKind(kind evidence.Kind, r *evidence.Report) error {
	if kind == evidence.Detect {
		return nil
	}
	for _, file := range r.Files {
		if file.Records[string(kind)] == 0 && !(kind == evidence.Watch && file.Records[string(evidence.Lease)] > 0) {
			return fmt.Errorf("%s contains no %s record; leave out %q to detect the kind", file.Name, kind, kind)
		}
	}
	return nil
}

// feeding reads files of evidence; its field "in" is the input for the name "-". The evidence reader itself opens no
// files, since it also runs in the page. It unpacks them, and says what it cannot read.
type feeding struct {
	reader *evidence.Reader
	in     io.Reader
}

// tree reads a file, or all files in a folder, in the order of their names.
func (f *feeding) tree(ctx context.Context, name string, tell func(bytes int)) error {
	if name == "-" {
		return f.file(ctx, name, tell)
	}
	return filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path != name && !entry.Type().IsRegular() {
			return err
		}
		if path != name {
			f.reader.Within(name, path)
		}
		return f.file(ctx, path, tell)
	})
}

// The method file reads a file in chunks and calls the function tell after each chunk. A disk error is an error.
// Between two chunks the method checks ctx, so that Ctrl-C can end the command with 130.
func (f *feeding) file(ctx context.Context, name string, tell func(bytes int)) error {
	reader, in := f.reader, f.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	defer reader.End(name)
	chunk := make([]byte, chunkBytes)
	for {
		n, err := in.Read(chunk)
		reader.Feed(name, chunk[:n])
		tell(n)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%s: the rest is unreadable: %w", name, err)
		case ctx.Err() != nil:
			return exitError{exitCancelled, "cancelled"}
		}
	}
}
