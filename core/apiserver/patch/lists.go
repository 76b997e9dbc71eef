package patch

import (
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// The method lists merges a patch's list into an object's list.
// Source: apimachinery v0.36 pkg/util/strategicpatch patch.go mergeSliceHandler, mergeSlice.
func (how merging) lists(original, patch []any, deletes bool) ([]any, error) {
	if !how.merges && !deletes {
		return patch, nil
	}
	if len(original) == 0 && len(patch) == 0 {
		return original, nil
	}
	objects, err := ofObjects(original, patch)
	if err != nil {
		return nil, err
	}
	var merged []any
	switch {
	case !objects && deletes:
		p, err := partition(original, patch)
		return p.out, err
	case !objects:
		merged = distinct(append(append([]any(nil), original...), patch...))
	case how.mergeKey == "":
		return nil, fmt.Errorf("cannot merge lists without merge key for %s", kindWord(how.elem))
	default:
		if original, patch, err = how.special(original, patch); err != nil {
			return nil, err
		}
		if merged, err = how.objects(original, patch); err != nil {
			return nil, err
		}
	}
	parts, err := how.split(merged, patch)
	if err != nil {
		return nil, err
	}
	return how.inOrder(parts, patch, original, objects)
}

// ofObjects reports whether lists contain objects. All items must have the same type, and it must not be a list.
// Source: apimachinery v0.36 pkg/util/strategicpatch patch.go sliceElementType.
func ofObjects(lists ...[]any) (bool, error) {
	var of reflect.Type
	for _, list := range lists {
		for _, item := range list {
			t := reflect.TypeOf(item)
			switch {
			case of == nil && t == nil:
				return false, ErrCrash
			case of == nil && t.Kind() == reflect.Slice:
				return false, errListOfLists
			case of == nil:
				of = t
			case of != t:
				return false, fmt.Errorf("list element types are not identical: %v", fmt.Sprint(lists))
			}
		}
	}
	if of == nil {
		return false, errors.New("no elements in any of the given slices")
	}
	return of.Kind() == reflect.Map, nil
}

// parts holds a list in two parts: the items that another list also has, and the rest.
type parts struct{ in, out []any }

// partition splits a list by another one. It returns an error for objects and lists, which upstream cannot use as map
// keys.
// Source: apimachinery v0.36 pkg/util/strategicpatch patch.go partitionPrimitivesByPresentInList.
func partition(list, by []any) (p parts, err error) {
	for _, items := range [][]any{by, list} {
		for _, item := range items {
			switch item.(type) {
			case wire.Map, []any:
				return p, ErrCrash
			}
		}
	}
	p = parts{make([]any, 0, len(list)), make([]any, 0, len(list))}
	present := positionsOf(by, "", false)
	for _, item := range list {
		if present.place(wire.Identity(item)) >= 0 {
			p.in = append(p.in, item)
		} else {
			p.out = append(p.out, item)
		}
	}
	return p, nil
}

// The method split works like partition, but compares objects by the merge key if the lists have one. Source:
// apimachinery v0.36 pkg/util/strategicpatch patch.go partitionMapsByPresentInList.
func (how merging) split(list, by []any) (p parts, err error) {
	if how.mergeKey == "" {
		return partition(list, by)
	}
	p = parts{make([]any, 0, len(list)), make([]any, 0, len(list))}
	present := how.indexByKey(by)
	for _, item := range list {
		m, is := item.(wire.Map)
		if !is {
			return parts{}, errBadType(m, item)
		}
		key, has := m[how.mergeKey]
		if !has {
			return parts{}, errNoMergeKey(m, how.mergeKey)
		}
		at, err := present.find(key)
		switch {
		case err != nil:
			return parts{}, err
		case at < 0:
			p.out = append(p.out, item)
		default:
			p.in = append(p.in, item)
		}
	}
	return p, nil
}

// The method special executes the directives inside a list of objects and returns the patch without them.
// Source: apimachinery v0.36 pkg/util/strategicpatch patch.go mergeSliceWithSpecialElements.
func (how merging) special(original, patch []any) ([]any, []any, error) {
	kept, deleted, replace := []any{}, []any(nil), false
	for _, item := range patch {
		m := item.(wire.Map)
		directive, has := m[patchDirective]
		if !has {
			kept = append(kept, item)
			continue
		}
		switch directive {
		case deleteDirective:
			key, has := m[how.mergeKey]
			if !has {
				return nil, nil, errNoMergeKey(m, how.mergeKey)
			}
			deleted = append(deleted, key)
		case replaceDirective:
			replace = true
		case mergeDirective:
			return nil, nil, errors.New("merging lists cannot yet be specified in the patch")
		default:
			return nil, nil, errDirective(directive, m)
		}
	}
	original = how.deleteKeys(original, deleted) // in place; objectMerge.inOrder sees this change, as it does upstream
	if replace {
		return kept, nil, nil
	}
	return original, kept, nil
}

// The method objects merges objects that have the same merge key, and appends the others.
// Source: apimachinery v0.36 pkg/util/strategicpatch patch.go mergeSliceWithoutSpecialElements.
func (how merging) objects(original, patch []any) ([]any, error) {
	there := how.indexByKey(original)
	for _, item := range patch {
		m := item.(wire.Map)
		key, has := m[how.mergeKey]
		if !has {
			return nil, errNoMergeKey(m, how.mergeKey)
		}
		id := wire.Identity(key)
		at, err := there.find(key)
		if err != nil {
			return nil, err
		}
		if at < 0 {
			there.places[id] = append(there.places[id], len(original))
			original = append(original, item)
			continue
		}
		merged, err := mergeObjects(original[at].(wire.Map), m, how.elem)
		if err != nil {
			return nil, err
		}
		original[at] = merged
		if _, still := merged[how.mergeKey]; !still { // a null key deleted the member
			there.places[id] = there.places[id][1:]
		}
	}
	return original, nil
}

// objectMerge merges a patch into an object of type t. It may change both.
type objectMerge struct {
	original, patch wire.Map
	t               *wire.Type
}

// mergeOrdered merges the lists whose order the patch specifies, and removes them from the patch. Source:
// apimachinery v0.36 pkg/util/strategicpatch patch.go mergePatchIntoOriginal.
func (m objectMerge) mergeOrdered() error {
	for _, directive := range wire.Keys(m.patch) {
		given, still := m.patch[directive]
		if !still || !strings.HasPrefix(directive, orderDirective) {
			continue
		}
		delete(m.patch, directive)
		order, is := given.([]any)
		if !is {
			return errBadType(order, given)
		}
		name, err := fieldNamed(directive, orderDirective, errElementOrder)
		if err != nil {
			return err
		}
		if err := m.inOrder(name, order); err != nil {
			return err
		}
	}
	return nil
}

// deduced returns how a list without a schema merges. The sender knows the schema: an order of scalars means a set, and
// an order of objects with one member each means items with that key.
func (how merging) deduced(order []any) merging {
	key := ""
	for _, item := range order {
		if m, is := item.(wire.Map); is && len(m) == 1 {
			key = wire.Keys(m)[0]
		} else if is {
			return how
		}
	}
	return merging{elem: how.elem, merges: len(order) > 0, mergeKey: key}
}

func (m objectMerge) inOrder(name string, order []any) error {
	have, has, err := listMember(m.original, name)
	if err != nil {
		return err
	}
	sent, sends, err := listMember(m.patch, name)
	if err != nil {
		return err
	}
	how, err := listMerging(m.t, name)
	if err != nil {
		return err
	}
	if wire.HasOpenTypes && how.elem == wire.AnyType {
		how = how.deduced(order)
	}
	if err := how.orderFits(m.patch[name], order); err != nil {
		return err
	}
	var merged []any
	switch {
	case has && !sends:
		merged = have
	case !has && sends:
		kept, _ := withoutDirectives(sent)
		merged = kept.([]any)
	case has && sends:
		if merged, err = how.lists(have, sent, false); err != nil {
			return err
		}
	default:
		return nil
	}
	parts, err := how.split(merged, order)
	if err != nil {
		return err
	}
	objects, err := ofObjects(have, sent)
	if err != nil {
		return err
	}
	all, err := how.inOrder(parts, order, have, objects)
	if err != nil {
		return err
	}
	m.original[name] = all
	delete(m.patch, name)
	return nil
}

func listMember(m wire.Map, name string) (list []any, has bool, err error) {
	value, has := m[name]
	if !has {
		return nil, false, nil
	}
	list, is := value.([]any)
	if !is {
		return nil, false, errBadType(list, value)
	}
	return list, true, nil
}

// orderFits returns an error if a patch's list violates the order that the patch specifies, or has items that the
// order lacks. Source: apimachinery v0.36 pkg/util/strategicpatch patch.go validatePatchWithSetOrderList.
func (how merging) orderFits(sent any, order []any) error {
	list, _ := sent.([]any)
	if len(list) == 0 || len(order) == 0 {
		return nil
	}
	kept := list
	if how.mergeKey != "" {
		var err error
		if kept, _, err = splitDeleted(list); err != nil {
			return err
		}
	}
	i, k := 0, 0
	for i < len(kept) && k < len(order) {
		if m, is := kept[i].(wire.Map); is {
			if _, has := m[patchDirective]; has {
				i++
				continue
			}
		}
		equal, err := how.equal(kept[i], order[k])
		if err != nil {
			return err
		}
		if equal {
			i++
		}
		k++
	}
	if i < len(kept) && k >= len(order) {
		//lint:ignore ST1005 upstream's text
		return fmt.Errorf("The order in patch list:\n%v\n doesn't match %s list:\n%v\n", list, orderDirective, order)
	}
	return nil
}

// The method equal compares two items, by the merge key if the lists have one.
func (how merging) equal(a, b any) (bool, error) {
	if how.mergeKey == "" {
		return wire.Equal(a, b), nil
	}
	left, is := a.(wire.Map)
	if !is {
		return false, errBadType(left, a)
	}
	right, is := b.(wire.Map)
	if !is {
		return false, errBadType(right, b)
	}
	var keys [2]any
	for i, m := range []wire.Map{left, right} {
		var has bool
		if keys[i], has = m[how.mergeKey]; !has {
			return false, errNoMergeKey(m, how.mergeKey)
		}
	}
	return wire.Equal(keys[0], keys[1]), nil
}

// splitDeleted splits objects into the ones that stay and the ones that a directive deletes.
func splitDeleted(list []any) (kept, deleted []any, err error) {
	for _, item := range list {
		m, is := item.(wire.Map)
		if !is {
			return nil, nil, errBadType(m, item)
		}
		if m[patchDirective] == deleteDirective {
			deleted = append(deleted, item)
		} else {
			kept = append(kept, item)
		}
	}
	return kept, deleted, nil
}

// inOrder puts the items that a patch names into the patch's order and keeps the object's other items in their order.
// Each of the others comes before the first named item that followed it in the object. Source: apimachinery v0.36
// pkg/util/strategicpatch patch.go normalizeElementOrder, mergeSortedSlice.
func (how merging) inOrder(p parts, order, have []any, objects bool) ([]any, error) {
	named, err := how.sortBy(p.in, order, objects)
	if err != nil {
		return nil, err
	}
	others, err := how.sortBy(p.out, have, objects)
	if err != nil {
		return nil, err
	}
	all := make([]any, 0, len(named)+len(others))
	before := positionsOf(have, how.mergeKey, objects)
	at := func(item any) int { return before.place(identityOf(item, how.mergeKey, objects)) }
	for len(named) > 0 && len(others) > 0 {
		left, right := at(others[0]), at(named[0])
		if left >= 0 && right >= 0 && left < right {
			all, others = append(all, others[0]), others[1:]
		} else {
			all, named = append(all, named[0]), named[1:]
		}
	}
	return append(append(all, named...), others...), nil
}

// sortBy returns a list, sorted in the order of another list. Source: apimachinery v0.36 pkg/util/strategicpatch
// patch.go normalizeSliceOrder.
func (how merging) sortBy(list, order []any, objects bool) ([]any, error) {
	var deleted []any
	if objects {
		for _, items := range [][]any{list, order} {
			for _, item := range items {
				m, is := item.(wire.Map)
				if !is {
					return nil, errBadType(m, item)
				}
				if _, has := m[how.mergeKey]; !has {
					return nil, errNoMergeKey(m, how.mergeKey)
				}
			}
		}
		var err error
		if list, deleted, err = splitDeleted(list); err != nil {
			return nil, err
		}
	}
	wanted := positionsOf(order, how.mergeKey, objects)
	sort.Stable(&byPosition{list, placesOf(list, wanted, how.mergeKey, objects)})
	return append(list, deleted...), nil
}

// byPosition sorts a list by the positions of its items in another list. Like upstream, it puts an item without a
// position before every other. That is not a consistent order, so the result depends on upstream's sort
// algorithm.
type byPosition struct {
	list []any
	at   []int
}

func placesOf(list []any, wanted positions, mergeKey string, objects bool) []int {
	at := make([]int, len(list))
	for i, item := range list {
		at[i] = wanted.place(identityOf(item, mergeKey, objects))
	}
	return at
}

func (o *byPosition) Len() int { return len(o.list) }

func (o *byPosition) Less(i, j int) bool { return o.at[i] < 0 || o.at[j] < 0 || o.at[i] < o.at[j] }

func (o *byPosition) Swap(i, j int) {
	o.list[i], o.list[j] = o.list[j], o.list[i]
	o.at[i], o.at[j] = o.at[j], o.at[i]
}
