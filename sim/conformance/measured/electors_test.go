//go:debug randautoseed=0

// Package measured draws the cases of sim/recorded/figures from client-go itself, under testing/synctest, and compares ours with it:
// as many elections as ours, where the published figures are of some hundred. `go test -v` prints both.
//
// Guarantee: client-go draws its jitter from math/rand's own seed 1, so that its elections come out alike in every run
// of the whole package.
// Non-guarantee: they are not the published ones, whose draws nobody has.
package measured

import (
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
	"github.com/leaselab/leaselab/sim/recorded/figures"
)

// line is an elector's way to the Lease.
type line struct {
	*memory.Lease
	oneWay, timeout time.Duration                      // of a message, and of a request
	written         func(*line, *coordinationv1.Lease) // called when the answer to a successful write arrives, before it is read

	mu   sync.Mutex
	cut  bool
	held []chan struct{} // messages, in the order they were sent
	all  *sync.WaitGroup // what goes on after a timeout
}

func (l *line) Leases(string) coordinationclient.LeaseInterface { return l }

func (l *line) Get(ctx context.Context, name string, options metav1.GetOptions) (*coordinationv1.Lease, error) {
	return l.exchange(ctx, func() (*coordinationv1.Lease, error) { return l.Lease.Get(ctx, name, options) })
}

func (l *line) Create(ctx context.Context, lease *coordinationv1.Lease, options metav1.CreateOptions) (*coordinationv1.Lease, error) {
	return l.write(ctx, func() (*coordinationv1.Lease, error) { return l.Lease.Create(ctx, lease, options) })
}

func (l *line) Update(ctx context.Context, lease *coordinationv1.Lease, options metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	sent := *lease // the lock goes on with its own
	return l.write(ctx, func() (*coordinationv1.Lease, error) { return l.Lease.Update(ctx, &sent, options) })
}

func (l *line) write(ctx context.Context, do func() (*coordinationv1.Lease, error)) (*coordinationv1.Lease, error) {
	answer, err := l.exchange(ctx, do)
	if err == nil && l.written != nil {
		l.written(l, answer)
	}
	return answer, err
}

// exchange is a request and its answer. The one who asked may give up; the request goes its way.
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

// pass is a message's way, as long as the line is cut at the longest.
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

// heal lets through what was held, one message after the other.
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

// election is one of three electors that start within the first 0.1 s, in the bubble of its own that watch is called in.
type election struct {
	settings        figures.Failover // whose cut is watch's
	oneWay          time.Duration
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
		startAt := time.Duration(starts.Int64N(int64(100 * time.Millisecond)))
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

// drawn are as many elections as one asks for: each returns the length that it is about.
func drawn(t *testing.T, elections int, one func(t *testing.T, starts *rand.Rand) time.Duration) (lengths figures.Spread) {
	starts := rand.New(rand.NewPCG(1, 0))
	for range elections {
		synctest.Test(t, func(t *testing.T) { lengths = append(lengths, int64(one(t, starts))) })
	}
	return lengths
}
