package scenario

import (
	"cmp"
	"strconv"

	"github.com/leaselab/leaselab/core/wire"
)

// Difference is a field with different values in two scenarios; "" means that a scenario leaves the field out.
type Difference struct{ Path, A, B string }

// texts are the fields that only describe a scenario to people.
var texts = map[string]bool{"name": true, "title": true, "summary": true, "museum": true, "expect": true}

// Differences lists the differing fields of two scenarios that may affect a run, in the order of the types. It
// compares lists entry by entry. If one list has a new entry at the front, every later entry differs. So a caller
// that shows lists of acts must pair the acts itself. If one scenario writes out a default, that counts as a
// difference, even though both runs are the same.
func Differences(a, b Scenario) []Difference {
	var all differences
	x, y := canonicalTree(a), canonicalTree(b)
	all.fields("", x, y, texts)
	return all
}

// canonicalTree returns the canonical form of a scenario as a tree. Since the comparison works on trees, a new field
// needs no code here.
func canonicalTree(s Scenario) *node {
	n, err := parse(Encode(s))
	if err != nil {
		panic("a scenario that encodes does not decode: " + err.Error())
	}
	return n
}

type differences []Difference

// compare adds the differences between two values; nil means that a scenario leaves the value out. If only one
// scenario has a group, `compare` lists each field of the group, so the list is the same in both directions.
func (d *differences) compare(path string, a, b *node) {
	one := cmp.Or(a, b)
	switch {
	case a != nil && b != nil && a.Kind != b.Kind:
	case one.Kind == wire.ObjectKind:
		d.fields(path, a, b, nil)
		return
	case one.Kind == wire.Array:
		for i := 0; i < max(a.items(), b.items()); i++ {
			d.compare(index(path, i), a.element(i), b.element(i))
		}
		return
	}
	if x, y := a.text(), b.text(); x != y {
		*d = append(*d, Difference{path, x, y})
	}
}

// `fields` compares two groups. It lists the fields of the first group in their order, then the fields that only the
// second group has.
func (d *differences) fields(path string, a, b *node, without map[string]bool) {
	var names []string
	for k, n := range [...]*node{a, b} {
		if n == nil {
			continue
		}
		for _, name := range n.Names {
			if (k == 0 || a.child(name) == nil) && !without[name] {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		d.compare(join(path, name), a.child(name), b.child(name))
	}
}

// child, items and element treat a missing value as empty, so that compare needs no cases for it.
func (n *node) child(name string) *node {
	if n == nil {
		return nil
	}
	return n.field(name)
}

func (n *node) items() int {
	if n == nil {
		return 0
	}
	return len(n.Items)
}

func (n *node) element(i int) *node {
	if i >= n.items() {
		return nil
	}
	return n.item(i)
}

// `text` formats a value for a list of differences.
func (n *node) text() string {
	switch {
	case n == nil:
		return ""
	case n.Kind == wire.String:
		return n.Text
	case n.Kind == wire.Bool:
		return strconv.FormatBool(n.Truth)
	}
	return n.display()
}
