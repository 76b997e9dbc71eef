package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/leaselab/leaselab/sim/explain"
)

// palette colours text for a terminal. The zero value leaves text as it is. No meaning is in a colour alone: the words say it, too.
type palette struct{ on bool }

// Colours of a terminal.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	faint  = "2"
)

// paletteFor colours what goes to a terminal, unless NO_COLOR is set or the terminal is dumb; "always" and "never" decide it.
func paletteFor(out io.Writer, when string) (palette, error) {
	if err := checkWord("color", when, "auto", "always", "never"); err != nil {
		return palette{}, err
	}
	file, isFile := out.(*os.File)
	automatic := isFile && isTerminal(file) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
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

// outcome colours the lines of a summary.
func (p palette) outcome(out io.Writer, text string) {
	for line := range strings.Lines(text) {
		bare := strings.TrimSuffix(line, "\n")
		colour := ""
		switch {
		case strings.Contains(bare, " safety: "), strings.Contains(bare, " liveness: "), strings.Contains(bare, " violated "):
			colour = red
		case strings.Contains(bare, " observation: "), strings.Contains(bare, " observed "):
			colour = yellow
		case bare == "no violations":
			colour = green
		}
		fmt.Fprintln(out, p.paint(colour, bare))
	}
}
