package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// FuzzRequest parses any bytes as an HTTP request. If net/http accepts it, core parses its target as net/http does, and
// there is an answer. The client has disconnected, so that watches end.
func FuzzRequest(f *testing.F) {
	const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	for _, seed := range []string{
		"GET " + leases + " HTTP/1.1\nHost: 127.0.0.1:8001\n\n", "GET " + leases + "?watch=1&timeoutSeconds=3 HTTP/1.1\nHost: localhost\nAccept: application/json;stream=watch\n\n",
		"POST " + leases + "?dryRun=All HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 27\n\n{\"metadata\":{\"name\":\"n\"}}  ", "HEAD /livez HTTP/1.0\n\n",
		"GET " + leases + "?a=%zz&b=%41+c;d&&=e&labelSelector=a+in+(b) HTTP/1.1\nHost: [::1]:80\n\n", "OPTIONS * HTTP/1.1\nHost: x\n\n", "GET //x HTTP/1.1\nHost: x\n\n", "GET http://evil/livez HTTP/1.1\nHost: x\n\n",
		"CONNECT x:443 HTTP/1.1\nHost: x\n\n", "GET /%2e%2e/%00 HTTP/1.1\nHost: x\nOrigin: null\nSec-Fetch-Site: cross-site\n\n", "PATCH " + leases + "/n HTTP/1.1\nHost: x\nContent-Type: application/merge-patch+json\nTransfer-Encoding: chunked\n\n2\n{}\n0\n\n",
		"GET " + leases + "?resourceVersion=99 HTTP/1.1\nHost: x\nAuthorization: Bearer x\nAuthorization: y\n\n", "POST " + leases + " HTTP/1.1\nHost: x\nContent-Type: application/vnd.kubernetes.protobuf\nContent-Length: 4\n\nk8s\x00",
		"GET " + leases + "?" + bounded.Chain + "a" + bounded.Index + "=%41&" + bounded.End + " HTTP/1.1\nHost: x\n\n", "GET / HTTP/1.1\nHost: x\n" + bounded.Chain + "H" + bounded.Index + ": v\n" + bounded.End + "\n",
		"GET / HTTP/1.1\nHost: x\n" + bounded.Chain + "Accept: a/" + bounded.Index + "\n" + bounded.End + "\n",
	} {
		f.Add([]byte(seed))
	}
	cost := bounded.Limit{Fixed: 8 << 20, PerByte: 300}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bounded.Repeats(string(data)) && !testing.Short() {
			bounded.Growth(t, 128, 1024, func(n int) func() {
				r, body, err := readRequest(bounded.Repeat(string(data), n))
				if err != nil {
					return func() {}
				}
				return func() { handleSmall(incoming.Request(r, body)) }
			})
		}
		whole := bounded.Repeat(string(data), 3)
		cost.Do(t, len(whole), func() {
			r, body, err := readRequest(whole)
			if err != nil {
				return
			}
			q := incoming.Request(r, body)
			if strings.HasPrefix(r.RequestURI, "/") && !strings.HasPrefix(r.RequestURI, "//") {
				path, params, ok := apiserver.ParseTarget(r.RequestURI)
				require.True(t, ok, "%q", r.RequestURI)
				require.Equal(t, path, q.Path)
				require.Equal(t, params, q.Query)
			}
			gone, leave := context.WithCancel(context.Background())
			leave()
			w := httptest.NewRecorder()
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			New(small(), clock.NewMock()).ServeHTTP(w, r.WithContext(gone))
			require.True(t, w.Code >= 200 && w.Code < 600, "status %d", w.Code)
			if w.Header().Get("Content-Type") == "application/json" && w.Body.Len() > 0 && !q.Watches() {
				require.True(t, json.Valid(w.Body.Bytes()), "%s", w.Body)
			}
		})
	})
}

// readRequest parses a request as a server of net/http does; a carriage return before the line feed is optional.
func readRequest(text string) (*http.Request, []byte, error) {
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		return nil, nil, err
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBodyBytes))
	return r, body, err
}

// small returns a server with one namespace.
func small() *apiserver.Server {
	server := apiserver.New(apiserver.Config{Seed: 1})
	if err := server.Load(time.Unix(0, 0), []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"}}`)); err != nil {
		panic(err)
	}
	return server
}

func handleSmall(q *apiserver.Request) { small().Handle(time.Unix(0, 0), q) }
