//go:build js && wasm

// Command wasm is the engine in the page's worker. It adds one function to the global scope:
//
//	leaselab(request: string): string
//
// with the requests and replies of wasm/bridge as JSON. During a long request it calls leaselabAlive() from time to
// time.
//
// Guarantee: the same requests in the same order get the same replies as from a native program. Non-guarantee:
// everything ends with the worker.
package main

import (
	"runtime"
	"runtime/debug"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/hack-pad/safejs"

	"github.com/leaselab/leaselab/wasm/bridge"
)

// aliveEvery is the minimum time between two calls of leaselabAlive. The worker turns each call into a message.
const aliveEvery = 500 * time.Millisecond

// memoryBytes is the engine's memory target. Near this target the garbage collector runs more often. WebAssembly's
// memory never shrinks, so only the peak matters. The data that sim/lab keeps is smaller than this target.
const memoryBytes = 112 << 20

func main() {
	debug.SetMemoryLimit(memoryBytes)
	global := safejs.Global()
	wall := clock.New()
	last := wall.Now()
	b := bridge.New(wall, func() {
		// Nothing interrupts a goroutine in WebAssembly, and the garbage collector ends a cycle in its own goroutine.
		// If a request never yielded, a run with 7 MiB of live data would use up to 300 MiB.
		runtime.Gosched()
		if now := wall.Now(); now.Sub(last) >= aliveEvery {
			last = now
			_, err := global.Call("leaselabAlive")
			must(err)
		}
	})
	handle, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		request := ""
		if len(args) > 0 {
			request, _ = args[0].String() // for any other value, the empty request fails to decode
		}
		return string(b.Handle([]byte(request)))
	})
	must(err)
	must(global.Set("leaselab", handle))
	feeds(global, b)
	select {} // keeps the function callable
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
