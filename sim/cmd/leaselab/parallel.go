package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/leaselab/leaselab/sim/study"
)

// exitCancelled is the exit code of a command that a signal ended, as in shells.
const exitCancelled = 130

// mostWaiting is how many results may wait for an earlier run that takes long.
const mostWaiting = 100_000

// afterCancel is how long a cancelled study waits for runs in progress.
const afterCancel = time.Second

// studyGCPercent is how much a study lets the heap grow between two collections.
const studyGCPercent = 400

// onAllCores makes the remaining runs of a study, on all cores. When a run ends it calls keep with the result, possibly
// on several goroutines at once, and then done, on one goroutine at a time. Both may be nil. It ends early if one of
// them returns an error, or when ctx ends. Then it waits a second for runs in progress and returns the context's error.
func onAllCores[T any](ctx context.Context, s *study.Study[T], keep, done func(number int, result T) error) error {
	if os.Getenv("GOGC") == "" { // the default GOGC wastes time collecting small, short runs
		defer debug.SetGCPercent(debug.SetGCPercent(studyGCPercent))
	}
	w := &workers[T]{study: s, done: done}
	w.changed.L = &w.alone
	var group sync.WaitGroup
	for range max(1, min(runtime.GOMAXPROCS(0), s.Of()-s.Done())) {
		group.Go(func() {
			for number, more := w.next(ctx); more; number, more = w.next(ctx) {
				w.put(finish(s.Plan(), number, keep))
			}
		})
	}
	over := make(chan struct{})
	go func() {
		group.Wait()
		close(over)
	}()
	select {
	case <-over:
	case <-ctx.Done():
		select {
		case <-over:
		case <-time.After(afterCancel):
		}
	}
	w.alone.Lock()
	defer w.alone.Unlock()
	w.closed = true
	w.changed.Broadcast()
	if w.crashed != nil {
		panic(w.crashed)
	}
	return cmp.Or(w.failed, ctx.Err())
}

// workers are the goroutines that make the runs of a study.
type workers[T any] struct {
	study   *study.Study[T]
	done    func(int, T) error
	alone   sync.Mutex
	changed sync.Cond // signals a result, or the end of the runs
	closed  bool
	failed  error
	crashed any
}

// next hands out a run. It reports false when no run is left.
func (w *workers[T]) next(ctx context.Context) (number int, more bool) {
	w.alone.Lock()
	defer w.alone.Unlock()
	for !w.ends(ctx) && w.study.Waiting() >= mostWaiting {
		w.changed.Wait()
	}
	if w.ends(ctx) {
		return 0, false
	}
	return w.study.Next()
}

func (w *workers[T]) ends(ctx context.Context) bool {
	return w.closed || w.failed != nil || w.crashed != nil || ctx.Err() != nil
}

// put stores the result of a run.
func (w *workers[T]) put(f finished[T]) {
	w.alone.Lock()
	defer w.alone.Unlock()
	defer w.changed.Broadcast()
	switch {
	case w.closed:
	case f.crashed != nil:
		w.crashed = f.crashed
	case f.err != nil:
		w.failed = f.err
	default:
		w.study.Put(f.number, f.result)
		if w.done != nil {
			w.failed = cmp.Or(w.failed, w.done(f.number, f.result))
		}
	}
}

// finished is a run that has ended.
type finished[T any] struct {
	number  int
	result  T
	err     error
	crashed any
}

// finish makes a run and keeps its result.
func finish[T any](plan study.Plan[T], number int, keep func(int, T) error) (f finished[T]) {
	f.number = number
	defer func() {
		if cause := recover(); cause != nil { // main reports a crash, but only on its own goroutine
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
