package yaml

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// foldAt is the column beyond which a line folds at its next space.
const foldAt = 80

// scalar writes a string plain, in single quotes, in double quotes or as a literal block: the first form that reads
// back as the same string. A key never folds.
func (w *writer) scalar(s string, indent int, key bool) {
	t := traitsOf(s)
	switch {
	case strings.Contains(s, "\n"):
		if key || t.endsInSpace || t.spaceBeforeBreak || t.special {
			w.writeDoubleQuoted(s, indent, key)
			return
		}
		w.literal(s, indent)
	case readsAsOther(s), t.special, t.spaceBeforeBreak, t.spaceAfterBreak:
		w.writeDoubleQuoted(s, indent, key)
	case t.indicator, t.breaks, t.startsBlank, t.endsBlank:
		w.writeSingleQuoted(s, indent, key)
	default:
		w.plain(s, indent, key)
	}
}

// traits determine which forms can represent a string.
type traits struct {
	indicator        bool // YAML would read a character of it as syntax
	special          bool // it contains a character that YAML cannot hold raw
	breaks           bool
	startsBlank      bool // a blank is a space or a line break
	endsBlank        bool
	endsInSpace      bool
	spaceBeforeBreak bool
	spaceAfterBreak  bool
}

func traitsOf(s string) traits {
	t := traits{indicator: strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...")}
	before := rune(-1) // the previous character, -1 at the start
	for i, r := range s {
		rest := s[i+utf8.RuneLen(r):]
		blankFollows := rest == "" || rest[0] == ' ' || rest[0] == '\t'
		switch {
		case i == 0 && strings.ContainsRune("#,[]{}&*!|>'\"%@`", r):
			t.indicator = true
		case i == 0 && strings.ContainsRune("?-", r) && blankFollows, r == ':' && blankFollows:
			t.indicator = true
		case i > 0 && r == '#' && (before == ' ' || before == '\t' || before == '\r' || before == 0 || isBreak(before)):
			t.indicator = true
		}
		t.special = t.special || !printable(r)
		if r == ' ' || isBreak(r) {
			t.startsBlank = t.startsBlank || i == 0
			t.endsBlank = rest == ""
		}
		t.endsInSpace = r == ' '
		t.breaks = t.breaks || isBreak(r)
		t.spaceAfterBreak = t.spaceAfterBreak || r == ' ' && isBreak(before)
		t.spaceBeforeBreak = t.spaceBeforeBreak || isBreak(r) && before == ' '
		before = r
	}
	return t
}

// isBreak reports whether a line of YAML ends at a character.
func isBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// printable reports whether YAML may hold a character raw. libyaml excludes everything beyond the basic plane.
func printable(r rune) bool {
	switch {
	case r == '\n', r >= 0x20 && r <= 0x7e, r >= 0xa0 && r <= 0xd7ff:
		return true
	}
	return r >= 0xe000 && r <= 0xfffd && r != byteOrderMark
}

const byteOrderMark = 0xfeff

func (w *writer) plain(s string, indent int, key bool) {
	inSpace := false
	for i, r := range s {
		if r == ' ' && !key && !inSpace && w.column > foldAt && s[i+1] != ' ' {
			w.newline(indent)
		} else {
			w.put(r)
		}
		inSpace = r == ' '
	}
}

func (w *writer) writeSingleQuoted(s string, indent int, key bool) {
	w.put('\'')
	inSpace, afterBreak := false, false
	for i, r := range s {
		switch {
		case r == ' ':
			if !key && !inSpace && w.column > foldAt && i > 0 && i < len(s)-1 && s[i+1] != ' ' {
				w.newline(indent)
			} else {
				w.put(r)
			}
			inSpace = true
			continue
		case isBreak(r):
			w.lineBreak(r)
			afterBreak = true
			continue
		}
		if afterBreak {
			w.pad(indent)
		}
		if r == '\'' {
			w.put(r)
		}
		w.put(r)
		inSpace, afterBreak = false, false
	}
	w.put('\'')
}

// lineBreak writes a line break that belongs to the string.
func (w *writer) lineBreak(r rune) {
	w.put(r)
	w.column = 0
}

// namedEscapes maps characters to their letter escapes in double quotes.
var namedEscapes = map[rune]rune{
	0: '0', '\a': 'a', '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r', 0x1b: 'e', '"': '"',
	'\\': '\\',
	0x85: 'N', 0xa0: '_', 0x2028: 'L', 0x2029: 'P',
}

func (w *writer) writeDoubleQuoted(s string, indent int, key bool) {
	escapeAll := strings.HasPrefix(s, "\ufeff") // libyaml escapes everything after a byte order mark at the start
	w.put('"')
	inSpace := false
	for i, r := range s {
		switch {
		case escapeAll, !printable(r), isBreak(r), r == '"', r == '\\':
			w.escape(r)
			inSpace = false
		case r == ' ':
			if !key && !inSpace && w.column > foldAt && i > 0 && i < len(s)-1 {
				w.newline(indent)
				if s[i+1] == ' ' {
					w.put('\\')
				}
			} else {
				w.put(r)
			}
			inSpace = true
		default:
			w.put(r)
			inSpace = false
		}
	}
	w.put('"')
}

func (w *writer) escape(r rune) {
	w.put('\\')
	letter, named := namedEscapes[r]
	switch {
	case named:
		w.put(letter)
	case r <= 0xff:
		w.text(fmt.Sprintf("x%02X", r))
	case r <= 0xffff:
		w.text(fmt.Sprintf("u%04X", r))
	default:
		w.text(fmt.Sprintf("U%08X", r))
	}
}

// literal writes a multi-line string as a block: "|", an indentation hint if it begins with a blank, and a chomping
// mark.
func (w *writer) literal(s string, indent int) {
	w.put('|')
	if first, _ := utf8.DecodeRuneInString(s); first == ' ' || isBreak(first) {
		w.put('2')
	}
	last, size := utf8.DecodeLastRuneInString(s)
	beforeLast, _ := utf8.DecodeLastRuneInString(s[:len(s)-size])
	switch {
	case !isBreak(last):
		w.put('-')
	case len(s) == size, isBreak(beforeLast):
		w.put('+')
	}
	w.newline(0)
	afterBreak := true
	for _, r := range s {
		if isBreak(r) {
			w.lineBreak(r)
			afterBreak = true
			continue
		}
		if afterBreak {
			w.pad(indent)
		}
		w.put(r)
		afterBreak = false
	}
}

// otherWords are the words that YAML 1.1 does not read as strings.
var otherWords = wordSet(
	"", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE", "y", "Y", "yes", "Yes", "YES",
	"on", "On", "ON",
	"n", "N", "no", "No", "NO", "off", "Off", "OFF", ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf",
	"+.INF", "-.inf", "-.Inf", "-.INF",
)

func wordSet(words ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return set
}

// readsAsOther reports whether a plain scalar would be read as a number, a boolean, null or a time.
func readsAsOther(s string) bool {
	if otherWords[s] {
		return true
	}
	switch c := s[0]; {
	case c == '.':
		_, err := strconv.ParseFloat(s, 64)
		return err == nil
	case c == '+', c == '-', isDigit(c):
		return isTimestamp(s) || isNumber(strings.ReplaceAll(s, "_", "")) || isSexagesimal(s)
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// digits returns the number of digits that a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

var timestampLayouts = [...]string{
	"2006-1-2T15:4:5.999999999Z07:00", "2006-1-2t15:4:5.999999999Z07:00", "2006-1-2 15:4:5.999999999", "2006-1-2",
}

func isTimestamp(s string) bool {
	if digits(s) != 4 || len(s) < 5 || s[4] != '-' {
		return false
	}
	for _, layout := range timestampLayouts {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

func isNumber(s string) bool {
	whole := func(text string, base int) bool {
		_, err := strconv.ParseInt(text, base, 64)
		_, unsignedErr := strconv.ParseUint(text, base, 64)
		return err == nil || unsignedErr == nil
	}
	if whole(s, 0) {
		return true
	}
	if isFloat(s) {
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			return true
		}
	}
	if rest, binary := strings.CutPrefix(s, "0b"); binary {
		return whole(rest, 2)
	}
	if rest, binary := strings.CutPrefix(s, "-0b"); binary {
		return whole("-"+rest, 2)
	}
	return false
}

// isFloat accepts a sign, digits with or without a point, and an exponent.
func isFloat(s string) bool {
	s = withoutSign(s)
	before := digits(s)
	s = s[before:]
	after := 0
	if s != "" && s[0] == '.' {
		after = digits(s[1:])
		s = s[1+after:]
	}
	if before == 0 && after == 0 {
		return false
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		exponent := withoutSign(s[1:])
		return exponent != "" && digits(exponent) == len(exponent)
	}
	return s == ""
}

func withoutSign(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}

// isSexagesimal accepts numbers to the base of 60, such as 1:20, which YAML 1.1 allows.
func isSexagesimal(s string) bool {
	parts := strings.Split(withoutSign(s), ":")
	first := parts[0]
	if len(parts) < 2 || first == "" || !isDigit(first[0]) || strings.Trim(first, "0123456789_") != "" {
		return false
	}
	for i, p := range parts[1:] {
		if i == len(parts)-2 {
			whole, fraction, _ := strings.Cut(p, ".")
			if strings.Trim(fraction, "0123456789_") != "" {
				return false
			}
			p = whole
		}
		if n := digits(p); n != len(p) || n == 0 || n > 2 || n == 2 && p[0] > '5' {
			return false
		}
	}
	return true
}
