package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// Node is a JSON value as its sender wrote it: members in their order, with duplicates, and numbers digit by digit.
type Node struct {
	Kind  Kind
	Truth bool     // the value if it is a boolean
	Line  int32    // line on which the value begins, from 1
	Text  string   // the value if it is a string or a number
	Names []string // names of the members if it is an object
	Items []*Node  // values of the members or items if it is an object or a list

	from, to int // byte range of the value in the document
}

// Size returns the number of bytes that the value takes in its document.
func (n *Node) Size() int { return n.to - n.from }

// Raw returns the bytes of the value in its document.
func (n *Node) Raw(document []byte) []byte { return document[n.from:n.to] }

// Range returns where the value is in its document, in bytes.
func (n *Node) Range() (from, to int) { return n.from, n.to }

// Kind is the type of a JSON value.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	ObjectKind
)

// word returns the kind as errors of encoding/json name it.
func (k Kind) word() string {
	return [...]string{"null", "bool", "number", "string", "array", "object"}[k]
}

// Parse parses one JSON value. It returns encoding/json's errors, as upstream does.
func Parse(data []byte) (*Node, error) { return ParseWithin(data, len(data)+1) }

// ErrTooManyValues is the error of ParseWithin for a document with more values than its limit.
var ErrTooManyValues = errors.New("the document contains too many values")

// ParseWithin is Parse with a limit on the number of values: objects, lists, strings, numbers, true, false and null.
func ParseWithin(data []byte, most int) (*Node, error) {
	p := parser{data: data, left: most, line: 1}
	if len(data) <= longestShared {
		p.shared = string(data)
	}
	if n := p.value(); n != nil && p.space() == 0 && p.at == len(data) {
		return n, nil
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, err
	}
	return nil, ErrTooManyValues
}

// deepest is the maximum nesting of a document. Source: encoding/json scanner.go maxNestingDepth.
const deepest = 10_000

// longestShared is the maximum length, in bytes, of a document whose strings all share one copy of the document. In a
// longer document each string is a copy, so that it does not keep the whole document in memory.
const longestShared = 1 << 10

// parser parses a document. It stops where the document is not valid, without saying why; encoding/json then gives the
// error.
type parser struct {
	data  []byte
	at    int
	line  int32
	depth int32
	left  int    // number of values that the parser may still read
	free  []Node // allocated in blocks, which halves the time

	shared string // the document, or "" if each string is a separate copy
}

// part returns a part of the document as a string.
func (p *parser) part(from, to int) string {
	if p.shared != "" {
		return p.shared[from:to]
	}
	return string(p.data[from:to])
}

func (p *parser) node(kind Kind) *Node {
	if len(p.free) == 0 {
		ahead := p.data[p.at:min(p.at+1024, len(p.data))]
		p.free = make([]Node, min(64, 1+bytes.Count(ahead, []byte{','})+bytes.Count(ahead, []byte{'{'})+
			bytes.Count(ahead, []byte{'['})))
	}
	n := &p.free[0]
	p.free = p.free[1:]
	n.Kind, n.from, n.Line = kind, p.at, p.line
	return n
}

// space skips white space, counts lines, and returns the next byte, 0 at the end. Strings contain no raw line feeds, so
// only white space ends lines.
func (p *parser) space() byte {
	for ; p.at < len(p.data); p.at++ {
		switch c := p.data[p.at]; c {
		case '\n':
			p.line++
		case ' ', '\t', '\r':
		default:
			return c
		}
	}
	return 0
}

// value parses the next value. It returns nil if the document is not valid at that point or exceeds the limit.
func (p *parser) value() *Node {
	if p.left--; p.left < 0 {
		return nil
	}
	var n *Node
	fine := false
	switch c := p.space(); c {
	case '{', '[':
		n = p.node(Array)
		fine = p.members(n, c)
	case '"':
		n = p.node(String)
		n.Text, fine = p.text()
	case 't':
		n = p.node(Bool)
		n.Truth, fine = true, p.word("true")
	case 'f':
		n = p.node(Bool)
		fine = p.word("false")
	case 'n':
		n = p.node(Null)
		fine = p.word("null")
	default:
		n = p.node(Number)
		fine = p.number()
		n.Text = p.part(n.from, p.at)
	}
	if !fine {
		return nil
	}
	n.to = p.at
	return n
}

// word skips a word.
func (p *parser) word(word string) bool {
	from := p.at
	p.at += len(word)
	return p.at <= len(p.data) && string(p.data[from:p.at]) == word
}

// number skips a number.
func (p *parser) number() bool {
	if p.skips('-'); !p.skips('0') && !p.digits() {
		return false
	}
	if p.skips('.') && !p.digits() {
		return false
	}
	if p.skips('e') || p.skips('E') {
		if !p.skips('-') {
			p.skips('+')
		}
		return p.digits()
	}
	return true
}

// skips moves past a byte if it comes next, and reports whether it did.
func (p *parser) skips(c byte) bool {
	if p.at == len(p.data) || p.data[p.at] != c {
		return false
	}
	p.at++
	return true
}

// digits skips digits and reports whether it found any.
func (p *parser) digits() bool {
	from := p.at
	for p.at < len(p.data) && '0' <= p.data[p.at] && p.data[p.at] <= '9' {
		p.at++
	}
	return p.at > from
}

// members parses an object or a list, which begins with the bracket "open".
func (p *parser) members(n *Node, open byte) bool {
	end := byte(']')
	if open == '{' {
		n.Kind, end = ObjectKind, '}'
	}
	if p.depth++; p.depth > deepest {
		return false
	}
	if p.at++; p.space() == end {
		p.at++
		p.depth--
		return true
	}
	for ; ; p.at++ { // skips the comma
		if open == '{' && !p.name(n) {
			return false
		}
		item := p.value()
		if item == nil {
			return false
		}
		n.Items = append(n.Items, item)
		switch p.space() {
		case end:
			p.at++
			p.depth--
			return true
		case ',':
		default:
			return false
		}
	}
}

// name parses the name of an object's next member, and its colon.
func (p *parser) name(n *Node) bool {
	if n.Names == nil { // most objects have no more members
		n.Names, n.Items = make([]string, 0, 8), make([]*Node, 0, 8)
	}
	if p.space() != '"' {
		return false
	}
	name, fine := p.text()
	if !fine || p.space() != ':' {
		return false
	}
	p.at++
	n.Names = append(n.Names, name)
	return true
}

// text parses a string.
func (p *parser) text() (text string, fine bool) {
	from, plain := p.at, true
	for p.at++; ; p.at++ {
		if p.at >= len(p.data) {
			return "", false
		}
		switch c := p.data[p.at]; {
		case c == '"':
			p.at++
			if plain {
				return p.part(from+1, p.at-1), true
			}
			var unquoted string
			err := json.Unmarshal(p.data[from:p.at], &unquoted)
			return unquoted, err == nil
		case c < ' ':
			return "", false
		case c == '\\':
			p.at++
			plain = false
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
}

// Member returns the last member with a name, or nil.
func (n *Node) Member(name string) *Node {
	if n == nil || n.Kind != ObjectKind {
		return nil
	}
	for i := len(n.Names) - 1; i >= 0; i-- {
		if n.Names[i] == name {
			return n.Items[i]
		}
	}
	return nil
}
