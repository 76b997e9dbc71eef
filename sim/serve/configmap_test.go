package serve_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/serve"
)

const (
	configMaps       = "/api/v1/namespaces/default/configmaps"
	leaderAnnotation = "control-plane.alpha.kubernetes.io/leader"
)

// shown is a ConfigMap as these tests read it.
type shown struct {
	Metadata struct {
		Name, ResourceVersion, UID string
		Labels, Annotations        map[string]string
		ManagedFields              []struct{ Manager string }
	}
	Data map[string]string
}

// record returns the election record in a ConfigMap.
func (c shown) record(t *testing.T) (r struct {
	HolderIdentity       string
	LeaseDurationSeconds int
	LeaderTransitions    int
	RenewTime            string
}) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(c.Metadata.Annotations[leaderAnnotation]), &r), "%+v", c)
	return r
}

func leader(holder string, seconds int, renewed time.Time) string {
	text, err := json.Marshal(fmt.Sprintf(`{"holderIdentity":%q,"leaseDurationSeconds":%d,"acquireTime":null,"renewTime":%q,"leaderTransitions":7}`, holder, seconds, renewed.Format(time.RFC3339)))
	if err != nil {
		panic(err) // a text always encodes
	}
	return string(text)
}

// lockedBy serves a running simulation whose electors lock a ConfigMap.
func lockedBy(t *testing.T, lock string) (url string, sim *serve.Simulation, forward func(seconds int)) {
	t.Helper()
	s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":4,"duration":"1h","elector":{"lock":"` + lock + `","dialect":["noFastPath","blindRelease","zeroDurationRelease"]},"candidates":[{"name":"a"},{"name":"b","startAt":"1s"}]}`))
	require.NoError(t, err)
	setup := compile.Scenario(s)
	setup.ConfigureAPI = func(config *apiserver.Config) { config.Core = true }
	mock := clock.NewMock()
	sim = serve.NewSimulation(setup, mock, 1_000_000, 0)
	h, server := startServer(t, sim, mock)
	return server.URL, sim, func(seconds int) {
		for range seconds * 10 { // no more than the pacer counts
			mock.Add(100 * time.Millisecond)
			h.WithLock(sim.Advance)
		}
	}
}

// The ConfigMap that the simulated electors lock is shown like the Leases: read, listed, watched, and written by
// clients, so that the electors see it, and keeps what clients add to it.
func TestConfigMapOfClients(t *testing.T) {
	for _, lock := range []string{"configmaps", "configmapsleases"} {
		t.Run(lock, func(t *testing.T) {
			url, _, forward := lockedBy(t, lock)
			read := func() (c shown) {
				code, body := ask(t, "GET", url+configMaps+"/demo", "")
				require.Equal(t, 200, code, body)
				require.NoError(t, json.Unmarshal([]byte(body), &c))
				return c
			}
			code, _ := ask(t, "GET", url+configMaps+"/demo", "")
			require.Equal(t, 404, code, "nobody has begun")
			forward(10)
			first := read()
			assert.Equal(t, "a", first.record(t).HolderIdentity)
			assert.Equal(t, 15, first.record(t).LeaseDurationSeconds)
			_, body := ask(t, "GET", url+configMaps, "")
			assert.Contains(t, body, `"kind":"ConfigMapList"`)
			assert.Contains(t, body, first.Metadata.UID)

			lines, _ := watching(t, url+configMaps+"?watch=1")
			kind, name, _ := frame(t, lines)
			assert.Equal(t, "ADDED demo", kind+" "+name)
			forward(3)
			kind, name, _ = frame(t, lines)
			assert.Equal(t, "MODIFIED demo", kind+" "+name, "a renews")

			// A client adds what is none of the electors' business, and it stays.
			code, body = ask(t, "PATCH", url+configMaps+"/demo", `{"metadata":{"labels":{"team":"x"},"annotations":{"note":"y"}},"data":{"key":"value"}}`)
			require.Equal(t, 200, code, body)
			forward(10)
			now := read()
			assert.Equal(t, "a", now.record(t).HolderIdentity)
			assert.Equal(t, "x y value", now.Metadata.Labels["team"]+" "+now.Metadata.Annotations["note"]+" "+now.Data["key"])
			assert.Equal(t, first.Metadata.UID, now.Metadata.UID)
			assert.NotEqual(t, first.Metadata.ResourceVersion, now.Metadata.ResourceVersion)

			// A stale update is a conflict.
			stale, err := json.Marshal(map[string]any{"metadata": map[string]any{"name": "demo", "resourceVersion": first.Metadata.ResourceVersion}})
			require.NoError(t, err)
			code, _ = ask(t, "PUT", url+configMaps+"/demo", string(stale))
			assert.Equal(t, 409, code)

			// A client takes the lock: the electors wait for it, and then take it back.
			code, body = ask(t, "PATCH", url+configMaps+"/demo", `{"metadata":{"annotations":{"`+leaderAnnotation+`":`+leader("stranger", 20, time.Date(2000, 1, 1, 0, 0, 23, 0, time.UTC))+`}}}`)
			require.Equal(t, 200, code, body)
			forward(12)
			assert.Equal(t, "stranger", holderAfter(t, lock, read()), "its 20 s are not over")
			forward(30)
			back := read().record(t)
			assert.Contains(t, []string{"a", "b"}, back.HolderIdentity)
			assert.Greater(t, back.LeaderTransitions, 7)
			goesAway(t, url, first, read, forward)
		})
	}
}

// goesAway checks what follows when clients take the record, or the ConfigMap, away.
func goesAway(t *testing.T, url string, first shown, read func() shown, forward func(seconds int)) {
	t.Helper()
	// A text that is not a record counts as none. After its deletion an elector creates it again.
	code, _ := ask(t, "PATCH", url+configMaps+"/demo", `{"metadata":{"annotations":{"`+leaderAnnotation+`":"no record"}}}`)
	require.Equal(t, 200, code)
	forward(60)
	assert.NotEmpty(t, read().record(t).HolderIdentity)
	code, _ = ask(t, "DELETE", url+configMaps+"/demo", "")
	require.Equal(t, 200, code)
	code, _ = ask(t, "GET", url+configMaps+"/demo", "")
	assert.Equal(t, 404, code)
	forward(60)
	again := read()
	assert.NotEqual(t, first.Metadata.UID, again.Metadata.UID)
	assert.Empty(t, again.Metadata.Labels)

	// A client may create it.
	code, _ = ask(t, "DELETE", url+configMaps+"/demo", "")
	require.Equal(t, 200, code)
	code, body := ask(t, "POST", url+configMaps, `{"metadata":{"name":"demo"},"data":{"by":"client"}}`)
	require.Equal(t, 201, code, body)
	assert.NotEmpty(t, read().Metadata.ManagedFields)
	assert.NotContains(t, read().Metadata.Annotations, leaderAnnotation)
	forward(60)
	assert.NotEmpty(t, read().record(t).HolderIdentity)
	assert.NotEmpty(t, read().Metadata.ManagedFields)
	assert.Equal(t, "client", read().Data["by"])
}

// holderAfter is the holder that a ConfigMap names, as client-go v0.23 reads it; of two objects, an elector that sees
// them disagree may have said so.
func holderAfter(t *testing.T, lock string, c shown) string {
	t.Helper()
	holder := c.record(t).HolderIdentity
	if lock == "configmapsleases" && strings.HasPrefix(holder, "leaderelection.k8s.io/") {
		return "stranger"
	}
	return holder
}

// A page that follows a simulation is told when a client has written what its own API does not have.
func TestThePageCannotFollowConfigMaps(t *testing.T) {
	url, sim, forward := lockedBy(t, "configmaps")
	forward(5)
	h := serve.New(sim, clock.NewMock())
	code, _ := ask(t, "POST", url+configMaps, `{"metadata":{"name":"other"}}`)
	require.Equal(t, 201, code)
	f, ok := h.Follow(0)
	require.True(t, ok)
	assert.Contains(t, f.Over, "configmaps, but the page serves only Leases, LeaseCandidates and namespaces")
}
