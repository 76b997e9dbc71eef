package scenario

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Alias is a word of an earlier version of the format, and the word that replaced it. leaselab reads the old word but
// never writes it, so that old files, links and stored sessions still open. The list only grows: without an old word,
// links in issues from years ago would break.
type Alias struct {
	// The field of the word: "Action.act". ShippedName is for the name of a shipped scenario, and MemberName for a
	// member.
	Field    string
	Old, New string // a "*" at the beginning stands for any text
}

// ShippedName is the Field of aliases for the names of shipped scenarios.
const ShippedName = "shipped"

// MemberName is the Field of aliases for the names of object members in links, sessions and snapshots.
const MemberName = "member"

var aliases = []Alias{
	{"Action.act", "mend", ActRecover},
	{"Museum.variant", "mended", VariantFixed},
	{ShippedName, "b03-frozen-leader-mended", "b03-paused-leader-fixed"},
	{ShippedName, "*-mended", "*-fixed"},
	{MemberName, "edge", "live"},
}

// Current returns the current word for a word of a field. A word that is already current stays the same. The reader
// applies Current to every word, so the rest of the program knows only current words.
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

// CurrentMembers returns a link, a session or a snapshot with current member names. Only members whose value is an
// object have aliases. A document without old names stays unchanged. CurrentMembers works on bytes, because this
// package does not know the formats of links and sessions.
func CurrentMembers(document []byte) []byte {
	for _, a := range aliases {
		if a.Field != MemberName || !bytes.Contains(document, []byte(`"`+a.Old+`"`)) {
			continue
		}
		var compact bytes.Buffer
		if json.Compact(&compact, document) != nil {
			return document
		}
		// Inside a JSON string each quote has a backslash, so this replaces only member names.
		document = bytes.ReplaceAll(compact.Bytes(), []byte(`"`+a.Old+`":{`), []byte(`"`+a.New+`":{`))
	}
	return document
}
