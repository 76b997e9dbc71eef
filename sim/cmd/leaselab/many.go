package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// inOrder calls work(0) to work(count-1) on all cores, and take with each result in ascending order, so that the output does
// not depend on the number of cores. work runs on several goroutines at once, take on the caller's. At most a few results
// per core wait for take.
func inOrder[T any](count int, work func(i int) T, take func(i int, one T)) {
	type result struct {
		one     T
		crashed any
	}
	workers := min(runtime.GOMAXPROCS(0), count)
	window := 4 * workers
	jobs := make(chan int, window)
	defer close(jobs)
	slots := make([]chan result, window) // the result of i waits in slot i % window
	for i := range slots {
		slots[i] = make(chan result, 1)
	}
	do := func(i int) (r result) {
		defer func() {
			if cause := recover(); cause != nil { // main reports a crash, but only one of its own goroutine
				r.crashed = fmt.Sprintf("%v\n%s", cause, debug.Stack())
			}
		}()
		r.one = work(i)
		return r
	}
	for range workers {
		go func() {
			for i := range jobs {
				slots[i%window] <- do(i)
			}
		}()
	}
	for i := range min(window, count) {
		jobs <- i
	}
	for i := range count {
		r := <-slots[i%window]
		if r.crashed != nil {
			panic(r.crashed)
		}
		if i+window < count {
			jobs <- i + window
		}
		take(i, r.one)
	}
}
