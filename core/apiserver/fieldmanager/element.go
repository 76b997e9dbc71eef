package fieldmanager

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/wire"
)

// kind is the kind of a path element. Upstream sorts elements by it first.
type kind uint8

const (
	field kind = iota // a member of a struct or a map
	key               // an item of an associative list, by the members that identify it
	value             // an item of a set
	index             // an item of an atomic list
)

// element is one step of a path.
// Source: structured-merge-diff v6 fieldpath/element.go PathElement.
type element struct {
	kind  kind
	name  string // name of a field
	value any    // keyParts, the value of a set's item, or the index as an int64
}

// keyParts are the members that identify an item, sorted by name.
type keyParts []keyPart

type keyPart struct {
	name  string
	value any
}

func fieldElement(name string) element { return element{kind: field, name: name} }

// compareElements orders elements as upstream keeps and writes them.
func compareElements(a, b element) int {
	if a.kind != b.kind {
		return int(a.kind) - int(b.kind)
	}
	switch a.kind {
	case field:
		return strings.Compare(a.name, b.name)
	case key:
		return compareKeys(a.value.(keyParts), b.value.(keyParts))
	}
	return compareValues(a.value, b.value)
}

func compareKeys(a, b keyParts) int {
	for i := range min(len(a), len(b)) {
		if c := strings.Compare(a[i].name, b[i].name); c != 0 {
			return c
		}
		if c := compareValues(a[i].value, b[i].value); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

// String returns the element as part of a path in errors: .spec, [uid="u"], [="v"], [0].
func (e element) String() string {
	switch e.kind {
	case field:
		return "." + e.name
	case key:
		return "[" + strings.Join(elements.Of(e.value.(keyParts), func(part keyPart) string {
			return part.name + "=" + pathValue(part.value)
		}), ",") + "]"
	case value:
		return "[=" + pathValue(e.value) + "]"
	}
	return fmt.Sprintf("[%d]", e.value)
}

// pathValue returns a value as upstream prints it inside a path.
func pathValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(v)
	case []any:
		return "[" + strings.Join(elements.Of(v, pathValue), ",") + "]"
	case wire.Map:
		text := ""
		for _, name := range wire.Keys(v) {
			text += name + "=" + pathValue(v[name])
		}
		return text
	}
	return fmt.Sprint(v)
}

// text returns the element as a name in FieldsV1: f:spec, k:{"uid":"u"}, v:"a", i:0.
// Source: structured-merge-diff v6 fieldpath/serialize-pe.go.
func (e element) text() string {
	switch e.kind {
	case field:
		return "f:" + e.name
	case key:
		out := []byte("k:{")
		for i, part := range e.value.(keyParts) {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(wire.Quote(out, part.name), ':')
			out = wire.Encode(out, part.value, nil)
		}
		return string(append(out, '}'))
	case value:
		return "v:" + string(wire.Encode(nil, e.value, nil))
	}
	return fmt.Sprintf("i:%d", e.value)
}

// errUnknownElement is the error for an element from a later release. Upstream drops such names when it decodes a
// set.
var errUnknownElement = errors.New("unknown path element type")

// parseElement parses a name of FieldsV1.
func parseElement(s string) (element, error) {
	if len(s) < 2 {
		return element{}, errors.New("key must be 2 characters long")
	}
	if s[1] != ':' {
		return element{}, fmt.Errorf("missing colon: %v", s)
	}
	rest := s[2:]
	switch s[0] {
	case 'f':
		return fieldElement(rest), nil
	case 'v':
		n, err := leading(rest)
		if err != nil {
			return element{}, err
		}
		return element{kind: value, value: wire.Tree(n)}, nil
	case 'k':
		n, err := leading(rest)
		if err != nil {
			return element{}, err
		}
		return parseKey(n)
	case 'i':
		i, err := strconv.Atoi(rest)
		if err != nil {
			return element{}, err
		}
		return element{kind: index, value: int64(i)}, nil
	}
	return element{}, errUnknownElement
}

// leading returns the JSON value at the start of a text. Like upstream's reader, it ignores the rest.
func leading(text string) (*wire.Node, error) {
	var raw json.RawMessage
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&raw); err != nil {
		return nil, err
	}
	n, err := wire.Parse(raw)
	if err != nil {
		return nil, err
	}
	// A number must fit into a float64.
	if _, _, err := wire.Decode(&wire.Node{Kind: wire.ObjectKind, Names: []string{"value"}, Items: []*wire.Node{n}},
		holder); err != nil {
		return nil, err
	}
	return n, nil
}

var holder = &wire.Type{Shape: wire.AMap, Elem: wire.AnyType}

func parseKey(n *wire.Node) (element, error) {
	parts := keyParts{}
	switch n.Kind {
	case wire.Null:
	case wire.ObjectKind:
		for i, name := range n.Names {
			parts = append(parts, keyPart{name, wire.Tree(n.Items[i])})
		}
	default:
		return element{}, errors.New("a key must be an object")
	}
	// An insertion sort is stable, and keys have only one or two parts.
	for i := range parts {
		for k := i; k > 0 && parts[k].name < parts[k-1].name; k-- {
			parts[k], parts[k-1] = parts[k-1], parts[k]
		}
	}
	return element{kind: key, value: parts}, nil
}

// rank returns the position of a value's kind in upstream's order.
func rank(v any) int {
	switch v.(type) {
	case float64, int64:
		return 0
	case string:
		return 1
	case bool:
		return 2
	case []any:
		return 3
	case wire.Map:
		return 4
	}
	return 5
}

// compareValues orders values: numbers, strings, bools, lists, maps, null.
// Source: structured-merge-diff v6 value/value.go Compare.
func compareValues(a, b any) int {
	if c := rank(a) - rank(b); c != 0 {
		return c
	}
	switch x := a.(type) {
	case int64:
		if y, same := b.(int64); same {
			return order(x < y, x > y)
		}
		return compareFloats(float64(x), b.(float64))
	case float64:
		if y, whole := b.(int64); whole {
			return compareFloats(x, float64(y))
		}
		return compareFloats(x, b.(float64))
	case string:
		return strings.Compare(x, b.(string))
	case bool:
		return order(!x && b.(bool), x && !b.(bool))
	case []any:
		return compareLists(x, b.([]any))
	case wire.Map:
		return compareMaps(x, b.(wire.Map))
	}
	return 0
}

func order(less, more bool) int {
	switch {
	case less:
		return -1
	case more:
		return 1
	}
	return 0
}

func compareFloats(a, b float64) int {
	return order(a < b || math.IsNaN(a), a > b)
}

func compareLists(a, b []any) int {
	for i := range min(len(a), len(b)) {
		if c := compareValues(a[i], b[i]); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

func compareMaps(a, b wire.Map) int {
	aKeys, bKeys := wire.Keys(a), wire.Keys(b)
	for i := range min(len(aKeys), len(bKeys)) {
		if c := strings.Compare(aKeys[i], bKeys[i]); c != 0 {
			return c
		}
		if c := compareValues(a[aKeys[i]], b[bKeys[i]]); c != 0 {
			return c
		}
	}
	return len(aKeys) - len(bKeys)
}
