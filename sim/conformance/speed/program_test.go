package speed

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/leaselab/leaselab/sim/electiontest"
)

// programBudget is how much longer a program may take in a test of package electiontest than over a transport with canned answers.
const programBudget = 2.0

// runElector runs client-go's elector over its REST client, with its defaults, until ctx ends.
func runElector(t testing.TB, ctx context.Context, name string, transport http.RoundTripper, work func(context.Context)) {
	client, err := coordinationclient.NewForConfig(&rest.Config{Host: "http://election.invalid", Transport: transport, QPS: -1})
	require.NoError(t, err)
	for ctx.Err() == nil {
		leaderelection.RunOrDie(logr.NewContext(ctx, logr.Discard()), leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta: metav1.ObjectMeta{Namespace: "default", Name: "demo"}, Client: client, LockConfig: resourcelock.ResourceLockConfig{Identity: name},
			},
			LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, Name: name,
			Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: work, OnStoppedLeading: func() {}},
		})
	}
}

// canned answers each request at once with a Lease as the API shows it, which "a" holds and renews. It checks, stores and records
// nothing.
type canned struct {
	mu       sync.Mutex
	revision int
	renewed  string
	requests int64
}

// cannedLease is an answer of the API to client-go's elector.
const cannedLease = `{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"demo","namespace":"default",` +
	`"uid":"2c7b0f5e-6a1c-4b7e-9f7e-0d5a1c3b9e42","resourceVersion":"%d","creationTimestamp":"2000-01-01T00:00:00Z","managedFields":[{"manager":"speed.test",` +
	`"operation":"Update","apiVersion":"coordination.k8s.io/v1","time":"2000-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:acquireTime":{},` +
	`"f:holderIdentity":{},"f:leaseDurationSeconds":{},"f:leaseTransitions":{},"f:renewTime":{}}}}]},"spec":{"holderIdentity":"a","leaseDurationSeconds":15,` +
	`"acquireTime":"2000-01-01T00:00:00.000000Z","renewTime":"%s","leaseTransitions":0}}` + "\n"

func (c *canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
	}
	time.Sleep(20 * time.Millisecond)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	status, body := http.StatusOK, []byte(nil)
	if r.Method != http.MethodGet {
		c.revision++
		c.renewed = time.Now().UTC().Format(metav1.RFC3339Micro)
	}
	if c.revision == 0 {
		status, body = http.StatusNotFound, []byte(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"NotFound","code":404}`)
	} else {
		body = fmt.Appendf(nil, cannedLease, c.revision, c.renewed)
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}, nil
}

// cpuTime is the CPU time that the process has used: on one idle core it is the wall time.
func cpuTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// overCanned runs three electors for a virtual time, one of them cut off for a while, over canned answers.
func overCanned(t *testing.T, virtual time.Duration) (requests int64, cpu time.Duration) {
	c := &canned{}
	start := cpuTime(t)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), virtual)
		defer cancel()
		var all sync.WaitGroup
		for i, name := range []string{"a", "b", "c"} {
			all.Go(func() {
				time.Sleep(time.Duration(i) * 50 * time.Millisecond)
				runElector(t, ctx, name, c, func(ctx context.Context) { <-ctx.Done() })
			})
		}
		all.Wait()
	})
	return c.requests, cpuTime(t) - start
}

// inElectiontest runs the same in a test of package electiontest.
func inElectiontest(t *testing.T, virtual time.Duration) (requests int64, cpu time.Duration) {
	s := electiontest.YAML(t, strings.NewReplacer("DURATION", fmt.Sprint(virtual), "CUT", fmt.Sprint(virtual/2)).Replace(`
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: DURATION
network: {requestLatency: 10ms, responseLatency: 10ms, deadPeerTime: 45s}
candidates: [{name: a}, {name: b, startAt: 50ms}, {name: c, startAt: 100ms}]
actions:
  - {at: CUT, act: cut, target: holder, for: 1m}
`))
	start := cpuTime(t)
	r := electiontest.Run(t, s, func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			runElector(t, ctx, n.Name(), n, func(ctx context.Context) {
				defer n.Work(ctx)()
				<-ctx.Done()
			})
		})
	})
	return r.Requests, cpuTime(t) - start
}

// A program in a test takes little longer than over canned answers, each on one core.
func TestProgramInVirtualTime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	virtual := much(24*time.Hour, 10*time.Minute)
	out := newTable(fmt.Sprintf("Three client-go electors for %s (budget: ≤ %.1f × canned answers)", virtual, programBudget),
		"requests", "canned, CPU s", "µs/request", "electiontest, CPU s", "µs/request", "ratio")
	least := func(run func(*testing.T, time.Duration) (int64, time.Duration)) (requests int64, cpu time.Duration) {
		for range much(3, 1) {
			n, took := run(t, virtual)
			require.NotZero(t, n)
			if cpu == 0 || took < cpu {
				requests, cpu = n, took
			}
		}
		return requests, cpu
	}
	n, base := least(overCanned)
	m, took := least(inElectiontest)
	perRequest := func(n int64, cpu time.Duration) float64 { return float64(cpu.Microseconds()) / float64(n) }
	assert.InEpsilon(t, n, m, 0.1, "the electors do the same in both")
	ratio := perRequest(m, took) / perRequest(n, base)
	out.row(float64(m), base.Seconds(), perRequest(n, base), took.Seconds(), perRequest(m, took), ratio)
	if *figures { // without the flag it is too short to judge
		assert.LessOrEqual(t, ratio, programBudget)
	}
}
