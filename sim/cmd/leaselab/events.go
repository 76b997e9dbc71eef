package main

import (
	"bufio"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// writeEvent writes one event as a line of JSON. The output of `run -o ndjson` and `run --trace` and the trace files of
// `export` have this form, which `leaselab import` reads.
func writeEvent(out *bufio.Writer, w *world.World, r *trace.Record, note explain.Note) {
	writeLine(out, history.EventOf(w, r, note))
}
