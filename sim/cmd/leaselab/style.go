package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run/transcript"
	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// palette colors text for a terminal. The zero value does not change text. Colors only repeat what the words say. So
// nothing is missing in a pipe, in a CI log, or for a reader who cannot tell red from green. It also says how wide the
// text may be.
type palette struct {
	on   bool
	wide int
}

// Terminal colors, as parameters of the escape sequence "select graphic rendition". Terminal themes adapt these basic
// colors, so they are readable on any background.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	faint  = "2"
	bold   = "1"
)

// colorFlag adds --color to a command.
func colorFlag(c *cobra.Command, when *string) {
	wordFlag(c, when, "color", "auto", "always", "never")
}

// paletteFor returns a palette with colors if out is a terminal, unless NO_COLOR has a value or TERM is "dumb". The
// values "always" and "never" of --color override this. In a test the output is a buffer rather than a
// standardOutput, so "auto" never colors it.
func paletteFor(out io.Writer, when string) palette {
	to, standard := out.(*standardOutput)
	automatic := standard && isTerminal(to.file()) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return palette{when == "always" || when == "auto" && automatic, columnsOf(out)}
}

// isTerminal reports whether a file is a character device. That includes /dev/null, where colors and progress do no
// harm.
func isTerminal(file *os.File) bool {
	if file == nil {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// paint wraps a text in a color. If the color is empty, it returns the text unchanged, so that callers need no special
// case.
func (p palette) paint(color, text string) string {
	if !p.on || color == "" {
		return text
	}
	return pen + "[" + color + "m" + text + pen + "[0m"
}

// event colors the line of an event: green for a new leader, yellow for what the scenario does to the nodes, red for a
// request that failed. "notFound" stays plain, because the first read of every election gets it. Most lines stay plain,
// so that the colored ones stand out.
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

// severity is the color of a broken rule. An observation is yellow, because it is worth a look but is not a failure.
func severity(of string) string {
	if of == rules.Observation.String() {
		return yellow
	}
	return red
}

// tone colors a line of a summary by its tone. The tone of a plain line is not in the list, so that line gets no
// color.
func (p palette) tone(of transcript.Tone, line string) string {
	return p.paint([]string{transcript.Good: green, transcript.Odd: yellow, transcript.Bad: red}[of], line)
}

// heading colors a heading.
func (p palette) heading(line string) string { return p.paint(bold, line) }

// story returns a painter that wraps its lines. A table needs a plain painter.
func (p palette) story(out io.Writer) painter { return painter{&wrapper{out: out, wide: p.wide}, p} }

// painter writes text, and some lines in color. It is also a plain io.Writer: only the method named line writes color.
type painter struct {
	io.Writer
	palette palette
}

// whole writes a line that wrapping would break, such as a command.
func (p painter) whole(format string, args ...any) {
	out := p.Writer
	if wraps, is := out.(*wrapper); is {
		out = wraps.out
	}
	fmt.Fprintf(out, format+"\n", args...)
}

// line writes one line in a color and ends it. The line break itself has no color.
func (p painter) line(color, format string, args ...any) {
	fmt.Fprintln(p, p.palette.paint(color, fmt.Sprintf(format, args...)))
}
