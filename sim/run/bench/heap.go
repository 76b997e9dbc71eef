package bench

import "time"

// Heap is the cost of the bare events of a discrete-event simulation: a 4-ary heap of values that hands out the earliest event and takes
// in a later one. Nothing happens at an event. It says how much of an event of ours is more than its place in time.
type Heap struct {
	Pending    int     `json:"pending"` // events in the heap
	NsPerEvent float64 `json:"nsPerEvent"`
}

// heapPending is how many events the heap holds.
const heapPending = 1000

// bareEvent is as short as an event can be: an instant, its rank among the events of that instant, and whose it is.
type bareEvent struct {
	at   int64
	rank uint64
	node int32
}

// MeasureHeap hands out events until atLeast of wall time has passed.
func MeasureHeap(atLeast time.Duration) Heap {
	const round = 100_000
	heap, rank := make([]bareEvent, 0, heapPending), uint64(0)
	for node := range heapPending {
		rank++
		heap = pushed(heap, bareEvent{at: int64(node) * 2_000_003, rank: rank, node: int32(node)})
	}
	events, start := 0, time.Now()
	for events == 0 || time.Since(start) < atLeast {
		for range round {
			e := heap[0]
			rank++
			e.at, e.rank = e.at+2_000_000_000+int64(rank*0x9e3779b97f4a7c15>>34), rank // a retryPeriod and its jitter
			replace(heap, e)
		}
		events += round
	}
	return Heap{Pending: heapPending, NsPerEvent: float64(time.Since(start).Nanoseconds()) / float64(events)}
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

// replace puts an event in the place of the earliest. It calls nothing: in the page's engine this package is built without inlining.
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
