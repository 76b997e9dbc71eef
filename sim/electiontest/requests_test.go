package electiontest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/electiontest"
)

// alone runs a scenario with one candidate, which does not lead.
func alone(t *testing.T, actions string, body func(c *electiontest.Cluster, n *electiontest.Node)) {
	t.Helper()
	s := electiontest.YAML(t, `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 2m
candidates: [{name: a}]
network: {requestLatency: 5ms, responseLatency: 5ms}
actions: [`+actions+`]
`)
	electiontest.Run(t, s, func(c *electiontest.Cluster) { body(c, c.Node("a")) }, electiontest.Allow("leaderlessTooLong", "noRecovery"))
}

const aLease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/demo"

// timeGet sends a GET and returns the answer, the error and the time that it took.
func timeGet(ctx context.Context, n *electiontest.Node, path string) (status int, body string, took time.Duration, err error) {
	begun := time.Now()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, n.Host+path, nil)
	if err != nil {
		return 0, "", 0, err
	}
	answer, err := n.Client().Do(r)
	if err != nil {
		return 0, "", time.Since(begun), err
	}
	data, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(data), time.Since(begun), errors.Join(err, answer.Body.Close())
}

// Acts on the network happen at their instants, to the nanosecond, and each fault is what the client of a real cluster
// sees.
func TestFaultsOfTheNetwork(t *testing.T) {
	for name, c := range map[string]struct {
		act    string
		status int
		body   string
		took   time.Duration
		err    error
	}{
		"open":       {act: "", status: 404, body: `"reason":"NotFound"`, took: 10 * time.Millisecond},
		"latency":    {act: "{at: 30s, act: latency, target: a, request: 300ms, response: 200ms, for: 10s}", status: 404, took: 500 * time.Millisecond},
		"refused":    {act: "{at: 30s, act: cut, target: a, mode: refuse, for: 10s}", took: 5 * time.Millisecond, err: syscall.ECONNREFUSED},
		"lost":       {act: "{at: 30s, act: cut, target: a, for: 10s}", took: 3 * time.Second, err: context.DeadlineExceeded},
		"one way":    {act: "{at: 30s, act: cut, target: a, direction: down, for: 10s}", took: 3 * time.Second, err: context.DeadlineExceeded},
		"held":       {act: "{at: 30s, act: cut, target: a, mode: hold, for: 2s}", status: 404, took: time.Second + 10*time.Millisecond},
		"429":        {act: "{at: 30s, act: fail, target: a, error: http429, for: 10s}", status: 429, body: `"reason":"TooManyRequests"`, took: 10 * time.Millisecond},
		"500":        {act: "{at: 30s, act: fail, target: a, error: http500, for: 10s}", status: 500, body: `"reason":"InternalError"`, took: 10 * time.Millisecond},
		"reset":      {act: "{at: 30s, act: fail, target: a, error: reset, for: 10s}", took: 5 * time.Millisecond, err: syscall.ECONNRESET},
		"closed":     {act: "{at: 30s, act: fail, target: a, error: eof, for: 10s}", took: 5 * time.Millisecond, err: io.EOF},
		"half":       {act: "{at: 30s, act: fail, target: a, error: broken, for: 10s}", took: 10 * time.Millisecond, err: io.ErrUnexpectedEOF},
		"of another": {act: "{at: 30s, act: fail, target: a, error: http500, verb: writes, for: 10s}", status: 404, took: 10 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			alone(t, c.act, func(cluster *electiontest.Cluster, n *electiontest.Node) {
				cluster.Until(31 * time.Second)
				ctx, end := context.WithTimeout(n.Context(), 3*time.Second)
				defer end()
				status, body, took, err := timeGet(ctx, n, aLease)
				assert.Equal(t, c.took, took)
				if c.err != nil {
					require.ErrorIs(t, err, c.err)
					return
				}
				require.NoError(t, err)
				assert.Equal(t, c.status, status)
				assert.Contains(t, body, c.body)
				cluster.Until(50 * time.Second)
				status, _, took, err = timeGet(n.Context(), n, aLease)
				require.NoError(t, err, "the act is over")
				assert.Equal(t, 404, status)
				assert.Equal(t, 10*time.Millisecond, took)
			})
		})
	}
}

// A stop cancels the context of the process. A crash leaves its requests without an answer, and the next process is
// another node.
func TestStopsAndCrashes(t *testing.T) {
	alone(t, "{at: 30s, act: stop, target: a}", func(c *electiontest.Cluster, n *electiontest.Node) {
		<-n.Context().Done()
		assert.Equal(t, 30*time.Second, c.Now())
		status, _, _, err := timeGet(context.Background(), n, aLease)
		require.NoError(t, err, "a process that stops can still release its Lease")
		assert.Equal(t, 404, status)
	})
	alone(t, "{at: 30s, act: crash, target: a, for: 10s}", func(c *electiontest.Cluster, n *electiontest.Node) {
		<-n.Context().Done()
		assert.Equal(t, 30*time.Second, c.Now())
		ctx, end := context.WithTimeout(context.Background(), time.Minute)
		defer end()
		next := c.Node("a")
		assert.Equal(t, 40*time.Second, c.Now())
		assert.NotSame(t, n, next)
		_, _, took, err := timeGet(ctx, n, aLease)
		require.ErrorIs(t, err, context.DeadlineExceeded, "silence for ever")
		assert.Equal(t, 50*time.Second, took)
		_, _, _, err = timeGet(next.Context(), next, aLease)
		require.NoError(t, err)
	})
}

// A watch streams what others write, breaks when an event is lost, and a new one resumes from the last resourceVersion.
func TestWatches(t *testing.T) {
	const edit = "{at: INSTANT, act: request, method: METHOD, path: PATH, headers: ['content-type: application/json'], body: '{\"metadata\": {\"name\": \"demo\"}, \"spec\": {\"holderIdentity\": \"HOLDER\"}}'}"
	create := strings.NewReplacer("METHOD", "POST", "PATH", strings.TrimSuffix(aLease, "/demo"))
	patch := strings.NewReplacer("METHOD", "PATCH", "PATH", aLease, "application/json", "application/merge-patch+json")
	acts := []string{
		strings.NewReplacer("INSTANT", "10s", "HOLDER", "x").Replace(create.Replace(edit)),
		strings.NewReplacer("INSTANT", "20s", "HOLDER", "y").Replace(patch.Replace(edit)),
		"{at: 25s, act: cut, target: a, for: 20s}",
		strings.NewReplacer("INSTANT", "30s", "HOLDER", "z").Replace(patch.Replace(edit)),
	}
	alone(t, strings.Join(acts, ", "), func(c *electiontest.Cluster, n *electiontest.Node) {
		watch := func(from string) *bufio.Scanner {
			r, err := http.NewRequestWithContext(n.Context(), http.MethodGet, n.Host+strings.TrimSuffix(aLease, "/demo")+"?watch=1&resourceVersion="+from, nil)
			require.NoError(t, err)
			answer, err := n.Client().Do(r)
			require.NoError(t, err)
			require.Equal(t, 200, answer.StatusCode)
			t.Cleanup(func() { _ = answer.Body.Close() })
			return bufio.NewScanner(answer.Body)
		}
		type seen struct {
			Type   string
			Object struct {
				Metadata struct{ ResourceVersion string }
				Spec     struct{ HolderIdentity string }
			}
		}
		next := func(s *bufio.Scanner) (e seen) {
			require.True(t, s.Scan(), "%v", s.Err())
			require.NoError(t, json.Unmarshal(s.Bytes(), &e))
			return e
		}
		events := watch("0")
		first := next(events)
		assert.Equal(t, "ADDED x", first.Type+" "+first.Object.Spec.HolderIdentity)
		assert.Equal(t, 10*time.Second+5*time.Millisecond, c.Now())
		second := next(events)
		assert.Equal(t, "MODIFIED y", second.Type+" "+second.Object.Spec.HolderIdentity)
		assert.Equal(t, 20*time.Second+5*time.Millisecond, c.Now())
		require.False(t, events.Scan())
		require.ErrorContains(t, events.Err(), "client connection lost")
		assert.Equal(t, 30*time.Second, c.Now())
		c.Until(50 * time.Second)
		third := next(watch(second.Object.Metadata.ResourceVersion))
		assert.Equal(t, "MODIFIED z", third.Type+" "+third.Object.Spec.HolderIdentity)
	})
}

// When the API server restarts, watches end. A watch from before the restart gets 410, and one from its end goes on.
func TestWatchesAfterARestart(t *testing.T) {
	const edit = "{at: INSTANT, act: request, method: METHOD, path: PATH, headers: ['content-type: application/json'], body: '{\"metadata\": {\"name\": \"demo\"}, \"spec\": {\"holderIdentity\": \"HOLDER\"}}'}"
	create := strings.NewReplacer("METHOD", "POST", "PATH", strings.TrimSuffix(aLease, "/demo"), "INSTANT", "5s", "HOLDER", "x")
	patch := strings.NewReplacer("METHOD", "PATCH", "PATH", aLease, "application/json", "application/merge-patch+json")
	acts := []string{create.Replace(edit), patch.Replace(strings.NewReplacer("INSTANT", "10s", "HOLDER", "y").Replace(edit)),
		"{at: 20s, act: cut, target: '*', mode: refuse, for: 2s}",
		patch.Replace(strings.NewReplacer("INSTANT", "30s", "HOLDER", "z").Replace(edit))}
	alone(t, strings.Join(acts, ", "), func(c *electiontest.Cluster, n *electiontest.Node) {
		watch := func(from string) *bufio.Scanner {
			r, err := http.NewRequestWithContext(n.Context(), http.MethodGet, n.Host+strings.TrimSuffix(aLease, "/demo")+"?watch=1&resourceVersion="+from, nil)
			require.NoError(t, err)
			answer, err := n.Client().Do(r)
			require.NoError(t, err)
			t.Cleanup(func() { _ = answer.Body.Close() })
			return bufio.NewScanner(answer.Body)
		}
		var versions []string
		next := func(s *bufio.Scanner) string {
			require.True(t, s.Scan(), "%v", s.Err())
			var e struct {
				Type   string
				Object struct {
					Code     int
					Metadata struct{ ResourceVersion string }
				}
			}
			require.NoError(t, json.Unmarshal(s.Bytes(), &e))
			versions = append(versions, e.Object.Metadata.ResourceVersion)
			return fmt.Sprint(e.Type, " ", e.Object.Code)
		}
		events := watch("0")
		assert.Equal(t, "ADDED 0", next(events))
		assert.Equal(t, "MODIFIED 0", next(events))
		require.False(t, events.Scan(), "the restart breaks the connection")
		assert.Equal(t, 20*time.Second, c.Now())
		c.Until(25 * time.Second)
		assert.Equal(t, "ERROR 410", next(watch(versions[0])))
		assert.Equal(t, "MODIFIED 0", next(watch(versions[1])))
		assert.Equal(t, 30*time.Second, c.Now().Round(time.Second))
	})
}

// Requests for anything but coordination go to the test's handler, through the same network; without one, the API server has the kinds of a cluster.
func TestOtherRequests(t *testing.T) {
	const pods = "/api/v1/namespaces/default/pods"
	alone(t, "{at: 30s, act: cut, target: a, mode: refuse, for: 10s}", func(c *electiontest.Cluster, n *electiontest.Node) {
		status, body, _, err := timeGet(n.Context(), n, pods)
		require.NoError(t, err)
		assert.Equal(t, 200, status)
		assert.Contains(t, body, `"kind":"PodList"`)
		c.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, r.URL.Path)
		})
		status, body, took, err := timeGet(n.Context(), n, pods)
		require.NoError(t, err)
		assert.Equal(t, http.StatusTeapot, status)
		assert.Equal(t, pods, body)
		assert.Equal(t, 10*time.Millisecond, took)
		status, _, _, err = timeGet(n.Context(), n, aLease)
		require.NoError(t, err)
		assert.Equal(t, 404, status, "Leases stay the API's")
		c.Until(31 * time.Second)
		_, _, _, err = timeGet(n.Context(), n, pods)
		require.ErrorIs(t, err, syscall.ECONNREFUSED)
	})
}

// The Lease of the program is the one that the scenario is about, in whatever namespace it is.
func TestTheProgramsOwnLease(t *testing.T) {
	r := electiontest.Run(t, with(t, "{at: 30s, act: crash, target: holder}"), func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			n.Settings.Namespace, n.Settings.Lease, n.Settings.Identity = "operators", "my-operator", n.Name()+"_6c1c3f0e"
			elect(ctx, n)
		})
		c.Until(29 * time.Second)
		assert.Equal(t, "a", c.Holder())
	})
	require.Len(t, r.Changes, 2)
	assert.Equal(t, "a", r.Changes[1].From, "the crash finds the holder by the identity that it writes")
	assert.Empty(t, r.Violations)
}
