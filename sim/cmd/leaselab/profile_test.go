package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/testsupport/speed"
)

// BenchmarkCommand is what `make profile` measures for the compiler: simulated elections, sweeps, explorations, hunts, and a served API
// on which four holders renew.
func BenchmarkCommand(b *testing.B) {
	for _, c := range speed.Cases() {
		b.Run(c.String(), func(b *testing.B) { speed.Requests(b, c) })
	}
	b.Run("studies", func(b *testing.B) {
		for _, args := range [][]string{
			{"explore", "crash", "--window", "60s..66s", "--depth", "4"},
			{"hunt", "first-election", "--runs", "1000"},
			{"sweep", "crash", "--set", "elector.retryPeriod=1s,2s", "--seeds", "1..3000"},
		} {
			// A hunt that finds something ends with its exit code.
			if _, err := leaselab(args...); err != nil && args[0] != "hunt" {
				b.Fatal(err)
			}
		}
		renewOverHTTP(b, 4, 40_000)
	})
}

// BenchmarkSweep measures runs of a sweep: `go test -bench Sweep -cpu 1,2` compares one core with two.
func BenchmarkSweep(b *testing.B) {
	crash, err := load("crash")
	require.NoError(b, err)
	all, err := grid.Combinations(crash, []string{"duration=2m"})
	require.NoError(b, err)
	b.ResetTimer()
	require.NoError(b, onAllCores(b.Context(), study.New(grid.NewPlan(all, 1, b.N), study.Shard{}), nil, nil))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}

// renewOverHTTP creates a Lease for each holder and renews it n times.
func renewOverHTTP(b *testing.B, holders, renewals int) {
	server := httptest.NewServer(serve.New(apiserver.New(apiserver.Config{Seed: 1}), clock.New()))
	defer server.Close()
	const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	send := func(method, path, body string) (revision string) {
		r, err := http.NewRequest(method, server.URL+path, bytes.NewReader([]byte(body)))
		if err != nil {
			b.Error(err)
			return ""
		}
		r.Header.Set("Content-Type", "application/json")
		answer, err := server.Client().Do(r)
		if err != nil {
			b.Error(err)
			return ""
		}
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode >= 300 {
			b.Errorf("%s %s: %s %s", method, path, answer.Status, data)
		}
		_, rest, _ := bytes.Cut(data, []byte(`"resourceVersion":"`))
		number, _, _ := bytes.Cut(rest, []byte(`"`))
		return string(number)
	}
	send("POST", "/api/v1/namespaces", `{"metadata":{"name":"default"}}`)
	lease := func(name, revision string, at time.Time) string {
		return fmt.Sprintf(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":%q,"namespace":"default","resourceVersion":%q},`+
			`"spec":{"holderIdentity":"a_6c1c3f0e","leaseDurationSeconds":15,"leaseTransitions":3,"acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":%q}}`,
			name, revision, at.UTC().Format("2006-01-02T15:04:05.000000Z"))
	}
	var all sync.WaitGroup
	for holder := range holders {
		all.Go(func() {
			name, at := fmt.Sprintf("l-%d", holder), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			revision := send("POST", path, lease(name, "", at))
			for range renewals / holders {
				at = at.Add(2 * time.Second)
				revision = send("PUT", path+"/"+name, lease(name, revision, at))
			}
		})
	}
	all.Wait()
}
