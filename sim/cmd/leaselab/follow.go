package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"path"
	"strconv"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/world"
)

// runPath is the path at which a page asks about the running simulation of `leaselab serve --scenario`. No Kubernetes
// API has this path.
//
// The server does not send views to the page. It sends the scenario, the current instant and the acts that clients
// caused. The page's own engine makes the same run from these and compares the hash of the trace. So a page that
// follows can also step back, explain and branch.
const runPath = "/leaselab/run"

// followMark tells the page to show the server's run. The mark is in the page's head only when a simulation runs.
const followMark = `<meta name="leaselab-run" content="leaselab/run">`

// servedRun is the answer at runPath. Instants are nanoseconds of virtual time. A page asks with ?after=N, where N is
// the number of acts that it already has, and gets the rest. Over says why the page cannot follow the run to its end;
// the server keeps serving in any case.
type servedRun struct {
	Scenario json.RawMessage   `json:"scenario"`
	Engine   int               `json:"engine"`
	Speed    float64           `json:"speed"` // virtual seconds per real second
	Now      int64             `json:"now"`
	Hash     string            `json:"hash"` // hash of the trace up to now; "" if this answer lacks some acts
	Acts     []scenario.Action `json:"acts"` // the clients' writes, without the first ?after=N of them
	Over     string            `json:"over"` // why the acts end before the run does; "" if they don't
}

// tellRun answers at runPath. It encodes the scenario once, since a page asks several times a second. It reads a
// malformed ?after as 0 and returns all acts, which is always correct.
func tellRun(api *serve.Handler, s scenario.Scenario, speed float64) http.Handler {
	whole := scenario.Encode(s)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		after, err := strconv.Atoi(r.URL.Query().Get("after"))
		if err != nil {
			after = 0
		}
		f, _ := api.Follow(after) // cannot fail: api serves a simulation
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		answer := servedRun{Scenario: whole, Engine: world.Engine, Speed: speed, Now: f.NowNs, Hash: f.Hash,
			Acts: f.Acts, Over: f.Over}
		if answer.Acts == nil {
			answer.Acts = []scenario.Action{}
		}
		_ = json.NewEncoder(w).Encode(answer) // the client is gone
	})
}

// markPage serves the page with a mark in its head that tells the page's script what to follow. Only / gets the mark.
// The files on disk do not change, so a service worker or a static host can use the same files.
func markPage(files http.Handler, site fs.FS, mark string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := path.Clean(r.URL.Path); name != "/" {
			files.ServeHTTP(w, r)
			return
		}
		page, err := fs.ReadFile(site, "index.html")
		if err != nil {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		// compressed sets its header here
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(bytes.Replace(page, []byte("</head>"), []byte(mark+"</head>"), 1)) // the client is gone
	})
}
