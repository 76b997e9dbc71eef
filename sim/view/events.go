package view

import (
	"sort"
	"strings"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
)

// mostRows is the maximum number of rows in a window of the event list.
const mostRows = 500

// Events returns a window of the event list up to the live cursor: count rows from row number from, or around a cursor
// if from is negative. filter keeps the rows that contain it; node keeps the rows of one node.
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
