package timeline

import (
	"sort"
	"strings"
)

// RowsUpTo returns the number of rows at or before a cursor.
func (r *Run) RowsUpTo(c Cursor) int {
	s := r.load(r.near(c.T))
	return s.rowsFrom + rowsUpTo(s.rows, c)
}

// Rows returns the computed rows from one index up to, but not including, another.
func (r *Run) Rows(from, to int) []EventRow {
	rows := []EventRow{}
	k := len(r.segments) - 1
	for k > 0 && r.segments[k].rowsFrom > from {
		k--
	}
	for ; k < len(r.segments) && from+len(rows) < to; k++ {
		s := r.load(k)
		for i := max(0, from+len(rows)-s.rowsFrom); i < len(s.rows) && from+len(rows) < to; i++ {
			rows = append(rows, s.rows[i])
		}
	}
	return rows
}

// `matches` caches the rows that a filter keeps, up to the row that it has searched last.
type matches struct {
	text  string
	node  string
	found []Cursor
	upTo  Cursor // the cursor of the last searched row
}

// Matches returns the cursors of the rows that a filter keeps, up to the live cursor. A row matches if it contains
// text, which must be in lower case, and belongs to node. An empty text or node matches everything. Matches continues
// where the last call with the same filter stopped.
func (r *Run) Matches(text, node string, live Cursor) []Cursor {
	m := &r.matches
	if m.found == nil || m.text != text || m.node != node {
		*m = matches{text: text, node: node, upTo: Cursor{T: -1, N: -1}, found: []Cursor{}}
	}
	for k := r.segmentAt(max(m.upTo.T, 0)); k < len(r.segments); k++ {
		rows := r.load(k).rows
		for i := rowsUpTo(rows, m.upTo); i < len(rows); i++ {
			row := &rows[i]
			c := Cursor{T: row.T, N: row.N}
			if live.Before(c) {
				return m.found
			}
			m.upTo = c
			if (node == "" || row.Node == node) &&
				(text == "" || strings.Contains(strings.ToLower(row.Node+" "+row.Text+" "+row.Detail), text)) {
				m.found = append(m.found, c)
			}
		}
	}
	return m.found
}

// RowAt returns the row at a cursor, which must exist.
func (r *Run) RowAt(c Cursor) EventRow {
	rows := r.load(r.segmentAt(c.T)).rows
	return rows[rowsUpTo(rows, c)-1]
}

// rowsUpTo returns the number of rows at or before a cursor.
func rowsUpTo(rows []EventRow, c Cursor) int {
	return sort.Search(len(rows), func(i int) bool { return c.Before(Cursor{T: rows[i].T, N: rows[i].N}) })
}

// NextEvent returns the cursor of the first row after a cursor and computes as far as necessary. It returns false if
// no row follows.
func (r *Run) NextEvent(after Cursor) (Cursor, bool) {
	for aheadNs := int64(1_000_000_000); ; aheadNs *= 4 {
		r.Compute(after.T + aheadNs)
		for k := r.near(after.T); k < len(r.segments); k++ {
			rows := r.load(k).rows
			for i := range rows {
				if c := (Cursor{T: rows[i].T, N: rows[i].N}); after.Before(c) {
					return c, true
				}
			}
		}
		if after.T+aheadNs >= r.EndNs() {
			return Cursor{}, false
		}
	}
}

// PreviousEvent returns the cursor of the last row before a cursor, or false.
func (r *Run) PreviousEvent(before Cursor) (Cursor, bool) {
	for k := r.near(before.T); k >= 0; k-- {
		rows := r.load(k).rows
		for i := len(rows) - 1; i >= 0; i-- {
			if c := (Cursor{T: rows[i].T, N: rows[i].N}); c.Before(before) {
				return c, true
			}
		}
	}
	return Cursor{}, false
}

// NextLandmark returns the cursor of the first landmark after a cursor in the computed part of the run.
func (r *Run) NextLandmark(after Cursor) (Cursor, bool) {
	for k := range r.index.Landmarks {
		if c := r.index.Landmarks[k].Cursor(); after.Before(c) {
			return c, true
		}
	}
	return Cursor{}, false
}

// PreviousLandmark returns the cursor of the last landmark before a cursor.
func (r *Run) PreviousLandmark(before Cursor) (Cursor, bool) {
	for k := len(r.index.Landmarks) - 1; k >= 0; k-- {
		if c := r.index.Landmarks[k].Cursor(); c.Before(before) && (before.N >= 0 || c.T < before.T) {
			return c, true
		}
	}
	return Cursor{}, false
}
