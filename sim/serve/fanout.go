package serve

import (
	"slices"
	"sync/atomic"
	"time"
)

// fanOut wakes watches after writes, a few at a time: a thousand goroutines that are ready at once would keep the next
// write waiting, and each would send one event alone. While the round goes on, writers go on, too, and the watches that
// are woken later send several events at once. The handler's lock guards it.
type fanOut struct {
	waiting []*place
	goesOn  bool // a round
}

// place is where a watch waits for a write.
type place struct {
	waits bool // the handler's lock guards it
	woken chan *flight
	gone  atomic.Bool // the watch has ended
}

func newPlace() *place { return &place{woken: make(chan *flight, 1)} }

// flight is the watches that have been woken together.
type flight struct {
	left   atomic.Int32
	landed chan struct{}
}

// lands reports that a watch has sent what it was woken for.
func (f *flight) lands() {
	if f != nil && f.left.Add(-1) == 0 {
		close(f.landed)
	}
}

const (
	// abreast is how many watches are woken together.
	abreast = 16
	// slowFlight is how long the next watches wait for those that were woken before: a client that does not read delays
	// no other.
	slowFlight = time.Millisecond
)

// enter lets a watch wait for the next write. The caller holds the handler's lock.
func (f *fanOut) enter(p *place) {
	if p.waits {
		return
	}
	p.waits = true
	if len(f.waiting) == cap(f.waiting) {
		f.waiting = slices.DeleteFunc(f.waiting, func(p *place) bool { return p.gone.Load() })
	}
	f.waiting = append(f.waiting, p)
}

// leave ends the wait of a watch.
func (p *place) leave() {
	p.gone.Store(true)
	select {
	case f := <-p.woken:
		f.lands()
	default:
	}
}

// wakeWatches wakes the watches that wait. The caller holds the lock.
func (h *Handler) wakeWatches() {
	if len(h.watches.waiting) > 0 && !h.watches.goesOn {
		h.watches.goesOn = true
		go h.round()
	}
}

// round wakes watches until none has waited since before the last write.
func (h *Handler) round() {
	timer := time.NewTimer(time.Hour) // of the real clock: it measures how fast clients read
	defer timer.Stop()
	for told := int64(-1); ; {
		h.mu.Lock()
		if told == h.revision || len(h.watches.waiting) == 0 {
			h.watches.goesOn = false
			h.mu.Unlock()
			return
		}
		told = h.revision
		due := h.watches.waiting
		h.watches.waiting = nil
		for _, p := range due {
			p.waits = false
		}
		h.mu.Unlock()
		for len(due) > 0 {
			n := min(abreast, len(due))
			wakeTogether(due[:n], timer)
			due = due[n:]
		}
	}
}

// wakeTogether wakes some watches and waits until they have sent what they have, but not for slow clients.
func wakeTogether(due []*place, timer *time.Timer) {
	f := &flight{landed: make(chan struct{})}
	f.left.Store(int32(len(due)) + 1)
	for _, p := range due {
		if p.gone.Load() {
			f.lands()
			continue
		}
		select {
		case p.woken <- f:
		default: // it still has to poll for an earlier one
			f.lands()
		}
	}
	f.lands()
	timer.Reset(slowFlight)
	select {
	case <-f.landed:
	case <-timer.C:
	}
}
