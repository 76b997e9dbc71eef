package words

import "strings"

// ShellArgument quotes an argument for a POSIX shell if it needs quotes.
func ShellArgument(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-./:@%+=,", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return ShellQuoted(text)
}

// ShellQuoted quotes an argument for a POSIX shell whether or not it needs quotes.
func ShellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
