package wire

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// Node is a JSON value as sent: members in their order with duplicates, numbers as written.
type Node struct {
	Kind  Kind
	Truth bool     // value of a boolean
	Line  int32    // the line on which it begins, from 1
	Text  string   // value of a string or a number
	Names []string // names of an object's members
	Items []*Node  // values of an object's or a list's members

	from, to int // its byte range in the document
}

// Size returns the number of bytes that the value takes in its document.
func (n *Node) Size() int { return n.to - n.from }

// Raw returns the value as its document has it.
func (n *Node) Raw(document []byte) []byte { return document[n.from:n.to] }

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

// Parse parses one JSON value. Its errors are those of encoding/json, which upstream returns too.
func Parse(data []byte) (*Node, error) { return ParseWithin(data, len(data)+1) }

// ErrTooManyValues is the error of ParseWithin for a document with more values than its limit.
var ErrTooManyValues = errors.New("the document holds too many values")

// ParseWithin is Parse with a limit on the number of values: objects, lists, strings, numbers, true, false and null.
func ParseWithin(data []byte, most int) (*Node, error) {
	if !json.Valid(data) {
		var whole json.RawMessage
		return nil, json.Unmarshal(data, &whole)
	}
	p := parser{data: data, left: most, line: 1}
	n := p.value()
	if p.left < 0 {
		return nil, ErrTooManyValues
	}
	return n, nil
}

// parser parses a document that is known to be valid.
type parser struct {
	data []byte
	at   int
	line int32
	left int    // how many more values the parser may read
	free []Node // allocated in blocks, which halves the time
}

func (p *parser) node(kind Kind) *Node {
	if len(p.free) == 0 {
		p.free = make([]Node, min(64, CountValues(p.data[p.at:min(p.at+1024, len(p.data))])))
	}
	n := &p.free[0]
	p.free = p.free[1:]
	n.Kind, n.from, n.Line = kind, p.at, p.line
	return n
}

// space skips white space, counts lines, and returns the next byte. Strings contain no raw line feeds, so only white
// space ends lines.
func (p *parser) space() byte {
	for {
		switch c := p.data[p.at]; c {
		case '\n':
			p.at++
			p.line++
		case ' ', '\t', '\r':
			p.at++
		default:
			return c
		}
	}
}

// value parses the next value. It returns nil when the document exceeds the limit.
func (p *parser) value() *Node {
	if p.left--; p.left < 0 {
		return nil
	}
	var n *Node
	switch c := p.space(); c {
	case '{', '[':
		n = p.container(c)
	case '"':
		n = p.node(String)
		n.Text = p.text()
	case 't', 'n':
		n = p.node(Bool)
		if n.Truth = c == 't'; c == 'n' {
			n.Kind = Null
		}
		p.at += len("true")
	case 'f':
		n = p.node(Bool)
		p.at += len("false")
	default:
		n = p.node(Number)
		for p.at < len(p.data) && strings.IndexByte("+-.0123456789eE", p.data[p.at]) >= 0 {
			p.at++
		}
		n.Text = string(p.data[n.from:p.at])
	}
	n.to = p.at
	return n
}

func (p *parser) container(open byte) *Node {
	n := p.node(Array)
	if open == '{' {
		n.Kind = ObjectKind
	}
	p.at++
	for {
		switch p.space() {
		case '}', ']':
			p.at++
			return n
		case ',':
			p.at++
			continue
		}
		if open == '{' {
			if n.Names == nil { // most objects have no more members
				n.Names, n.Items = make([]string, 0, 8), make([]*Node, 0, 8)
			}
			n.Names = append(n.Names, p.text())
			p.space()
			p.at++ // the colon
		}
		n.Items = append(n.Items, p.value())
		if p.left < 0 {
			return n
		}
	}
}

// text reads a string.
func (p *parser) text() string {
	from, plain := p.at, true
	for p.at++; p.data[p.at] != '"'; p.at++ {
		switch c := p.data[p.at]; {
		case c == '\\':
			p.at++
			plain = false
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	p.at++
	if quoted := p.data[from:p.at]; !plain {
		var text string
		if err := json.Unmarshal(quoted, &text); err != nil {
			panic(err) // the document is valid
		}
		return text
	}
	return string(p.data[from+1 : p.at-1])
}

// Member returns the last member of a name, nil if there is none.
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
