package faults

import (
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// spot is a value in the document; node is nil if the document does not have it.
type spot struct {
	node, parent *wire.Node
	index        int // of node in its parent
}

func member(n *wire.Node, name string) *wire.Node {
	for i, have := range n.Names {
		if have == name {
			return n.Items[i]
		}
	}
	return nil
}

// find follows a path as errors write it. Of two fields with one name it finds the later.
func (s *search) find(path string) spot {
	at := spot{node: s.root}
	for rest := path; rest != "" && at.node != nil; {
		var step string
		step, rest = cutStep(rest)
		at = child(at.node, step)
	}
	return at
}

func child(n *wire.Node, step string) spot {
	if number, isIndex := strings.CutPrefix(step, "["); isIndex {
		i, err := strconv.Atoi(number)
		if err != nil || n.Kind != wire.Array || i >= len(n.Items) {
			return spot{}
		}
		return spot{n.Items[i], n, i}
	}
	for i := len(n.Names) - 1; i >= 0; i-- {
		if n.Names[i] == step || strings.HasSuffix(step, "…") &&
			strings.HasPrefix(n.Names[i], strings.TrimSuffix(step, "…")) {
			return spot{n.Items[i], n, i}
		}
	}
	return spot{}
}

// cutStep cuts the first step off a path: a name, a name in quotes, or "[3" of an index.
func cutStep(path string) (step, rest string) {
	path = strings.TrimPrefix(path, ".")
	if quoted, err := strconv.QuotedPrefix(path); err == nil {
		step, _ = strconv.Unquote(quoted)
		return step, path[len(quoted):]
	}
	if path[0] == '[' {
		step, rest, _ = strings.Cut(path, "]")
		return step, rest
	}
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		return path, ""
	}
	return path[:end], path[end:]
}

// encode writes the document as JSON. Every value keeps its line.
func encode(root *wire.Node) []byte {
	w := writer{line: 1}
	w.value(root)
	return w.out
}

type writer struct {
	out  []byte
	line int32
}

func (w *writer) value(n *wire.Node) {
	for ; w.line < n.Line; w.line++ {
		w.out = append(w.out, '\n')
	}
	switch n.Kind {
	case wire.Null:
		w.out = append(w.out, "null"...)
	case wire.Bool:
		w.out = strconv.AppendBool(w.out, n.Truth)
	case wire.Number:
		w.out = append(w.out, n.Text...)
	case wire.String:
		w.out = wire.Quote(w.out, n.Text)
	case wire.Array, wire.ObjectKind:
		w.members(n)
	}
}

func (w *writer) members(n *wire.Node) {
	brackets := "[]"
	if n.Kind == wire.ObjectKind {
		brackets = "{}"
	}
	w.out = append(w.out, brackets[0])
	for i, item := range n.Items {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if n.Kind == wire.ObjectKind {
			w.out = append(wire.Quote(w.out, n.Names[i]), ':')
		}
		w.value(item)
	}
	w.out = append(w.out, brackets[1])
}
