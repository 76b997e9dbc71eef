// Package bench measures what the design has budgets for beside the real libraries, in one process: figures of two runs say
// nothing about each other. `go test -figures` prints them; without the flag it tries each a little, so that it keeps running.
package bench

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// memory is the least that electors can share: one Lease and its revision, without JSON, schemas or watchers.
type memory struct {
	coordinationclient.LeaseInterface // what an elector does not use

	delay time.Duration // of an answer

	mu       sync.Mutex
	lease    *coordinationv1.Lease
	revision int
	requests int64
}

func (m *memory) Leases(string) coordinationclient.LeaseInterface { return m }

func (m *memory) Get(context.Context, string, metav1.GetOptions) (*coordinationv1.Lease, error) {
	m.arrives()
	defer m.mu.Unlock()
	if m.lease == nil {
		return nil, apierrors.NewNotFound(coordinationv1.Resource("leases"), "demo")
	}
	lease := *m.lease
	return &lease, nil
}

func (m *memory) Create(_ context.Context, lease *coordinationv1.Lease, _ metav1.CreateOptions) (*coordinationv1.Lease, error) {
	m.arrives()
	defer m.mu.Unlock()
	if m.lease != nil {
		return nil, apierrors.NewAlreadyExists(coordinationv1.Resource("leases"), "demo")
	}
	return m.keep(lease), nil
}

func (m *memory) Update(_ context.Context, lease *coordinationv1.Lease, _ metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	m.arrives()
	defer m.mu.Unlock()
	if lease.ResourceVersion != m.lease.ResourceVersion {
		return nil, apierrors.NewConflict(coordinationv1.Resource("leases"), "demo", errors.New("the object has been modified"))
	}
	return m.keep(lease), nil
}

// arrives is what every request begins with.
func (m *memory) arrives() {
	if m.delay > 0 {
		time.Sleep(m.delay)
	}
	m.mu.Lock()
	m.requests++
}

func (m *memory) keep(lease *coordinationv1.Lease) *coordinationv1.Lease {
	kept := *lease
	m.revision++
	kept.ResourceVersion = strconv.Itoa(m.revision)
	m.lease = &kept
	given := kept
	return &given
}

// electors runs client-go's electors over its LeaseLock, with its defaults, for a virtual time and returns the requests they
// made and the wall time it took. The Lease is in memory, where an answer takes a delay, or in the fake clientset.
func electors(t *testing.T, candidates int, fake bool, delay, virtual time.Duration) (requests int64, wall time.Duration) {
	start := time.Now()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(logr.NewContext(context.Background(), logr.Discard()), virtual)
		defer stop()
		shared, client := &memory{delay: delay}, faked()
		leases := coordinationclient.LeasesGetter(shared)
		if fake {
			leases = client
		}
		var all sync.WaitGroup
		for i := range candidates {
			name := fmt.Sprintf("n-%d", i)
			lock := &resourcelock.LeaseLock{
				LeaseMeta: metav1.ObjectMeta{Name: "demo", Namespace: "default"}, Client: leases, LockConfig: resourcelock.ResourceLockConfig{Identity: name},
			}
			elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
				Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10*time.Second - 1, RetryPeriod: 2 * time.Second, Name: name,
				Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
			})
			require.NoError(t, err)
			all.Go(func() {
				time.Sleep(time.Duration(i) * 2 * time.Second / time.Duration(candidates))
				elector.Run(ctx)
			})
		}
		all.Wait()
		requests = shared.requests
		if fake {
			requests = int64(len(client.Actions()))
		}
	})
	return requests, time.Since(start)
}
