package apiserver_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
)

const leasesPath = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

// revise is the body of an update of a Lease, at a revision.
func revise(name string, n int, revision string) []byte {
	return fmt.Appendf(nil, `{"metadata":{"name":%q,"resourceVersion":%q},"spec":{"holderIdentity":"a_6c1c3f0e","leaseDurationSeconds":15,"leaseTransitions":3,`+
		`"acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":"2026-01-01T00:%02d:%02d.%06dZ"}}`, name, revision, n/60%60, n%60, n%1e6)
}

// filledServer returns a server with that many Leases.
func filledServer(b *testing.B, leases int) *apiserver.Server {
	s := apiserver.New(apiserver.Config{Seed: 1})
	s.Handle(time.Unix(0, 0), &apiserver.Request{Method: "POST", Path: "/api/v1/namespaces", Body: []byte(`{"metadata":{"name":"default"}}`)})
	for i := range leases {
		answer := s.Handle(time.Unix(0, 0), &apiserver.Request{Method: "POST", Path: leasesPath, Body: revise(fmt.Sprintf("l-%04d", i), 0, "")})
		if answer.Status != 201 {
			b.Fatalf("%d %s", answer.Status, answer.Body)
		}
	}
	return s
}

// An update of one of a thousand Leases, as a holder renews it.
func BenchmarkUpdate(b *testing.B) {
	s := filledServer(b, 1000)
	s.Handle(time.Unix(0, 0), &apiserver.Request{Method: "POST", Path: leasesPath, Body: revise("renewed", 0, "")})
	revision := s.Revision()
	for n := 0; b.Loop(); n++ {
		body := revise("renewed", n+1, strconv.FormatInt(revision, 10))
		answer := s.Handle(time.Unix(int64(n), 0), &apiserver.Request{Method: "PUT", Path: leasesPath + "/renewed", Body: body})
		if answer.Status != 200 {
			b.Fatalf("%d %s", answer.Status, answer.Body)
		}
		revision = s.Revision()
	}
}

// A list of a thousand Leases.
func BenchmarkThousandLeases(b *testing.B) {
	s := filledServer(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		if answer := s.Handle(time.Unix(0, 0), &apiserver.Request{Method: "GET", Path: leasesPath}); answer.Status != 200 {
			b.Fatalf("%d %s", answer.Status, answer.Body)
		}
	}
}
