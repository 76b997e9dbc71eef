package history

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/words"
)

// `time` formats an instant as RFC 3339. It returns "" for a run, which has no date.
func (h *History) time(ns int64) string {
	if h.EpochNs == 0 {
		return ""
	}
	return time.Unix(0, h.EpochNs+ns).UTC().Format("2006-01-02T15:04:05.000000Z07:00")
}

func secondsText(ns int64) string {
	text, err := summary.Seconds(ns).MarshalJSON()
	if err != nil {
		panic(err) // a number always encodes
	}
	return string(text)
}

// EventsCSV writes a row for each record, as in RFC 4180: a header, CRLF after each row, quotes where needed. The
// column seconds counts from the start of the run; the column time is empty for a run.
func (h *History) EventsCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	rows := [][]string{{"seconds", "n", "time", "node", "kind", "events", "text", "verb", "seq", "result",
		"resourceVersion", "holder", "transitions"}}
	for i := range h.Events {
		e := &h.Events[i]
		rows = append(rows, []string{
			secondsText(int64(e.T)), strconv.Itoa(int(e.N)), h.time(int64(e.T)), e.Node, e.Kind,
			strings.Join(e.Events, " "), e.Text, e.Verb, number(int64(e.Seq)), e.Result,
			number(e.ResourceVersion), e.Holder, strconv.Itoa(int(e.Transitions)),
		})
	}
	return writeAll(w, rows)
}

// LeadersCSV writes a row for each time that a node was an active leader. An empty end means that the node still
// leads. A spreadsheet then shows how long each candidate led.
func (h *History) LeadersCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	rows := [][]string{{"leader", "from", "to", "seconds", "fromTime", "toTime"}}
	for _, l := range h.Leaders {
		row := []string{l.Leader, secondsText(l.FromNs), "", secondsText(h.ToNs - l.FromNs), h.time(l.FromNs), ""}
		if l.ToNs != Open {
			row[2], row[3], row[5] = secondsText(l.ToNs), secondsText(l.ToNs-l.FromNs), h.time(l.ToNs)
		}
		rows = append(rows, row)
	}
	return writeAll(w, rows)
}

// writeAll writes the rows. No cell can become a formula.
func writeAll(w *csv.Writer, rows [][]string) error {
	for _, row := range rows {
		for i := range row {
			row[i] = words.Cell(row[i])
		}
	}
	return w.WriteAll(rows)
}

func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
