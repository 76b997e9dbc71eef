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
}

func newExplorers(x *explore.Explorer, workers int) *explorers {
	all := &explorers{search: x}
	for range workers {
		all.followers = append(all.followers, x.Follower())
	}
	return all
}

// onAllCoresExplored lets a search go on, on all cores, until it is over or between says so after a round.
func onAllCoresExplored(x *explore.Explorer, between func() (more bool)) {
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
	var next atomic.Int32
	var crashed atomic.Value
	work := func(by *explore.Follower) {
		defer func() {
			if cause := recover(); cause != nil { // main reports a crash, but only one of its own goroutine
				crashed.Store(fmt.Sprintf("%v\n%s", cause, debug.Stack()))
			}
		}()
		for k := int(next.Add(1)) - 1; k < r.Parts(); k = int(next.Add(1)) - 1 {
			r.Make(k, by)
		}
	}
	var others sync.WaitGroup
	for _, by := range e.followers[1:min(len(e.followers), max(1, r.Parts()))] {
		others.Go(func() { work(by) })
	}
	work(e.followers[0])
	others.Wait()
	if cause := crashed.Load(); cause != nil {
		panic(cause)
	}
	r.Take()
	return true
}
