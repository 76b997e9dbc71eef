package patch

import (
	"container/heap"
	"fmt"

	"github.com/leaselab/leaselab/core/wire"
)

// For each item, upstream searches the other list from its start. Two lists of 45,000 owner references, which fit into
// a request, would take hours. The code below finds the same items by their identities.

// positions maps an item's identity to its indices in a list, in ascending order.
type positions map[any][]int

// positionsOf indexes all items. It indexes objects by their merge key, or by nil if the key is absent.
func positionsOf(list []any, mergeKey string, objects bool) positions {
	p := make(positions, len(list))
	for i, item := range list {
		id := identityOf(item, mergeKey, objects)
		p[id] = append(p[id], i)
	}
	return p
}

func identityOf(item any, mergeKey string, objects bool) any {
	if !objects {
		return wire.Identity(item)
	}
	m, _ := item.(wire.Map)
	return wire.Identity(m[mergeKey])
}

// place returns the first index of an item, or -1.
func (p positions) place(id any) int {
	if places := p[id]; len(places) > 0 {
		return places[0]
	}
	return -1
}

// keyIndex finds the objects of a list by their merge keys.
type keyIndex struct {
	places positions
	bad    int // index of the first item that is not an object, else the length of the list
	length int
}

func (how merging) indexByKey(list []any) *keyIndex {
	k := &keyIndex{places: make(positions, len(list)), bad: len(list), length: len(list)}
	for i, item := range list {
		m, is := item.(wire.Map)
		if !is {
			k.bad = i
			break
		}
		if key, has := m[how.mergeKey]; has {
			id := wire.Identity(key)
			k.places[id] = append(k.places[id], i)
		}
	}
	return k
}

// find returns the index of the first object with a merge key, or -1. It returns an error if an item before that
// object is not an object. Source: apimachinery v0.36 pkg/util/strategicpatch patch.go findMapInSliceBasedOnKeyValue.
func (k *keyIndex) find(key any) (int, error) {
	if at := k.places.place(wire.Identity(key)); at >= 0 {
		return at, nil
	}
	if k.bad < k.length {
		return -1, fmt.Errorf("value for key %v is not a map", k.bad)
	}
	return -1, nil
}

// deleteKeys removes the objects with the given merge keys from a list. It does so in place, one by one, as upstream
// does. Each deletion frees the last slot of the list. The freed slot still holds the item that was last at that
// time. Source: apimachinery v0.36 pkg/util/strategicpatch patch.go deleteMatchingEntries.
func (how merging) deleteKeys(list, keys []any) []any {
	found := how.indexByKey(list)
	gone := make([]bool, len(list))
	var freed []any // the freed slots, from the end of the list
	last := len(list) - 1
	for _, key := range keys {
		id := wire.Identity(key)
		for _, at := range found.places[id] {
			for gone[last] {
				last--
			}
			freed = append(freed, list[last])
			gone[at] = true
		}
		delete(found.places, id)
	}
	kept := list[:0]
	for i, item := range list {
		if !gone[i] {
			kept = append(kept, item)
		}
	}
	for i, item := range freed {
		list[len(list)-1-i] = item
	}
	return kept
}

// distinct removes repeated scalars from a list and moves the list's last item into each gap.
// Source: apimachinery v0.36 pkg/util/strategicpatch patch.go deduplicateScalars.
func distinct(list []any) []any {
	seen := make(map[any]*places, len(list))
	repeated := false
	for i, item := range list {
		at, again := seen[item]
		if !again {
			at = &places{}
			seen[item] = at
		}
		repeated = repeated || again
		*at = append(*at, i)
	}
	if !repeated {
		return list
	}
	last := len(list) - 1
	for i := 0; i < last; i++ {
		at := seen[list[i]]
		for at.Len() > 0 {
			j := heap.Pop(at).(int)
			if j <= i || j > last || list[j] != list[i] {
				continue // the item has moved since, or it is the one to keep
			}
			list[j] = list[last]
			heap.Push(seen[list[j]], j)
			last--
		}
	}
	return list[:last+1]
}

// places holds the indices of a scalar. The function distinct takes them in order.
type places []int

func (p places) Len() int           { return len(p) }
func (p places) Less(i, j int) bool { return p[i] < p[j] }
func (p places) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *places) Push(x any)        { *p = append(*p, x.(int)) }
func (p *places) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
}
