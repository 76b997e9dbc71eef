package programs

import (
	"context"
	"errors"
	"slices"
	"testing"
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
	"github.com/leaselab/leaselab/sim/programs/probe"
)

var defaults = electiontest.Durations{Lease: 15 * time.Second, Renew: 10 * time.Second, Retry: 2 * time.Second}

// carefulLock corrects what client-go's release does wrong. It ends the work before it releases, also if the release hangs, and it
// releases only a Lease that still names its own holder.
type carefulLock struct {
	resourcelock.Interface
	endWork   func()
	renewedAt time.Time // zero before the first renewal
	holder    string    // in the record that it read last
}

func (l *carefulLock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	if !l.renewedAt.IsZero() && time.Since(l.renewedAt) >= defaults.Renew { // the read that begins a release
		l.endWork()
	}
	record, raw, err := l.Interface.Get(ctx)
	if err == nil {
		l.holder = record.HolderIdentity
	}
	return record, raw, err
}

func (l *carefulLock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	if record.HolderIdentity == "" {
		l.endWork()
		if l.holder != l.Identity() {
			return errors.New("another candidate holds the Lease: nothing to release")
		}
	}
	err := l.Interface.Update(ctx, record)
	if err == nil {
		l.renewedAt = time.Now()
	}
	return err
}

// electReleasing is client-go's elector with releaseOnCancel, with its own lock or with carefulLock. The work drains for drain.
func electReleasing(t *testing.T, careful bool, drain time.Duration) func(context.Context, *electiontest.Node) {
	return func(ctx context.Context, n *electiontest.Node) {
		client, err := coordinationclient.NewForConfig(&rest.Config{Host: n.Host, Transport: n, Timeout: 5 * time.Second})
		require.NoError(t, err)
		var stop context.CancelFunc
		ended := make(chan struct{})
		lock := resourcelock.Interface(&resourcelock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: n.Settings.Namespace, Name: n.Settings.Lease}, Client: client,
			LockConfig: resourcelock.ResourceLockConfig{Identity: n.Settings.Identity},
		})
		if careful {
			lock = &carefulLock{Interface: lock, endWork: func() {
				if stop != nil {
					stop()
					<-ended
				}
			}}
		}
		config := leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: defaults.Lease, RenewDeadline: defaults.Renew, RetryPeriod: defaults.Retry, ReleaseOnCancel: true,
			Name: n.Name(),
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(ctx context.Context) {
					defer close(ended)
					ctx, stop = context.WithCancel(ctx)
					defer n.Work(ctx)()
					<-ctx.Done()
					time.Sleep(drain)
				},
				OnStoppedLeading: func() {},
			},
		}
		elector, err := leaderelection.NewLeaderElector(config)
		require.NoError(t, err)
		elector.Run(logr.NewContext(ctx, logr.Discard()))
	}
}

// client-go without releaseOnCancel passes every probe. With it, it fails the probes about its release, and each says which function
// and which issue. A wrapper of the lock corrects it.
func TestScoreOfClientGo(t *testing.T) {
	known := []string{"stops-when-cut-off", "hung-request", "release-after-work", "release-own-lease"}
	for name, c := range map[string]struct {
		program func(context.Context, *electiontest.Node)
		fails   []string
	}{
		"without releaseOnCancel": {elect(t), nil},
		"with releaseOnCancel":    {electReleasing(t, false, 2*time.Second), known},
		"behind the careful lock": {electReleasing(t, true, 2*time.Second), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var failed []string
			for _, r := range electiontest.Score(t, defaults, c.program, electiontest.Allow(c.fails...)) {
				if r.State == probe.Failed {
					failed = append(failed, r.Probe)
					assert.Contains(t, r.Known, "client-go tools/leaderelection")
				}
			}
			assert.ElementsMatch(t, c.fails, slices.Sorted(slices.Values(failed)))
		})
	}
}
