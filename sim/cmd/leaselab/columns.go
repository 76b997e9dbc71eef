package main

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Widths of text in columns. A story in less than leastColumns would be a ladder of single words.
const (
	usualColumns = 100
	leastColumns = 40
)

// columnsOf says how wide a text may be: as wide as COLUMNS says, else as the terminal is, else usualColumns.
func columnsOf(out io.Writer) int {
	wide, _ := strconv.Atoi(os.Getenv("COLUMNS")) // a mistake counts as 0
	if to, is := out.(*standardOutput); is && wide <= 0 && to.file() != nil {
		wide = terminalColumns(to.file())
	}
	if wide <= 0 {
		return usualColumns
	}
	return max(wide, leastColumns)
}

// A wrapper wraps the lines that pass through it. It holds back a line until the line ends.
type wrapper struct {
	out  io.Writer
	wide int
	line []byte
}

// Write implements io.Writer.
func (w *wrapper) Write(data []byte) (int, error) {
	w.line = append(w.line, data...)
	whole := bytes.LastIndexByte(w.line, '\n') + 1
	_, err := io.WriteString(w.out, wrapLines(string(w.line[:whole]), w.wide))
	w.line = append(w.line[:0], w.line[whole:]...)
	return len(data), err
}

// wrapLines wraps every line of a text that is wider than it may be.
func wrapLines(text string, wide int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if len(line) > wide {
			line = wrapLine(line, wide)
		}
		b.WriteString(line)
	}
	return b.String()
}

// wrapLine wraps one line. The further lines begin below the line's text, which may follow a column of instants or
// flags.
func wrapLine(line string, wide int) string {
	var b strings.Builder
	line = strings.TrimRight(line, "\n ")
	hang := strings.Repeat(" ", hangOf(line, wide))
	if comment := strings.TrimLeft(line, " "); strings.HasPrefix(comment, "# ") {
		hang = line[:len(line)-len(comment)] + "# "
	}
	for at := breakOf(line, wide, len(hang)); at < len(line); at = breakOf(line, wide, len(hang)) {
		b.WriteString(strings.TrimRight(line[:at], " ") + "\n")
		line = hang + strings.TrimLeft(line[at:], " ")
	}
	return b.String() + line + "\n"
}

// besideColumn matches what stands before a line's text, if a gap separates it. A sum has a gap behind its sign, too.
var besideColumn = regexp.MustCompile(`^.{9,}?  +`)

// hangOf returns the column at which the further lines of a wrapped line begin.
func hangOf(line string, wide int) int {
	const leastText = 18
	if beside := width(besideColumn.FindString(line)); beside > 0 && beside <= wide-leastText {
		return beside
	}
	leads := len(line) - len(strings.TrimLeft(line, " "))
	return min(leads+min(leads, 2), wide-leastText)
}

// width counts the columns of a text on a terminal. A color takes none.
func width(text string) int {
	wide := 0
	eachColumn(text, func(int, rune) bool {
		wide++
		return true
	})
	return wide
}

// breakOf returns where to break a line: at the last space that fits, else after the last comma, else anywhere. It
// returns the length of the line if all of it fits. A break lies behind the column "hang".
func breakOf(line string, wide, hang int) int {
	column, space, comma, at := 0, 0, 0, len(line)
	eachColumn(line, func(i int, r rune) bool {
		if r == ' ' && column > hang {
			space = i
		}
		if column == wide {
			at = cmp.Or(space, comma, i)
			return false
		}
		if column++; r == ',' && column > hang {
			comma = i + 1
		}
		return true
	})
	return at
}

// eachColumn calls a function with each character that takes a column, until the function returns false.
func eachColumn(text string, see func(i int, r rune) bool) {
	isColor := false
	own, _ := utf8.DecodeRuneInString(pen)
	for i, r := range text {
		switch {
		case r == own || isColor:
			isColor = r != 'm'
		case !see(i, r):
			return
		}
	}
}

// paragraphs joins the lines of each paragraph, so that wrapping can break them elsewhere. It leaves an indented line
// alone, because that line is part of a list.
func paragraphs(text string) string {
	var b strings.Builder
	last := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch isList := strings.HasPrefix(line, " "); {
		case last == "" || line == "" || isList || strings.HasPrefix(last, " "):
			b.WriteString("\n" + line)
		default:
			b.WriteString(" " + line)
		}
		last = line
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// argumentOfShell matches one argument of a command line, with its quotes.
var argumentOfShell = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|\S)+`)

// wrapExamples wraps command lines in such a way that a shell still reads them. The comment behind a long one goes
// above it.
func wrapExamples(text string, wide int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if width(line) <= wide || strings.HasPrefix(line, "  # ") {
			b.WriteString(wrapLines(line+"\n", wide))
			continue
		}
		command, comment, has := strings.Cut(line, " # ")
		if has {
			b.WriteString(wrapLines("  # "+comment+"\n", wide))
		}
		line = " "
		for _, word := range argumentOfShell.FindAllString(command, -1) {
			if width(line+" "+word+" \\") > wide && line != " " {
				b.WriteString(line + " \\\n")
				line = "     "
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
