package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"time"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// recordPath is the path at which a page follows the record of a group. No Kubernetes API has this path. Unlike
// runPath, recordPath streams: real programs make calls at any time, and the page should show them at once.
const recordPath = "/leaselab/record"

// recordMark tells the page to show the record. The mark is in the page's head only when the server has a group.
const recordMark = `<meta name="leaselab-run" content="leaselab/record">` +
	`<link rel="stylesheet" href="leaselab/record.css">`

// recordStyle hides the page's own story until the record has arrived, so that nobody mistakes the story for the real
// programs.
const recordStyle = `html:not([data-follows]) :is(header,main){visibility:hidden}
html:not([data-follows]) body::before{content:"Opening the run of the real programs…";position:fixed;inset:0}
html:not([data-follows]) body::before{display:grid;place-items:center;font:1.1rem system-ui,sans-serif}
`

// doors returns the doors of a group: its record, the page that follows it, the candidates' reports, and the API behind
// the network of the scenario.
func (g *group) doors(site fs.FS) []door {
	own := []door{
		{path: recordPath, owner: readers, answer: http.HandlerFunc(g.follow)},
		{path: recordPath + ".css", owner: anyone, answer: http.HandlerFunc(sendRecordStyle)},
		{path: programs.WorkPath, owner: candidate, answer: g.front},
		{path: incoming.NodesPath, owner: candidate, answer: g.front,
			fits: func(r *http.Request) bool { return incoming.PathOf(r) == programs.WorkPath }},
		{path: incoming.NodesPath, owner: apiUsers, answer: g.front},
	}
	if site == nil {
		own = append(own, door{path: "/", owner: anyone, answer: http.HandlerFunc(noPage),
			fits: func(r *http.Request) bool { return r.URL.Path == "/" && isBrowser(r) }})
	}
	return withPage(own, site, recordMark, g.front)
}

func sendRecordStyle(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = io.WriteString(w, recordStyle) // the client is gone
}

// noPage says how to get the page.
func noPage(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "This leaselab lacks the page. The leaselab of a release contains it: "+releases+"\n"+
		"In a checkout, `make site build` builds both.\n"+
		"The record of the run is at "+recordPath+".", http.StatusNotFound)
}

// followEvery is how often the server tells a page how far the run has come. The page needs these instants between
// calls, too, because it draws how much time the leader's Lease has left.
const followEvery = 200 * time.Millisecond

// followTimeout is how long a page may take to read one write. After that the server drops the connection, because
// the reader is probably gone.
const followTimeout = 30 * time.Second

// follow writes the calls of the record. With ?follow it continues until the record ends or its reader leaves.
//
// Each turn asks the cluster how many bytes the record has, copies the new bytes from the file, and adds a line with
// the current instant. The cluster answers under its lock, but follow copies without the lock, so a slow reader never
// delays a program. The last turn comes after the channel "over" closes: it copies the last line and adds no instant.
// For each reader, follow keeps only an offset.
func (g *group) follow(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	g.followers.Add(1)
	defer g.followers.Done()
	control := http.NewResponseController(w)
	follows := r.URL.Query().Has("follow")
	for from := int64(0); ; {
		to, whole, passes := from, false, replay.Line{}
		g.cluster.PassRecord(g.recorder, func(bytes int64, ended bool, line replay.Line) {
			to, whole, passes = bytes, ended, line
		})
		_ = control.SetWriteDeadline(time.Now().Add(followTimeout)) // httptest's recorder supports no deadlines
		err := writeCalls(w, io.NewSectionReader(g.file, from, to-from))
		if from = to; err == nil && !whole {
			err = json.NewEncoder(w).Encode(passes)
		}
		if err != nil || whole || !follows {
			return // or the reader is gone
		}
		_ = control.Flush() // the next write will fail, too
		select {
		case <-r.Context().Done():
			return
		case <-g.over:
		case <-time.After(followEvery):
		}
	}
}

// writeCalls writes the lines of a record except the trace's. The page makes the trace from the calls.
func writeCalls(out io.Writer, record io.Reader) error {
	for lines := bufio.NewReaderSize(record, 1<<16); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 && !replay.IsTrace(line) {
			if _, wrong := out.Write(line); wrong != nil {
				return wrong
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
