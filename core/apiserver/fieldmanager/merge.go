package fieldmanager

import "github.com/leaselab/leaselab/core/wire"

// merge merges an applied configuration into an object. Fields that the configuration does not name stay as
// they are. Source: structured-merge-diff v6 typed/merge.go.
func merge(l, r operand, t *wire.Type) operand {
	switch {
	case isLeaf(l, r, t):
		if r.is {
			return r
		}
		return l
	case t.Shape == wire.AList:
		if out := mergeItems(l.list(), r.list(), t); len(out) > 0 {
			return some(out)
		}
		return operand{}
	}
	out := wire.Map{}
	for _, name := range names(l.object(), r.object()) {
		below := typeUnder(t, fieldElement(name))
		if below == nil {
			continue
		}
		if merged := merge(member(l.object(), name), member(r.object(), name), below); merged.is {
			out[name] = merged.value
		}
	}
	if len(out) == 0 {
		return operand{}
	}
	return some(out)
}

// listIndex is a list with an index by the identities of its items.
type listIndex struct {
	items []any
	texts []string
	by    map[string]operand
}

func indexItems(list []any, t *wire.Type) *listIndex {
	x := &listIndex{by: make(map[string]operand, len(list))}
	for _, item := range list {
		e, err := itemElement(t, item)
		if err != nil {
			continue // every item of a live object or a validated configuration has an identity
		}
		text := e.text()
		if _, repeated := x.by[text]; repeated {
			x.by[text] = some(nil) // a new item does not merge with items of the same identity
		} else {
			x.by[text] = some(item)
		}
		x.items, x.texts = append(x.items, item), append(x.texts, text)
	}
	return x
}

// mergeItems puts the configuration's items into the configuration's order. The other items keep their places
// relative to the shared ones. Source: structured-merge-diff v6 typed/merge.go visitListItems.
func mergeItems(l, r []any, t *wire.Type) []any {
	left, right := indexItems(l, t), indexItems(r, t)
	var shared []string // the configuration's items that the object has too, in the configuration's order
	for _, text := range right.texts {
		if left.by[text].is {
			shared = append(shared, text)
		}
	}
	out := make([]any, 0, max(len(left.texts), len(right.texts)))
	take := func(a, b operand) {
		if merged := merge(a, b, t.Elem); merged.is {
			out = append(out, merged.value)
		}
	}
	taken := map[string]bool{} // the configuration's items that are already in place
	for i, k := 0, 0; i < len(left.texts) || k < len(right.texts); {
		if i < len(left.texts) && k < len(right.texts) {
			text := left.texts[i]
			if text == right.texts[k] {
				taken[text] = true
				take(left.by[text], right.by[text])
				i, k = i+1, k+1
				if len(shared) > 0 {
					shared = shared[1:]
				}
				continue
			}
			if right.by[text].is && len(shared) > 0 && shared[0] != text {
				i++ // a later iteration of the loop takes it
				continue
			}
		}
		if i < len(left.texts) {
			if text := left.texts[i]; !right.by[text].is {
				take(some(left.items[i]), operand{})
				i++
				continue
			} else if taken[text] {
				i++
			}
		}
		if k < len(right.texts) {
			text := right.texts[k]
			taken[text] = true
			take(left.by[text], right.by[text])
			k++
			if len(shared) > 0 && shared[0] == text {
				shared = shared[1:]
			}
		}
	}
	return out
}

// shapeOf returns the shape of a value. Without a schema, it is a map if the value is one.
func shapeOf(v any, t *wire.Type) wire.Shape {
	if wire.HasOpenTypes && isOpenMap(some(v), operand{}, t) {
		return wire.AMap
	}
	return t.Shape
}

// fieldsOf returns the set of all fields that a configuration names.
// Source: structured-merge-diff v6 typed/tofieldset.go.
func fieldsOf(v any, t *wire.Type) set {
	var s set
	s.addFields(make([]element, 0, 8), v, t)
	return s
}

func (s *set) addFields(path []element, v any, t *wire.Type) {
	switch shapeOf(v, t) {
	case wire.AStruct, wire.AMap:
		if t.Whole {
			s.insert(path...)
			return
		}
		m, _ := v.(wire.Map)
		for _, name := range wire.Keys(m) {
			below := typeUnder(t, fieldElement(name))
			if below == nil {
				continue
			}
			at := append(path, fieldElement(name))
			s.addFields(at, m[name], below)
			if inner, is := m[name].(wire.Map); m[name] == nil || is && len(inner) == 0 || t.Shape != wire.AStruct {
				s.insert(at...)
			}
		}
	case wire.AList:
		if t.Merge == wire.Atomic {
			s.insert(path...)
			return
		}
		list, _ := v.([]any)
		groups, order := groupItems(list, t)
		for _, e := range order {
			at := append(path, e)
			if items := groups[e.text()]; len(items) == 1 {
				s.addFields(at, items[0], t.Elem)
			}
			s.insert(at...)
		}
	default:
		s.insert(path...)
	}
}

// remove returns a value without the fields and items of a set. A container that loses everything remains as an
// empty one. Source: structured-merge-diff v6 typed/remove.go.
func remove(v any, gone set, t *wire.Type) any {
	switch shapeOf(v, t) {
	case wire.AStruct, wire.AMap:
		m, is := v.(wire.Map)
		if !is || len(m) == 0 || t.Whole {
			return nil
		}
		return membersWithout(m, gone, t)
	case wire.AList:
		list, is := v.([]any)
		if !is || len(list) == 0 || t.Merge == wire.Atomic {
			return nil
		}
		return itemsWithout(list, gone, t)
	}
	return v
}

func membersWithout(m wire.Map, gone set, t *wire.Type) any {
	out, touched := wire.Map{}, false
	for _, name := range wire.Keys(m) {
		e := fieldElement(name)
		if gone.has(e) {
			continue
		}
		out[name] = m[name]
		if inner := gone.below(e); len(inner) > 0 {
			touched = true
			if below := typeUnder(t, e); below != nil {
				out[name] = emptyAs(m[name], remove(m[name], inner, below))
			}
		}
	}
	if len(out) > 0 || touched {
		return out
	}
	return nil
}

func itemsWithout(list []any, gone set, t *wire.Type) any {
	out, touched := make([]any, 0, len(list)), false
	for _, item := range list {
		e, err := itemElement(t, item)
		if err == nil {
			if gone.has(e) {
				continue
			}
			if inner := gone.below(e); len(inner) > 0 {
				touched = true
				item = emptyAs(item, remove(item, inner, t.Elem))
			}
		}
		out = append(out, item)
	}
	if len(out) > 0 || touched {
		return out
	}
	return nil
}

// emptyAs returns what remains of a value after a removal. A container never becomes null.
func emptyAs(was, left any) any {
	if left != nil {
		return left
	}
	switch was.(type) {
	case wire.Map:
		return wire.Map{}
	case []any:
		return []any{}
	}
	return nil
}

// reconcile adapts a set to the schema: the owner of a part of an atomic value becomes the owner of the whole.
// Source: structured-merge-diff v6 typed/reconcile_schema.go.
func reconcile(s set, t *wire.Type) set {
	out := s
	for i, n := range s {
		below := t.Elem
		if t.Shape != wire.AList {
			below = typeUnder(t, n.at)
		}
		switch {
		case below == nil: // not in the schema
			continue
		case below.Whole && len(n.below) > 0 || below.Shape == wire.AList && below.Merge == wire.Atomic:
			n = node{at: n.at, member: true}
		case len(n.below) > 0 && below.Shape >= wire.AStruct && below.Shape != wire.Raw:
			n.below = reconcile(n.below, below)
			if &n.below[0] == &s[i].below[0] {
				continue
			}
		default:
			continue
		}
		if &out[0] == &s[0] { // a finished set never changes, and most sets already fit
			out = append(set(nil), s...)
		}
		out[i] = n
	}
	return out
}
