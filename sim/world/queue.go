package world

import "math/bits"

// `class` orders what happens at one instant: first timers of nodes, then acts in list order, arrivals at the server,
// responses, and timeouts of clients.
type class uint8

const (
	ownTimer class = iota
	control
	arrival
	response
	clientTimeout
)

// event is an entry of the queue. It is data, never a closure. Its key determines the total order within an instant:
// first by class, then by node, then by the node's own number.
type event struct {
	at   int64
	key  uint64
	slot int32
	what eventKind
}

type eventKind uint8

const (
	// These events are about the message in the event's slot.
	requestArrives  eventKind = iota // the message arrives at the server
	requestServed                    // the message's stay at the server ends
	responseArrives                  // the message arrives at the client
	clientGivesUp

	// These events are about a process.
	runDue   // the process runs for election again
	startDue // another process starts
	drainDue // the work of the process has drained
	probeDue
	stopDeferred // something told the process to stop during a pause; only in deferrals
	callWakes    // a wait of a client's call ends
	callEnds     // a call ends without another exchange
	resourceDue  // a leader's write to the resource

	// These events are about what runs beside an elector or without one.
	clientWakes // a LeaseCandidate client wakes
	serverWakes // a controller wakes
	beatDue     // a kubelet's next heartbeat is due
	evaluates   // a monitor decides which nodes are ready
	listDue     // an informer lists again
)

// orderKey packs the order within an instant into one number: 8 bits of class, 24 of node, 32 of the node's own
// number. Comparing two events is then at most two comparisons of integers.
func orderKey(c class, candidate int32, number uint32) uint64 {
	return uint64(c)<<56 | uint64(uint32(candidate))<<32 | uint64(number)
}

func (e *event) class() class     { return class(e.key >> 56) }
func (e *event) candidate() int32 { return int32(e.key >> 32 & 0xffffff) }
func (e *event) number() uint32   { return uint32(e.key) }

func (e *event) comesBefore(o *event) bool {
	return e.at < o.at || e.at == o.at && e.key < o.key
}

// queue is a 4-ary heap of events. They are values in one slice, so copying the slice copies the queue.
type queue []event

func (q *queue) push(e event) {
	i := len(*q)
	if i < cap(*q) {
		*q = (*q)[:i+1]
	} else {
		*q = append(*q, e)
	}
	h := *q
	for i > 0 {
		parent := (i - 1) / 4
		if !e.comesBefore(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

// withdraw removes the next event of the message in a slot, other than its client's timeout, and returns the instant
// of the event.
func (q *queue) withdraw(slot int32) (atNs int64) {
	q.rebuild(func(e *event) (keep bool) {
		if e.slot != slot || e.what != requestArrives && e.what != requestServed && e.what != responseArrives {
			return true
		}
		atNs = e.at
		return false
	})
	return atNs
}

// rebuild makes a new heap of the events that it should keep. That is slow, but only a few acts need it.
func (q *queue) rebuild(keep func(*event) bool) {
	kept := make(queue, 0, cap(*q))
	for _, e := range *q {
		if keep(&e) {
			kept.push(e)
		}
	}
	*q = kept
}

// pop removes the earliest event. A heap with four children per node is half as high as one with two, and the four
// are next to each other in memory.
func (q *queue) pop() event {
	h := *q
	top := h[0]
	last := h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) == 0 {
		return top
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= len(h) {
			break
		}
		least, at, key := child, uint64(h[child].at), h[child].key
		for k := child + 1; k < min(child+4, len(h)); k++ { // no branch on which child is earliest: see timers.set
			_, borrow := bits.Sub64(h[k].key, key, 0)
			_, borrow = bits.Sub64(uint64(h[k].at), at, borrow)
			earlier := -borrow
			at ^= (at ^ uint64(h[k].at)) & earlier
			key ^= (key ^ h[k].key) & earlier
			least ^= (least ^ k) & int(earlier)
		}
		if !h[least].comesBefore(&last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = last
	return top
}
