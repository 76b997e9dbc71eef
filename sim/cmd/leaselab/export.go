package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view/export"
)

// exportFlags are the flags of the formats that draw a run.
type exportFlags struct {
	span
	seed, page string
	dark       bool
}

// span is the part of a run or of evidence that an export shows. Instants of evidence count from its first record.
type span struct {
	from, to time.Duration
	flags    *pflag.FlagSet
}

func (s *span) add(c *cobra.Command) {
	s.flags = c.Flags()
	s.flags.DurationVar(&s.from, "from", 0, "")
	s.flags.DurationVar(&s.to, "to", 0, "")
}

// check checks --from and --to against the end. Without --to, the span ends there.
func (s *span) check(endNs int64) error {
	if !s.flags.Changed("to") {
		s.to = time.Duration(endNs)
	}
	switch {
	case s.to <= 0 || s.to > time.Duration(endNs):
		return fmt.Errorf("--to %s must lie between 0 and the end, %s", s.to, scenario.Duration(endNs))
	case s.from < 0 || s.from >= s.to:
		return fmt.Errorf("--from %s must lie between 0 and the end of the span, %s", s.from, scenario.Duration(s.to))
	}
	return nil
}

// exportCommand is `leaselab export`: it writes a run, or evidence, in a format for other programs and people. The
// command export only groups its subcommands. Each subcommand writes one document, and exits 1 if it cannot.
//
// The formats svg, markdown and mermaid draw what the page shows of a run, so they take a scenario. The formats
// ndjson and csv need only a history, so they also take evidence and records. The format go-test is a program, link is
// an address of the page, and scenario is a file.
func exportCommand() *cobra.Command {
	c := &cobra.Command{
		Use:  "export FORMAT",
		Args: noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(exportOne("svg", export.SVG), exportOne("markdown", export.Markdown),
		exportOne("mermaid", export.Mermaid), goTestCommand(), linkCommand(), exportScenarioCommand())
	c.AddCommand(historyCommands()...)
	c.AddCommand(refusals("export")...)
	return c
}

// writeRun writes a run in one format. If the format cannot draw the span, the error names the span.
type writeRun func(timeline.Look, export.Options) (string, error)

// exportOne returns the command of a format that draws a run.
func exportOne(format string, write writeRun) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use: format + " SCENARIO", Args: aScenario, ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.export(cmd.OutOrStdout(), cmd.ErrOrStderr(), write, args[0])
		},
	}
	c.Flags().StringVar(&f.seed, "seed", "", "")
	f.span.add(c)
	c.Flags().StringVar(&f.page, "page", "http://127.0.0.1:8765/", "")
	if format == "svg" {
		c.Flags().BoolVar(&f.dark, "dark", false, "")
	}
	return c
}

// export opens the scenario in a session that has seen everything up to the end of the span, and writes what the page
// would show there. If the link would be too long, the document has no link, and a note on standard error says so.
func (f *exportFlags) export(out, told io.Writer, write writeRun, arg string) error {
	s, err := loadWith(arg, f.seed)
	if err != nil {
		return err
	}
	if err := f.span.check(int64(s.Duration)); err != nil {
		return err
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
	_, err = io.WriteString(out, text)
	return err
}
