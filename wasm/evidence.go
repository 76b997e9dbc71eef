//go:build js && wasm && !page

package main

import (
	"runtime/debug"

	"github.com/hack-pad/safejs"

	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/wasm/bridge"
)

// evidenceGCPercent makes the garbage collector run when the heap has grown by a quarter, instead of when it has
// doubled. For a log of 1 GB the reader keeps 45 MiB, and the report needs 100 MiB in large pieces. At 100 %, memory
// grew to between 122 and 173 MiB. At 25 % it stays at 122 MiB, and the reader is as fast.
const evidenceGCPercent = 25

// feeds adds leaselabFeed(name: string, bytes: Uint8Array): string to the global scope. That function reads the next
// bytes of a file of evidence. It returns "", or the reason why it cannot read them.
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

// unpacks adds leaselabUnpack(id: number, name: string, member: string, bytes?: Uint8Array | null): Uint8Array to the
// global scope. That function takes the next bytes of the file called name, and returns the first unpacked bytes of its
// member. A call without bytes returns the next unpacked bytes, or none when it needs more input. An empty array ends
// the file; null discards the file.
func unpacks(global safejs.Value) {
	array, err := global.Get("Uint8Array")
	must(err)
	open := map[int]*evidence.Unpacker{}
	unpack, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		id, err := args[0].Int()
		must(err)
		bytes := args[3]
		if bytes.IsNull() {
			if u := open[id]; u != nil {
				u.Close()
			}
			delete(open, id)
			return ""
		}
		if open[id] == nil {
			name, err := args[1].String()
			must(err)
			member, err := args[2].String()
			must(err)
			open[id] = evidence.NewUnpacker(name, member)
		}
		next := open[id].More
		if !bytes.IsUndefined() {
			size, err := bytes.Length()
			must(err)
			chunk := make([]byte, size)
			_, err = safejs.CopyBytesToGo(chunk, bytes)
			must(err)
			next = func() []byte { return open[id].Next(chunk) }
		}
		data := next()
		out, err := array.New(len(data))
		must(err)
		_, err = safejs.CopyBytesToJS(out, data)
		must(err)
		return safejs.Unsafe(out)
	})
	must(err)
	must(global.Set("leaselabUnpack", unpack))
}
