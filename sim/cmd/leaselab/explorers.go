package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"github.com/leaselab/leaselab/sim/study/explore"
)

// explorers make the parts of a search's rounds. The first worker is the goroutine that calls round; each other one has
// a goroutine, from newExplorers to end.
type explorers struct {
	search    *explore.Explorer
	followers []*explore.Follower // one for each worker
	stretches []stretch           // of parts, one for each worker
	taking    []stretch           // those of the workers that the round under way has parts for
	under     *explore.Round
	ended     bool         // read after a call
	working   atomic.Int32 // workers that still make parts
	waiting   []waiter     // one for each worker
	crashed   atomic.Value // why a worker has crashed
}

// stretch is parts that follow each other. Most of them come of what the same worker has made in the round before:
// their states are in the cache of its core.
type stretch struct {
	next atomic.Int32
	end  int32
	_    [56]byte // a cache line of its own
}

// waiter is how a worker waits until it is called.
type waiter struct {
	calls  atomic.Int64 // one for each round that it takes part in, and one at the end
	asleep atomic.Bool  // it has given its core away
	wake   chan struct{}
	_      [40]byte // a cache line of its own
}

// fewParts are too few for one more worker.
const fewParts = 8

// A round takes a third of a millisecond, and to wake a sleeping core can take a tenth of one. So a worker looks for
// the next round, or for the end of this one, before it sleeps: looks that only read, then looks between which other
// goroutines get the core.
const (
	bareLooks  = 2_000
	otherLooks = 1_000
)

// newExplorers returns so many workers. The caller calls end.
func newExplorers(x *explore.Explorer, workers int) *explorers {
	if !x.Shares() {
		workers = 1
	}
	all := &explorers{search: x, stretches: make([]stretch, workers), waiting: make([]waiter, workers)}
	for i := range workers {
		all.followers = append(all.followers, x.Follower())
		all.waiting[i].wake = make(chan struct{}, 1)
	}
	for i := 1; i < workers; i++ {
		go all.follow(i)
	}
	return all
}

// exploreGCPercent is how much a search lets the heap grow between two collections. Nearly all of it is states that are
// known, which have no pointers: a collection costs little, and what it waits for would be memory for more states.
const exploreGCPercent = 25

// onAllCoresExplored lets a search go on, on all cores, until it is over or between says so after a round.
func onAllCoresExplored(x *explore.Explorer, between func() (more bool)) {
	defer debug.SetGCPercent(debug.SetGCPercent(exploreGCPercent))
	all := newExplorers(x, runtime.GOMAXPROCS(0))
	defer all.end()
	for between() && all.round() {
	}
}

// round makes a round. It reports false if there is none.
func (e *explorers) round() bool {
	r := e.search.Round()
	if r == nil {
		return false
	}
	e.under = r
	workers := min(len(e.followers), max(1, r.Parts()/fewParts))
	e.taking = e.stretches[:workers]
	for i := range e.taking {
		s := &e.taking[i]
		s.next.Store(int32(i * r.Parts() / workers))
		s.end = int32((i + 1) * r.Parts() / workers)
	}
	if workers > 1 {
		e.working.Store(int32(workers - 1))
		e.call(workers)
	}
	e.work(0)
	if workers > 1 {
		for looks := 0; e.working.Load() > 0; looks++ {
			if looks > bareLooks {
				runtime.Gosched()
			}
		}
	}
	if cause := e.crashed.Load(); cause != nil {
		panic(cause)
	}
	r.Take()
	return true
}

// end ends the goroutines.
func (e *explorers) end() {
	e.ended = true
	e.call(len(e.waiting))
}

// call tells the first workers, but for the caller, that there is something new: of many cores a round needs only some.
func (e *explorers) call(workers int) {
	for i := 1; i < workers; i++ {
		w := &e.waiting[i]
		w.calls.Add(1)
		if w.asleep.CompareAndSwap(true, false) {
			w.wake <- struct{}{}
		}
	}
}

// follow makes a worker's parts of the rounds that it is called for.
func (e *explorers) follow(worker int) {
	for known := int64(0); ; known++ {
		if e.waiting[worker].await(known); e.ended {
			return
		}
		e.work(worker)
		e.working.Add(-1)
	}
}

// await waits for one call more than a worker knows of.
func (w *waiter) await(known int64) {
	for looks := range bareLooks + otherLooks {
		if w.calls.Load() != known {
			return
		}
		if looks >= bareLooks {
			runtime.Gosched()
		}
	}
	w.asleep.Store(true)
	if w.calls.Load() != known && w.asleep.CompareAndSwap(true, false) {
		// it was called in between, and nobody wakes it
		return
	}
	<-w.wake
}

// work makes a worker's own stretch of the round, and what is left of the others'.
func (e *explorers) work(worker int) {
	defer func() {
		if cause := recover(); cause != nil { // main reports a crash, but only one of its own goroutine
			e.crashed.Store(fmt.Sprintf("%v\n%s", cause, debug.Stack()))
		}
	}()
	for i := range e.taking {
		s := &e.taking[(worker+i)%len(e.taking)]
		for k := s.next.Add(1) - 1; k < s.end; k = s.next.Add(1) - 1 {
			e.under.Make(int(k), e.followers[worker])
		}
	}
}
