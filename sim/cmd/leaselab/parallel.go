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

// exitCancelled is the exit code of a command that a signal ended. Shells use the same code.
const exitCancelled = 130

// mostWaiting is how many results may wait for a slow earlier run. A study returns its results in order, so without
// this limit millions of results could pile up behind a run that takes a minute.
const mostWaiting = 100_000

// afterCancel is how long a cancelled study waits for runs in progress. Most runs take milliseconds, so their results
// still arrive in time. But a simulated day with ten thousand candidates would keep the user waiting.
const afterCancel = time.Second

// studyGCPercent is how much a study lets the heap grow between two collections. A run leaves little behind, so the
// heap stays small anyway, and the collector runs a quarter as often.
const studyGCPercent = 400

// onAllCores makes the remaining runs of a study, on all cores. When a run ends, onAllCores calls the function keep
// with the result, possibly on several goroutines at once. Then it calls the function done, on one goroutine at a time.
// Both may be nil. If one of them returns an error, onAllCores ends early. If ctx ends, onAllCores waits a second for
// runs in progress and returns the context's error.
//
//	next ──> run on a core ──> keep (the file) ──> put ──> done (Take, rows, progress)
//	         many at once      many at once       └── one at a time, under the lock ──┘
//
// The order of keep and put is important. A result becomes part of the outcome only after it is in the file, so no
// output ever shows a run that a resumed study would lack.
//
// Guarantee: the function done gets results in any order, but a study's Take returns them in the order of their
// numbers, so the output does not depend on the number of cores. After onAllCores returns, it neither changes the study
// nor calls the function done.
// Non-guarantee: a run that takes longer than this second still ends in the background. Then onAllCores may still call
// the function keep.
//
// If a run panics, onAllCores panics on its caller's goroutine, with the run's stack. Otherwise Go would end the
// process before main could report the panic.
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

// workers are the goroutines that make the runs of a study. The mutex, which has the name "alone", guards the fields
// below it and the study, which is not safe for concurrent use.
type workers[T any] struct {
	study   *study.Study[T]
	done    func(int, T) error
	alone   sync.Mutex
	changed sync.Cond // signals a result, or the end of the runs
	closed  bool
	failed  error
	crashed any
}

// next hands out a run. It reports false after the last run, or when the study ends early. While too many results wait
// for a slow run, next waits for that run, too. During this wait, the end of ctx does not wake next; onAllCores does so
// when it closes the workers.
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

// ends reports whether next must stop handing out runs. The caller holds the lock.
func (w *workers[T]) ends(ctx context.Context) bool {
	return w.closed || w.failed != nil || w.crashed != nil || ctx.Err() != nil
}

// put stores the result of a run and wakes the workers that wait. It ignores a result that comes after the end, since
// the caller is already reading the outcome.
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

// finish makes a run and saves its result. It turns a panic into a value, so that the other workers can end normally.
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

// untilSignal returns a context that ends at the first Ctrl-C or SIGTERM. After that the signals have their default
// effect again, so a second one ends the process. A user who does not want to wait for the last runs thus needs no
// kill -9.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
