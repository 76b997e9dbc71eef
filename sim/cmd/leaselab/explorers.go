package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/leaselab/leaselab/sim/study/explore"
)

// explorers make the parts of a search's rounds, each on a goroutine of its own.
type explorers struct {
	search    *explore.Explorer
	followers []*explore.Follower
	stretches []stretch // of the parts of a round, one for each worker
}

// stretch is parts that follow each other. Most of them come of what the same worker has made in the round before: their states are in
// the cache of its core.
type stretch struct {
	next atomic.Int32
	end  int32
	_    [56]byte // a cache line of its own
}

// fewParts are too few for one more worker.
const fewParts = 8

func newExplorers(x *explore.Explorer, workers int) *explorers {
	if !x.Shares() {
		workers = 1
	}
	all := &explorers{search: x, stretches: make([]stretch, workers)}
	for range workers {
		all.followers = append(all.followers, x.Follower())
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
	for between() && all.round() {
	}
}

// round makes a round. It reports false if there is none.
func (e *explorers) round() bool {
	r := e.search.Round()
	if r == nil {
		return false
	}
	workers := min(len(e.followers), max(1, r.Parts()/fewParts))
	var crashed atomic.Value
	work := func(first int) {
		defer func() {
			if cause := recover(); cause != nil { // main reports a crash, but only one of its own goroutine
				crashed.Store(fmt.Sprintf("%v\n%s", cause, debug.Stack()))
			}
		}()
		for i := range workers { // its own stretch, and what is left of the others'
			s := &e.stretches[(first+i)%workers]
			for k := s.next.Add(1) - 1; k < s.end; k = s.next.Add(1) - 1 {
				r.Make(int(k), e.followers[first])
			}
		}
	}
	for i := range workers {
		s := &e.stretches[i]
		s.next.Store(int32(i * r.Parts() / workers))
		s.end = int32((i + 1) * r.Parts() / workers)
	}
	var others sync.WaitGroup
	for i := 1; i < workers; i++ {
		others.Go(func() { work(i) })
	}
	work(0)
	others.Wait()
	if cause := crashed.Load(); cause != nil {
		panic(cause)
	}
	r.Take()
	return true
}
