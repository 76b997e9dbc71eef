package bench

import "time"

// bareHeap makes the bare events of a discrete-event simulation: a 4-ary heap of values that hands out the earliest
// event and takes in a later one. Nothing happens at an event. It says how much of an event of ours is more than its
// place in time.
type bareHeap struct {
	events []bareEvent
	rank   uint64
}

// HeapPending is how many events the heap holds, heapTurn how many it hands out in a turn.
const (
	HeapPending = 1000
	heapTurn    = 100_000
)

// bareEvent is as short as an event can be: an instant, its rank among the events of that instant, and whose it is.
type bareEvent struct {
	at   int64
	rank uint64
	node int32
}

func newBareHeap() *bareHeap {
	h := &bareHeap{}
	for node := range HeapPending {
		h.rank++
		h.events = pushed(h.events, bareEvent{at: int64(node) * 2_000_003, rank: h.rank, node: int32(node)})
	}
	return h
}

// turn hands out heapTurn events and returns how long it took.
func (h *bareHeap) turn() time.Duration {
	start, heap, rank := time.Now(), h.events, h.rank
	for range heapTurn {
		e := heap[0]
		rank++
		e.at, e.rank = e.at+2_000_000_000+int64(rank*0x9e3779b97f4a7c15>>34), rank // a retryPeriod and its jitter
		replace(heap, e)
	}
	h.rank = rank
	return time.Since(start)
}

// pushed adds an event.
func pushed(h []bareEvent, e bareEvent) []bareEvent {
	h = append(h, e)
	i := len(h) - 1
	for i > 0 {
		parent := &h[(i-1)/4]
		if parent.at < e.at || parent.at == e.at && parent.rank < e.rank {
			break
		}
		h[i] = *parent
		i = (i - 1) / 4
	}
	h[i] = e
	return h
}

// replace puts an event in the place of the earliest. It calls nothing: in the page's engine this package is built
// without inlining.
func replace(h []bareEvent, e bareEvent) {
	i := 0
	for {
		first := 4*i + 1
		if first >= len(h) {
			break
		}
		least, earliest := first, &h[first]
		for k := first + 1; k < min(first+4, len(h)); k++ {
			if child := &h[k]; child.at < earliest.at || child.at == earliest.at && child.rank < earliest.rank {
				least, earliest = k, child
			}
		}
		if e.at < earliest.at || e.at == earliest.at && e.rank < earliest.rank {
			break
		}
		h[i] = *earliest
		i = least
	}
	h[i] = e
}
