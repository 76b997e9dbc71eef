package apiserver

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// fieldSelector is terms that all must be met.
type fieldSelector []fieldTerm

type fieldTerm struct {
	field, value string
	not          bool
}

func (s fieldSelector) matches(o object) bool {
	for _, t := range s {
		at, member, _ := strings.Cut(t.field, ".")
		if (wire.Text(o, at, member) == t.value) == t.not {
			return false
		}
	}
	return true
}

// exact is the value that a field must have, if the selector says so: the first of several.
func (s fieldSelector) exact(field string) (string, bool) {
	for _, t := range s {
		if t.field == field && !t.not {
			return t.value, true
		}
	}
	return "", false
}

// parseFields reads a field selector; terms without field and value are left out.
// Source: apimachinery v0.36 pkg/fields selector.go parseSelector.
func parseFields(text string) (fieldSelector, error) {
	parts := splitTerms(text)
	sort.Strings(parts)
	var s fieldSelector
	for _, part := range parts {
		if part == "" {
			continue
		}
		field, raw, found := strings.Cut(part, "=")
		if !found {
			return nil, fmt.Errorf("invalid selector: '%s'; can't understand '%s'", text, part)
		}
		t := fieldTerm{field: strings.TrimSuffix(field, "!"), not: strings.HasSuffix(field, "!")}
		if !t.not {
			raw = strings.TrimPrefix(raw, "=")
		}
		var err error
		if t.value, err = unescapeTerm(raw); err != nil {
			return nil, err
		}
		if t.field != "" || t.value != "" {
			s = append(s, t)
		}
	}
	return s, nil
}

// splitTerms splits at commas that no backslash escapes.
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

// selectable refuses field selectors over fields that a resource has no index for.
// Source: apimachinery v0.36 pkg/runtime DefaultMetaV1FieldSelectorConversion; kubernetes v1.36 pkg/apis/core/v1
// conversion.go.
func (r *resource) selectable(s fieldSelector) error {
	for _, t := range s {
		known := t.field == "metadata.name" || (r.namespaced && t.field == "metadata.namespace") || (r == namespaces && t.field == "status.phase")
		switch {
		case known:
		case r == namespaces:
			return fmt.Errorf("field label not supported: %s", t.field)
		default:
			return fmt.Errorf("%q is not a known field selector: only %q, %q", t.field, "metadata.name", "metadata.namespace")
		}
	}
	return nil
}
