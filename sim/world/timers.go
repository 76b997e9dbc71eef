package world

import "github.com/leaselab/leaselab/core/elector"

// timers is a 4-ary heap with one slot per candidate for its own timer, changed in place: a renewed deadline leaves
// nothing stale behind. Ties go to the lower candidate index.
type timers struct {
	at    []int64 // by candidate
	place []int32 // by candidate: position in heap, -1 when not set
	heap  []int32 // candidates
}

func (t *timers) add() {
	t.at = append(t.at, elector.Never)
	t.place = append(t.place, -1)
}

func (t *timers) clone() timers {
	return timers{at: append([]int64(nil), t.at...), place: append([]int32(nil), t.place...), heap: append([]int32(nil), t.heap...)}
}

// next returns the earliest timer; at is Never if none is set.
func (t *timers) next() (candidate int32, at int64) {
	if len(t.heap) == 0 {
		return -1, elector.Never
	}
	return t.heap[0], t.at[t.heap[0]]
}

// set moves a candidate's timer; Never clears it.
func (t *timers) set(candidate int32, at int64) {
	old := t.at[candidate]
	if old == at {
		return
	}
	t.at[candidate] = at
	i := t.place[candidate]
	switch {
	case at == elector.Never:
		t.remove(i)
	case i < 0:
		t.heap = append(t.heap, candidate)
		t.up(len(t.heap) - 1)
	case at < old:
		t.up(int(i))
	default:
		t.down(int(i))
	}
}

func (t *timers) remove(i int32) {
	last := len(t.heap) - 1
	t.place[t.heap[i]] = -1
	moved := t.heap[last]
	t.heap = t.heap[:last]
	if int(i) == last {
		return
	}
	t.heap[i] = moved
	t.place[moved] = i
	t.up(int(i))
	t.down(int(t.place[moved]))
}

func (t *timers) before(a, b int32) bool {
	return t.at[a] < t.at[b] || t.at[a] == t.at[b] && a < b
}

func (t *timers) up(i int) {
	c := t.heap[i]
	for i > 0 {
		parent := (i - 1) / 4
		if !t.before(c, t.heap[parent]) {
			break
		}
		t.heap[i] = t.heap[parent]
		t.place[t.heap[i]] = int32(i)
		i = parent
	}
	t.heap[i] = c
	t.place[c] = int32(i)
}

func (t *timers) down(i int) {
	c := t.heap[i]
	for {
		child := 4*i + 1
		if child >= len(t.heap) {
			break
		}
		least := child
		for k := child + 1; k < min(child+4, len(t.heap)); k++ {
			if t.before(t.heap[k], t.heap[least]) {
				least = k
			}
		}
		if !t.before(t.heap[least], c) {
			break
		}
		t.heap[i] = t.heap[least]
		t.place[t.heap[i]] = int32(i)
		i = least
	}
	t.heap[i] = c
	t.place[c] = int32(i)
}
