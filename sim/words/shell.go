package words

import (
	"strings"
	"unicode"
)

// ShellArgument writes a text as one argument for a POSIX shell, in quotes only where it needs them.
func ShellArgument(text string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:=,+@%", r)
	}
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return ShellQuoted(text)
	}
	return text
}

// ShellQuoted writes a text in single quotes, within which a shell leaves all but the single quote as it is.
func ShellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
