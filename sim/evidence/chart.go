package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Moment is one statement of the report, as a row of a timeline. Instants are nanoseconds since LeaseReport.From.
type Moment struct {
	Kind   string   `json:"kind"` // "leader" | "gap" | "overlap" | "finding" | "conflict" | "near"
	FromNs int64    `json:"from"`
	ToNs   int64    `json:"to"` // equals FromNs for a single instant
	Time   string   `json:"time"`
	Says   string   `json:"says"`
	Lines  []string `json:"lines"` // file:line
}

// Headline says what happened to the Lease, and its likely cause.
func (l *LeaseReport) Headline() string {
	if cause := l.LikelyCause(); cause != "" {
		return fmt.Sprintf("%s Likely cause: %s%s.", l.Answer(), cause, ConfidenceText(l.Confidence))
	}
	return l.Answer()
}

// LikelyCause names the causes of what happened; "" if nothing needs a cause.
func (l *LeaseReport) LikelyCause() string {
	if l.Cause == "none" {
		return ""
	}
	return l.Causes()
}

// Answer says in one sentence what happened to the Lease. It reports the worst overlap; without an overlap, the
// worst gap; without either, how often the leader changed.
func (l *LeaseReport) Answer() string {
	switch {
	case len(l.Overlaps) > 0:
		worst := slices.MaxFunc(l.Overlaps, func(a, b Overlap) int { return cmp.Compare(a.Seconds, b.Seconds) })
		return fmt.Sprintf("%s both believed that they led, %s.", strings.Join(worst.Who, " and "), worst.Length())
	case len(l.Gaps) > 0:
		return fmt.Sprintf("Nobody renewed for %.3f s.", longest(l.Gaps).Seconds)
	case len(l.Leaderless) > 0:
		return fmt.Sprintf("Nobody led for %.3f s.", longest(l.Leaderless).Seconds)
	case len(l.LeaderChanges) > 1:
		return fmt.Sprintf("The leader changed %d times.", len(l.LeaderChanges))
	case len(l.terms) > 0:
		return l.terms[len(l.terms)-1].holder + " led, as far as these files show."
	}
	return "These files show no leader."
}

func longest(gaps []Gap) Gap {
	return slices.MaxFunc(gaps, func(a, b Gap) int { return cmp.Compare(a.Seconds, b.Seconds) })
}

// Moments lists the statements of the report in chronological order.
func (l *LeaseReport) Moments() []Moment {
	all := []Moment{}
	add := func(m Moment, at string, seconds float64) {
		ns := l.sinceFrom(at)
		clock := ""
		if t, err := time.Parse(time.RFC3339Nano, at); err == nil {
			clock = t.UTC().Format("15:04:05.000")
		}
		m.FromNs, m.ToNs, m.Time, m.Lines = ns, ns+int64(seconds*1e9), clock, append([]string{}, m.Lines...)
		all = append(all, m)
	}
	for i := range l.LeaderChanges {
		c := &l.LeaderChanges[i]
		says := c.To + " leads."
		if c.From != "" {
			says = fmt.Sprintf("%s leads after %s: %s%s.", c.To, c.From, c.Causes(), ConfidenceText(c.Confidence))
		}
		add(Moment{Kind: "leader", Lines: c.Lines, Says: says}, c.At, 0)
	}
	for i, g := range slices.Concat(l.Gaps, l.Leaderless) {
		did := map[bool]string{true: "renewed", false: "led"}[i < len(l.Gaps)]
		says := fmt.Sprintf("Nobody %s for %.3f s.", did, g.Seconds)
		add(Moment{Kind: "gap", Lines: g.Lines, Says: says}, g.From, g.Seconds)
	}
	for _, o := range l.Overlaps {
		says := fmt.Sprintf("%s believed that they led, %s: %s.", strings.Join(o.Who, " and "), o.Length(), o.Basis)
		add(Moment{Kind: "overlap", Lines: o.Lines, Says: says}, o.From, o.Seconds)
	}
	for _, f := range l.Evidence {
		add(Moment{Kind: "finding", Lines: f.Lines, Says: f.Says}, f.At, 0)
	}
	for _, c := range l.Conflicts {
		says := fmt.Sprintf("The API server refused a write of %s: HTTP %d.", c.Who, c.Code)
		add(Moment{Kind: "conflict", Lines: c.Lines, Says: says}, c.At, 0)
	}
	for _, n := range l.NearExpiries {
		says := fmt.Sprintf("The next renewal came %.3f s later: %s.", n.Seconds, l.expiry(&n))
		add(Moment{Kind: "near", Lines: n.Lines, Says: says}, n.From, n.Seconds)
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return cmp.Compare(a.FromNs, b.FromNs) })
	return all
}

// sinceFrom returns the nanoseconds from the start of the timeline to an RFC 3339 time, or 0 if the text is not one.
func (l *LeaseReport) sinceFrom(at string) int64 {
	t, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return 0
	}
	return t.UnixNano() - l.epochNs()
}

// epochNs is where the timeline begins: the instant of From, whose text has only microseconds.
func (l *LeaseReport) epochNs() int64 { return l.fromNs / 1000 * 1000 }

// LengthNs is the length of the timeline. It is at least a second, so that the page can draw even a Lease with a
// single instant.
func (l *LeaseReport) LengthNs() int64 { return max(l.toNs-l.epochNs(), int64(time.Second)) }

// Chart is a window of a Lease's timeline: one row for each candidate, then one for each file. Instants are
// nanoseconds since LeaseReport.From.
type Chart struct {
	FromNs int64      `json:"from"`
	ToNs   int64      `json:"to"`
	Rows   []ChartRow `json:"rows"`
}

// ChartRow is a candidate or a file.
type ChartRow struct {
	Name  string      `json:"name"`
	Kind  string      `json:"kind"` // "candidate" | "file"
	Bars  []ChartBar  `json:"bars"`
	Marks []ChartMark `json:"marks"`
}

// barKinds lists the kinds of bars, the worst last.
var barKinds = []string{"renews", "silent", "believes"}

// ChartBar is a span in which a candidate renewed the Lease ("renews"), held it without renewing ("silent"), or
// believed that it led while another held it ("believes").
type ChartBar struct {
	Kind   string   `json:"kind"` // "renews" | "silent" | "believes"
	FromNs int64    `json:"from"`
	ToNs   int64    `json:"to"`
	Lines  []string `json:"lines"`
	Merged bool     `json:"merged,omitempty"` // the bar stands for several, the worst of which has this kind
}

// ChartMark stands for Count records of one kind that are too close together to draw separately. The kind is renewal,
// read, refused or log; in the row of a file it is record.
type ChartMark struct {
	Kind  string   `json:"kind"` // "renewal" | "read" | "refused" | "log" | "record"
	AtNs  int64    `json:"at"`
	Count int      `json:"count"`
	Lines []string `json:"lines"` // file:line of the first record
}

// Chart draws the window from fromNs to toNs. The argument steps limits the marks of each kind in a row. So a browser
// can draw even a month-long audit log with a million renewals; to zoom in, it asks for a smaller window. If toNs is
// not after fromNs, the window extends to the end of the timeline.
func (r *Reader) Chart(l *LeaseReport, fromNs, toNs int64, steps int) Chart {
	fromNs = max(fromNs, 0)
	if toNs <= fromNs {
		toNs = max(l.LengthNs(), fromNs+1)
	}
	c := charting{reader: r, lease: l, rows: map[[2]string]int{},
		chart:  Chart{FromNs: fromNs, ToNs: toNs, Rows: []ChartRow{}},
		stepNs: max(1, (toNs-fromNs)/int64(max(1, steps)))}
	for i := range l.terms {
		c.term(i)
	}
	c.marks()
	slices.SortStableFunc(c.chart.Rows, func(a, b ChartRow) int { // "candidate" before "file"
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return c.chart
}

// charting is a chart under construction. stepNs is the minimum distance between two marks of a kind in a row.
type charting struct {
	reader *Reader
	lease  *LeaseReport
	rows   map[[2]string]int // rows by kind and name
	chart  Chart
	stepNs int64
}

func (c *charting) row(kind, name string) *ChartRow {
	key := [2]string{kind, name}
	if i, there := c.rows[key]; there {
		return &c.chart.Rows[i]
	}
	c.rows[key] = len(c.chart.Rows)
	c.chart.Rows = append(c.chart.Rows, ChartRow{Name: name, Kind: kind, Bars: []ChartBar{}, Marks: []ChartMark{}})
	return &c.chart.Rows[len(c.chart.Rows)-1]
}

// bar adds a bar, given by two instants on the evidence's clock. It merges a bar that is too thin to see with the bar
// before it: one of the same kind, or any within one step, which then has the worst kind. Otherwise a Lease that
// changes hands every minute for a month would have too many bars to draw.
func (c *charting) bar(row *ChartRow, b ChartBar, places []Place) {
	epoch := c.lease.epochNs()
	b.FromNs, b.ToNs = max(b.FromNs-epoch, c.chart.FromNs), min(b.ToNs-epoch, c.chart.ToNs)
	if b.ToNs <= b.FromNs {
		return
	}
	thin := c.stepNs / 4 // about a pixel
	if n := len(row.Bars); n > 0 && b.ToNs-b.FromNs < thin {
		last := &row.Bars[n-1]
		switch {
		case last.Kind == b.Kind && !last.Merged && b.FromNs-last.ToNs < thin:
			last.ToNs = b.ToNs
			return
		case b.ToNs-last.FromNs <= c.stepNs:
			last.ToNs, last.Merged = max(last.ToNs, b.ToNs), true
			if slices.Index(barKinds, b.Kind) > slices.Index(barKinds, last.Kind) {
				last.Kind, last.Lines = b.Kind, c.reader.lines(places...)
			}
			return
		}
	}
	b.Lines = c.reader.lines(places...)
	row.Bars = append(row.Bars, b)
}

// `term` draws one term: a bar for the time in which the holder renewed, one for the silence after its last renewal,
// and one for the time in which the holder still believed that it led. The last term has no silence, because the
// evidence does not show its end.
func (c *charting) term(i int) {
	t := &c.lease.terms[i]
	row, endNs := c.row("candidate", t.holder), c.lease.toNs
	last := i == len(c.lease.terms)-1
	if !last {
		endNs = c.lease.terms[i+1].fromNs
	}
	if t.releasedNs != 0 {
		endNs = t.releasedNs
	}
	if t.fromLogs && t.stopNs == 0 {
		c.bar(row, ChartBar{Kind: "silent", FromNs: t.fromNs, ToNs: endNs}, t.places)
	} else {
		renewedNs := t.lastNs
		if t.fromLogs {
			renewedNs = min(t.stopNs, endNs)
		}
		c.bar(row, ChartBar{Kind: "renews", FromNs: t.fromNs, ToNs: renewedNs}, t.places)
		if !last || t.releasedNs != 0 {
			c.bar(row, ChartBar{Kind: "silent", FromNs: renewedNs, ToNs: endNs}, t.lastPlaces)
		}
	}
	changes := c.lease.changes
	if k, after := slices.BinarySearchFunc(changes, i+1,
		func(g change, term int) int { return cmp.Compare(g.term, term) }); after {
		if g := &changes[k]; g.from != "" && g.overlapNs > 0 {
			begins := cmp.Or(g.overlapFromNs, c.lease.terms[g.term].fromNs)
			c.bar(row, ChartBar{Kind: "believes", FromNs: begins, ToNs: begins + g.overlapNs}, g.overlapPlaces)
		}
	}
}

// `marks` merges records that are closer together than a step. A mark keeps the lines of its first record and counts
// the others.
func (c *charting) marks() {
	type series struct{ rowKind, name, kind string }
	seen, last := c.lease, map[series]int{}
	mark := func(of series, ns int64, p Place) {
		at := ns - c.lease.epochNs()
		if of.name == "" || at < c.chart.FromNs || at > c.chart.ToNs {
			return
		}
		row := c.row(of.rowKind, of.name)
		if i, there := last[of]; there {
			if m := &row.Marks[i]; at >= m.AtNs && at-m.AtNs < c.stepNs {
				m.Count++
				return
			}
		}
		last[of] = len(row.Marks)
		row.Marks = append(row.Marks, ChartMark{Kind: of.kind, AtNs: at, Count: 1, Lines: c.reader.lines(p)})
	}
	inFile := func(ns int64, p Place) { mark(series{"file", c.reader.files[p.file].name, "record"}, ns, p) }
	for i := range seen.writes {
		w := &seen.writes[i]
		mark(series{"candidate", w.holder, "renewal"}, w.ns, w.places[0])
		for _, p := range w.places {
			inFile(w.ns, p)
		}
	}
	for i := range seen.gets {
		g := &seen.gets[i]
		mark(series{"candidate", g.by, "read"}, g.ns, g.place)
		inFile(g.ns, g.place)
	}
	for i := range seen.attempts {
		a := &seen.attempts[i]
		mark(series{"candidate", a.holder, "refused"}, a.atNs, a.place)
		inFile(a.atNs, a.place)
	}
	for i := range seen.lines {
		line := &seen.lines[i]
		mark(series{"candidate", line.node, "log"}, line.ns, line.place)
		inFile(line.ns, line.place)
	}
}
