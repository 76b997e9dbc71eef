//go:build js && wasm && !page

package main

import (
	"github.com/hack-pad/safejs"

	"github.com/leaselab/leaselab/wasm/bridge"
)

// feeds adds leaselabFeed(name: string, bytes: Uint8Array): string to the global scope. It takes the next bytes of a file of
// evidence, and returns why it cannot, or "".
func feeds(global safejs.Value, b *bridge.Bridge) {
	var chunk []byte
	feed, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		name, err := args[0].String()
		if err != nil {
			return err.Error()
		}
		size, err := args[1].Length()
		if err != nil {
			return err.Error()
		}
		if size > len(chunk) {
			chunk = make([]byte, size)
		}
		if _, err = safejs.CopyBytesToGo(chunk[:size], args[1]); err == nil {
			err = b.Feed(name, chunk[:size])
		}
		if err != nil {
			return err.Error()
		}
		return ""
	})
	must(err)
	must(global.Set("leaselabFeed", feed))
}
