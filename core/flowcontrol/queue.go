package flowcontrol

import (
	"slices"

	"github.com/leaselab/leaselab/core/step"
)

// Queue is client-go's work queue. It holds the keys that wait, the keys in progress, and the keys that become due
// later.
//
// Guarantee: a key waits at most once, however often you add it. The queue never hands it out while it is in progress,
// and hands it out again afterward if you added it in the meantime. If a key has several delays, the earliest counts.
// Non-guarantee: no key has priority; keys come out first in, first out. The queue has no clock: the caller asks for
// NextDueNs and calls Due at that instant. Source: client-go v0.37.2 util/workqueue queue.go, delaying_queue.go.
//
// The zero value is an empty queue. Copies made with = share memory: see Clone.
type Queue[K comparable] struct {
	waiting    []K // keys in the order in which they will come out; each is dirty and not processing
	dirty      []K // keys that wait, or that the caller added while they were in progress
	processing []K
	delayed    []delay[K] // sorted by due instant, then by when the caller asked for the delay
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

// Add asks for work on a key.
func (q *Queue[K]) Add(key K) {
	if slices.Contains(q.dirty, key) {
		return
	}
	q.dirty = append(q.dirty, key)
	if !slices.Contains(q.processing, key) {
		q.waiting = append(q.waiting, key)
	}
}

// Get hands out the key that has waited longest.
func (q *Queue[K]) Get() (key K, ok bool) {
	if len(q.waiting) == 0 {
		return key, false
	}
	key = q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	at := slices.Index(q.dirty, key)
	q.dirty = slices.Delete(q.dirty, at, at+1)
	q.processing = append(q.processing, key)
	return key, true
}

// Done ends the work on a key. If an Add of the key came in the meantime, it waits again, at the end of the queue.
func (q *Queue[K]) Done(key K) {
	if at := slices.Index(q.processing, key); at >= 0 {
		q.processing = slices.Delete(q.processing, at, at+1)
	}
	if slices.Contains(q.dirty, key) {
		q.waiting = append(q.waiting, key)
	}
}

// AddAt adds a key at a future instant. An earlier delay of the same key stays. Deviation: of several keys due at one
// instant, the key that you added first comes first; upstream's heap leaves that open. TestDelaysOfOneInstant pins
// this.
func (q *Queue[K]) AddAt(key K, dueNs int64) {
	for i := range q.delayed {
		if q.delayed[i].key != key {
			continue
		}
		if q.delayed[i].dueNs <= dueNs {
			return
		}
		q.delayed = slices.Delete(q.delayed, i, i+1)
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

// NextDueNs returns when the first delay ends, or step.Never.
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
		q.delayed = slices.Delete(q.delayed, 0, 1)
	}
}

// Len returns how many keys wait.
func (q *Queue[K]) Len() int { return len(q.waiting) }

// DueNs returns when the delay of a key ends, or step.Never.
func (q *Queue[K]) DueNs(key K) int64 {
	for i := range q.delayed {
		if q.delayed[i].key == key {
			return q.delayed[i].dueNs
		}
	}
	return step.Never
}
