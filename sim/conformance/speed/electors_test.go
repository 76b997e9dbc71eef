// Package bench measures what the design has budgets for beside the real libraries, in one process: figures of two runs say
// nothing about each other. `go test -figures` prints them; without the flag it tries each a little, so that it keeps running.
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

// electors runs client-go's electors over its LeaseLock, with its defaults, for a virtual time and returns the requests they
// made and the wall time it took. The Lease is in memory, where an answer takes a delay, or in the fake clientset.
func electors(t *testing.T, candidates int, fake bool, delay, virtual time.Duration) (requests int64, wall time.Duration) {
	start := time.Now()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(logr.NewContext(context.Background(), logr.Discard()), virtual)
		defer stop()
		shared, client := &memory.Lease{Delay: delay}, faked()
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
