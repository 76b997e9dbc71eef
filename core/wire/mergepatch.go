package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"sort"
)

// The errors of a merge patch, in upstream's words.
var (
	//lint:ignore ST1005 upstream's text
	ErrBadDocument = errors.New("Invalid JSON Document")
	//lint:ignore ST1005 upstream's text
	ErrBadPatch = errors.New("Invalid JSON Patch")
)

// MergePatch applies an RFC 7386 merge patch to a document, both as JSON. The result equals the library's byte for
// byte: the members of every patched object are sorted, everything else keeps its order, and the form is compact.
//
// Deviation: the library parses and prints every level again, so its time grows with the square of the depth: 4.5 s for
// a patch of 54 kB. MergePatch reads and writes each byte once. Pinned by TestMergePatchEqualsLibrary. Source:
// github.com/evanphx/json-patch v4 MergePatch, which apiserver v0.36 pkg/endpoints/handlers patch.go uses.
func MergePatch(document, patch []byte) ([]byte, error) {
	doc, err := Parse(document)
	if err != nil {
		return nil, ErrBadDocument
	}
	change, err := Parse(patch)
	if err != nil {
		return nil, ErrBadPatch
	}
	switch {
	case doc.Kind == Null:
		return nil, ErrBadDocument
	case change.Kind != ObjectKind && change.Kind != Array:
		return nil, ErrBadPatch
	}
	into, with := &merging{data: document, node: doc}, &merging{data: patch, node: change}
	if into.object() && with.object() {
		into.merge(with)
	} else {
		with.prune()
		into = with
	}
	var out bytes.Buffer
	json.HTMLEscape(&out, into.print(make([]byte, 0, len(document)+len(patch))))
	return out.Bytes(), nil
}

// merging is a value of either document. It keeps its original text until the merge changes something inside it.
type merging struct {
	data []byte // the document that contains the value
	node *Node

	members map[string]*merging // members of an object that the merge entered; nil for null
	items   []*merging          // items of a list that the merge entered
	entered bool
}

// inside returns a value of the same document, or nil for null.
func (m *merging) inside(n *Node) *merging {
	if n.Kind == Null {
		return nil
	}
	return &merging{data: m.data, node: n}
}

// object enters an object and returns false for anything else.
func (m *merging) object() bool {
	if m.node.Kind != ObjectKind {
		return false
	}
	if !m.entered {
		m.entered, m.members = true, make(map[string]*merging, len(m.node.Names))
		for i, name := range m.node.Names { // of several members with the same name, the last one counts
			m.members[name] = m.inside(m.node.Items[i])
		}
	}
	return true
}

// merge merges a patch into an object. It has already entered both.
func (m *merging) merge(patch *merging) {
	for name, value := range patch.members {
		have := m.members[name]
		switch {
		case value == nil:
			delete(m.members, name)
		case have == nil:
			value.prune()
			m.members[name] = value
		case !have.object():
			value.prune()
			m.members[name] = value
		case !value.object():
			m.members[name] = value // this value stays unchanged, with its nulls
		default:
			have.merge(value)
		}
	}
}

// prune removes the null members of all objects inside.
func (m *merging) prune() {
	if m.object() {
		for name, value := range m.members {
			if value == nil {
				delete(m.members, name)
			} else {
				value.prune()
			}
		}
		return
	}
	if m.node.Kind != Array || m.entered {
		return
	}
	m.entered, m.items = true, make([]*merging, len(m.node.Items))
	for i, item := range m.node.Items {
		if m.items[i] = m.inside(item); m.items[i] != nil {
			m.items[i].prune()
		}
	}
}

// print appends a value's compact JSON.
func (m *merging) print(out []byte) []byte {
	sent := m.data[m.node.from:m.node.to]
	switch {
	case !m.entered && m.node.Kind != ObjectKind && m.node.Kind != Array:
		return append(out, sent...)
	case !m.entered:
		var compact bytes.Buffer
		if err := json.Compact(&compact, sent); err != nil {
			panic(err) // the document is valid
		}
		return append(out, compact.Bytes()...)
	case m.items != nil:
		out = append(out, '[')
		for i, item := range m.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = item.orNull(out)
		}
		return append(out, ']')
	}
	names := make([]string, 0, len(m.members))
	for name := range m.members {
		names = append(names, name)
	}
	sort.Strings(names)
	out = append(out, '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(Quote(out, name), ':')
		out = m.members[name].orNull(out)
	}
	return append(out, '}')
}

func (m *merging) orNull(out []byte) []byte {
	if m == nil {
		return append(out, "null"...)
	}
	return m.print(out)
}
