package serve

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
)

const simulated = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

func simulatedRequest(method, path, media, body string) *apiserver.Request {
	return &apiserver.Request{Method: method, Path: path, Body: []byte(body),
		Header: map[string]string{"content-type": media, "accept": "application/json", "user-agent": "test"}}
}

// The server that a world keeps between requests answers like one that is new for each request, in every state of the run.
func TestTheKeptServerAnswersLikeANewOne(t *testing.T) {
	w := openWritten(t, "better-candidate")
	random := rand.New(rand.NewPCG(1, 2))
	wrote := 0
	for i := range 300 {
		name := fmt.Sprintf("%s/l%d", simulated, random.IntN(8))
		r := []*apiserver.Request{
			simulatedRequest("POST", simulated, "application/json", fmt.Sprintf(`{"metadata":{"name":"l%d"},"spec":{"holderIdentity":"%d"}}`, random.IntN(8), i)),
			simulatedRequest("POST", simulated, "application/json", `{"metadata":{"generateName":"made-"}}`),
			simulatedRequest("PATCH", name, "application/merge-patch+json", fmt.Sprintf(`{"metadata":{"labels":{"a":"%d"}}}`, i)),
			simulatedRequest("DELETE", name, "application/json", ""),
			simulatedRequest("DELETE", simulated, "application/json", `{"propagationPolicy":"Foreground"}`),
			simulatedRequest("POST", "/api/v1/namespaces", "application/json", fmt.Sprintf(`{"metadata":{"name":"n%d"}}`, random.IntN(5))),
			simulatedRequest("GET", "/apis/coordination.k8s.io/v1/leases", "application/json", ""),
		}[random.IntN(7)]
		if r.Path == simulated && r.Method == "DELETE" && random.IntN(10) > 0 {
			continue
		}
		for range 2 {
			want, writes := w.world.API().Try(w.now+1, r)
			got, alsoWrites := w.world.Try(w.now+1, r)
			require.Equal(t, string(want.Body), string(got.Body), "%s %s", r.Method, r.Path)
			require.Equal(t, want.Header, got.Header)
			require.Equal(t, writes, alsoWrites)
			if writes {
				wrote++
			}
		}
		w.Handle(time.Now(), r)
		if i%10 == 0 {
			w.on(3)
		}
	}
	assert.Greater(t, wrote, 200)
}

// A write to a simulation does not take longer because it has many objects.
func TestWritesBesideManySimulatedObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures the time of 11,000 writes: runs without -short")
	}
	w := openWritten(t, "better-candidate")
	begun := time.Now()
	for i := range 11_000 {
		if i == 10_000 {
			begun = time.Now()
		}
		answer := w.Handle(time.Now(), simulatedRequest("POST", simulated, "application/json", fmt.Sprintf(`{"metadata":{"name":"l%d"},"spec":{"holderIdentity":"a"}}`, i)))
		require.Equal(t, 201, answer.Status, "%s", answer.Body)
	}
	rate := 1000 / time.Since(begun).Seconds()
	t.Logf("%.0f creates per second beside 10,000 objects", rate)
	assert.Greater(t, rate, 500.)
}
