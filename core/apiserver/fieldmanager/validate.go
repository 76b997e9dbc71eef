package fieldmanager

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// problem is a value of a configuration that does not fit the schema.
type problem struct{ path, text string }

func (p problem) String() string {
	if p.path == "" {
		return p.text
	}
	return p.path + ": " + p.text
}

// problems is an error of one or more problems.
// Source: structured-merge-diff v6 typed/helpers.go ValidationErrors.
type problems []problem

func (ps problems) Error() string {
	if len(ps) == 1 {
		return ps[0].String()
	}
	lines := []string{"errors:"}
	for _, p := range ps {
		lines = append(lines, "  "+p.String())
	}
	return strings.Join(lines, "\n")
}

// check validates a configuration against the schema. Upstream goes in map order; check goes in order of
// names. Source: structured-merge-diff v6 typed/validate.go.
func check(path string, v any, t *wire.Type) problems {
	switch t.Shape {
	case wire.AStruct, wire.AMap:
		return checkMembers(path, v, t)
	case wire.AList:
		return checkItems(path, v, t)
	case wire.Raw, wire.Any:
		return nil
	}
	return checkScalar(path, v, t)
}

// printWrapped returns a value as Go prints upstream's wrapper around it.
func printWrapped(v any) string { return fmt.Sprintf("&{%v}", v) }

func checkScalar(path string, v any, t *wire.Type) problems {
	if v == nil {
		return nil
	}
	switch t.Shape {
	case wire.AnInt32, wire.AnInt64:
		if rank(v) != 0 {
			return problems{{path, fmt.Sprintf("expected numeric (int or float), got %T", v)}}
		}
	case wire.ABool:
		if _, is := v.(bool); !is {
			return problems{{path, "expected boolean, got " + printWrapped(v)}}
		}
	case wire.ATime, wire.AMicroTime: // the schema does not know their type
		switch v.(type) {
		case wire.Map, []any:
			return problems{{path, "expected any scalar, got " + printWrapped(v)}}
		}
	default:
		if _, is := v.(string); !is {
			return problems{{path, fmt.Sprintf("expected string, got &value.valueUnstructured{Value:%#v}", v)}}
		}
	}
	return nil
}

func checkMembers(path string, v any, t *wire.Type) problems {
	if v == nil {
		return nil
	}
	m, is := v.(wire.Map)
	if !is {
		return problems{{path, "expected map, got " + printWrapped(v)}}
	}
	var found problems
	for _, name := range wire.Keys(m) {
		e := fieldElement(name)
		below := typeUnder(t, e)
		if below == nil {
			return append(found, problem{path + e.String(), "field not declared in schema"})
		}
		found = append(found, check(path+e.String(), m[name], below)...)
	}
	return found
}

func checkItems(path string, v any, t *wire.Type) problems {
	if v == nil {
		return nil
	}
	list, is := v.([]any)
	if !is {
		return problems{{path, "expected list, got " + printWrapped(v)}}
	}
	var found problems
	seen := map[string]bool{}
	for i, item := range list {
		e := element{kind: index, value: int64(i)}
		if t.Merge != wire.Atomic {
			var err error
			if e, err = itemElement(t, item); err != nil {
				return append(found, problem{path, fmt.Sprintf("element %v: %v", i, err)})
			}
			if text := e.text(); seen[text] {
				found = append(found, problem{path, "duplicate entries for key " + e.String()})
			} else {
				seen[text] = true
			}
		}
		found = append(found, check(path+e.String(), item, t.Elem)...)
	}
	return found
}
