package serve

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// Backend answers requests: an API server, or a running simulation.
type Backend interface {
	Handle(now time.Time, r *apiserver.Request) apiserver.Response
	Look(now time.Time, w *apiserver.Watch)
	Revision() int64
}

// maxBodyBytes is one byte more than the server accepts, so that the server itself refuses a longer body.
const maxBodyBytes = 3<<20 + 1

// writeTimeout is how long one write to a client may take. `slowest` is how many bytes per second a client must read
// from a long answer.
const (
	writeTimeout = 30 * time.Second
	slowest      = 1 << 20
)

// Handler serves a Backend over HTTP. The mutex mu guards the backend, revision and changed; the mutex encoding guards
// frames. The field memory has its own lock.
type Handler struct {
	clock clock.Clock
	flow  flow

	mu       timedLock
	backend  Backend
	revision int64
	changed  chan struct{} // closed at the next write; nil if nobody waits for it

	encoding sync.Mutex
	frames   apiserver.SharedFrames

	close   sync.Once
	closing chan struct{}
	memory  memory

	journal  Journal // nil if objects end with the process
	recorded *apiserver.Server
}

// New returns a handler that reads time from c: clock.New() in production, a clock.Mock in tests.
func New(backend Backend, c clock.Clock) *Handler {
	return &Handler{
		clock: c, flow: newFlow(), backend: backend, revision: backend.Revision(), closing: make(chan struct{}),
		memory: memory{clock: c, release: release},
	}
}

// Close ends all watches, so that a server can shut down. It does not wait for requests.
func (h *Handler) Close() { h.close.Do(func() { close(h.closing) }) }

// WithLock runs f while no request uses the backend, and wakes the watches if f wrote.
func (h *Handler) WithLock(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
	h.wake()
}

// `wake` wakes the waiting watches and requests if the backend has a new revision. The caller holds the lock.
func (h *Handler) wake() {
	if now := h.backend.Revision(); now != h.revision {
		h.record(h.revision, now)
		h.revision = now
		if h.changed != nil {
			close(h.changed)
			h.changed = nil
		}
	}
}

// nextWrite returns a channel that the next write closes. The caller holds the lock. That wakes any number of watches
// at once. As long as nobody waits, the handler has no channel.
func (h *Handler) nextWrite() <-chan struct{} {
	if h.changed == nil {
		h.changed = make(chan struct{})
	}
	return h.changed
}

// Run advances a backend that is a Simulation and wakes its watches, until ctx ends. For other backends it returns at
// once.
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
			h.WithLock(s.Advance)
		case <-ctx.Done():
			return
		}
	}
}

// Handle answers a request without a network. It does not wait for a future revision.
func (h *Handler) Handle(r *apiserver.Request) apiserver.Response {
	answer, _ := h.handle(context.Background(), r)
	return answer
}

// `handle` answers one request or, if the request has to wait, returns a channel that the next write closes. If the
// client disconnected while the request waited for the lock, `handle` does not start the request. So if a client sends
// a thousand expensive requests and disconnects, the server handles only one of them.
func (h *Handler) handle(ctx context.Context, r *apiserver.Request) (apiserver.Response, <-chan struct{}) {
	heavy := isHeavy(r)
	answer, changed := h.turn(ctx, heavy, func() apiserver.Response { return h.backend.Handle(h.clock.Now(), r) })
	for answer.Resume != nil {
		if answer.Free {
			answer = h.freeTurn(ctx, answer.Resume)
		} else {
			answer, changed = h.turn(ctx, heavy, answer.Resume)
		}
	}
	return answer, changed
}

// `turn` runs one step of a request while no other request uses the backend. A long answer takes several turns
// (Resume), so that a list of 10,000 objects does not block all other requests.
func (h *Handler) turn(ctx context.Context, isHeavy bool, step func() apiserver.Response) (apiserver.Response,
	<-chan struct{}) {
	if isHeavy {
		if !h.flow.turns.wait(ctx) {
			return nobody, nil
		}
		defer h.flow.turns.leave()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil {
		return nobody, nil
	}
	answer := step()
	h.wake()
	if answer.Hold == nil {
		return answer, nil
	}
	return answer, h.nextWrite()
}

// nobody answers a client that has disconnected.
var nobody = apiserver.Response{Status: http.StatusServiceUnavailable}

// freeTurn runs one step of a request that needs no lock.
func (h *Handler) freeTurn(ctx context.Context, step func() apiserver.Response) apiserver.Response {
	if !h.flow.turns.wait(ctx) {
		return nobody
	}
	defer h.flow.turns.leave()
	return step()
}

// ServeHTTP answers a request. If a request is about a revision that the server has not reached yet, the backend's
// answer says Hold. Then ServeHTTP runs the request again after each write until it has an answer or its time is over.
// A request waits for the journal even if it only reads, because it may have read a write that the journal does not
// have yet.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, lane, err := h.admit(r)
	defer lane.leave()
	switch {
	case err != nil:
		http.Error(w, "cannot read the request body", http.StatusBadRequest)
		return
	case q == nil:
		refuseBusy(w)
		return
	}
	answer, changed := h.handle(r.Context(), q)
	if answer.Hold != nil {
		deadline, timer := h.clock.Now().Add(answer.Hold.For), dueTimer{clock: h.clock}
		defer timer.stop()
		for answer.Hold != nil && h.clock.Now().Before(deadline) && h.pause(r, changed, timer.at(deadline)) {
			answer, changed = h.handle(r.Context(), q)
		}
	}
	if err := h.awaitJournal(); err != nil {
		answerLost(w, err)
		return
	}
	h.send(w, r, answer)
	h.memory.noteUse(int64(len(q.Body)) + int64(len(answer.Body)))
}

// admit reads a request and takes a place in its lane, which the caller leaves. The request is nil if the lane is full.
// A small body needs no place while it arrives, so that a slow client cannot keep places from others.
func (h *Handler) admit(r *http.Request) (*apiserver.Request, lane, error) {
	q := incoming.Head(r)
	lane := h.flow.laneOf(q, r.ContentLength)
	isSmall := r.ContentLength >= 0 && r.ContentLength <= smallBody
	var body []byte
	var err error
	if isSmall {
		if body, err = readBody(r); err != nil {
			return nil, nil, err
		}
	}
	if !lane.enter(r.Context(), h.flow.patience) {
		return nil, nil, nil
	}
	if !isSmall {
		body, err = readBody(r)
	}
	incoming.SetBody(q, body)
	return q, lane, err
}

// `send` writes an answer, and the frames of a watch until the watch ends.
func (h *Handler) send(w http.ResponseWriter, r *http.Request, answer apiserver.Response) {
	header := w.Header()
	// Source: apiserver v0.36 pkg/endpoints/filters cachecontrol.go WithCacheControl.
	header.Set("Cache-Control", "no-cache, private")
	for _, p := range answer.Header {
		if p.Name == "cache-control" {
			header.Del(p.Name) // the answer's own value replaces the usual one
		}
		if p.Value != "" {
			header.Add(p.Name, p.Value)
		}
	}
	control := http.NewResponseController(w)
	if answer.Parts != nil {
		w.WriteHeader(answer.Status)
		h.sendParts(r.Context(), w, control, answer.Parts)
		return
	}
	if answer.Watch == nil {
		enough := writeTimeout + time.Second*time.Duration(len(answer.Body)/slowest)
		_ = control.SetWriteDeadline(time.Now().Add(enough)) // an httptest recorder has no deadline
		w.WriteHeader(answer.Status)
		_, _ = w.Write(answer.Body) // the client is gone
		return
	}
	// The timeouts of http.Server are wrong for watches, so each write of a frame sets its own deadline.
	if err := control.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return
	}
	w.WriteHeader(answer.Status)
	h.stream(w, r, control, answer.Watch)
	h.memory.noteUse(watchBytes)
}

// sendParts writes a long body part by part, each with its own deadline. It encodes each part in a turn, and gives up
// the turn while the client reads.
func (h *Handler) sendParts(ctx context.Context, w io.Writer, control *http.ResponseController,
	parts iter.Seq[[]byte]) {
	holds := h.flow.turns.wait(ctx)
	defer func() {
		if holds {
			h.flow.turns.leave()
		}
	}()
	if !holds {
		return
	}
	for part := range parts {
		h.flow.turns.leave()
		holds = false
		_ = control.SetWriteDeadline(time.Now().Add(writeTimeout)) // an httptest recorder has no deadline
		if _, err := w.Write(part); err != nil {
			return // the client is gone or has stopped reading
		}
		h.memory.noteUse(int64(len(part)))
		if holds = h.flow.turns.wait(ctx); !holds {
			return
		}
	}
}

// frameBytes is about how many bytes of frames a watch gets at once. A watch whose client does not read keeps them.
const frameBytes = 32 << 10

// polled is what a watch has to send now, the time when it has more to send, and a channel that the next write closes.
type polled struct {
	frames  [][]byte
	ended   bool
	due     time.Time
	changed <-chan struct{}
}

// poll polls a watch when it has a turn. It returns false if the client disconnects first. It looks at the backend and
// gets the channel under one lock, so it cannot miss a write in between; it encodes without that lock.
func (h *Handler) poll(ctx context.Context, watch *apiserver.Watch) (p polled, ok bool) {
	if !h.flow.turns.wait(ctx) {
		return p, false
	}
	defer h.flow.turns.leave()
	p.changed = h.look(watch)
	h.encoding.Lock()
	defer h.encoding.Unlock()
	p.frames, p.ended = watch.Frames(&h.frames, frameBytes)
	p.due = watch.Due()
	return p, true
}

func (h *Handler) look(watch *apiserver.Watch) (changed <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.backend.Look(h.clock.Now(), watch)
	return h.nextWrite()
}

// stream polls a watch after every write and at its due time. It changes the write deadline only if the difference is
// large.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, control *http.ResponseController,
	watch *apiserver.Watch) {
	timer := dueTimer{clock: h.clock}
	defer timer.stop()
	for until := (time.Time{}); ; {
		p, ok := h.poll(r.Context(), watch)
		if !ok {
			return
		}
		if len(p.frames) > 0 && h.awaitJournal() != nil {
			return // the server ends
		}
		if next := time.Now().Add(h.patience(watch)); next.Before(until) || next.Sub(until) > writeTimeout/8 {
			until = next
			_ = control.SetWriteDeadline(until) // an httptest recorder has no deadline
		}
		for _, frame := range p.frames {
			if _, err := w.Write(frame); err != nil {
				return
			}
		}
		if err := control.Flush(); err != nil || p.ended {
			return
		}
		p.frames = nil // a watch may wait for hours
		if !h.pause(r, p.changed, timer.at(p.due)) {
			return
		}
	}
}

// patience returns how long a watch's client may take to read a frame: at most until a second after the end of the
// watch, so that a watch ends on time even if its client does not read.
func (h *Handler) patience(watch *apiserver.Watch) time.Duration {
	end := watch.End()
	if end.IsZero() {
		return writeTimeout
	}
	return min(writeTimeout, max(0, end.Sub(h.clock.Now()))+time.Second)
}

// `pause` waits for a write or an instant. It returns false if the client disconnects or the server closes.
func (h *Handler) pause(r *http.Request, changed <-chan struct{}, ticks <-chan time.Time) bool {
	select {
	case <-changed:
		return true
	case <-ticks:
		return true
	case <-r.Context().Done():
	case <-h.closing:
	}
	return false
}

// dueTimer is the timer of a request that waits. Its instant seldom changes between two writes.
type dueTimer struct {
	clock clock.Clock
	due   time.Time
	timer *clock.Timer
}

// `at` returns a channel that fires at an instant.
func (t *dueTimer) at(due time.Time) <-chan time.Time {
	left := due.Sub(t.clock.Now())
	if left <= 0 { // also for the zero time: the watch has more frames to send now
		return overdue
	}
	if t.timer == nil || !due.Equal(t.due) {
		t.stop()
		t.due, t.timer = due, t.clock.Timer(left)
	}
	return t.timer.C
}

func (t *dueTimer) stop() {
	if t.timer != nil {
		t.timer.Stop()
	}
}

// overdue is a channel that behaves as if its timer had already fired.
var overdue = func() <-chan time.Time {
	closed := make(chan time.Time)
	close(closed)
	return closed
}()
