package words

import "strings"

// ShellArgument writes an argument of a command for a POSIX shell, in quotes where it needs them.
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

// ShellQuoted writes an argument of a command for a POSIX shell in quotes, whether or not it needs them.
func ShellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
