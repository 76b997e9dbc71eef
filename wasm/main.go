//go:build js && wasm

// Command wasm is the engine in the page's worker. It adds one function to the global scope:
//
//	leaselab(request: string): string
//
// with the requests and replies of wasm/bridge, as JSON.
package main

import (
	"github.com/benbjohnson/clock"
	"github.com/hack-pad/safejs"

	"github.com/leaselab/leaselab/wasm/bridge"
)

func main() {
	global := safejs.Global()
	b := bridge.New(clock.New())
	handle, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		request := ""
		if len(args) > 0 {
			request, _ = args[0].String() // anything else is answered as a request that is not JSON
		}
		return string(b.Handle([]byte(request)))
	})
	must(err)
	must(global.Set("leaselab", handle))
	select {} // the function stays callable
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
