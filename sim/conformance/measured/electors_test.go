//go:debug randautoseed=0

// Package measured draws the cases of sim/testsupport/recorded/figures from client-go itself, under testing/synctest, and compares
// ours with them: as many elections as ours, where the published figures have some hundred. `go test -v` prints both.
//
// Guarantee: client-go draws its jitter from math/rand with seed 1, so every run of the whole package has the same
// elections.
// Non-guarantee: they are not the published elections, whose random numbers are unknown.
package measured

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/leaselab/leaselab/sim/conformance/memory"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/figures"
)

// line is an elector's connection to the Lease.
type line struct {
	*memory.Lease
	oneWay, timeout time.Duration                      // of a message, and of a request
	written         func(*line, *coordinationv1.Lease) // called when the answer to a successful write arrives, before the elector reads it

	mu   sync.Mutex
	cut  bool
	held []chan struct{} // held messages, in the order in which they were sent
	all  *sync.WaitGroup // counts the requests that continue after a timeout
}

func (l *line) Leases(string) coordinationclient.LeaseInterface { return l }

func (l *line) Get(ctx context.Context, name string, options metav1.GetOptions) (*coordinationv1.Lease, error) {
	return l.exchange(ctx, func() (*coordinationv1.Lease, error) { return l.Lease.Get(ctx, name, options) })
}

func (l *line) Create(ctx context.Context, lease *coordinationv1.Lease, options metav1.CreateOptions) (*coordinationv1.Lease, error) {
	return l.write(ctx, func() (*coordinationv1.Lease, error) { return l.Lease.Create(ctx, lease, options) })
}

func (l *line) Update(ctx context.Context, lease *coordinationv1.Lease, options metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	sent := *lease // the lock keeps using its own object
	return l.write(ctx, func() (*coordinationv1.Lease, error) { return l.Lease.Update(ctx, &sent, options) })
}

func (l *line) write(ctx context.Context, do func() (*coordinationv1.Lease, error)) (*coordinationv1.Lease, error) {
	answer, err := l.exchange(ctx, do)
	if err == nil && l.written != nil {
		l.written(l, answer)
	}
	return answer, err
}

// exchange sends a request and returns its answer. The sender may give up; the request still continues.
func (l *line) exchange(ctx context.Context, do func() (*coordinationv1.Lease, error)) (*coordinationv1.Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	type answer struct {
		lease *coordinationv1.Lease
		err   error
	}
	answers := make(chan answer, 1)
	l.all.Go(func() {
		l.pass()
		lease, err := do()
		l.pass()
		answers <- answer{lease, err}
	})
	select {
	case a := <-answers:
		return a.lease, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pass delays a message, and holds it while the line is cut.
func (l *line) pass() {
	time.Sleep(l.oneWay)
	l.mu.Lock()
	if !l.cut {
		l.mu.Unlock()
		return
	}
	through := make(chan struct{})
	l.held = append(l.held, through)
	l.mu.Unlock()
	<-through
}

func (l *line) sever() {
	l.mu.Lock()
	l.cut = true
	l.mu.Unlock()
}

// heal delivers the held messages, one after the other.
func (l *line) heal() {
	l.mu.Lock()
	held := l.held
	l.cut, l.held = false, nil
	l.mu.Unlock()
	for _, through := range held {
		close(through)
		synctest.Wait()
	}
}

// election is one election of three electors, in the synctest bubble in which watch is called.
type election struct {
	settings        figures.Failover // watch makes the cut
	oneWay          time.Duration
	startWithin     time.Duration // the electors start within it, 0.1 s by default
	releaseOnCancel bool
	written         func(*line, *coordinationv1.Lease)
	watch           func(started, stopped <-chan *line)
}

func (e election) run(t *testing.T, starts *rand.Rand) {
	ctx, stop := context.WithCancel(logr.NewContext(context.Background(), logr.Discard()))
	shared := &memory.Lease{}
	started, stopped := make(chan *line, 3), make(chan *line, 3)
	var all sync.WaitGroup
	var ways []*line
	for i := range 3 {
		way := &line{Lease: shared, oneWay: e.oneWay, timeout: e.settings.RequestTimeout, written: e.written, all: &all}
		ways = append(ways, way)
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta: metav1.ObjectMeta{Name: "demo", Namespace: "default"}, Client: way,
				LockConfig: resourcelock.ResourceLockConfig{Identity: fmt.Sprintf("n-%d", i)},
			},
			LeaseDuration: e.settings.LeaseDuration, RenewDeadline: e.settings.RenewDeadline, RetryPeriod: e.settings.RetryPeriod,
			ReleaseOnCancel: e.releaseOnCancel, Name: "demo",
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { started <- way },
				OnStoppedLeading: func() { stopped <- way },
			},
		})
		require.NoError(t, err)
		startAt := time.Duration(starts.Int64N(int64(cmp.Or(e.startWithin, 100*time.Millisecond))))
		all.Go(func() {
			time.Sleep(startAt)
			elector.Run(ctx)
		})
	}
	e.watch(started, stopped)
	stop()
	for _, way := range ways {
		way.heal()
	}
	all.Wait()
}

// measureElections runs a number of elections; each returns the length that it measures.
func measureElections(t *testing.T, elections int, one func(t *testing.T, starts *rand.Rand) time.Duration) (lengths figures.Spread) {
	starts := rand.New(rand.NewPCG(1, 0))
	for range elections {
		synctest.Test(t, func(t *testing.T) { lengths = append(lengths, int64(one(t, starts))) })
	}
	return lengths
}
