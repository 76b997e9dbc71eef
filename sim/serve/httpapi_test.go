package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/serve"
)

const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

// startServer returns a server on the test's clock.
func startServer(t testing.TB, backend serve.Backend, c clock.Clock) (*serve.Handler, *httptest.Server) {
	t.Helper()
	h := serve.New(backend, c)
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Close()
		s.Close()
	})
	return h, s
}

func fresh(t testing.TB, c clock.Clock) *apiserver.Server {
	t.Helper()
	server := apiserver.New(apiserver.Config{Coordinated: true, Versions: []string{"v1beta1", "v1alpha2"}, Seed: 1, InParts: true})
	require.NoError(t, serve.Prepare(server, c.Now(), ""))
	return server
}

func ask(t testing.TB, method, url, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	if method == "PATCH" {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(text)
}

// watching opens a watch and returns its lines.
func watching(t testing.TB, url string) (*bufio.Scanner, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { answer.Body.Close() })
	require.Equal(t, 200, answer.StatusCode)
	return bufio.NewScanner(answer.Body), cancel
}

func frame(t testing.TB, lines *bufio.Scanner) (kind, name, revision string) {
	t.Helper()
	require.True(t, lines.Scan(), "the watch ended")
	var f struct {
		Type   string
		Object struct {
			Metadata struct{ Name, ResourceVersion string }
		}
	}
	require.NoError(t, json.Unmarshal(lines.Bytes(), &f))
	return f.Type, f.Object.Metadata.Name, f.Object.Metadata.ResourceVersion
}

// A watch reports the writes made while it is open, and ends at its timeout by the server's clock.
func TestWatchStreams(t *testing.T) {
	mock := clock.NewMock()
	mock.Set(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	_, s := startServer(t, fresh(t, mock), mock)
	lines, _ := watching(t, s.URL+path+"?watch=1&timeoutSeconds=30")
	for i := range 3 {
		code, body := ask(t, "POST", s.URL+path, fmt.Sprintf(`{"metadata":{"name":"l%d"}}`, i))
		require.Equal(t, 201, code, body)
		kind, name, _ := frame(t, lines)
		assert.Equal(t, "ADDED", kind)
		assert.Equal(t, fmt.Sprint("l", i), name)
	}
	ended := make(chan bool)
	go func() { ended <- lines.Scan() }()
	for open := true; open; {
		select {
		case more := <-ended:
			assert.False(t, more, "%s", lines.Text())
			open = false
		default:
			mock.Add(time.Second)
		}
	}
	assert.False(t, mock.Now().Before(time.Date(2026, 1, 1, 0, 0, 30, 0, time.UTC)), "not before its timeout")
}

func TestAnswersAreNotForCaches(t *testing.T) {
	mock := clock.NewMock()
	_, s := startServer(t, fresh(t, mock), mock)
	for _, target := range []string{path, path + "/none", "/nosuch", "/livez"} {
		answer, err := http.Get(s.URL + target)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, []string{"no-cache, private"}, answer.Header["Cache-Control"], target)
	}
}

// A list at a future revision waits for it, at most three seconds.
func TestFutureRevision(t *testing.T) {
	mock := clock.NewMock()
	server := fresh(t, mock)
	_, s := startServer(t, server, mock)
	future := server.Revision() + 1
	got := make(chan string)
	go func() {
		code, body := ask(t, "GET", s.URL+path+fmt.Sprint("?resourceVersion=", future), "")
		got <- fmt.Sprint(code, body)
	}()
	code, _ := ask(t, "POST", s.URL+path, `{"metadata":{"name":"x"}}`)
	require.Equal(t, 201, code)
	assert.Contains(t, <-got, `200{"kind":"LeaseList"`)

	go func() {
		code, body := ask(t, "GET", s.URL+path+fmt.Sprint("?resourceVersion=", future+5), "")
		got <- fmt.Sprint(code, body)
	}()
	for {
		select {
		case answer := <-got:
			assert.Contains(t, answer, "504")
			assert.Contains(t, answer, "Too large resource version")
			return
		default:
			mock.Add(100 * time.Millisecond)
		}
	}
}

// A watcher that reads nothing, or has disconnected, delays no writer.
func TestSlowWatchersDoNotBlock(t *testing.T) {
	_, s := startServer(t, fresh(t, clock.New()), clock.New())
	code, _ := ask(t, "POST", s.URL+path, `{"metadata":{"name":"x"}}`)
	require.Equal(t, 201, code)
	for i := range 20 {
		if _, leave := watching(t, s.URL+path+"?watch=1"); i%2 == 0 {
			leave()
		}
	}
	note := strings.Repeat("n", 20_000)
	for i := range 300 { // more than the sockets buffer
		code, body := ask(t, "PATCH", s.URL+path+"/x", fmt.Sprintf(`{"metadata":{"annotations":{"n":"%s%d"}}}`, note, i))
		require.Equal(t, 200, code, body)
	}
}

// Every watch of hundreds gets every event, in order, while some clients do not read and others leave.
func TestManyWatches(t *testing.T) {
	server := fresh(t, clock.New())
	_, s := startServer(t, server, clock.New())
	_, _ = ask(t, "POST", s.URL+path, `{"metadata":{"name":"x"}}`)
	const watches, writes = 200, 40
	var all sync.WaitGroup
	for i := range watches {
		lines, leave := watching(t, s.URL+path+"?watch=1&resourceVersion="+fmt.Sprint(server.Revision()))
		switch i % 10 {
		case 0: // it never reads
		case 1:
			leave()
		default:
			all.Go(func() {
				for n := range writes {
					if !lines.Scan() || !assert.Contains(t, lines.Text(), fmt.Sprintf(`"holderIdentity":"h%d"`, n)) {
						return
					}
				}
			})
		}
	}
	for n := range writes {
		code, text := ask(t, "PATCH", s.URL+path+"/x", fmt.Sprintf(`{"spec":{"holderIdentity":"h%d"}}`, n))
		require.Equal(t, 200, code, text)
	}
	all.Wait()
}

// The server refuses a long body by its length, and watches end when the server closes.
func TestLimitsAndShutdown(t *testing.T) {
	h, s := startServer(t, fresh(t, clock.New()), clock.New())
	code, body := ask(t, "POST", s.URL+path, `{"metadata":{"name":"x","annotations":{"k":"`+strings.Repeat("x", 3<<20)+`"}}}`)
	assert.Equal(t, 413, code)
	assert.Contains(t, body, "limit is 3145728")
	lines, _ := watching(t, s.URL+path+"?watch=1")
	h.Close()
	assert.False(t, lines.Scan())
}

// A fixture may be YAML documents, a List or a JSON array; the server stores its objects unchanged.
func TestFixture(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fixture.yaml")
	require.NoError(t, os.WriteFile(name, []byte(`apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: kept, namespace: ns-keep}
spec: {holderIdentity: p, strategy: OldestEmulationVersion, preferredHolder: p}
---
kind: List
apiVersion: v1
items:
- {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: parked, namespace: kube-system}, spec: {holderIdentity: parked}}
`), 0o600))
	server := apiserver.New(apiserver.Config{Seed: 1})
	require.NoError(t, serve.Prepare(server, time.Now(), name))
	_, s := startServer(t, server, clock.New())
	code, body := ask(t, "GET", s.URL+"/apis/coordination.k8s.io/v1/namespaces/ns-keep/leases/kept", "")
	assert.Equal(t, 200, code)
	assert.Contains(t, body, `"preferredHolder":"p"`, "even with the gate off")
	_, body = ask(t, "GET", s.URL+"/apis/coordination.k8s.io/v1/leases", "")
	assert.Contains(t, body, `"parked"`)

	require.NoError(t, os.WriteFile(name, []byte(`{"kind":"Pod","apiVersion":"v1"}`), 0o600))
	assert.ErrorContains(t, serve.Prepare(apiserver.New(apiserver.Config{}), time.Now(), name), `object 1: unknown kind "Pod"`)
}

// Clients watch and write a running simulation like a cluster, and its candidates see the writes.
func TestServingASimulation(t *testing.T) {
	crash, found := shipped.ByName("a-leader-dies")
	require.True(t, found)
	mock := clock.NewMock()
	sim := serve.NewSimulation(compile.Scenario(crash), mock, 1_000_000, 0)
	h, s := startServer(t, sim, mock)
	forward := func(seconds int) {
		for range seconds * 10 { // no more than the pacer counts
			mock.Add(100 * time.Millisecond)
			h.WithLock(sim.Advance)
		}
	}
	forward(10)
	_, body := ask(t, "GET", s.URL+path, "")
	assert.Contains(t, body, `"holderIdentity":"a"`)
	lines, _ := watching(t, s.URL+path+"?watch=1")
	kind, name, before := frame(t, lines)
	assert.Equal(t, "ADDED", kind)
	code, body := ask(t, "PATCH", s.URL+path+"/"+name, `{"spec":{"holderIdentity":""}}`)
	require.Equal(t, 200, code, body)
	kind, _, after := frame(t, lines)
	assert.Equal(t, "MODIFIED", kind)
	assert.NotEqual(t, before, after)
	forward(40)
	_, body = ask(t, "GET", s.URL+path, "")
	assert.NotContains(t, body, `"holderIdentity":""`, "a candidate acquired it")
}
