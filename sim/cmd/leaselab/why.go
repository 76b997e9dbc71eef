package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/evidence/symptoms"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// mostLog is how many bytes of a log `leaselab why` reads. Its matching needs the lines around a failure, not a day.
const mostLog = 4 << 20

// whyCommand is `leaselab why`. It exits 1 if no page fits, and says what to try next.
func whyCommand() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:  "why FILE|-",
		Args: takes(1, 1, "a file with log lines or words, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readLog(args[0])
			if err != nil {
				return err
			}
			answer, out := symptoms.Find(text), bufio.NewWriter(cmd.OutOrStdout())
			if output == "json" {
				writeDocument(out, "Why", answer)
			} else {
				writeWhy(out, columnsOf(cmd.OutOrStdout()), answer)
			}
			if err := out.Flush(); err != nil || len(answer.Matches) > 0 {
				return err
			}
			return errors.New("no incident and no question fits; add the lines around the failure, or say in words " +
				"what happened. For whole logs, try leaselab import")
		},
	}
	formatFlag(c, &output, "text", "json")
	return c
}

// readLog reads the end of a file or of standard input.
func readLog(name string) (string, error) {
	in := os.Stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer file.Close()
		in = file
	}
	data, err := io.ReadAll(io.LimitReader(in, mostLog+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", name, err)
	case len(data) > mostLog:
		return "", fmt.Errorf("%s has more than %d MiB; pass the lines around the failure, such as tail -n 10000 %s",
			name, mostLog>>20, name)
	}
	return string(data), nil
}

func writeWhy(out io.Writer, wide int, answer *symptoms.Findings) {
	failing := map[string]string{}
	for _, e := range shipped.Catalogue() {
		if e.Catalogue != "" && e.Variant == "failing" && failing[e.Catalogue] == "" {
			failing[e.Catalogue] = e.Name
		}
	}
	wrapped := &wrapper{out: out, wide: wide}
	for i, m := range answer.Matches {
		fmt.Fprintf(wrapped, "%d  %-4s %s\n", i+1, m.ID, m.Title)
		fmt.Fprintf(wrapped, "        the text says: %s\n", strings.Join(m.Because, "; "))
		fmt.Fprintf(wrapped, "        page: docs/%s.html\n", m.Address)
		if name := failing[m.ID]; name != "" {
			fmt.Fprintf(wrapped, "        run:  leaselab explain %s\n", name)
		}
	}
	if answer.Question != "" {
		fmt.Fprintf(wrapped, "\n%s\n", answer.Question)
	}
}
