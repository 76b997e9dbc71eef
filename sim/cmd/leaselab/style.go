package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// palette colours text for a terminal. The zero value leaves text as it is. No meaning is in a colour alone: the words
// say it, too.
type palette struct{ on bool }

// Colours of a terminal.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	faint  = "2"
	bold   = "1"
)

// colourFlag adds --color to a command.
func colourFlag(c *cobra.Command, when *string) {
	c.Flags().StringVar(when, "color", "auto", "auto (on a terminal, unless NO_COLOR is set), always or never")
	completeWords(c, "color", "auto", "always", "never")
}

// paletteFor colours what goes to a terminal, unless NO_COLOR is set or the terminal is dumb; "always" and "never"
// decide it.
func paletteFor(out io.Writer, when string) (palette, error) {
	if err := checkWord("color", when, "auto", "always", "never"); err != nil {
		return palette{}, err
	}
	to, standard := out.(*standardOutput)
	automatic := standard && isTerminal(to.file) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return palette{on: when == "always" || when == "auto" && automatic}, nil
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (p palette) paint(colour, text string) string {
	if !p.on || colour == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// event colours the line of an event.
func (p palette) event(said explain.Sentence, line string) string {
	switch {
	case said.Kind == "lead":
		return p.paint(green, line)
	case said.Kind == "act", said.Kind == "fault":
		return p.paint(yellow, line)
	case said.Outcome != "" && said.Outcome != "ok" && said.Outcome != "notFound":
		return p.paint(red, line)
	case said.Kind == "callback":
		return p.paint(faint, line)
	}
	return line
}

// outcome is the colour of a line of a summary.
func outcome(line string) string {
	switch {
	case strings.Contains(line, " safety: "), strings.Contains(line, " liveness: "),
		strings.Contains(line, " violated "):
		return red
	case strings.Contains(line, " observation: "), strings.Contains(line, " observed "):
		return yellow
	case line == "no violations":
		return green
	}
	return ""
}

// reason is the colour of a line of explain.
func reason(line string) string {
	switch {
	case strings.HasPrefix(line, "violation ") && strings.Contains(line, "(observation)"):
		return yellow
	case strings.HasPrefix(line, "violation "):
		return red
	case strings.HasPrefix(line, "change "):
		return bold
	case strings.HasPrefix(line, "    no difference with "), strings.HasPrefix(line, "  ") &&
		!strings.HasPrefix(line, "   "):
		return faint
	}
	return ""
}

// compared is the colour of a line of compare.
func compared(line string) string {
	switch {
	case strings.HasPrefix(line, "* "), strings.HasPrefix(line, "first difference "):
		return yellow
	case strings.HasPrefix(line, "no difference"):
		return green
	}
	return ""
}

// combination is the colour of a line of sweep: rows with two leaders, refused ones and broken rules stand out.
func combination(line string) string {
	switch {
	case strings.HasPrefix(line, "  ") && strings.Contains(line, " ("+rules.Safety.String()+") in "):
		return red
	case strings.Contains(line, " % (") && !strings.Contains(line, " 0.0 % ("), strings.Contains(line, "  refused: "):
		return yellow
	}
	return ""
}

// chance is the colour of a line of reroll.
func chance(line string) string {
	switch {
	case strings.HasPrefix(line, "Inevitable "), strings.HasPrefix(line, "Scripted: "):
		return red
	case strings.HasPrefix(line, "Not inevitable "):
		return green
	}
	return ""
}

// heading is the colour of a line of scenarios.
func heading(line string) string {
	if strings.HasPrefix(line, " ") {
		return ""
	}
	return bold
}

// lines is a writer that colours whole lines.
func (p palette) lines(out io.Writer, colour func(line string) string) io.Writer {
	if !p.on {
		return out
	}
	return &lineWriter{out: out, palette: p, colour: colour}
}

type lineWriter struct {
	out     io.Writer
	palette palette
	colour  func(line string) string
	begun   string // a line that has not ended
}

// Write writes the lines that have ended.
func (w *lineWriter) Write(data []byte) (int, error) {
	w.begun += string(data)
	for {
		line, rest, ended := strings.Cut(w.begun, "\n")
		if !ended {
			return len(data), nil
		}
		w.begun = rest
		colour := ""
		if line != "" {
			colour = w.colour(line)
		}
		if _, err := fmt.Fprintln(w.out, w.palette.paint(colour, line)); err != nil {
			return 0, err
		}
	}
}
