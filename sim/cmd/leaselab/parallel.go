package main

import (
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

// exitCancelled is the exit code of a command that a signal has ended, as shells have it.
const exitCancelled = 130

// mostWaiting is how many results may wait for a run before them that takes long.
const mostWaiting = 100_000

// A core gets as many runs at once as take batchTime, and at most mostInBatch: runs of 40 µs that are handed out one by
// one leave two cores 1.3 to 1.6 times as fast as one, in batches 1.8 to 2.0 times.
const (
	batchTime   = 2 * time.Millisecond
	mostInBatch = 256
)

// afterCancel is how long a cancelled study waits for the runs under way.
const afterCancel = time.Second

// studyGCPercent is how much a study lets the heap grow between two collections.
const studyGCPercent = 400

// onAllCores makes what is left of a study, on all cores. It calls keep with each result as soon as the run ends, on
// several goroutines at once, and then done on the caller's. nil is fine for both. It ends early with their error, or
// when ctx ends: then it waits a second for the runs under way and returns the context's error.
func onAllCores[T any](ctx context.Context, s *study.Study[T], keep, done func(number int, result T) error) error {
	if os.Getenv("GOGC") == "" {
		// runs are small and many: most of what they need is collected at the default's pace for nothing
		defer debug.SetGCPercent(debug.SetGCPercent(studyGCPercent))
	}
	workers := max(1, min(runtime.GOMAXPROCS(0), s.Of()-s.Done()))
	numbers, reports := make(chan []int, 2*workers), make(chan report, 4*workers)
	defer close(numbers)
	ended := make([]endedRuns[T], workers)
	b := batches[T]{s.Plan(), keep, ended, reports}
	for worker := range workers {
		go func() {
			for some := range numbers {
				b.makeRuns(ctx, some, worker)
			}
		}()
	}
	out, under := 0, 0  // batches that are handed out and not back; how many runs they have
	perRun := batchTime // how long a run takes: the first ones are handed out one by one
	hand := func() {
		for out < 3*workers && s.Waiting() < mostWaiting && ctx.Err() == nil {
			left := s.Of() - s.Done() - under
			// few at the end, so that all cores end together
			size := min(int(batchTime/max(perRun, 1)), mostInBatch, left/(2*workers))
			var some []int
			for len(some) < max(size, 1) {
				number, more := s.Next()
				if !more {
					break
				}
				some = append(some, number)
			}
			if len(some) == 0 {
				return
			}
			numbers <- some
			out++
			under += len(some)
		}
	}
	cancelled, late := ctx.Done(), (<-chan time.Time)(nil)
	for hand(); out > 0; hand() {
		select {
		case <-cancelled:
			cancelled, late = nil, time.After(afterCancel)
		case <-late:
			for worker := range workers { // what has ended in a batch whose next run takes long
				if err := putRuns(s, ended[worker].take(), done); err != nil {
					return err
				}
			}
			return ctx.Err()
		case r := <-reports:
			if err := putRuns(s, ended[r.worker].take(), done); err != nil {
				return err
			}
			under -= r.runs
			if r.runs > 0 {
				perRun = r.took / time.Duration(r.runs)
			}
			if r.last {
				out--
			}
		}
	}
	return ctx.Err()
}

// putRuns puts runs into the study, and calls done with each.
func putRuns[T any](s *study.Study[T], runs []finished[T], done func(int, T) error) error {
	for _, r := range runs {
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
	return nil
}

// report says that runs of a batch have ended.
type report struct {
	worker int
	runs   int // since the last report of the batch
	took   time.Duration
	last   bool // the batch is over
}

// endedRuns is the runs that have ended on a core and are not in the study yet.
type endedRuns[T any] struct {
	mu   sync.Mutex
	runs []finished[T]
}

func (e *endedRuns[T]) add(f finished[T]) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs = append(e.runs, f)
}

func (e *endedRuns[T]) take() []finished[T] {
	e.mu.Lock()
	defer e.mu.Unlock()
	runs := e.runs
	e.runs = nil
	return runs
}

// batches is what the workers of a study share.
type batches[T any] struct {
	plan    study.Plan[T]
	keep    func(int, T) error
	ended   []endedRuns[T] // by worker
	reports chan<- report
}

// makeRuns makes the runs of a batch, and reports them when they have taken batchTime, and at the end. It leaves out
// what is left when ctx ends, or after a run that crashed or could not be kept.
func (b *batches[T]) makeRuns(ctx context.Context, numbers []int, worker int) {
	began, runs := time.Now(), 0
	for _, number := range numbers {
		if took := time.Since(began); took >= batchTime {
			b.reports <- report{worker: worker, runs: runs, took: took}
			began, runs = time.Now(), 0
		}
		f := finish(b.plan, number, b.keep)
		b.ended[worker].add(f)
		runs++
		if f.crashed != nil || f.err != nil || ctx.Err() != nil {
			break
		}
	}
	b.reports <- report{worker: worker, runs: runs, took: time.Since(began), last: true}
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
