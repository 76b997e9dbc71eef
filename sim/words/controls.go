package words

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// IsControl reports whether a terminal acts on a character instead of showing it: the control characters, and those
// that change the direction of a text or end its line.
func IsControl(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r <= 0x9f, r == 0x61c, r == 0x200e, r == 0x200f:
		return true
	}
	return r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// Cell returns a text as the cell of a table in CSV. A spreadsheet takes a text that begins with a sign for a formula,
// so such a text gets an apostrophe, which the spreadsheet does not show. A number stays the same.
func Cell(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if text == "" || !strings.ContainsRune("=+-@＝＋－＠\t\r\n", first) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}
