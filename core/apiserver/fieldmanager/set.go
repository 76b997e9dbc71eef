package fieldmanager

import (
	"errors"
	"sort"

	"github.com/leaselab/leaselab/core/wire"
)

// set is a set of paths as a tree, sorted by element. Every node is a member, or a member is below it. A finished set
// never changes, so sets may share subtrees. Source: structured-merge-diff v6 fieldpath/set.go.
type set []node

type node struct {
	at     element
	member bool // the path that ends at this node is a member
	below  set
}

// search returns the index of an element, or the index at which to insert it.
func (s set) search(e element) (int, bool) {
	i := sort.Search(len(s), func(i int) bool { return compareElements(s[i].at, e) >= 0 })
	return i, i < len(s) && compareElements(s[i].at, e) == 0
}

// The method below returns the set of the paths below an element.
func (s set) below(e element) set {
	if i, has := s.search(e); has {
		return s[i].below
	}
	return nil
}

// has reports whether the path of one element is a member.
func (s set) has(e element) bool {
	i, has := s.search(e)
	return has && s[i].member
}

// hasPath reports whether a path is a member.
func (s set) hasPath(path []element) bool {
	for len(path) > 1 {
		s, path = s.below(path[0]), path[1:]
	}
	return len(path) == 1 && s.has(path[0])
}

// insert adds a path to a set under construction. It ignores the empty path: that is the object itself, which has no
// owner.
func (s *set) insert(path ...element) {
	if len(path) == 0 {
		return
	}
	i, has := s.search(path[0])
	if !has {
		*s = append(*s, node{})
		copy((*s)[i+1:], (*s)[i:])
		(*s)[i] = node{at: path[0]}
	}
	if len(path) == 1 {
		(*s)[i].member = true
		return
	}
	(*s)[i].below.insert(path[1:]...)
}

// each calls yield with every path. The members of a level come before the paths below them. The function yield must
// not keep the path.
func (s set) each(prefix []element, yield func(path []element)) {
	for i := range s {
		if s[i].member {
			yield(append(prefix, s[i].at))
		}
	}
	for i := range s {
		s[i].below.each(append(prefix, s[i].at), yield)
	}
}

// keep appends a node unless it is empty.
func (s set) keep(n node) set {
	if n.member || len(n.below) > 0 {
		return append(s, n)
	}
	return s
}

func union(a, b set) set {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := make(set, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch c := compareElements(a[0].at, b[0].at); {
		case c < 0:
			out, a = append(out, a[0]), a[1:]
		case c > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, node{a[0].at, a[0].member || b[0].member, union(a[0].below, b[0].below)})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func intersection(a, b set) set {
	var out set
	for len(a) > 0 && len(b) > 0 {
		switch c := compareElements(a[0].at, b[0].at); {
		case c < 0:
			a = a[1:]
		case c > 0:
			b = b[1:]
		default:
			out = out.keep(node{a[0].at, a[0].member && b[0].member, intersection(a[0].below, b[0].below)})
			a, b = a[1:], b[1:]
		}
	}
	return out
}

// difference returns the set a without the paths of the set b. Paths below a path of b stay.
func difference(a, b set) set {
	if len(b) == 0 {
		return a
	}
	var out set
	for len(a) > 0 {
		i, has := b.search(a[0].at)
		if has {
			out = out.keep(node{a[0].at, a[0].member && !b[i].member, difference(a[0].below, b[i].below)})
		} else {
			out = append(out, a[0])
		}
		a, b = a[1:], b[i:]
	}
	return out
}

// withFields returns the set plus every struct field on the way to a member. Otherwise the set would contain only what
// is inside a struct's field, not the field itself. Source: structured-merge-diff v6 fieldpath/set.go
// EnsureNamedFieldsAreMembers.
func withFields(s set, t *wire.Type) set {
	if len(s) == 0 {
		return nil
	}
	out := make(set, len(s))
	for i, n := range s {
		below := typeUnder(t, n.at)
		member := n.member
		if len(n.below) > 0 && n.at.kind == field && t != nil && t.Shape == wire.AStruct && below != nil {
			member = true
		}
		out[i] = node{n.at, member, withFields(n.below, below)}
	}
	return out
}

// typeUnder returns the type below a path element, or nil if the schema has none.
func typeUnder(t *wire.Type, e element) *wire.Type {
	switch {
	case t == nil:
	case t.Shape == wire.AStruct && e.kind == field:
		if f := t.Field(e.name); f != nil {
			return f.Type
		}
		if wire.HasOpenTypes && t.Open {
			return wire.AnyType
		}
	case wire.HasOpenTypes && t.Shape == wire.Any && e.kind == field:
		return t
	case t.Shape == wire.AMap && e.kind == field, t.Shape == wire.AList && e.kind == key:
		return t.Elem
	}
	return nil
}

// encode returns the set as FieldsV1.
// Source: structured-merge-diff v6 fieldpath/serialize.go emitContentsV1.
func (s set) encode() wire.Encoded { return wire.Encoded(s.append(make([]byte, 0, 256), false)) }

func (s set) append(out []byte, self bool) []byte {
	out = append(out, '{')
	if self && len(s) > 0 {
		out = append(out, `".":{}`...)
	}
	for i, n := range s {
		if i > 0 || self {
			out = append(out, ',')
		}
		if n.at.kind == field { // writes the same name as text()
			at := len(out) + len(`"f`)
			out = wire.Quote(append(out, `"f`...), n.at.name)
			out[at] = ':'
		} else {
			out = wire.Quote(out, n.at.text())
		}
		out = append(out, ':')
		out = n.below.append(out, n.member && len(n.below) > 0)
	}
	return append(out, '}')
}

var errFields = errors.New("expect { or n")

// decodeSet decodes FieldsV1. isMember reports whether the path to fields is itself a member, that is, whether fields
// has a "." or is empty.
// Source: structured-merge-diff v6 fieldpath/serialize.go readIterV1.
func decodeSet(fields any) (s set, isMember bool, err error) {
	var members wire.Map
	switch f := fields.(type) {
	case nil:
		return nil, true, nil
	case wire.Map:
		members = f
	case wire.Encoded:
		n, err := wire.Parse([]byte(f))
		if err != nil {
			return nil, false, err
		}
		return decodeSet(wire.Tree(n))
	default:
		return nil, false, errFields
	}
	for _, name := range wire.Keys(members) {
		if name == "." {
			isMember = true
			continue
		}
		e, err := parseElement(name)
		if err == errUnknownElement {
			continue
		}
		if err != nil {
			return nil, false, err
		}
		below, member, err := decodeSet(members[name])
		if err != nil {
			return nil, false, err
		}
		i, has := s.search(e)
		if has { // two names of the same element: v:1 and v:1.0
			s[i].member, s[i].below = s[i].member || member, union(s[i].below, below)
			continue
		}
		s = append(s, node{})
		copy(s[i+1:], s[i:])
		s[i] = node{e, member, below}
	}
	return s, isMember || len(s) == 0, nil
}
