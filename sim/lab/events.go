package lab

import (
	"strconv"
	"strings"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

const mostRows = 500

// matches remembers where the rows of one filter stand, as far as they have been looked for.
type matches struct {
	run     int
	spacing int64 // thinning numbers the segments anew
	text    string
	node    string
	found   []place
	segment int // the first not searched to its end
	row     int // the first row of it not searched
}

type place struct {
	segment, row int
	cursor       Cursor
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
	k := r.at(c.T)
	s := r.load(k)
	n := len(s.rows)
	for n > 0 && earlier(c, Cursor{T: s.rows[n-1].T, N: s.rows[n-1].N}) {
		n--
	}
	return s.rowsFrom + n
}

// filtered searches on from where the last search with the same filter stopped.
func (l *Lab) filtered(r *run, around Cursor, from, count int, text, node string) *Events {
	m := &l.matches
	if m.run != r.id || m.spacing != r.spacing || m.text != text || m.node != node {
		*m = matches{run: r.id, spacing: r.spacing, text: text, node: node}
	}
	for m.segment < len(r.segments) {
		s := r.load(m.segment)
		for ; m.row < len(s.rows); m.row++ {
			row := &s.rows[m.row]
			if earlier(l.edge, Cursor{T: row.T, N: row.N}) {
				break
			}
			if (node == "" || row.Node == node) && (text == "" || strings.Contains(strings.ToLower(row.Node+" "+row.Text+" "+row.Detail), text)) {
				m.found = append(m.found, place{m.segment, m.row, Cursor{T: row.T, N: row.N}})
			}
		}
		if m.row < len(s.rows) || m.segment == len(r.segments)-1 {
			break
		}
		m.segment, m.row = m.segment+1, 0
	}
	e := &Events{Run: r.id, Rows: []EventRow{}, At: -1}
	for k := range m.found {
		if !earlier(l.edge, m.found[k].cursor) {
			e.Total = k + 1
		}
		if !earlier(around, m.found[k].cursor) {
			e.At = k
		}
	}
	if from < 0 {
		from = max(0, min(e.At-count/2, e.Total-count))
	}
	e.From = min(from, e.Total)
	for k := e.From; k < e.Total && len(e.Rows) < count; k++ {
		e.Rows = append(e.Rows, r.load(m.found[k].segment).rows[m.found[k].row])
	}
	return e
}
