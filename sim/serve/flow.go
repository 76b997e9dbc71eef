package serve

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
)

// flow keeps clients that want too much from delaying the others.
//
// A lane limits how many requests of one kind run at once. The others wait a second for room, and then get 429. So even
// a client that ignores Retry-After asks only once per second. Health checks and watches have no lane. Renewals of
// Leases have their own, so that electors keep their Leases beside any number of other clients.
//
// Among the admitted requests, expensive work waits for a turn: a large write, a part of a long list, the frames of a
// watch. Only a few run at once, so a renewal finds a processor and waits for the handler's lock behind few others.
//
// Source: apiserver v0.36 pkg/server/filters maxinflight.go; kubernetes v1.36 pkg/apis/flowcontrol/bootstrap
// default.go, whose level leader-election is the lane of the renewals, and whose level exempt has the health checks.
type flow struct {
	reads, writes, large, renewals lane
	turns                          lane
	patience                       time.Duration // how long a request waits for room in its lane
}

// The limits for reads and writes are kube-apiserver's. A large body costs up to 40 MiB while it is decoded, so
// few of these run at once.
func newFlow() flow {
	processors := runtime.GOMAXPROCS(0)
	return flow{reads: make(lane, 400), writes: make(lane, 200), renewals: make(lane, 100),
		large: make(lane, 4*processors), turns: make(lane, max(1, processors/2)), patience: time.Second}
}

// lane has room for as many requests as the channel for values. A nil lane has room for any number.
type lane chan struct{}

// enter takes a place. It returns false if none becomes free in time.
func (l lane) enter(ctx context.Context, patience time.Duration) bool {
	if l == nil {
		return true
	}
	select {
	case l <- struct{}{}:
		return true
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return l.wait(ctx)
}

// wait takes a place as soon as one is free. It returns false if the context ends first.
func (l lane) wait(ctx context.Context) bool {
	select {
	case l <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (l lane) leave() {
	if l != nil {
		<-l
	}
}

// smallBody is the length of a body that the server reads before it looks for room. A renewal takes about 500 bytes.
const smallBody = 64 << 10

// laneOf returns the lane of a request whose body has a length; -1 means an unknown one.
func (f *flow) laneOf(q *apiserver.Request, length int64) lane {
	a := q.Attributes()
	small := length >= 0 && length <= smallBody
	switch {
	case a.Verb == "watch", apiserver.IsHealthPath(a.Path):
		return nil
	case !small:
		return f.large
	case a.Group == coordination.Group && a.Resource == "leases" && a.Subresource == "" &&
		(a.Verb == "get" || a.Verb == "create" || a.Verb == "update"):
		return f.renewals
	case q.Method == http.MethodGet, q.Method == http.MethodHead, q.Method == http.MethodOptions:
		return f.reads
	}
	return f.writes
}

// isHeavy reports whether a request may hold the lock for more than a moment.
func isHeavy(q *apiserver.Request) bool {
	return len(q.Body) > smallBody || q.Method == http.MethodPatch || q.Method == http.MethodDelete
}

// refuseBusy answers a request that finds its lane full.
func refuseBusy(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "1")
	http.Error(w, "Too many requests, please try again later.", http.StatusTooManyRequests)
}

// readBody reads the body of a request, but no more than the server needs to refuse it.
func readBody(r *http.Request) ([]byte, error) {
	if r.ContentLength < 0 || r.ContentLength > smallBody {
		return io.ReadAll(io.LimitReader(r.Body, maxBodyBytes))
	}
	body := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, body)
	return body, err
}

// timedLock is a mutex that tells a test how long each owner held it.
type timedLock struct {
	sync.Mutex
	since time.Time
	held  func(time.Duration) // nil outside of tests
}

func (l *timedLock) Lock() {
	l.Mutex.Lock()
	if l.held != nil {
		l.since = time.Now()
	}
}

func (l *timedLock) Unlock() {
	if l.held != nil {
		l.held(time.Since(l.since))
	}
	l.Mutex.Unlock()
}
