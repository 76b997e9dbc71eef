// Package httpapi serves core/apiserver over net/http in real time: for kubectl, client-go, curl and whoever else speaks
// to a Kubernetes API.
//
// Guarantee: requests are answered one after another, in the order in which they got the server; a watcher that is slow
// or gone never makes a writer wait, because it reads at its own pace from the history, and one that falls behind it is
// told so (410) and ended. Non-guarantee: real time is not deterministic, and nothing is kept when the process ends.
package serve

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Backend is what answers requests: a server, or a running simulation.
type Backend interface {
	Handle(now time.Time, r *apiserver.Request) apiserver.Response
	Poll(now time.Time, w *apiserver.Watch) (frames [][]byte, ended bool)
	NextDeadline(w *apiserver.Watch) time.Time
	Revision() int64
}

// maxBodyBytes is one more than the server takes, so that it can say so.
const maxBodyBytes = 3<<20 + 1

// writeTimeout is how long one write to a client may take, and slowest how many bytes a second a client must read of an
// answer that is longer than that.
const (
	writeTimeout = 30 * time.Second
	slowest      = 1 << 20
)

// Handler is a Backend as an http.Handler.
type Handler struct {
	clock clock.Clock

	mu       sync.Mutex
	backend  Backend
	revision int64
	changed  chan struct{} // closed at the next write

	close   sync.Once
	closing chan struct{}
	memory  memory
}

// New returns a handler on a clock: clock.New() in production, a clock.Mock in tests.
func New(backend Backend, c clock.Clock) *Handler {
	return &Handler{
		clock: c, backend: backend, revision: backend.Revision(), changed: make(chan struct{}), closing: make(chan struct{}),
		memory: memory{clock: c, release: release},
	}
}

// Close ends all watches, so that a server can shut down. It waits for no request.
func (h *Handler) Close() { h.close.Do(func() { close(h.closing) }) }

// Locked runs a function while nobody else uses the backend, and wakes the watchers if it wrote.
func (h *Handler) Locked(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
	h.wake()
}

// wake tells all who wait that there was a write. The lock is held.
func (h *Handler) wake() {
	if now := h.backend.Revision(); now != h.revision {
		h.revision = now
		close(h.changed)
		h.changed = make(chan struct{})
	}
}

// Run wakes the watchers of a backend that writes by itself, a simulation, until the context ends.
func (h *Handler) Run(ctx context.Context) {
	s, simulates := h.backend.(*Simulation)
	if !simulates {
		return
	}
	ticker := h.clock.Ticker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			h.Locked(s.Advance)
		case <-ctx.Done():
			return
		}
	}
}

// handle answers one request and returns what is closed at the next write after it. A request whose client has left
// while others were answered is not begun: of a thousand dear ones that somebody sent and left, one is paid for.
func (h *Handler) handle(ctx context.Context, r *apiserver.Request) (apiserver.Response, <-chan struct{}) {
	answer, changed := h.turn(ctx, func() apiserver.Response { return h.backend.Handle(h.clock.Now(), r) })
	for answer.Resume != nil {
		answer, changed = h.turn(ctx, answer.Resume)
	}
	return answer, changed
}

// turn does one step of a request while nobody else uses the backend.
func (h *Handler) turn(ctx context.Context, step func() apiserver.Response) (apiserver.Response, <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil {
		return apiserver.Response{Status: http.StatusServiceUnavailable}, h.changed
	}
	answer := step()
	h.wake()
	return answer, h.changed
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBodyBytes))
	if err != nil {
		http.Error(w, "the body could not be read", http.StatusBadRequest)
		return
	}
	q := request(r, body)
	answer, changed := h.handle(r.Context(), q)
	for deadline := h.clock.Now().Add(holdFor(answer)); answer.Hold != nil; {
		if !h.wait(r, changed, deadline) {
			break
		}
		answer, changed = h.handle(r.Context(), q)
	}
	h.send(w, r, answer)
	h.memory.used(int64(len(body)) + int64(len(answer.Body)))
}

func holdFor(answer apiserver.Response) time.Duration {
	if answer.Hold == nil {
		return 0
	}
	return answer.Hold.For
}

// wait waits for a write; it is false when the deadline came first, or the client or the server went away.
func (h *Handler) wait(r *http.Request, changed <-chan struct{}, deadline time.Time) bool {
	timer := h.clock.Timer(deadline.Sub(h.clock.Now()))
	defer timer.Stop()
	select {
	case <-changed:
		return true
	case <-timer.C:
	case <-r.Context().Done():
	case <-h.closing:
	}
	return false
}

// request is an HTTP request as core knows it.
func request(r *http.Request, body []byte) *apiserver.Request {
	q := &apiserver.Request{Method: r.Method, Path: r.URL.Path, Query: query(r.URL.RawQuery), Header: map[string]string{}}
	for name, values := range r.Header {
		q.Header[strings.ToLower(name)] = strings.Join(values, ",")
	}
	q.Body = unprotobuf(q.Header, body)
	return q
}

// query keeps the order of the parameters, which url.Values loses.
func query(raw string) []apiserver.Param {
	var params []apiserver.Param
	for _, pair := range strings.Split(raw, "&") {
		if pair == "" || strings.Contains(pair, ";") {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			continue
		}
		if value, err = url.QueryUnescape(value); err != nil {
			continue
		}
		params = append(params, apiserver.Param{Name: name, Value: value})
	}
	return params
}

// send writes an answer, and then the frames of a watch until it ends.
func (h *Handler) send(w http.ResponseWriter, r *http.Request, answer apiserver.Response) {
	header := w.Header()
	// Source: apiserver v0.36 pkg/endpoints/filters cachecontrol.go WithCacheControl.
	header.Set("Cache-Control", "no-cache, private")
	for _, p := range answer.Header {
		header.Add(p.Name, p.Value)
	}
	control := http.NewResponseController(w)
	if answer.Parts != nil {
		w.WriteHeader(answer.Status)
		h.sendParts(w, control, answer.Parts)
		return
	}
	if answer.Watch == nil {
		enough := writeTimeout + time.Second*time.Duration(len(answer.Body)/slowest)
		_ = control.SetWriteDeadline(time.Now().Add(enough)) // a recorder in a test has none
		w.WriteHeader(answer.Status)
		_, _ = w.Write(answer.Body) // the client has gone: nothing to tell it
		return
	}
	// A server's own timeouts are not for watches; each write has its own.
	if err := control.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return
	}
	w.WriteHeader(answer.Status)
	h.stream(w, r, control, answer.Watch)
	h.memory.used(watchBytes)
}

// sendParts writes a long body as it is made, each part with a deadline of its own.
func (h *Handler) sendParts(w io.Writer, control *http.ResponseController, parts iter.Seq[[]byte]) {
	for part := range parts {
		_ = control.SetWriteDeadline(time.Now().Add(writeTimeout)) // a recorder in a test has none
		if _, err := w.Write(part); err != nil {
			return // the client has gone, or reads nothing
		}
		h.memory.used(int64(len(part)))
	}
}

// stream polls a watch after every write and whenever it asks to be.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, control *http.ResponseController, watch *apiserver.Watch) {
	for {
		h.mu.Lock()
		frames, ended := h.backend.Poll(h.clock.Now(), watch)
		due := h.backend.NextDeadline(watch)
		changed := h.changed
		h.mu.Unlock()
		_ = control.SetWriteDeadline(time.Now().Add(h.patience(watch))) // a recorder in a test has none
		for _, frame := range frames {
			if _, err := w.Write(frame); err != nil {
				return
			}
		}
		if err := control.Flush(); err != nil || ended {
			return
		}
		if !h.pause(r, changed, due) {
			return
		}
	}
}

// patience is how long a watch's client may take to read: not much longer than the watch has left, so that one that does
// not read ends at its time, too.
func (h *Handler) patience(watch *apiserver.Watch) time.Duration {
	end := watch.End()
	if end.IsZero() {
		return writeTimeout
	}
	return min(writeTimeout, max(0, end.Sub(h.clock.Now()))+time.Second)
}

// pause waits until a watch has something to say; false when the client or the server went away.
func (h *Handler) pause(r *http.Request, changed <-chan struct{}, due time.Time) bool {
	var ticks <-chan time.Time
	if left := due.Sub(h.clock.Now()); left > 0 {
		timer := h.clock.Timer(left)
		defer timer.Stop()
		ticks = timer.C
	} else { // the zero instant, too: there is more to be told at once
		ticks = overdue
	}
	select {
	case <-changed:
	case <-ticks:
	case <-r.Context().Done():
		return false
	case <-h.closing:
		return false
	}
	return true
}

// overdue is what a timer is that has run out.
var overdue = func() <-chan time.Time {
	closed := make(chan time.Time)
	close(closed)
	return closed
}()
