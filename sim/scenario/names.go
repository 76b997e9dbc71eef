package scenario

import (
	_ "embed"
	"strings"
)

// names.txt has a line for each group, field and act: its key and the plain name that the page shows. An act also has
// a short description, and the sentence of which its form consists. In the sentence, {for=20 s|ever} is the field
// "for": it begins with 20 s, and "ever" stands in it while it is empty.
//
//go:embed names.txt
var nameLines string

var plain = readLines(nameLines)

// readLines reads a text whose lines have a key and, after a bar each, its values.
func readLines(text string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		all[parts[0]] = parts[1:]
	}
	return all
}

// PlainName returns the name that the page shows for a group, a field such as "Elector.leaseDuration", or an act.
func PlainName(key string) string { return plain[key][0] }

// Sentence returns the short description of an act, and the sentence with its fields.
func (a *Act) Sentence() (short, sentence string) { return plain[a.Word][1], plain[a.Word][2] }
