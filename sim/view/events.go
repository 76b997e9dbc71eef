package view

import (
	"sort"
	"strings"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
)

// mostRows is how many rows one window of the event list holds.
const mostRows = 500

// Events is a window of the event list, up to the live cursor: count rows from row number from on, or around a cursor if from is
// negative. A filter keeps the rows that contain it; a node keeps its own rows.
func Events(look timeline.Look, around timeline.Cursor, from, count int, filter, node string) *protocol.Events {
	r := look.Run
	r.Compute(look.Live.T)
	count = max(1, min(count, mostRows))
	e := &protocol.Events{Run: r.ID()}
	window := func() {
		if from < 0 {
			from = max(0, min(e.At-count/2, e.Total-count))
		}
		e.From = min(from, e.Total)
	}
	if filter == "" && node == "" {
		e.Total = r.RowsUpTo(look.Live)
		e.At = r.RowsUpTo(around) - 1
		window()
		e.Rows = r.Rows(e.From, min(e.From+count, e.Total))
		return e
	}
	found := r.Matches(strings.ToLower(filter), node, look.Live)
	upTo := func(c timeline.Cursor) int {
		return sort.Search(len(found), func(k int) bool { return c.Before(found[k]) })
	}
	e.Total, e.At, e.Rows = upTo(look.Live), upTo(around)-1, []timeline.EventRow{}
	window()
	for k := e.From; k < min(e.From+count, e.Total); k++ {
		e.Rows = append(e.Rows, r.RowAt(found[k]))
	}
	return e
}
