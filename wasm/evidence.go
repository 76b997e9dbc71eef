//go:build js && wasm && !page

package main

import (
	"runtime/debug"

	"github.com/hack-pad/safejs"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/wasm/bridge"
)

// evidenceGCPercent makes the garbage collector run after a quarter of what is kept, not after as much again: a log of
// 1 GB keeps 45 MiB and its report takes 100 MiB in large pieces, which at 100 % grew the memory to between 122 and 173
// MiB; at 25 % it is 122, and no slower.
const evidenceGCPercent = 25

// feeds adds leaselabFeed(name: string, bytes: Uint8Array): string to the global scope. It takes the next bytes of a
// file of evidence, and returns why it cannot, or "".
func feeds(global safejs.Value, b *bridge.Bridge) {
	debug.SetGCPercent(evidenceGCPercent)
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
	unpacks(global)
}

// unpacks adds leaselabUnpack(id: number, bytes?: Uint8Array | null): Uint8Array | string to the global scope. It takes
// the next bytes of a gzip file, and returns the first that they give or why they cannot be unpacked; without bytes it
// returns the next, none when it needs more. An array of no bytes ends the file; null forgets it.
func unpacks(global safejs.Value) {
	array, err := global.Get("Uint8Array")
	must(err)
	open := map[int]*evidence.Unpacker{}
	unpack, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		id, err := args[0].Int()
		must(err)
		if args[1].IsNull() {
			if u := open[id]; u != nil {
				u.Close()
			}
			delete(open, id)
			return ""
		}
		if open[id] == nil {
			open[id] = evidence.NewUnpacker()
		}
		next := open[id].More
		if !args[1].IsUndefined() {
			size, err := args[1].Length()
			must(err)
			chunk := make([]byte, size)
			_, err = safejs.CopyBytesToGo(chunk, args[1])
			must(err)
			next = func() ([]byte, error) { return open[id].Next(chunk) }
		}
		data, err := next()
		if err != nil {
			return err.Error() + "."
		}
		out, err := array.New(len(data))
		must(err)
		_, err = safejs.CopyBytesToJS(out, data)
		must(err)
		return safejs.Unsafe(out)
	})
	must(err)
	must(global.Set("leaselabUnpack", unpack))
}
