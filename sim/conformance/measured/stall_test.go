package measured

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/leaselab/leaselab/sim/conformance/served"
	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/evidence/checkup"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/study/numbers"
)

// stalledServer is a `leaselab serve` whose API refuses the electors' requests for a while, and what a watch saw of it.
type stalledServer struct {
	url   string
	begin time.Time // of the stall
	lasts time.Duration

	mu     sync.Mutex
	reader *evidence.Reader         // what a watch saw before the stall
	stops  map[string][]time.Time   // of each Lease's electors
	back   map[string]time.Duration // from the beginning to the first renewal after the end
}

// settled is long enough for two renewals by an elector that renews every 26 s.
const settled = 62 * time.Second

func serveWithStall(t *testing.T, ctx context.Context, lasts time.Duration) *stalledServer {
	faults := filepath.Join(t.TempDir(), "stall.yaml")
	var names string
	for i := range checkedUp {
		names += fmt.Sprintf("{name: e%d},", i)
	}
	require.NoError(t, os.WriteFile(faults, fmt.Appendf(nil, `apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: stall
duration: 10m
candidates: [%s]
actions: [{at: %s, act: fail, target: "*", error: http503, for: %s}]
`, names, settled, lasts), 0o600))
	started := time.Now()
	s := &stalledServer{url: served.Command(t, "--faults", faults).URL, begin: started.Add(settled), lasts: lasts,
		reader: evidence.NewReader(evidence.Options{}), stops: map[string][]time.Time{}, back: map[string]time.Duration{}}
	r, err := http.NewRequestWithContext(ctx, "GET", s.url+"/apis/coordination.k8s.io/v1/namespaces/ns/leases?watch=true", nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	go func() {
		defer answer.Body.Close()
		for lines := bufio.NewReader(answer.Body); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			s.see(t, line)
		}
	}()
	return s
}

// see takes a line of the watch.
func (s *stalledServer) see(t *testing.T, line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if now.Before(s.begin) {
		s.reader.Feed("watch.json", line)
		return
	}
	var event struct{ Object coordinationv1.Lease }
	if assert.NoError(t, json.Unmarshal(line, &event)) && now.After(s.begin.Add(s.lasts)) && s.back[event.Object.Name] == 0 {
		s.back[event.Object.Name] = now.Sub(s.begin)
	}
}

// elect runs the elector of a Lease. When it stops leading, its process restarts with another identity.
func (s *stalledServer) elect(t *testing.T, ctx context.Context, i int, set numbers.Setting) {
	name := fmt.Sprintf("e%d", i)
	client, err := kubernetes.NewForConfig(&rest.Config{Host: s.url + "/leaselab/nodes/" + name, Timeout: set.RenewDeadline / 2})
	if !assert.NoError(t, err) {
		return
	}
	for process := 0; ctx.Err() == nil; process++ {
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Name: name, Namespace: "ns"}, Client: client.CoordinationV1(),
				LockConfig: resourcelock.ResourceLockConfig{Identity: fmt.Sprintf("p-%d", process)}},
			LeaseDuration: set.LeaseDuration, RenewDeadline: set.RenewDeadline, RetryPeriod: set.RetryPeriod, Name: name,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) {},
				OnStoppedLeading: func() {
					s.mu.Lock()
					defer s.mu.Unlock()
					s.stops[name] = append(s.stops[name], time.Now())
				},
			},
		})
		if !assert.NoError(t, err) {
			return
		}
		elector.Run(ctx)
	}
}

// Twelve real electors with different settings run beside `leaselab serve`, which then refuses their requests for 5 to
// 60 s. Each of them does what the check-up predicts from a minute's watch.
func TestCheckupOfAServedStall(t *testing.T) {
	if testing.Short() {
		t.Skip("three minutes of real time: runs without -short")
	}
	served.BuildCommand(t)
	for _, lasts := range []time.Duration{5e9, 9e9, 17e9, 31e9, 60e9} {
		t.Run(lasts.String(), func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancel(logr.NewContext(context.Background(), logr.Discard()))
			var electors sync.WaitGroup
			defer electors.Wait()
			defer stop()
			s := serveWithStall(t, ctx, lasts)
			given := map[string]numbers.Setting{}
			for i, c := range checkedUp {
				set, err := numbers.Parse(c.setting)
				require.NoError(t, err)
				if c.given {
					given[fmt.Sprintf("ns/e%d", i)] = set
				}
				electors.Go(func() { s.elect(t, ctx, i, set) })
			}
			time.Sleep(time.Until(s.begin))
			s.mu.Lock()
			s.reader.End("watch.json")
			report := checkup.Check(s.reader, checkup.Options{Given: given})
			s.mu.Unlock()
			predicted := report.Predict(lasts)
			require.Len(t, predicted.Leases, len(checkedUp), "%+v", report.Leases)
			time.Sleep(time.Until(s.begin.Add(time.Duration(predicted.Back) + 3*time.Second)))
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, p := range predicted.Leases {
				s.compare(t, p)
			}
		})
	}
}

// compare compares a prediction with what happened.
func (s *stalledServer) compare(t *testing.T, p checkup.Stalled) {
	const slack = summary.Seconds(500 * time.Millisecond) // requests, and the start of the server
	name := p.Name[len("ns/"):]
	var stopped []summary.Seconds
	for _, at := range s.stops[name] {
		if since := summary.Seconds(at.Sub(s.begin)); since > 0 {
			stopped = append(stopped, since)
		}
	}
	says := fmt.Sprintf("%s: %+v, stopped %v, back %v", checkedUp[indexOf(name)].setting, p, stopped, s.back[name])
	t.Log(says)
	lasts := summary.Seconds(s.lasts)
	switch p.Outcome {
	case checkup.Loses:
		assert.NotEmpty(t, stopped, says)
	case checkup.Survives:
		assert.Empty(t, stopped, says)
	default:
		assert.Equal(t, checkup.Either, p.Outcome, says)
		assert.Greater(t, lasts, *p.Survives, says)
		assert.Less(t, lasts, *p.Loses, says)
	}
	if len(stopped) > 0 {
		assert.GreaterOrEqual(t, stopped[0]+slack, p.Stops.From, says)
		assert.LessOrEqual(t, stopped[0]-slack, p.Stops.To, says)
	}
	assert.Positive(t, s.back[name], says)
	assert.LessOrEqual(t, summary.Seconds(s.back[name])-slack, p.Back, says)
}

// indexOf is the number in the name of a Lease.
func indexOf(name string) (i int) {
	fmt.Sscanf(name, "e%d", &i)
	return i
}
