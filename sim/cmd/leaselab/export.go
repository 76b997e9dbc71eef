package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view/export"
)

// exportFlags are the flags of the formats that draw a run. The fields "from" and "to" are instants of the run; without
// --to, the field "to" is the run's end.
type exportFlags struct {
	hasTo              bool // the user gave --to
	seed, page, output string
	from, to           time.Duration
	dark               bool
}

// exportCommand is `leaselab export`: it writes a run, or evidence, in a format for other programs and people. The
// command export only groups its subcommands. Each subcommand writes one document to standard output or to the file of
// -o, and exits 1 if it cannot.
//
// The formats svg, markdown and mermaid draw what the page shows of a run, so they take a scenario. The formats
// perfetto, ndjson and csv need only a history, so they also take evidence and records. The last format, go-test, is
// a program.
func exportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "export",
		Short: "Write a run, or evidence, as a picture, a report, a diagram, a trace, a table or a Go test",
		Example: "  leaselab export svg a-leader-dies --to 40s -o takeover.svg\n  leaselab export markdown " +
			"paused-leader\n" +
			"  leaselab export mermaid crash --from 30s --to 60s\n  leaselab export go-test crash -o crash_test.go\n" +
			"  leaselab export perfetto audit.jsonl node-*.klog -o night.json\n  leaselab export ndjson crash -o " +
			"crash.ndjson",
		Args: noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(exportOne("svg", export.SVG, &cobra.Command{
		Short: "Draw the page's timeline as an SVG picture, with scenario, seed, engine and link in " +
			"small print",
		Example: "  leaselab export svg a-leader-dies --to 40s -o takeover.svg\n  leaselab export svg crash --seed " +
			"17 --dark > crash.svg\n" +
			"  leaselab export svg my.yaml --from 30s --to 50s",
	}), exportOne("markdown", export.Markdown, &cobra.Command{
		Short: "Write a Markdown report for an issue: the run, its violations and leader changes, why they " +
			"happened, and a link",
		Example: "  leaselab export markdown paused-leader\n  leaselab export markdown crash --seed 17 --to 1m -o " +
			"report.md\n" +
			"  leaselab export markdown my.yaml --page https://example.com/leaselab/",
	}), exportOne("mermaid", export.Mermaid, &cobra.Command{
		Short: "Write the requests in a span as a Mermaid sequence diagram, which GitHub draws from a ```mermaid block",
		Long:  "A diagram with more than 60 messages and notes sums up the requests that change nothing.",
		Example: "  leaselab export mermaid crash --from 30s --to 60s\n  leaselab export mermaid a-leader-dies " +
			"--from 33s --to 35s -o takeover.mmd",
	}), goTestCommand())
	c.AddCommand(historyCommands()...)
	c.AddCommand(refusals("export")...)
	return c
}

// writeRun writes a run in one format. If the format cannot draw the span, the error names the span.
type writeRun func(timeline.Look, export.Options) (string, error)

// exportOne returns the command of a format that draws a run. The caller fills the command c with the help texts;
// exportOne adds everything else.
func exportOne(format string, write writeRun, c *cobra.Command) *cobra.Command {
	var f exportFlags
	c.Use, c.Args, c.ValidArgsFunction = format+" SCENARIO", aScenario, completeScenarios(1)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		f.hasTo = cmd.Flags().Changed("to")
		return f.export(cmd.OutOrStdout(), cmd.ErrOrStderr(), write, args[0])
	}
	c.Flags().StringVar(&f.seed, "seed", "", "use this seed instead of the scenario's (0 to 2^53-1)")
	c.Flags().DurationVar(&f.from, "from", 0, "the instant at which the span begins")
	c.Flags().DurationVar(&f.to, "to", 0, "the instant at which the span ends (default: the end of the run)")
	c.Flags().StringVarP(&f.output, "output", "o", "", "write to this `file` instead of standard output")
	c.Flags().StringVar(&f.page, "page", "http://127.0.0.1:8765/",
		"`address` of the page for the link (default: leaselab serve's)")
	if format == "svg" {
		c.Flags().BoolVar(&f.dark, "dark", false, "the colors of the dark theme")
	}
	completeFiles(c, "output")
	return c
}

// export opens the scenario in a session that has seen everything up to the end of the span, and writes what the page
// would show there. If the link would be too long, the document has no link, and a note on standard error says so.
func (f *exportFlags) export(out, told io.Writer, write writeRun, arg string) error {
	s, err := loadWith(arg, f.seed)
	if err != nil {
		return err
	}
	end := time.Duration(s.Duration)
	if !f.hasTo {
		f.to = end
	}
	switch {
	case f.to <= 0 || f.to > end:
		return fmt.Errorf("--to %s must lie between 0 and the scenario's duration, %s", f.to, s.Duration)
	case f.from < 0 || f.from >= f.to:
		return fmt.Errorf("--from %s must lie between 0 and the end of the span, %s", f.from, scenario.Duration(f.to))
	}
	to := timeline.Cursor{T: int64(f.to), N: -1}
	l := newLab()
	if err := l.Open(lab.Opening{Whole: &s, Cursor: &to, Live: &to}); err != nil {
		return err
	}
	link, err := linkOf(s, arg, f.to, f.page)
	if err != nil { // for example, it is too long
		fmt.Fprintln(told, "leaselab: no link:", err)
	}
	theme := export.Light
	if f.dark {
		theme = export.Dark
	}
	text, err := write(l.Look(), export.Options{FromNs: int64(f.from), ToNs: int64(f.to), Link: link, Theme: theme})
	if refused := (*scenario.FieldError)(nil); errors.As(err, &refused) {
		return fmt.Errorf("%s with --from and --to", refused.Message)
	}
	if err != nil {
		return err
	}
	if f.output == "" {
		_, err = io.WriteString(out, text)
		return err
	}
	return os.WriteFile(f.output, []byte(text), 0o644)
}
