package apiserver_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// FuzzTarget parses any request target as net/url does and sends it to a server with objects of every kind.
func FuzzTarget(f *testing.F) {
	for i, target := range recordedParts(f).paths {
		if !testing.Short() || i%5 == 0 {
			f.Add("GET", target)
		}
	}
	for _, target := range []string{
		leasesA + "?watch=1&resourceVersion=5", leasesA + "?limit=1&continue=x", leasesA + "/x%2Fy?a=%zz&b=+%2B;c&&=&d", "/%", "/api/v1/namespaces/%2e%2e/leases", "*", "//", "/apis/?x", "?", "",
		"/apis/coordination.k8s.io/v1/watch/leases", "/openapi/v3/apis/coordination.k8s.io/v1?hash=x", leasesA + "/x/status", leasesA + "?" + bounded.Chain + "a" + bounded.Index + "=%41&" + bounded.End,
		bounded.Chain + "/%2e" + bounded.End, bounded.Chain + "%" + bounded.End, leasesA + "?a=" + bounded.Chain + "+" + bounded.End,
	} {
		f.Add("GET", target)
	}
	s, now := fuzzServer(0), time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC)
	cost := bounded.Limit{Fixed: 8 << 20, PerByte: 100}
	f.Fuzz(func(t *testing.T, method, target string) {
		if !slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, method) {
			method = "GET" // no request writes, so one server serves all
		}
		if bounded.Repeats(target) && !testing.Short() {
			bounded.Growth(t, 512, 4096, func(n int) func() {
				r := requestOf(method, bounded.Repeat(target, n), "", "")
				return func() { s.Handle(now, r) }
			})
		}
		target = bounded.Repeat(target, 3)
		raw, query, _ := strings.Cut(target, "?")
		path, params, ok := apiserver.ParseTarget(target)
		want, err := url.PathUnescape(raw)
		require.Equal(t, err == nil, ok, "%q", raw)
		if ok {
			require.Equal(t, want, path)
		}
		values, _ := url.ParseQuery(query)
		got := url.Values{}
		for _, p := range params {
			got.Add(p.Name, p.Value)
		}
		require.Equal(t, values, got, "%q", query)
		cost.Do(t, len(target), func() {
			r := &apiserver.Request{Method: method, Path: path, Query: params, Header: map[string]string{}}
			answer := s.Handle(now, r)
			readable(t, r, answer)
			if answer.Watch != nil {
				s.Poll(now, answer.Watch)
			}
		})
	})
}
