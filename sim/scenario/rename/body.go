package rename

import (
	"encoding/json"
	"strings"
)

// body is a request's body with the new identities, JSON or YAML. Everything but the operations of a JSON patch stays
// byte by byte.
func (r *renaming) body(text string) string {
	for _, field := range []string{"holderIdentity", "preferredHolder"} {
		text = r.values(text, field, -1)
	}
	if at := strings.Index(text, "metadata"); at >= 0 && strings.Contains(text, "LeaseCandidate") {
		text = text[:at] + r.values(text[at:], "name", 1)
	}
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		text = r.patch(text)
	}
	return text
}

// patch is a JSON patch with the new identities; any other text stays.
func (r *renaming) patch(text string) string {
	var operations []map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &operations) != nil {
		return text
	}
	changed := false
	for _, o := range operations {
		var path, value string
		if json.Unmarshal(o["path"], &path) != nil || json.Unmarshal(o["value"], &value) != nil {
			continue
		}
		_, field, _ := cutLast(path, "/")
		if to := or(r.identities, value); to != value && (field == "holderIdentity" || field == "preferredHolder") {
			o["value"], changed = json.RawMessage(`"`+to+`"`), true
		}
	}
	if !changed {
		return text
	}
	out, err := json.Marshal(operations)
	if err != nil {
		panic(err) // what was decoded encodes
	}
	return string(out)
}

// values gives the first most values of a field their new names; -1: all of them.
func (r *renaming) values(text, field string, most int) string {
	var out strings.Builder
	for ; most != 0; most-- {
		at := strings.Index(text, field)
		if at < 0 {
			break
		}
		at += len(field)
		from, to := valueAfter(text, at)
		out.WriteString(text[:from] + or(r.identities, text[from:to]))
		text = text[to:]
	}
	return out.String() + text
}

// valueAfter finds the text, without quotation marks, that follows the name of a field; an empty one if none does.
func valueAfter(text string, at int) (from, to int) {
	const space = " \t\r\n"
	skip := func(set string) {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], set))
	}
	name := at
	skip(`"'`)
	skip(space)
	if !strings.HasPrefix(text[at:], ":") {
		return name, name
	}
	at++
	skip(space)
	ends := space + "{}[],#"
	if at < len(text) && (text[at] == '"' || text[at] == '\'') {
		ends = text[at : at+1]
		at++
	}
	if i := strings.IndexAny(text[at:], ends); i >= 0 {
		return at, at + i
	}
	return at, len(text)
}
