package wire

import (
	"bytes"
	"encoding/json"
	"io"
)

// Node is a JSON value as it was sent: members in their order, repeated ones too, numbers as they were written.
type Node struct {
	Kind  Kind
	Text  string // of a string or a number
	Truth bool
	Names []string // of an object's members
	Items []*Node  // of an object or a list
}

// Kind is what a JSON value is.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	ObjectKind
)

// word is the kind as encoding/json names it in its errors.
func (k Kind) word() string {
	return [...]string{"null", "bool", "number", "string", "array", "object"}[k]
}

// Parse reads one JSON value. Its errors are those of encoding/json, which upstream's decoder shares.
func Parse(data []byte) (*Node, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return parse(d)
}

func parse(d *json.Decoder) (*Node, error) {
	token, err := d.Token()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	switch t := token.(type) {
	case nil:
		return &Node{Kind: Null}, nil
	case bool:
		return &Node{Kind: Bool, Truth: t}, nil
	case json.Number:
		return &Node{Kind: Number, Text: t.String()}, nil
	case string:
		return &Node{Kind: String, Text: t}, nil
	case json.Delim:
		n := &Node{Kind: Array}
		if t == '{' {
			n.Kind = ObjectKind
		}
		for d.More() {
			if t == '{' {
				name, err := d.Token()
				if err != nil {
					return nil, err
				}
				n.Names = append(n.Names, name.(string))
			}
			item, err := parse(d)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
		_, err := d.Token() // the closing one
		return n, err
	}
	panic("encoding/json gave a token of another kind")
}

// Member is the last member of that name, nil where there is none.
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
