package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/leaselab/leaselab/core/wire"
)

// The tree of a document keeps what encoding/json throws away: the line of each value, the spelling of a number, and
// every repeated field. Errors need the first two, and a repeated field is almost always a copying mistake.

// node is a value in a document.
type node wire.Node

func (n *node) item(i int) *node { return (*node)(n.Items[i]) }

// display returns the value as an error quotes it. To fit into a sentence, groups and lists become brackets, and long
// texts shrink to 80 bytes.
func (n *node) display() string {
	switch n.Kind {
	case wire.Null:
		return "null"
	case wire.String:
		return quote(n.Text)
	case wire.Bool:
		return strconv.FormatBool(n.Truth)
	case wire.Array:
		return "[…]"
	case wire.ObjectKind:
		return "{…}"
	default:
		return shorten(n.Text)
	}
}

// field returns the value of a field, or nil.
func (n *node) field(name string) *node {
	for i, have := range n.Names {
		if have == name {
			return n.item(i)
		}
	}
	return nil
}

// `at` follows a path as far as the document goes. The last node gives the line of an error. A missing field has no
// node, so the walk ends at the group that should contain it.
func (n *node) at(path string) *node {
	for _, step := range splitPath(path) {
		next := n.field(step)
		if i, err := strconv.Atoi(step); err == nil && n.Kind == wire.Array && i < len(n.Items) {
			next = n.item(i)
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// splitPath splits "candidates[1].clock" into candidates, 1, clock.
func splitPath(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}

// parse reads one JSON document. A repeated field in an object is an error. By contrast, encoding/json would take the
// last value.
func parse(data []byte) (*node, error) {
	root, err := readTree(data)
	if err != nil {
		return nil, err
	}
	found := problems{most: 1}
	root.refuseRepeats("", &found)
	return root, found.first()
}

// readTree is like parse, but accepts repeated fields. It checks the depth before parsing, because a document of a
// million brackets would exhaust the stack.
func readTree(data []byte) (*node, *FieldError) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, refuseDocument(0, "is empty; it should be a scenario")
	}
	if !utf8.Valid(data) {
		return nil, refuseDocument(0, "is not UTF-8 text; it should be a scenario in JSON or YAML")
	}
	if _, at := wire.Depth(data, MaxDepth); at >= 0 {
		return nil, refuseDocument(1+bytes.Count(data[:at], []byte("\n")), "is nested more than "+
			strconv.Itoa(MaxDepth)+" levels deep, the limit of a scenario")
	}
	read, err := wire.Parse(data)
	if err != nil {
		return nil, syntaxError(data, err)
	}
	return (*node)(read), nil
}

// syntaxError says where a document stops being valid JSON, in its own words instead of package json's.
func syntaxError(data []byte, err error) *FieldError {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return refuseDocument(0, "is not JSON: "+err.Error())
	}
	offset := min(int(syntax.Offset), len(data))
	line := 1 + bytes.Count(data[:offset], []byte("\n"))
	switch {
	case strings.HasPrefix(err.Error(), "unexpected end"):
		return refuseDocument(line, "ends too early: it is not complete JSON")
	case strings.HasSuffix(err.Error(), "after top-level value"):
		return refuseDocument(line, "continues after its end: one scenario is one JSON object")
	default:
		return refuseDocument(line, "is not JSON: "+err.Error())
	}
}

// refuseRepeats refuses an object that has a field twice. The error names both lines, because the author must choose
// one.
func (n *node) refuseRepeats(path string, found *problems) {
	var seen map[string]int32
	if n.Kind == wire.ObjectKind {
		seen = make(map[string]int32, len(n.Items))
	}
	for i := 0; i < len(n.Items) && !found.full(); i++ {
		item := n.item(i)
		if n.Kind == wire.Array {
			item.refuseRepeats(index(path, i), found)
			continue
		}
		inner := join(path, shownName(n.Names[i]))
		if before, twice := seen[n.Names[i]]; twice {
			e := refuseField(inner, fmt.Sprintf("the field appears twice, on lines %d and %d; keep one", before,
				item.Line))
			e.Line = int(item.Line)
			found.add(e)
		}
		seen[n.Names[i]] = item.Line
		item.refuseRepeats(inner, found)
	}
}

// shownName returns a field's name in a path. It quotes anything but a plain word, because a path has dots and
// brackets.
func shownName(name string) string {
	isLetter := func(r rune) bool {
		return (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z') || (r >= '0' && r <= '9') || r == '-' || r == '_'
	}
	if name == "" || strings.TrimFunc(name, isLetter) != "" {
		return quote(name)
	}
	return shorten(name)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
