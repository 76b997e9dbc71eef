// Package speed measures what has a budget in the design, beside the real libraries and in one process: figures of
// different runs are not comparable. `go test -figures` prints them; without the flag each measurement runs briefly, so
// that it keeps working.
package speed

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/leaselab/leaselab/sim/conformance/memory"
)

// electors runs client-go's electors over its LeaseLock, with its defaults, for a virtual time and returns the number
// of their requests and the wall time. The Lease is in memory, with a delay before each answer, or in the fake
// clientset.
func electors(t *testing.T, candidates int, fake bool, delay, virtual time.Duration) (requests int64, wall time.Duration) {
	start := time.Now()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(logr.NewContext(context.Background(), logr.Discard()), virtual)
		defer stop()
		shared, client := &memory.Lease{Delay: delay}, newFake()
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
		requests = shared.Requests()
		if fake {
			requests = int64(len(client.Actions()))
		}
	})
	return requests, time.Since(start)
}
