package lab

import (
	"sort"
	"strconv"
	"strings"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

const mostRows = 500

// matches remembers where the rows of one filter stand, as far as they have been looked for.
type matches struct {
	run   int
	text  string
	node  string
	found []Cursor
	upTo  Cursor // the last row that was looked at
}

// Events is a window of the event list up to the edge. from < 0: around the cursor.
func (l *Lab) Events(around Cursor, from, count int, filter, node string) *Events {
	r := l.run()
	r.compute(l.edge.T, stepBudget)
	count = max(1, min(count, mostRows))
	if filter == "" && node == "" {
		return l.allEvents(r, around, from, count)
	}
	return l.filtered(r, around, from, count, strings.ToLower(filter), node)
}

// allEvents needs only the segments the window lies in.
func (l *Lab) allEvents(r *run, around Cursor, from, count int) *Events {
	e := &Events{Run: r.id, Rows: []EventRow{}, At: -1}
	e.Total = l.rowsUpTo(r, l.edge)
	e.At = l.rowsUpTo(r, around) - 1
	if from < 0 {
		from = max(0, min(e.At-count/2, e.Total-count))
	}
	e.From = min(from, e.Total)
	for k := l.segmentOfRow(r, e.From); k < len(r.segments) && len(e.Rows) < count; k++ {
		s := r.load(k)
		for i := max(0, e.From+len(e.Rows)-s.rowsFrom); i < len(s.rows) && len(e.Rows) < count && s.rowsFrom+i < e.Total; i++ {
			e.Rows = append(e.Rows, s.rows[i])
		}
	}
	return e
}

func (l *Lab) segmentOfRow(r *run, row int) int {
	k := len(r.segments) - 1
	for k > 0 && r.segments[k].rowsFrom > row {
		k--
	}
	return k
}

// rowsUpTo counts the rows at or before a cursor.
func (l *Lab) rowsUpTo(r *run, c Cursor) int {
	s := r.load(r.near(c.T))
	return s.rowsFrom + rowsUpTo(s.rows, c)
}

// filtered searches on from where the last search with the same filter stopped.
func (l *Lab) filtered(r *run, around Cursor, from, count int, text, node string) *Events {
	m := &l.matches
	if m.run != r.id || m.text != text || m.node != node {
		*m = matches{run: r.id, text: text, node: node, upTo: Cursor{T: -1, N: -1}}
	}
search:
	for k := r.at(max(m.upTo.T, 0)); k < len(r.segments); k++ {
		rows := r.load(k).rows
		for i := rowsUpTo(rows, m.upTo); i < len(rows); i++ {
			row := &rows[i]
			c := Cursor{T: row.T, N: row.N}
			if earlier(l.edge, c) {
				break search
			}
			m.upTo = c
			if (node == "" || row.Node == node) && (text == "" || strings.Contains(strings.ToLower(row.Node+" "+row.Text+" "+row.Detail), text)) {
				m.found = append(m.found, c)
			}
		}
	}
	e := &Events{Run: r.id, Rows: []EventRow{}, At: -1}
	for k := range m.found {
		if !earlier(l.edge, m.found[k]) {
			e.Total = k + 1
		}
		if !earlier(around, m.found[k]) {
			e.At = k
		}
	}
	if from < 0 {
		from = max(0, min(e.At-count/2, e.Total-count))
	}
	e.From = min(from, e.Total)
	for k := e.From; k < e.Total && len(e.Rows) < count; k++ {
		rows := r.load(r.at(m.found[k].T)).rows
		e.Rows = append(e.Rows, rows[rowsUpTo(rows, m.found[k])-1])
	}
	return e
}

// rowsUpTo counts the rows at or before a cursor.
func rowsUpTo(rows []EventRow, c Cursor) int {
	return sort.Search(len(rows), func(i int) bool { return earlier(c, Cursor{T: rows[i].T, N: rows[i].N}) })
}
