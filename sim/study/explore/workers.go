package explore

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A worker takes a few parts at a time. For fewParts parts or fewer, another worker is not worth its cost.
const (
	partsAtOnce = 8
	fewParts    = 2 * partsAtOnce
)

// Workers sets the number of goroutines that work on the parts of each round. The number does not change the outcome.
// If schedules may create new names, the search has only one worker.
func (x *Explorer) Workers(count int) {
	for x.shares() && len(x.all) < count {
		x.follower()
	}
}

// `make` computes the parts of the round. Workers process parts in any order and store each outcome at its own index.
// Only the method end depends on an order, and `end` is sequential. If a worker panics, `make` panics in the caller of
// Step, with the worker's stack.
func (x *Explorer) make() {
	parts := x.round.parts
	workers := max(1, min(len(x.all), len(parts)/fewParts))
	if workers == 1 {
		for i := range parts {
			x.all[0].makePart(&x.round, &parts[i])
		}
		return
	}
	var next atomic.Int64
	var crashed atomic.Value // a caller can only catch a panic in its own goroutine
	var group sync.WaitGroup
	for _, by := range x.all[:workers] {
		group.Go(func() {
			defer func() {
				if cause := recover(); cause != nil {
					crashed.Store(fmt.Sprintf("%v\n%s", cause, debug.Stack()))
				}
			}()
			for from := 0; from < len(parts); {
				from = int(next.Add(partsAtOnce)) - partsAtOnce
				for i := from; i < min(from+partsAtOnce, len(parts)); i++ {
					by.makePart(&x.round, &parts[i])
				}
			}
		})
	}
	group.Wait()
	if cause := crashed.Load(); cause != nil {
		panic(cause)
	}
}

// makePart tries the options of a part. Several goroutines may work on different parts at once if each goroutine has
// its own Follower.
func (x *Follower) makePart(r *round, p *part) {
	for option := p.from; option < p.to; option++ {
		x.try(p.frame, option, r.before, &r.outcomes[p.first+int(option-p.from)])
	}
}
