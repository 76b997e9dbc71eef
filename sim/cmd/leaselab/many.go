package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// inOrder does count pieces of work on all cores and hands over what came of them, one after the other from 0 on: what
// take sees does not depend on the number of cores. work runs on several goroutines at once, take on the caller's.
// Only a few results wait at a time.
func inOrder[T any](count int, work func(i int) T, take func(i int, one T)) {
	type result struct {
		one     T
		crashed any
	}
	workers := min(runtime.GOMAXPROCS(0), count)
	window := 4 * workers
	jobs := make(chan int, window)
	defer close(jobs)
	slots := make([]chan result, window) // what came of i waits in i % window
	for i := range slots {
		slots[i] = make(chan result, 1)
	}
	do := func(i int) (r result) {
		defer func() {
			if cause := recover(); cause != nil { // main tells of a crash, and only on its own goroutine
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
