package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/leaselab/leaselab/core/wire"
)

// node is a JSON value with what encoding/json forgets: its line, and the order of its fields.
type node struct {
	kind  kind
	line  int
	text  string   // string: its content; number and boolean: as written
	names []string // object: the field names, in the order of the document
	items []*node  // object: the values of names; list: the entries
}

type kind byte

const (
	isNull kind = iota
	isBool
	isNumber
	isString
	isList
	isObject
)

// shown is the value as a sentence may quote it.
func (n *node) shown() string {
	switch n.kind {
	case isNull:
		return "null"
	case isString:
		return quote(n.text)
	case isList:
		return "[…]"
	case isObject:
		return "{…}"
	default:
		return shorten(n.text)
	}
}

func (n *node) field(name string) *node {
	for i, have := range n.names {
		if have == name {
			return n.items[i]
		}
	}
	return nil
}

// at follows a path as far as the document goes; the last node reached tells the line.
func (n *node) at(path string) *node {
	for _, step := range splitPath(path) {
		next := n.field(step)
		if i, err := strconv.Atoi(step); err == nil && n.kind == isList && i < len(n.items) {
			next = n.items[i]
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

// parse reads one JSON document. Twice the same field in one object is an error: encoding/json would take the last.
func parse(data []byte) (*node, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, refuseDocument(0, "is empty; it should be a scenario")
	}
	if !utf8.Valid(data) {
		return nil, refuseDocument(0, "is not UTF-8 text; it should be a scenario in JSON or YAML")
	}
	if _, at := wire.Depth(data, MaxDepth); at >= 0 {
		return nil, refuseDocument(1+bytes.Count(data[:at], []byte("\n")), "is nested more than "+strconv.Itoa(MaxDepth)+" levels deep, the limit of a scenario")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, syntaxError(data, err)
	}
	p := parser{data: data, tokens: json.NewDecoder(bytes.NewReader(data)), line: 1}
	p.tokens.UseNumber()
	return p.value("")
}

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
		return refuseDocument(line, "goes on after its end: one scenario is one JSON object")
	default:
		return refuseDocument(line, "is not JSON: "+err.Error())
	}
}

type parser struct {
	data   []byte
	tokens *json.Decoder
	offset int // up to which lines are counted
	line   int
}

// token returns the next token and its line. Tokens hold no line feeds, so the end of one is on its line.
func (p *parser) token() (json.Token, int, error) {
	t, err := p.tokens.Token()
	end := int(p.tokens.InputOffset())
	p.line += bytes.Count(p.data[p.offset:end], []byte("\n"))
	p.offset = end
	return t, p.line, err
}

func (p *parser) value(path string) (*node, error) {
	t, line, err := p.token()
	if err != nil {
		return nil, refuseDocument(line, "is not JSON: "+err.Error())
	}
	n := &node{line: line}
	switch v := t.(type) {
	case nil:
		n.kind = isNull
	case bool:
		n.kind, n.text = isBool, strconv.FormatBool(v)
	case json.Number:
		n.kind, n.text = isNumber, v.String()
	case string:
		n.kind, n.text = isString, v
	case json.Delim:
		if v == '{' {
			return n, p.object(n, path)
		}
		return n, p.list(n, path)
	}
	return n, nil
}

func (p *parser) list(n *node, path string) error {
	n.kind = isList
	for p.tokens.More() {
		item, err := p.value(path + "[" + strconv.Itoa(len(n.items)) + "]")
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, _, err := p.token()
	return err
}

func (p *parser) object(n *node, path string) error {
	n.kind = isObject
	seen := map[string]int{}
	for p.tokens.More() {
		t, line, err := p.token()
		if err != nil {
			return err
		}
		name := t.(string)
		inner := join(path, shownName(name))
		if before, twice := seen[name]; twice {
			e := refuseField(inner, "the field is given twice, on lines "+strconv.Itoa(before)+" and "+strconv.Itoa(line)+"; keep one")
			e.Line = line
			return e
		}
		seen[name] = line
		item, err := p.value(inner)
		if err != nil {
			return err
		}
		n.names = append(n.names, name)
		n.items = append(n.items, item)
	}
	_, _, err := p.token()
	return err
}

// shownName is a field's name in a path: as it is when it is a word, else quoted, since a path has dots and brackets.
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
