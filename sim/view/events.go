package view

import (
	"sort"
	"strings"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
)

// mostRows is the maximum number of rows in a window of the event list.
const mostRows = 500

// Rows is a window of the event list: Count rows from row number From, or around a cursor if From is negative. Filter
// selects the rows that contain its text, and Node selects the rows of one node. Row numbers count the selected rows
// from 0. A cursor between two rows selects the row before it.
type Rows struct {
	Around       timeline.Cursor
	From, Count  int
	Filter, Node string
}

// Events returns a window of the event list up to the live cursor. Total is the number of selected rows up to the
// live cursor. At is the row number at the cursor Around, or -1 before the first row. The list of a long run may have
// millions of rows, so the page asks for a window and scrolls by row numbers. Without a filter, a row's number comes
// from the index. With a filter, the run searches its rows once, remembers the hits, and continues from there when
// the live cursor moves. A reply has at most mostRows rows.
func Events(look timeline.Look, rows Rows) *protocol.Events {
	r, around, from := look.Run, rows.Around, rows.From
	r.Compute(look.Live.T)
	count := max(1, min(rows.Count, mostRows))
	e := &protocol.Events{Run: r.ID()}
	// The window needs At and Total. The two branches below compute them differently.
	window := func() {
		if from < 0 {
			from = max(0, min(e.At-count/2, e.Total-count))
		}
		e.From = min(from, e.Total)
	}
	if rows.Filter == "" && rows.Node == "" {
		e.Total = r.RowsUpTo(look.Live)
		e.At = r.RowsUpTo(around) - 1
		window()
		e.Rows = r.Rows(e.From, min(e.From+count, e.Total))
		return e
	}
	found := r.Matches(strings.ToLower(rows.Filter), rows.Node, look.Live)
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
