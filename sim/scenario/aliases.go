package scenario

import "strings"

// Alias is a word of an earlier version of the format, and what it is called now. It is read and never written, so that files,
// links and what browsers have stored go on opening.
type Alias struct {
	Field    string // whose word it is: "Action.act"; ShippedName for the name of a shipped scenario
	Old, New string // a "*" at the beginning stands for anything
}

// ShippedName is the Field of aliases for the names of shipped scenarios.
const ShippedName = "shipped"

var aliases = []Alias{
	{"Action.act", "mend", ActRecover},
	{"Museum.variant", "mended", VariantFixed},
	{ShippedName, "b03-frozen-leader-mended", "b03-paused-leader-fixed"},
	{ShippedName, "*-mended", "*-fixed"},
}

// Aliases lists them all.
func Aliases() []Alias { return append([]Alias(nil), aliases...) }

// Current is what a word of a field is called now: the word itself if it never had another name.
func Current(field, word string) string {
	for _, a := range aliases {
		if a.Field != field {
			continue
		}
		ending, any := strings.CutPrefix(a.Old, "*")
		if beginning, fits := strings.CutSuffix(word, ending); any && fits {
			return beginning + strings.TrimPrefix(a.New, "*")
		}
		if word == a.Old {
			return a.New
		}
	}
	return word
}
