package programs

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// WorkPath is where a program reports its work: PUT when it begins, DELETE when it ends, POST for a piece of work. The
// rules of the network do not apply to these requests.
const WorkPath = "/leaselab/work"

// processQuery names the process in an address for reports. The last report of a dying process may still be on its way
// when the next process of the candidate starts, and it must not count as work of the new one.
const processQuery = "process"

// WorkAddress is where a process reports its work, below the address of its candidate.
func (n *Node) WorkAddress() string {
	return WorkPath + "?" + processQuery + "=" + strconv.Itoa(n.number)
}

// Front serves a cluster over HTTP. It passes candidates' requests to their nodes, as incoming.NodeOf attributes them,
// and all other requests to Others.
type Front struct {
	Cluster *Cluster
	Others  http.Handler
	Names   []string                     // names of the candidates
	NodeOf  func(r *http.Request) string // attributes a request to a node, whatever the request says; may be nil
}

// bodyBytes is one byte more than the API server accepts.
const bodyBytes = 3<<20 + 1

// writeTimeout is how long a client may take to receive an answer.
const writeTimeout = 30 * time.Second

// ServeHTTP answers a request, or leaves it unanswered until its client gives up. If a candidate's process does not
// run, ServeHTTP resets the connection, because a dead process would send nothing.
func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := ""
	if f.NodeOf != nil {
		name = f.NodeOf(r)
	}
	if name == "" {
		name = incoming.NodeOf(r)
	}
	plain := incoming.WithoutNode(r)
	switch {
	case name == "" && plain.URL.Path == WorkPath:
		http.Error(w, "leaselab: nothing in this request names a candidate; use the address in its kubeconfig, "+
			incoming.NodesPath+"NAME"+WorkPath+", or the header "+incoming.NodeHeader, http.StatusBadRequest)
		return
	case name == "":
		f.Others.ServeHTTP(w, r)
		return
	case !slices.Contains(f.Names, name) && !f.Cluster.Knows(name):
		http.Error(w, fmt.Sprintf("leaselab: the scenario has no candidate %q; it has %s", name,
			strings.Join(f.Names, ", ")), http.StatusNotFound)
		return
	}
	n := f.Cluster.Process(name)
	if n == nil { // its process has not started yet, or has ended
		abort(w)
		return
	}
	if plain.URL.Path == WorkPath {
		if of := plain.URL.Query().Get(processQuery); of != "" && of != strconv.Itoa(n.number) {
			abort(w) // the process that sent it has ended, and another one runs
			return
		}
		n.tell(w, plain)
		return
	}
	plain.Body = io.NopCloser(io.LimitReader(r.Body, bodyBytes))
	response, err := n.RoundTrip(plain)
	if err != nil {
		if r.Context().Err() == nil && !errors.Is(err, errOver) {
			abort(w)
			return
		}
		panic(http.ErrAbortHandler)
	}
	defer response.Body.Close()
	f.send(w, response)
}

// `tell` handles a program's report about its work.
func (n *Node) tell(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPut:
		n.BeginsWork()
	case http.MethodDelete:
		n.EndsWork()
	case http.MethodPost:
		n.Piece()
	default:
		w.Header().Set("Allow", "PUT, POST, DELETE")
		http.Error(w,
			"leaselab: use PUT when your work begins, DELETE when it ends, and POST for each piece of work",
			http.StatusMethodNotAllowed)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// `send` passes on a response as it arrives.
func (f *Front) send(w http.ResponseWriter, response *http.Response) {
	header := w.Header()
	for name, values := range response.Header {
		header[name] = values
	}
	header.Set("Cache-Control", "no-cache, private")
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // a watch may last longer than other requests
	w.WriteHeader(response.StatusCode)
	stream := response.ContentLength < 0
	buffer := make([]byte, 32<<10)
	for {
		if stream {
			_ = control.Flush() // if this fails, the next write fails, too
		}
		n, err := response.Body.Read(buffer)
		_ = control.SetWriteDeadline(time.Now().Add(writeTimeout)) // httptest's recorder has none
		if n > 0 {
			if _, wrong := w.Write(buffer[:n]); wrong != nil {
				return
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler) // it breaks the connection
		}
	}
}

// `abort` resets a connection. A server cannot refuse an accepted connection, so abort also resets connections that the
// server should refuse.
func abort(w http.ResponseWriter) {
	if connection, _, err := http.NewResponseController(w).Hijack(); err == nil {
		if tcp, is := connection.(*net.TCPConn); is {
			_ = tcp.SetLinger(0)
		}
		_ = connection.Close()
		return
	}
	panic(http.ErrAbortHandler)
}

// Process returns the running process of a candidate, or nil.
func (c *Cluster) Process(name string) *Node {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.alive(name)
	if n == nil {
		c.catchUp() // the driver may be about to start it
		n = c.alive(name)
	}
	return n
}

func (c *Cluster) alive(name string) *Node {
	for n := range c.processes() {
		if n.name == name && !n.ended {
			return n
		}
	}
	return nil
}

// Knows reports whether the cluster has a node with that name, such as a candidate that an act has added.
func (c *Cluster) Knows(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := range c.processes() {
		if n.name == name {
			return true
		}
	}
	return false
}
