package export

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Names come from users, and in each format some characters have a special meaning. A node called "a|b" would end a
// table cell, and "a;b" a message in Mermaid. Each format has its escape here, and nothing else in the package writes
// a name.

// oneLine returns a text on one line. The result contains only characters that XML allows, because every other format
// here allows those, too. Control characters become U+FFFD, because XML does not allow them even as escapes.
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

// escape returns a function that returns a text on one line, with certain ASCII characters replaced.
func escape(characters string, by func(c string) string) func(text string) string {
	var pairs []string
	for _, c := range characters {
		pairs = append(pairs, string(c), by(string(c)))
	}
	replacer := strings.NewReplacer(pairs...)
	return func(text string) string { return replacer.Replace(oneLine(text)) }
}

// entity returns a function that replaces a character with its code after a prefix.
func entity(before string) func(string) string {
	return func(c string) string { return before + strconv.Itoa(int(c[0])) + ";" }
}

// forXML escapes a text for the content of an element or the value of an attribute.
var forXML = escape(`&<>"'`, entity("&#"))

var forDiagram = escape("#;<>%{}\\\"&`$|@", entity("#"))

// forMermaid escapes a text for a message, a note or a name in a sequence diagram. Mermaid converts #CODE; to a
// character. If a part of the text looks like a style of another kind of diagram, Mermaid rewrites that part.
func forMermaid(text string) string {
	return strings.NewReplacer("style", "styl#101;", "classDef", "classDe#102;").Replace(forDiagram(text))
}

// forComment escapes a text for a comment in a diagram, where braces would begin a directive.
var forComment = escape("{}", func(string) string { return "|" })

// forMarkdown escapes a text for a paragraph, a heading or a table cell in GitHub's Markdown.
var forMarkdown = escape("\\`*_{}[]<>#|~!$&@", func(c string) string { return "\\" + c })

// code returns a text as code in Markdown. It puts more backticks around the text than the text contains, and spaces
// where necessary. Markdown removes these spaces.
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

// address returns a link for all formats. It percent-encodes the characters that would end the link.
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
