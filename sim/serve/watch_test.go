package serve_test

import (
	"bufio"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
)

// many is more than one poll sends.
const many = 3000

// serveManyLeases serves many Leases. Only the test writes after that.
func serveManyLeases(t *testing.T, c clock.Clock) (server *apiserver.Server, url string) {
	t.Helper()
	server = fresh(t, c)
	for i := range many {
		r := &apiserver.Request{
			Method: "POST", Path: path, Header: map[string]string{"content-type": "application/json"},
			Body: fmt.Appendf(nil, `{"metadata":{"name":"l%04d"}}`, i),
		}
		require.Equal(t, 201, server.Handle(c.Now(), r).Status)
	}
	_, s := startServer(t, server, c)
	return server, s.URL + path
}

// countInitialFrames counts the initial frames of one type.
func countInitialFrames(t *testing.T, lines *bufio.Scanner, kind string) {
	t.Helper()
	for i := range many {
		got, name, _ := frame(t, lines)
		require.Equal(t, kind, got)
		require.Equal(t, fmt.Sprintf("l%04d", i), name)
	}
}

// stepping is a clock that the test moves to the next time that the handler waits for.
type stepping struct {
	*clock.Mock
	waits chan time.Duration
}

func newStepping() *stepping { return &stepping{clock.NewMock(), make(chan time.Duration, 1)} }

func (s *stepping) Timer(d time.Duration) *clock.Timer {
	timer := s.Mock.Timer(d)
	s.waits <- d
	return timer
}

// lasts moves the clock from wait to wait until a watch ends, and returns how long that took.
func (s *stepping) lasts(t *testing.T, lines *bufio.Scanner) time.Duration {
	t.Helper()
	begun, ended := s.Now(), make(chan bool, 1)
	go func() { ended <- lines.Scan() }()
	for {
		select {
		case more := <-ended:
			require.False(t, more, "%s", lines.Text())
			return s.Now().Sub(begun)
		case d := <-s.waits:
			s.Add(d)
		}
	}
}

// A watch with more frames than one poll sends delivers all of them at once without a write, and ends at its timeout.
func TestWatchOfManyOnAQuietServer(t *testing.T) {
	for name, query := range map[string]string{
		"initial objects": "?watch=1&timeoutSeconds=30",
		"events behind":   "?watch=1&timeoutSeconds=30&resourceVersion=%d",
		"a watch as a list": "?watch=1&timeoutSeconds=30&sendInitialEvents=true&allowWatchBookmarks=true" +
			"&resourceVersionMatch=NotOlderThan",
	} {
		t.Run(name, func(t *testing.T) {
			steps := newStepping()
			server, url := serveManyLeases(t, steps)
			if name == "events behind" {
				query = fmt.Sprintf(query, server.Revision()-many)
			}
			lines, _ := watching(t, url+query)
			countInitialFrames(t, lines, "ADDED")
			if name == "a watch as a list" {
				kind, _, revision := frame(t, lines)
				assert.Equal(t, "BOOKMARK", kind)
				assert.Contains(t, lines.Text(), `"k8s.io/initial-events-end":"true"`)
				assert.Equal(t, fmt.Sprint(server.Revision()), revision)
			}
			assert.InDelta(t, 30, steps.lasts(t, lines).Seconds(), 1)
		})
	}
}

// reader is a client's connection that records the deadline of each write.
type reader struct {
	*httptest.ResponseRecorder
	given []time.Duration
}

func (r *reader) SetWriteDeadline(at time.Time) error {
	r.given = append(r.given, time.Until(at))
	return nil
}

func (r *reader) SetReadDeadline(time.Time) error { return nil }

// A client must read every answer within a deadline, which is later for a long answer; a watch that is not read ends at
// its timeout.
func TestClientsThatDoNotRead(t *testing.T) {
	mock := clock.NewMock()
	h := serve.New(long{bytes: 100 << 20}, mock)
	deadlines := func(target string) []time.Duration {
		r := &reader{ResponseRecorder: httptest.NewRecorder()}
		h.ServeHTTP(r, httptest.NewRequest("GET", target, nil))
		return r.given
	}
	list := deadlines(path)
	require.Len(t, list, 1)
	assert.InDelta(t, (130 * time.Second).Seconds(), list[0].Seconds(), 5)

	h = serve.New(fresh(t, mock), mock)
	h.Close() // the watches end once they have sent what is due
	assert.InDelta(t, 4, deadlines(path + "?watch=1&timeoutSeconds=3")[0].Seconds(), 1)
	assert.InDelta(t, 30, deadlines(path + "?watch=1")[0].Seconds(), 1)
	for _, target := range []string{path, path + "/none", "/livez"} {
		assert.Len(t, deadlines(target), 1, target)
	}
}

// long is a backend with a long answer to everything.
type long struct {
	serve.Backend
	bytes int
}

func (long) Revision() int64 { return 0 }

func (l long) Handle(time.Time, *apiserver.Request) apiserver.Response {
	return apiserver.Response{Status: 200, Body: make([]byte, l.bytes)}
}
