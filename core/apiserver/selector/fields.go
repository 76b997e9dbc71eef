package selector

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// Fields is a field selector: an object matches if it meets all terms.
type Fields []Term

// Term compares one field, such as metadata.name or status.phase, with a value.
type Term struct {
	Field, Value string
	Not          bool // the field must differ
}

// Matches reports whether the selector selects an object.
func (s Fields) Matches(o wire.Map) bool {
	for _, t := range s {
		at, member, inside := strings.Cut(t.Field, ".")
		path := [2]string{at, member}
		have := wire.Text(o, path[:1]...)
		if inside {
			have = wire.Text(o, path[:]...)
		}
		if (have == t.Value) == t.Not {
			return false
		}
	}
	return true
}

// Exact returns the first value that the selector requires a field to have.
func (s Fields) Exact(field string) (string, bool) {
	for _, t := range s {
		if t.Field == field && !t.Not {
			return t.Value, true
		}
	}
	return "", false
}

// ParseFields parses a field selector and leaves out terms that have neither field nor value. Its errors are
// upstream's sentences. Source: apimachinery v0.36 pkg/fields selector.go parseSelector.
func ParseFields(text string) (Fields, error) {
	parts := splitTerms(text)
	sort.Strings(parts)
	var s Fields
	for _, part := range parts {
		if part == "" {
			continue
		}
		field, raw, found := strings.Cut(part, "=")
		if !found {
			return nil, fmt.Errorf("invalid selector: '%s'; can't understand '%s'", text, part)
		}
		t := Term{Field: strings.TrimSuffix(field, "!"), Not: strings.HasSuffix(field, "!")}
		if !t.Not {
			raw = strings.TrimPrefix(raw, "=")
		}
		var err error
		if t.Value, err = unescapeTerm(raw); err != nil {
			return nil, err
		}
		if t.Field != "" || t.Value != "" {
			s = append(s, t)
		}
	}
	return s, nil
}

// splitTerms splits at commas, except escaped ones.
func splitTerms(text string) []string {
	var parts []string
	escaped, start := false, 0
	for i := range len(text) {
		switch {
		case escaped:
			escaped = false
		case text[i] == '\\':
			escaped = true
		case text[i] == ',':
			parts, start = append(parts, text[start:i]), i+1
		}
	}
	return append(parts, text[start:])
}

func unescapeTerm(text string) (string, error) {
	if !strings.ContainsAny(text, `\,=`) {
		return text, nil
	}
	var out strings.Builder
	escaped := false
	for _, r := range text {
		special := r == '\\' || r == ',' || r == '='
		switch {
		case escaped && !special:
			return "", fmt.Errorf("invalid field selector: invalid escape sequence: %s", string([]rune{'\\', r}))
		case escaped:
			out.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case special:
			return "", fmt.Errorf("invalid field selector: unescaped character in value: %v", r)
		default:
			out.WriteRune(r)
		}
	}
	if escaped {
		return "", errors.New(`invalid field selector: invalid escape sequence: \`)
	}
	return out.String(), nil
}
