package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"github.com/leaselab/leaselab/sim/study/explore"
)

// explorers make the parts of a search's rounds. The first worker is the goroutine that calls round; each other one has a goroutine, from
// newExplorers to end.
type explorers struct {
	search    *explore.Explorer
	followers []*explore.Follower // one for each worker
	stretches []stretch           // of the parts of the round under way, one for each worker
	under     *explore.Round
	begun     atomic.Int64 // rounds that all workers take part in, plus one at the end
	ended     bool         // read after begun has changed
	working   atomic.Int32 // workers that still make parts
	asleep    []sleeper    // one for each worker
	crashed   atomic.Value // why a worker has crashed
}

// stretch is parts that follow each other. Most of them come of what the same worker has made in the round before: their states are in
// the cache of its core.
type stretch struct {
	next atomic.Int32
	end  int32
	_    [56]byte // a cache line of its own
}

// sleeper is a worker that waits for a round and has given its core away.
type sleeper struct {
	is   atomic.Bool
	wake chan struct{}
}

// fewParts are too few for one more worker.
const fewParts = 8

// A round takes a third of a millisecond, and to wake a sleeping core can take a tenth of one. So a worker looks for the next round,
// or for the end of this one, before it sleeps: looks that only read, then looks between which other goroutines get the core.
const (
	bareLooks  = 2_000
	otherLooks = 1_000
)

// newExplorers returns so many workers. The caller calls end.
func newExplorers(x *explore.Explorer, workers int) *explorers {
	if !x.Shares() {
		workers = 1
	}
	all := &explorers{search: x, stretches: make([]stretch, workers), asleep: make([]sleeper, workers)}
	for i := range workers {
		all.followers = append(all.followers, x.Follower())
		all.asleep[i].wake = make(chan struct{}, 1)
	}
	for i := 1; i < workers; i++ {
		go all.follow(i)
	}
	return all
}

// exploreGCPercent is how much a search lets the heap grow between two collections. Nearly all of it is states that are known, which have
// no pointers: a collection costs little, and what it waits for would be memory for more states.
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
	for i := range e.stretches { // a worker too many has nothing to do
		s := &e.stretches[i]
		s.next.Store(int32(min(i, workers) * r.Parts() / workers))
		s.end = int32(min(i+1, workers) * r.Parts() / workers)
	}
	if workers > 1 {
		e.working.Store(int32(len(e.followers) - 1))
		e.begin()
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
	e.begin()
}

// begin tells all workers that there is something new.
func (e *explorers) begin() {
	e.begun.Add(1)
	for i := range e.asleep[1:] {
		if s := &e.asleep[i+1]; s.is.CompareAndSwap(true, false) {
			s.wake <- struct{}{}
		}
	}
}

// follow makes a worker's parts of one round after another.
func (e *explorers) follow(worker int) {
	for known := int64(0); ; known++ {
		if e.await(&e.asleep[worker], known); e.ended {
			return
		}
		e.work(worker)
		e.working.Add(-1)
	}
}

// await waits until more rounds have begun than a worker knows of.
func (e *explorers) await(s *sleeper, known int64) {
	for looks := range bareLooks + otherLooks {
		if e.begun.Load() != known {
			return
		}
		if looks >= bareLooks {
			runtime.Gosched()
		}
	}
	s.is.Store(true)
	if e.begun.Load() != known && s.is.CompareAndSwap(true, false) { // it has begun in between, and nobody wakes this worker
		return
	}
	<-s.wake
}

// work makes a worker's own stretch of the round, and what is left of the others'.
func (e *explorers) work(worker int) {
	defer func() {
		if cause := recover(); cause != nil { // main reports a crash, but only one of its own goroutine
			e.crashed.Store(fmt.Sprintf("%v\n%s", cause, debug.Stack()))
		}
	}()
	for i := range e.stretches {
		s := &e.stretches[(worker+i)%len(e.stretches)]
		for k := s.next.Add(1) - 1; k < s.end; k = s.next.Add(1) - 1 {
			e.under.Make(int(k), e.followers[worker])
		}
	}
}
