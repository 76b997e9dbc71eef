package world

import (
	"math/bits"

	"github.com/leaselab/leaselab/core/step"
)

// timers is a 4-ary heap with one timer for each node, which it changes in place: a renewed deadline leaves nothing stale behind.
// Ties go to the lower node. The instants are in the heap itself, so that a comparison touches one stretch of memory.
type timers struct {
	place []int32 // by node: position in heap, -1 if it has no timer
	heap  []timer
}

type timer struct {
	at        int64
	candidate int32
}

func (t *timer) before(o *timer) bool {
	return t.at < o.at || t.at == o.at && t.candidate < o.candidate
}

func (t *timers) add() { t.place = append(t.place, -1) }

func (t *timers) clone() timers {
	return timers{place: append([]int32(nil), t.place...), heap: append([]timer(nil), t.heap...)}
}

// next returns the earliest timer; at is Never if none is set.
func (t *timers) next() (candidate int32, at int64) {
	if len(t.heap) == 0 {
		return -1, step.Never
	}
	return t.heap[0].candidate, t.heap[0].at
}

// set moves the timer of a node; Never clears it.
func (t *timers) set(candidate int32, at int64) {
	i := t.place[candidate]
	if i < 0 {
		if at == step.Never {
			return
		}
		t.heap = append(t.heap, timer{at: at, candidate: candidate})
		t.up(len(t.heap) - 1)
		return
	}
	old := t.heap[i].at
	switch {
	case at == step.Never:
		t.remove(int(i))
	case at < old:
		t.heap[i].at = at
		t.up(int(i))
	case at > old:
		t.heap[i].at = at
		t.down(int(i))
	}
}

func (t *timers) remove(i int) {
	last := len(t.heap) - 1
	t.place[t.heap[i].candidate] = -1
	moved := t.heap[last]
	t.heap = t.heap[:last]
	if i == last {
		return
	}
	t.heap[i] = moved
	t.place[moved.candidate] = int32(i)
	t.up(i)
	t.down(int(t.place[moved.candidate]))
}

func (t *timers) up(i int) {
	h := t.heap
	moving := h[i]
	for i > 0 {
		parent := (i - 1) / 4
		if !moving.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		t.place[h[i].candidate] = int32(i)
		i = parent
	}
	h[i] = moving
	t.place[moving.candidate] = int32(i)
}

// down takes no branch on which of four children is the earliest: it cannot be predicted. A subtraction over both words of the key borrows
// if the left one is smaller.
func (t *timers) down(i int) {
	h := t.heap
	moving := h[i]
	for {
		child := 4*i + 1
		if child >= len(h) {
			break
		}
		least, at, candidate := child, uint64(h[child].at), uint64(h[child].candidate)
		for k := child + 1; k < min(child+4, len(h)); k++ {
			_, borrow := bits.Sub64(uint64(h[k].candidate), candidate, 0)
			_, borrow = bits.Sub64(uint64(h[k].at), at, borrow)
			earlier := -borrow // all ones if k is earlier
			at ^= (at ^ uint64(h[k].at)) & earlier
			candidate ^= (candidate ^ uint64(h[k].candidate)) & earlier
			least ^= (least ^ k) & int(earlier)
		}
		if !h[least].before(&moving) {
			break
		}
		h[i] = h[least]
		t.place[h[i].candidate] = int32(i)
		i = least
	}
	h[i] = moving
	t.place[moving.candidate] = int32(i)
}
