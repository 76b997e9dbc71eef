package programs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/programs/replay"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/world"
)

// exchange is one request of a program with its answer. The client's goroutine waits for the field outcome; the driver
// owns the rest while the request is under way.
type exchange struct {
	number    uint64
	node      *Node
	slot      int32
	request   *apiserver.Request
	asked     world.ProgramRequest
	isOver    bool // the exchange has ended at its client
	holds     bool // the exchange has made its node the holder
	byHandler bool
	refused   bool // Options.Guard refused the request, with answer
	answer    apiserver.Response
	served    bool
	stream    *stream
	outcome   chan outcome
}

// outcome is what a client gets back.
type outcome struct {
	result step.Result
	fault  network.FaultKind
	after  network.RetryAfter
}

// The errors of broken connections, as http.Transport returns them.
var (
	errRefused = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	errReset   = &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	errLost    = errors.New("http2: client connection lost")
	errOver    = errors.New("the test is over")
)

// CancelRequest does nothing, because a request ends with its context. client-go's transports look for this method when
// a request times out, and log a warning if it is missing.
func (n *Node) CancelRequest(*http.Request) {}

// RoundTrip sends a request through the simulated network. Like the simulated clients, the transport never retries by
// itself.
func (n *Node) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		if err := r.Body.Close(); err != nil {
			return nil, err
		}
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if n.c.isOver.Load() {
		return nil, errOver
	}
	x := &exchange{node: n, request: incoming.Request(r, body), outcome: make(chan outcome, 1)}
	if n.c.options.Unknown != nil && n.c.handler() == nil {
		if answer, is := n.c.discovery(x); is {
			return respond(r, answer.Status, answer.Header, answer.Body), nil
		}
	}
	n.c.hand(op{node: n.index, sends: x})
	select {
	case o := <-x.outcome:
		return n.c.hear(r, body, x, o)
	case <-r.Context().Done():
		err := r.Context().Err()
		n.c.post(n, func() { n.c.abandon(x, err) })
		return nil, err
	case <-n.c.closed:
		return nil, errOver
	}
}

// discovery answers a request for discovery, and reports a request for an unknown kind.
func (c *Cluster) discovery(x *exchange) (answer apiserver.Response, is bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	server := c.desk.Mirror.Server
	if x.node.ended {
		return answer, false
	}
	if !server.Knows(x.request.Path) {
		c.options.Unknown(x.request.Path)
	}
	if x.request.Method != http.MethodGet || x.request.Attributes().OnResource {
		return answer, false
	}
	return server.Handle(world.Clock(c.nowNs()), x.request), true
}

// `send` puts a request on the wire.
func (c *Cluster) send(x *exchange) {
	if x.node.ended {
		return
	}
	c.numbered++
	k := replay.Call{Do: replay.CallRequest, Node: x.node.index, Number: c.numbered, Request: x.request}
	if x.answer, x.refused = c.refuses(world.Clock(c.nowNs()), x.node.index, x.request); x.refused {
		k.Refused = x.answer.Status
	}
	c.carryOf(x, k)
}

// `sends` performs a CallRequest.
func (c *Cluster) sends(x *exchange) {
	n, w := x.node, c.run.World
	c.exchanges[x.number] = x
	x.byHandler = c.handler() != nil && !strings.HasPrefix(x.request.Path+"/", "/apis/coordination.k8s.io/")
	x.asked = c.desk.Asks(w, n.index, x.number, x.request)
	if x.asked.IsElectors {
		n.asking++
	} else {
		c.conduct.Sends(n.index, w.Now())
	}
	c.seeRequest(x.asked.IsElectors)
	x.slot = w.Sends(n.index, &x.asked)
}

func (c *Cluster) handler() http.Handler {
	if c.options.Handler == nil {
		return nil
	}
	return c.options.Handler()
}

// abandon ends the wait for an answer.
func (c *Cluster) abandon(x *exchange, err error) {
	if x.node.ended || x.number == 0 {
		return
	}
	c.carryOf(x, replay.Call{Do: replay.CallAbandon, Node: x.node.index, Number: x.number,
		Deadline: errors.Is(err, context.DeadlineExceeded)})
	x.node.noteAnswer(x, c.nowNs())
}

// Serve carries out a request that has reached the API server. A fault may let the request reach the server without
// effect, as when a proxy in front of it answers 503. A user's handler answers later, when the client gets the answer.
func (c programs) Serve(number uint64, fault network.FaultKind) world.Served {
	x := c.exchanges[number]
	if x.byHandler || !fault.Stores() {
		return world.Served{}
	}
	if x.refused {
		x.served = true
		return replay.Refusal(&x.asked, x.answer.Status)
	}
	done := c.desk.Serve(c.run.World, x.node.index, &x.asked, x.request)
	x.answer, x.holds, x.served = done.Answer, done.Holds, true
	if done.Wrote {
		c.written += int64(len(x.request.Body)) + int64(len(x.answer.Body))
	}
	if x.answer.Watch != nil {
		x.stream = newStream(x.node, x.answer.Watch)
		c.streams = append(c.streams, x.stream)
	}
	if c.options.WritesAreWork && x.asked.Verb != network.Get && x.answer.Status < 300 && done.Wrote &&
		isWork(x.request) {
		c.wrote = append(c.wrote, x.node)
	}
	return done.Served
}

// isWork reports whether a write is a piece of work. It is, unless the object is an Event or belongs to an
// election.
func isWork(r *apiserver.Request) bool {
	switch r.Attributes().Resource {
	case "leases", "leasecandidates", "events", "":
		return false
	}
	return true
}

// Answer ends a request at its client.
func (c programs) Answer(number uint64, result step.Result, fault network.FaultKind, after network.RetryAfter) {
	x := c.exchanges[number]
	delete(c.exchanges, number)
	x.node.noteAnswer(x, c.run.World.Now())
	if x.holds && result == step.Success {
		x.node.endedNs = -1 // it leads; a separate process reports its work a little later
	}
	x.outcome <- outcome{result, fault, after}
}

// `hear` makes the response that a client gets. Broken connections become the errors that http.Transport would return,
// because they decide whether client-go retries.
func (c *Cluster) hear(r *http.Request, body []byte, x *exchange, o outcome) (*http.Response, error) {
	switch o.result {
	case step.ConnRefused:
		return nil, errRefused
	case step.ConnReset:
		return nil, errReset
	case step.ConnEOF:
		return nil, io.EOF
	case step.ClientTimeout:
		return nil, errLost
	}
	if status := faultStatus[o.fault]; status != 0 {
		return c.faultAnswer(r, x, status, o), nil
	}
	if x.byHandler {
		return c.askHandler(r, body)
	}
	x.answer = x.answer.Whole()
	response := respond(r, x.answer.Status, x.answer.Header, x.answer.Body)
	switch {
	case x.stream != nil:
		response.Body, response.ContentLength = &streamBody{x.stream, r.Context()}, -1
	case o.fault == network.BrokenBody:
		response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(x.answer.Body[:len(x.answer.Body)/2]), broken{}))
	case o.fault == network.EmptyBody && x.answer.Status < 300:
		response.Body, response.ContentLength = http.NoBody, 0
	}
	return response, nil
}

// broken is the rest of a body whose connection broke.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// faultStatus maps faults to the statuses of their answers.
var faultStatus = map[network.FaultKind]int{
	network.Http429: 429, network.Http500: 500, network.Http503: 503, network.Http504: 504, network.HttpConflict: 409,
	network.Http504Applied: 504,
	network.Hang:           504, network.Http401: 401, network.Http403: 403, network.Http502: 502,
}

// faultAnswer returns the error answer of a fault.
func (c *Cluster) faultAnswer(r *http.Request, x *exchange, status int, o outcome) *http.Response {
	name := x.request.Attributes().Name
	if o.fault == network.Http504Applied && x.answer.Status >= 300 {
		// the fault has refused the write, so nothing changes
		return respond(r, x.answer.Status, x.answer.Header, x.answer.Body)
	}
	header := []apiserver.Param{{Name: "content-type", Value: "application/json"}}
	if seconds := o.after.Seconds(); seconds >= 0 {
		header = append(header, apiserver.Param{Name: "retry-after", Value: strconv.Itoa(int(seconds))})
	}
	return respond(r, status, header, apiserver.Failure(status, "Lease", name))
}

// response is a response with its body, in one allocation.
type response struct {
	http.Response
	whole whole
	media [1]string // the Content-Type header
}

// `whole` is a body that has arrived completely.
type whole struct{ bytes.Reader }

func (*whole) Close() error { return nil }

func respond(r *http.Request, status int, header []apiserver.Param, body []byte) *http.Response {
	made := &response{Response: http.Response{
		StatusCode: status, Status: statusLine(status), Proto: "HTTP/2.0", ProtoMajor: 2, Header: http.Header{},
		ContentLength: int64(len(body)), Request: r,
	}}
	made.whole.Reset(body)
	made.Body = &made.whole
	for _, p := range header {
		if p.Name == "content-type" && made.media[0] == "" {
			made.media[0] = p.Value
			made.Header["Content-Type"] = made.media[:]
			continue
		}
		made.Header.Add(p.Name, p.Value)
	}
	return &made.Response
}

func statusLine(status int) string {
	if status == http.StatusOK {
		return "200 OK"
	}
	return strconv.Itoa(status) + " " + http.StatusText(status)
}
