package export

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// oneLine is a text on one line of characters that every format here can hold: those of XML.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\r', r == '\t', r == 0x85, r == 0x2028, r == 0x2029:
			return ' '
		case r < ' ', r == 0x7f, r == 0xfffe, r == 0xffff:
			return utf8.RuneError
		}
		return r
	}, text)
}

// escape is a text on one line with some ASCII characters replaced.
func escape(text, characters string, replace func(out []byte, c byte) []byte) string {
	text = oneLine(text)
	out := make([]byte, 0, len(text)+16)
	for i := range len(text) {
		if c := text[i]; strings.IndexByte(characters, c) >= 0 {
			out = replace(out, c)
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

// entity replaces a character by its code, between what each format writes around it.
func entity(before string) func([]byte, byte) []byte {
	return func(out []byte, c byte) []byte {
		return append(strconv.AppendInt(append(out, before...), int64(c), 10), ';')
	}
}

// forXML is a text as the content of an element, or as the value of an attribute.
func forXML(text string) string { return escape(text, `&<>"'`, entity("&#")) }

// forMermaid is a text as a message, a note or a name of a sequence diagram. Mermaid reads #CODE; as a character. It
// also rewrites what looks like a style of another kind of diagram, wherever it stands.
func forMermaid(text string) string {
	text = escape(text, "#;<>%{}\\\"&`$|@", entity("#"))
	return strings.ReplaceAll(strings.ReplaceAll(text, "style", "styl#101;"), "classDef", "classDe#102;")
}

// forComment is a text as a comment of a diagram, where braces would begin a directive.
func forComment(text string) string {
	return escape(text, "{}", func(out []byte, _ byte) []byte { return append(out, '|') })
}

// forMarkdown is a text in a paragraph, a heading or a cell of a table of GitHub's Markdown.
func forMarkdown(text string) string {
	return escape(text, "\\`*_{}[]<>#|~!$&@", func(out []byte, c byte) []byte { return append(out, '\\', c) })
}

// code is a text as code in Markdown: between more backticks than it has itself, with spaces that Markdown takes away
// where it needs them.
func code(text string) string {
	text = oneLine(text)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 || strings.Trim(text, " ") == "" {
		text = " " + text + " "
	}
	return fence + text + fence
}

// address is a link as all formats hold it: the characters that would end it are in percent.
func address(link string) string {
	var out []byte
	for i := range len(link) {
		c := link[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte("<>\"\\`(){}", c) >= 0 {
			out = append(out, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
			continue
		}
		out = append(out, c)
	}
	return string(out)
}
