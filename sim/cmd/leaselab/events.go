package main

import (
	"bufio"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run/history"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

func writeEvent(out *bufio.Writer, w *world.World, r *trace.Record, note explain.Note) {
	writeLine(out, history.EventOf(w, r, note))
}
