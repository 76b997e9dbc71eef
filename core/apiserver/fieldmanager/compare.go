package fieldmanager

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/leaselab/leaselab/core/elements"
	"github.com/leaselab/leaselab/core/wire"
)

// operand is one side of a comparison or a merge: a value, which may be null, or no value.
type operand struct {
	value any
	is    bool
}

func some(value any) operand { return operand{value, true} }

func member(m wire.Map, name string) operand {
	value, has := m[name]
	return operand{value, has}
}

func (o operand) object() wire.Map {
	m, _ := o.value.(wire.Map)
	return m
}

func (o operand) list() []any {
	l, _ := o.value.([]any)
	return l
}

// names returns the members of two objects, sorted.
func names(a, b wire.Map) []string {
	all := make([]string, 0, len(a)+len(b))
	for name := range a {
		all = append(all, name)
	}
	for name := range b {
		if _, both := a[name]; !both {
			all = append(all, name)
		}
	}
	sort.Strings(all)
	return all
}

// isLeaf reports whether a comparison or a merge treats two values as a whole. That is the case if they are atomic,
// or if both are empty containers. So an absent container differs from an empty one.
func isLeaf(l, r operand, t *wire.Type) bool {
	switch t.Shape {
	case wire.AStruct, wire.AMap:
		return t.Whole || len(l.object()) == 0 && len(r.object()) == 0
	case wire.AList:
		return t.Merge == wire.Atomic || len(l.list()) == 0 && len(r.list()) == 0
	}
	return !wire.HasOpenTypes || !isOpenMap(l, r, t)
}

// isOpenMap reports whether two values without a schema are maps, which have an owner for each member. Everything else
// without a schema is atomic. Source: structured-merge-diff v6 schema/elements.go DeducedType.
func isOpenMap(l, r operand, t *wire.Type) bool {
	a, b := l.object(), r.object()
	return t.Shape == wire.Any && (a != nil || l.value == nil) && (b != nil || r.value == nil) &&
		len(a)+len(b) > 0
}

// same compares values. Numbers are equal by value: an integer may equal a float. Source:
// structured-merge-diff v6 value/value.go Equals.
func same(a, b any) bool {
	switch x := a.(type) {
	case int64, float64:
		return rank(b) == 0 && compareValues(x, b) == 0
	case wire.Map:
		y, is := b.(wire.Map)
		return is && maps.EqualFunc(x, y, same)
	case []any:
		y, is := b.([]any)
		return is && slices.EqualFunc(x, y, same)
	}
	return wire.Equal(a, b)
}

// itemElement returns the path element of an item of a set or an associative list.
// Source: structured-merge-diff v6 typed/helpers.go listItemToPathElement.
func itemElement(t *wire.Type, item any) (element, error) {
	if t.Merge == wire.ByKey {
		return keyedElement(t, item)
	}
	switch item.(type) {
	case wire.Map:
		return element{}, errors.New("associative list without keys has an element that's a map type")
	case []any:
		return element{}, errors.New("not supported: associative list with lists as elements")
	case nil:
		return element{}, errors.New("associative list without keys has an element that's an explicit null")
	}
	return element{kind: value, value: item}, nil
}

func keyedElement(t *wire.Type, item any) (element, error) {
	if item == nil {
		return element{}, errors.New("associative list with keys may not have a null element")
	}
	m, is := item.(wire.Map)
	if !is {
		return element{}, errors.New("associative list with keys may not have non-map elements")
	}
	parts := keyParts{}
	for _, name := range t.Keys {
		if v, has := m[name]; has {
			parts = append(parts, keyPart{name, v})
		} else if f := t.Elem.Field(name); f != nil && f.Keep { // a required string has the default ""
			parts = append(parts, keyPart{name, ""})
		}
	}
	if len(parts) == 0 {
		quoted := elements.Of(t.Keys, strconv.Quote)
		return element{},
			fmt.Errorf(
				"associative list with keys has an element that omits all key fields [%s] (and doesn't have default "+
					"values for any key fields)", strings.Join(quoted, " "))
	}
	return element{kind: key, value: parts}, nil
}

// comparison holds the differences between two objects. Its sets are disjoint.
// Source: structured-merge-diff v6 typed/compare.go.
type comparison struct {
	removed, modified, added set
	but                      set // paths to leave out
}

func compare(l, r any, t *wire.Type) *comparison { return compareBut(nil, l, r, t) }

// compareBut compares two objects and ignores the paths of a set, but not the paths below them.
func compareBut(but set, l, r any, t *wire.Type) *comparison {
	c := &comparison{but: but}
	c.walk(make([]element, 0, 8), some(l), some(r), t)
	return c
}

// note adds a path to one of the sets.
func (c *comparison) note(to *set, path []element) {
	if !c.but.hasPath(path) {
		to.insert(path...)
	}
}

// changedFields returns the fields that the second object sets or changes.
func (c *comparison) changedFields() set { return union(c.modified, c.added) }

func (c *comparison) walk(path []element, l, r operand, t *wire.Type) {
	switch {
	case isLeaf(l, r, t):
		if l.is && r.is {
			if !same(l.value, r.value) {
				c.note(&c.modified, path)
			}
			return
		}
	case t.Shape == wire.AList:
		c.items(path, l.list(), r.list(), t)
	case t.Shape == wire.AStruct && !t.Open:
		left, right := l.object(), r.object()
		for i := range t.Fields {
			below := &t.Fields[i]
			if a, b := member(left, below.Name), member(right, below.Name); a.is || b.is {
				c.walk(append(path, fieldElement(below.Name)), a, b, below.Type)
			}
		}
	default:
		for _, name := range names(l.object(), r.object()) {
			if below := typeUnder(t, fieldElement(name)); below != nil {
				c.walk(append(path, fieldElement(name)), member(l.object(), name), member(r.object(), name), below)
			}
		}
	}
	if !l.is {
		c.note(&c.added, path)
	} else if !r.is {
		c.note(&c.removed, path)
	}
}

// items compares lists by the identities of their items. Items with the same identity count as one item: if one of
// them changes, all of them do.
func (c *comparison) items(path []element, l, r []any, t *wire.Type) {
	left, order := groupItems(l, t)
	right, more := groupItems(r, t)
	for _, e := range more {
		if _, both := left[e.text()]; !both {
			order = append(order, e)
		}
	}
	if len(more) > 0 {
		sortElements(order)
	}
	for _, e := range order {
		ls, rs := left[e.text()], right[e.text()]
		at := append(path, e)
		switch {
		case len(ls) <= 1 && len(rs) <= 1:
			c.walk(at, first(ls), first(rs), t.Elem)
		case len(ls) >= 2 && len(rs) >= 2:
			if !same(ls, rs) {
				c.note(&c.modified, at)
			}
		case len(ls) >= 2:
			if len(rs) != 0 {
				c.walk(at, operand{}, first(rs), t.Elem)
			}
			c.note(&c.removed, at)
		default:
			if len(ls) != 0 {
				c.walk(at, first(ls), operand{}, t.Elem)
			}
			c.note(&c.added, at)
		}
	}
}

func first(items []any) operand {
	if len(items) == 0 {
		return operand{}
	}
	return some(items[0])
}

// sortElements sorts elements as sets do, so that inserting them in this order always appends to the end of the set.
func sortElements(list []element) {
	sort.Slice(list, func(i, j int) bool { return compareElements(list[i], list[j]) < 0 })
}

// groupItems groups the items of a list by the text of their identity. It also returns the sorted identities. It omits
// items without an identity.
func groupItems(list []any, t *wire.Type) (map[string][]any, []element) {
	groups, order := make(map[string][]any, len(list)), make([]element, 0, len(list))
	for _, item := range list {
		e, err := itemElement(t, item)
		if err != nil {
			continue
		}
		text := e.text()
		if _, known := groups[text]; !known {
			order = append(order, e)
		}
		groups[text] = append(groups[text], item)
	}
	sortElements(order)
	return groups, order
}
