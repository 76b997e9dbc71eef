package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/exchange"
)

// overHTTP replays recorded exchanges against a served API. The mock clock advances while the test waits for a watch.
type overHTTP struct {
	t       testing.TB
	fixture *exchange.Fixture
	clock   *clock.Mock
	handler *serve.Handler
	server  *httptest.Server
	client  *http.Client
}

func newOverHTTP(t testing.TB, c *exchange.Case) *overHTTP {
	mock := clock.NewMock()
	mock.Set(exchange.Began)
	config := exchange.Config(c.Server)
	serve.Native(&config)
	fixture := exchange.NewFixture(c, config)
	o := &overHTTP{t: t, fixture: fixture, clock: mock, handler: serve.New(fixture.Server, mock), client: &http.Client{Transport: &http.Transport{DisableCompression: true}}}
	o.server = httptest.NewServer(o.handler)
	t.Cleanup(func() {
		o.handler.Close()
		o.client.CloseIdleConnections()
		o.server.Close()
	})
	return o
}

// Before does the recorder's manual step.
func (o *overHTTP) Before(c *exchange.Case, step int) {
	o.handler.WithLock(func() { o.fixture.Before(o.clock.Now(), step) })
}

func (o *overHTTP) Send(step *exchange.Step, query [][2]string, path, body string) exchange.Answer {
	o.clock.Add(20 * time.Millisecond)
	var raw []string
	for _, q := range query {
		raw = append(raw, url.QueryEscape(q[0])+"="+url.QueryEscape(q[1]))
	}
	target := o.server.URL + path
	if len(raw) > 0 {
		target += "?" + strings.Join(raw, "&")
	}
	r, err := http.NewRequest(step.Method, target, strings.NewReader(o.fixture.Body(body)))
	require.NoError(o.t, err)
	r.Header.Set("User-Agent", "")
	switch step.Auth {
	case exchange.Admin:
		r.Header.Set("Authorization", "Bearer "+exchange.Token)
	case exchange.Stranger:
		r.Header.Set("Authorization", "Bearer "+exchange.StrangersToken)
	}
	for name, value := range step.Header {
		r.Header.Set(name, value)
	}
	answers := make(chan *http.Response, 1)
	go func() {
		answer, err := o.client.Do(r)
		assert.NoError(o.t, err)
		answers <- answer
	}()
	answer := o.wait(answers)
	a := exchange.Answer{Status: answer.StatusCode, Header: map[string][]string{}}
	for name, values := range answer.Header {
		a.Header[strings.ToLower(name)] = values
	}
	if step.Stream && !step.HasAnswer && answer.StatusCode == 200 { // upstream answers some requests with watch=true whole
		s := &httpStream{o: o, body: answer.Body, frames: make(chan []byte, 1000)}
		go s.read()
		a.Stream = s
		return a
	}
	whole := make(chan []byte, 1)
	go func() {
		data, err := io.ReadAll(answer.Body)
		assert.NoError(o.t, err)
		whole <- data
	}()
	a.Body = o.fixture.Answer(o.waitBody(whole))
	return a
}

// wait advances the mock clock until there is an answer.
func (o *overHTTP) wait(answers <-chan *http.Response) *http.Response {
	for {
		select {
		case a := <-answers:
			require.NotNil(o.t, a)
			return a
		case <-time.After(5 * time.Millisecond): // the network's time, which a mock cannot advance
			o.clock.Add(100 * time.Millisecond)
		}
	}
}

func (o *overHTTP) waitBody(whole <-chan []byte) []byte {
	for {
		select {
		case data := <-whole:
			return data
		case <-time.After(5 * time.Millisecond):
			o.clock.Add(100 * time.Millisecond)
		}
	}
}

type httpStream struct {
	o      *overHTTP
	body   io.ReadCloser
	frames chan []byte
	ended  bool
}

func (s *httpStream) read() {
	defer close(s.frames)
	lines := bufio.NewReader(s.body)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		s.frames <- line
	}
}

// Frames advances the mock clock, by at most two minutes, until the watch has sent the wanted number of frames.
func (s *httpStream) Frames(want int) (frames [][]byte, ended bool) {
	for passed := 0; !s.ended && (len(frames) < want || len(s.frames) > 0) && passed < 1200; {
		select {
		case f, open := <-s.frames:
			if !open {
				s.ended = true
				break
			}
			frames = append(frames, f)
		case <-time.After(2 * time.Millisecond):
			s.o.clock.Add(100 * time.Millisecond)
			passed++
		}
	}
	return frames, s.ended
}

func (s *httpStream) Close() { s.body.Close() }

// The recorded exchanges over HTTP.
func TestRecordedExchangesOverHTTP(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the page has no net/http; the native run replays them over it, and under js core/apiserver answers the same requests")
	}
	cases, err := exchange.Cases()
	require.NoError(t, err)
	steps := 0
	for i := range cases {
		c := &cases[i]
		t.Run(c.File+"/"+c.Name, func(t *testing.T) {
			wrong := exchange.Run(newOverHTTP(t, c), c)
			for _, m := range wrong {
				if _, known := exchange.NotReplayed[exchange.StepName(c, m.Step)]; !known {
					assert.Fail(t, "an answer differs", "step %d: %s %s: %s", m.Step, c.Steps[m.Step].Method, c.Steps[m.Step].Path, m.What)
				}
			}
			steps += len(c.Steps)
		})
	}
	told, err := os.ReadFile("../../web/docs/truth.md")
	require.NoError(t, err)
	says := fmt.Sprintf("%d,%03d of them are replayed over HTTP", steps/1000, steps%1000)
	assert.Contains(t, strings.Join(strings.Fields(string(told)), " "), says)
}

var _ serve.Backend = (*apiserver.Server)(nil)
