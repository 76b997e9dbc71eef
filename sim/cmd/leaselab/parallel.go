package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/leaselab/leaselab/sim/study"
)

// exitCancelled is the exit code of a command that a signal has ended, as shells have it.
const exitCancelled = 130

// mostWaiting is how many results may wait for a run before them that takes long.
const mostWaiting = 100_000

// afterCancel is how long a cancelled study waits for the runs under way.
const afterCancel = time.Second

// studyGCPercent is how much a study lets the heap grow between two collections.
const studyGCPercent = 400

// onAllCores makes what is left of a study, on all cores. It calls keep with each result as soon as the run ends, on several
// goroutines at once, and then done on the caller's. nil is fine for both. It ends early with their error, or when ctx ends: then it
// waits a second for the runs under way and returns the context's error.
func onAllCores[T any](ctx context.Context, s *study.Study[T], keep, done func(number int, result T) error) error {
	if os.Getenv("GOGC") == "" { // runs are small and many: most of what they need is collected at the default's pace for nothing
		defer debug.SetGCPercent(debug.SetGCPercent(studyGCPercent))
	}
	workers := max(1, min(runtime.GOMAXPROCS(0), s.Of()-s.Done()))
	numbers, results := make(chan int, 2*workers), make(chan finished[T], 4*workers)
	defer close(numbers)
	for range workers {
		go func() {
			for number := range numbers {
				results <- finish(s.Plan(), number, keep)
			}
		}()
	}
	under := 0 // handed out and not back
	hand := func() {
		for under < 3*workers && s.Waiting() < mostWaiting && ctx.Err() == nil {
			number, more := s.Next()
			if !more {
				return
			}
			numbers <- number
			under++
		}
	}
	cancelled, late := ctx.Done(), (<-chan time.Time)(nil)
	for hand(); under > 0; hand() {
		select {
		case <-cancelled:
			cancelled, late = nil, time.After(afterCancel)
		case <-late:
			return ctx.Err()
		case r := <-results:
			under--
			if r.crashed != nil {
				panic(r.crashed)
			}
			if r.err != nil {
				return r.err
			}
			s.Put(r.number, r.result)
			if done == nil {
				continue
			}
			if err := done(r.number, r.result); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// finished is a run that has ended.
type finished[T any] struct {
	number  int
	result  T
	err     error
	crashed any
}

// finish makes a run and keeps it.
func finish[T any](plan study.Plan[T], number int, keep func(int, T) error) (f finished[T]) {
	f.number = number
	defer func() {
		if cause := recover(); cause != nil { // main reports a crash, but only one of its own goroutine
			f.crashed = fmt.Sprintf("%v\n%s", cause, debug.Stack())
		}
	}()
	f.result = plan.Run(number)
	if keep != nil {
		f.err = keep(number, f.result)
	}
	return f
}

// untilSignal returns a context that the first Ctrl-C or SIGTERM ends. The second one ends the process.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
