package flowcontrol

import "github.com/leaselab/leaselab/core/step"

// Queue is client-go's work queue: it holds the keys that wait, those that are being worked on, and those that become
// due later.
//
// Guarantee: a key waits at most once, however often it is added; it is never handed out while it is being worked on,
// and is handed out again afterwards if it was added in the meantime; of several delays of one key the earliest counts.
// Non-guarantee: keys are served first come, first served; nothing here knows a clock: the caller asks for NextDueNs
// and calls Due at that instant. Source: client-go v0.37.2 util/workqueue queue.go, delaying_queue.go.
//
// The zero value is an empty queue. Copies made with = share memory: see Clone.
type Queue[K comparable] struct {
	waiting    []K // in the order in which they will be handed out; each is dirty and not processing
	dirty      []K // to be worked on: waiting, or added while it was being worked on
	processing []K
	delayed    []delay[K] // by due instant, then by when the instant was asked for
}

type delay[K comparable] struct {
	key   K
	dueNs int64
}

// Clone returns an independent queue.
func (q *Queue[K]) Clone() Queue[K] {
	return Queue[K]{
		waiting: append([]K(nil), q.waiting...), dirty: append([]K(nil), q.dirty...),
		processing: append([]K(nil), q.processing...), delayed: append([]delay[K](nil), q.delayed...),
	}
}

// Add asks for a key to be worked on.
func (q *Queue[K]) Add(key K) {
	if index(q.dirty, key) >= 0 {
		return
	}
	q.dirty = append(q.dirty, key)
	if index(q.processing, key) < 0 {
		q.waiting = append(q.waiting, key)
	}
}

// Get hands out the key that has waited longest.
func (q *Queue[K]) Get() (key K, ok bool) {
	if len(q.waiting) == 0 {
		return key, false
	}
	key = q.waiting[0]
	q.waiting = cut(q.waiting, 0)
	q.dirty = cut(q.dirty, index(q.dirty, key))
	q.processing = append(q.processing, key)
	return key, true
}

// Done ends the work on a key. If the key was added in the meantime, it waits again, at the end.
func (q *Queue[K]) Done(key K) {
	if at := index(q.processing, key); at >= 0 {
		q.processing = cut(q.processing, at)
	}
	if index(q.dirty, key) >= 0 {
		q.waiting = append(q.waiting, key)
	}
}

// AddAt adds a key at an instant to come. A delay that the key has already stays if it ends earlier.
// Deviation: of keys that are due at one instant the first one asked for comes first; upstream's heap leaves that open.
// Pinned by TestDelaysOfOneInstant.
func (q *Queue[K]) AddAt(key K, dueNs int64) {
	for i := range q.delayed {
		if q.delayed[i].key != key {
			continue
		}
		if q.delayed[i].dueNs <= dueNs {
			return
		}
		q.delayed = cut(q.delayed, i)
		break
	}
	at := len(q.delayed)
	for at > 0 && q.delayed[at-1].dueNs > dueNs {
		at--
	}
	q.delayed = append(q.delayed, delay[K]{})
	copy(q.delayed[at+1:], q.delayed[at:])
	q.delayed[at] = delay[K]{key, dueNs}
}

// NextDueNs is the instant at which the first delay ends, step.Never if there is none.
func (q *Queue[K]) NextDueNs() int64 {
	if len(q.delayed) == 0 {
		return step.Never
	}
	return q.delayed[0].dueNs
}

// Due adds every key whose delay has ended by now.
func (q *Queue[K]) Due(nowNs int64) {
	for len(q.delayed) > 0 && q.delayed[0].dueNs <= nowNs {
		q.Add(q.delayed[0].key)
		q.delayed = cut(q.delayed, 0)
	}
}

// Len is how many keys wait to be handed out.
func (q *Queue[K]) Len() int { return len(q.waiting) }

// DueNs is when the delay of a key ends, step.Never if it has none.
func (q *Queue[K]) DueNs(key K) int64 {
	for i := range q.delayed {
		if q.delayed[i].key == key {
			return q.delayed[i].dueNs
		}
	}
	return step.Never
}

func index[K comparable](keys []K, key K) int {
	for i := range keys {
		if keys[i] == key {
			return i
		}
	}
	return -1
}

// cut takes one element out in place.
func cut[T any](list []T, at int) []T {
	copy(list[at:], list[at+1:])
	return list[:len(list)-1]
}
