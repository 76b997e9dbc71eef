package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

// A run of the scenario with the acts that the server tells is the server's run: the hash is the same after writes of
// every kind.
func TestTheActsOfASimulationReplayIt(t *testing.T) {
	s, _ := shipped.ByName("a-leader-dies")
	mock := clock.NewMock()
	h := New(NewSimulation(compile.Scenario(s), mock, 1e6, 0), mock)
	server := httptest.NewServer(h)
	defer server.Close()
	const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
	have := 0
	var acts []scenario.Action
	for i, w := range []struct{ method, path, media, body string }{
		{"PATCH", leases + "/demo?fieldManager=kubectl-patch", "application/merge-patch+json", `{"spec":{"holderIdentity":""}}`},
		{"POST", leases + "?fieldManager=a%20b%26c", "application/yaml", "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: mine}\nspec: {leaseDurationSeconds: 9}\n"},
		{"PATCH", leases + "/other?fieldManager=me&force=true", "application/apply-patch+yaml", "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: other}\nspec: {holderIdentity: me}\n"},
		{"PATCH", leases + "/demo", "application/json-patch+json", `[{"op":"add","path":"/metadata/annotations","value":{"a":"ü"}}]`},
		{"DELETE", leases + "/mine", "", ""},
		{"PATCH", leases + "/none", "application/merge-patch+json", `{}`}, // refused, so no act
	} {
		mock.Add(3 * time.Second)
		request, err := http.NewRequest(w.method, server.URL+w.path, strings.NewReader(w.body))
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer secret")
		if w.media != "" {
			request.Header.Set("Content-Type", w.media)
		}
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, i == 5, answer.StatusCode >= 300, "%s %s: %d", w.method, w.path, answer.StatusCode)

		f, ok := h.Follow(have)
		require.True(t, ok)
		require.Empty(t, f.Over)
		acts = append(acts, f.Acts...)
		have = len(acts)
		assert.Equal(t, f.Hash, hashAt(t, s, acts, f.NowNs), "after %s %s", w.method, w.path)
	}
	assert.Len(t, acts, 5)
	assert.NotContains(t, strings.Join(acts[0].Headers, "\n"), "secret")
	mock.Add(40 * time.Second)
	f, _ := h.Follow(have)
	assert.Empty(t, f.Acts)
	assert.Equal(t, f.Hash, hashAt(t, s, acts, f.NowNs), "later")
}

// hashAt runs a scenario with acts, as a page does that opens them.
func hashAt(t *testing.T, s scenario.Scenario, acts []scenario.Action, ns int64) string {
	s.Actions = append(append([]scenario.Action(nil), s.Actions...), acts...)
	decoded, err := scenario.Decode(scenario.Encode(s))
	require.NoError(t, err)
	r := run.WithClauses(decoded)
	r.To(ns, nil)
	return r.World.Hash().String()
}

// An API server without a simulation has nothing to follow.
func TestOnlyASimulationIsFollowed(t *testing.T) {
	_, ok := New(apiserver.New(apiserver.Config{}), clock.New()).Follow(0)
	assert.False(t, ok)
}

// The acts of a simulation come in answers of a bounded size, each up to an instant before the next answer's acts; when
// a bound of what is kept is reached, a sentence says so, and what is kept is right up to its end.
func TestManyActsComeInTurns(t *testing.T) {
	s, _ := shipped.ByName("a-leader-dies")
	for name, bounds := range map[string]followBounds{
		"all":               {bytes: 1 << 20, acts: 1000, answer: 2000},
		"30 times":          {bytes: 1 << 20, acts: 30, answer: 2000},
		"1 MiB, the limit ": {bytes: 1<<20 + 500, acts: 1000, answer: 200_000},
	} {
		mock := clock.NewMock()
		simulation := NewSimulation(compile.Scenario(s), mock, 1e6, 0)
		simulation.followed.bounds = bounds
		h := New(simulation, mock)
		server := httptest.NewServer(h)
		body := `{"metadata":{"annotations":{"n":"%d"}}}`
		if bounds.answer > 2000 {
			body = `{"metadata":{"annotations":{"n":"%d` + strings.Repeat("x", 40_000) + `"}}}`
		}
		for n := range 50 {
			mock.Add(200 * time.Millisecond)
			request, err := http.NewRequest(http.MethodPatch, server.URL+"/apis/coordination.k8s.io/v1/namespaces/default/leases/demo", strings.NewReader(fmt.Sprintf(body, n)))
			require.NoError(t, err)
			request.Header.Set("Content-Type", "application/merge-patch+json")
			answer, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, http.StatusOK, answer.StatusCode)
		}
		server.Close()
		var acts []scenario.Action
		answers, last := 0, Followed{}
		for before := int64(-1); ; answers++ {
			f, _ := h.Follow(len(acts))
			acts = append(acts, f.Acts...)
			require.GreaterOrEqual(t, f.NowNs, before, name)
			before = f.NowNs
			for _, a := range f.Acts {
				require.LessOrEqual(t, int64(a.At), f.NowNs, name)
			}
			if last = f; f.Hash != "" || len(f.Acts) == 0 {
				break
			}
		}
		assert.Greater(t, answers, 3, name)
		if name == "all" {
			assert.Empty(t, last.Over)
			assert.Len(t, acts, 50)
			assert.Equal(t, last.Hash, hashAt(t, s, acts, last.NowNs))
			continue
		}
		assert.Contains(t, last.Over, name)
		assert.Empty(t, last.Hash)
		assert.Less(t, len(acts), 50)
		assert.NotEmpty(t, acts)
	}
}
