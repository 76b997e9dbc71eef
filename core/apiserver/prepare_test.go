package apiserver_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
)

// serverWithLease returns a server with the namespace default and a Lease x.
func serverWithLease(t *testing.T) *apiserver.Server {
	s := apiserver.New(apiserver.Config{Seed: 1, Versions: []string{"v1beta1"}})
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	answer := s.Handle(now, &apiserver.Request{Method: "POST", Path: "/api/v1/namespaces", Body: []byte(`{"metadata":{"name":"default"}}`)})
	require.Equal(t, 201, answer.Status, "%s", answer.Body)
	answer = s.Handle(now, &apiserver.Request{Method: "POST", Path: leasesPath, Body: []byte(`{"metadata":{"name":"x"},"spec":{"holderIdentity":"a"}}`)})
	require.Equal(t, 201, answer.Status, "%s", answer.Body)
	return s
}

// A prepared request gets the answer of the same request without preparation, also if the server handles it twice.
func TestPreparedRequests(t *testing.T) {
	const candidates = "/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates"
	now := time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC)
	for _, r := range []apiserver.Request{
		{Method: "PUT", Path: leasesPath + "/x", Body: []byte(`{"metadata":{"name":"x","resourceVersion":"2"},"spec":{"holderIdentity":"b"}}`)},
		{Method: "PUT", Path: leasesPath + "/x", Body: []byte(`{"kind":"Lease","metadata":{"name":"x","unknown":1},"spec":{"holderIdentity":"b","holderIdentity":"c"}}`)},
		{Method: "PUT", Path: leasesPath + "/x", Body: []byte(`{"kind":"Pod","metadata":{"name":"x"}}`)},
		{Method: "PUT", Path: leasesPath + "/x", Body: []byte(`{"apiVersion":"coordination.k8s.io/v1beta1","metadata":{"name":"x"}}`)},
		{Method: "PUT", Path: leasesPath + "/x", Body: []byte(`{"metadata":{"name":"x"},"spec":{"renewTime":"never"}}`)},
		{Method: "PUT", Path: leasesPath + "/x", Body: []byte(`{"metadata":{"name":"x"},"spec":{"leaseDurationSeconds":"7"}}`)},
		{Method: "PUT", Path: leasesPath + "/x", Body: []byte(`{`)},
		{Method: "PUT", Path: leasesPath + "/x"},
		{Method: "PUT", Path: leasesPath + "/y", Body: []byte(`{"metadata":{"name":"y"},"spec":{}}`)},
		{Method: "PUT", Path: leasesPath + "/x", Header: map[string]string{"content-type": "application/yaml"}, Body: []byte(`{"metadata":{"name":"x"}}`)},
		{Method: "PUT", Path: leasesPath + "/x", Header: map[string]string{"content-type": "text/plain"}, Body: []byte(`{"metadata":{"name":"x"}}`)},
		{Method: "PUT", Path: leasesPath + "/x", Body: []byte(`{"metadata":{"name":"x","labels":{"a":"` + strings.Repeat("b", 10_000) + `"}}}`)},
		{Method: "PATCH", Path: leasesPath + "/x", Header: map[string]string{"content-type": "application/merge-patch+json"}, Body: []byte(`{"spec":{"holderIdentity":"b"}}`)},
		{Method: "POST", Path: leasesPath, Body: []byte(`{"metadata":{"generateName":"z-"},"spec":{"holderIdentity":"b"}}`)},
		{Method: "POST", Path: candidates, Body: []byte(`{"metadata":{"name":"x"},"spec":{"leaseName":"l","binaryVersion":"1.36.0","strategy":"OldestEmulationVersion"}}`)},
		{Method: "POST", Path: "/api/v1/namespaces", Body: []byte(`{"metadata":{"name":"more"}}`)},
		{Method: "POST", Path: "/nowhere", Body: []byte(`{}`)},
	} {
		plain, prepared := serverWithLease(t), serverWithLease(t)
		again := r
		prepared.Prepare(&again)
		for range 2 {
			want, got := plain.Handle(now, &r), prepared.Handle(now, &again)
			what := fmt.Sprintf("%s %s %.200s", r.Method, r.Path, r.Body)
			assert.Equal(t, want.Status, got.Status, what)
			assert.Equal(t, want.Header, got.Header, what)
			assert.Equal(t, string(want.Body), string(got.Body), what)
		}
	}
}

// Clients prepare their requests while the server answers others: nothing is shared (see `go test -race`).
func TestRequestsArePreparedTogether(t *testing.T) {
	s := serverWithLease(t)
	var lock sync.Mutex
	var all sync.WaitGroup
	for client := range 4 {
		all.Go(func() {
			for n := range 50 {
				r := &apiserver.Request{Method: "POST", Path: leasesPath, Body: revised(fmt.Sprintf("l-%d-%d", client, n), n, "")}
				s.Prepare(r)
				lock.Lock()
				answer := s.Handle(time.Unix(int64(n), 0), r)
				lock.Unlock()
				assert.Equal(t, 201, answer.Status)
			}
		})
	}
	all.Wait()
}
