package controllertest_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	v1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/electiontest/controllertest"
	"github.com/leaselab/leaselab/sim/scenario"
)

// with returns a scenario of two candidates with further fields.
func with(t *testing.T, rest string) *scenario.Scenario {
	t.Helper()
	return electiontest.YAML(t, `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 2m
candidates: [{name: a}, {name: b, startAt: 50ms}]
`+rest)
}

// untilDone is work that ends with its context.
func untilDone(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// elect runs client-go's elector with work.
func elect(ctx context.Context, n *electiontest.Node, work func(ctx context.Context) error) {
	s := &n.Settings
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Lease},
			Client:     kubernetes.NewForConfigOrDie(controllertest.Config(n)).CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: s.Identity},
		},
		LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod, ReleaseOnCancel: s.ReleaseOnCancel,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				defer n.Work(ctx)()
				_ = work(ctx)
			},
			OnStoppedLeading: func() {},
		},
	})
}

func TestElectors(t *testing.T) {
	r := electiontest.Run(t, with(t, "actions: [{at: 30s, act: cut, target: holder, for: 40s}]"), func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) { elect(ctx, n, untilDone) })
	})
	require.Len(t, r.Changes, 2)
	assert.Equal(t, "b", r.Changes[1].To)
}

// manage runs a manager with one runnable.
func manage(t *testing.T, work func(ctx context.Context) error) func(context.Context, *electiontest.Node) {
	return func(ctx context.Context, n *electiontest.Node) {
		m, err := controllertest.Manager(n)
		if !assert.NoError(t, err) {
			return
		}
		assert.NoError(t, m.Add(controllertest.Runnable(n, work)))
		if err := m.Start(ctx); err != nil {
			t.Logf("%s: %v", n.Name(), err)
		}
	}
}

// A manager that is told to stop waits for its work, releases the Lease, and the other leads with its next attempt.
func TestManagersRelease(t *testing.T) {
	r := electiontest.Run(t, with(t, "elector: {releaseOnCancel: true}\nactions: [{at: 30s, act: stop, target: holder}]"), func(c *electiontest.Cluster) {
		c.Start(manage(t, func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(3 * time.Second) // the work drains
			return nil
		}))
		c.Until(32 * time.Second)
		assert.Equal(t, "a", c.Holder(), "it holds the Lease while its work drains")
	})
	require.Len(t, r.Changes, 2)
	assert.Equal(t, "b", r.Changes[1].To)
	assert.GreaterOrEqual(t, r.Changes[1].At, 33*time.Second)
	assert.Less(t, r.Changes[1].Leaderless, 5*time.Second)
}

// A manager behind a cut loses the Lease, and its Start returns an error.
func TestManagerLosesTheLease(t *testing.T) {
	lost := 0
	r := electiontest.Run(t, with(t, "actions: [{at: 30s, act: cut, target: holder}]"), func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			m, err := controllertest.Manager(n)
			if assert.NoError(t, err) && assert.NoError(t, m.Add(controllertest.Runnable(n, untilDone))) {
				if err := m.Start(ctx); err != nil && ctx.Err() == nil {
					assert.EqualError(t, err, "leader election lost")
					lost++
				}
			}
		})
	})
	assert.Equal(t, 1, lost)
	require.Len(t, r.Changes, 2)
}

// Two LeaseCandidates of client-go, and the API servers' own controller: the older emulation version leads, and when it has
// gone the other does.
func TestLeaseCandidates(t *testing.T) {
	s := electiontest.YAML(t, `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 2m
apiServers: [{name: api-1, version: 1.36.0}]
candidates: [{name: newer}, {name: older, startAt: 50ms}]
actions: [{at: 60s, act: crash, target: older}]
`)
	versions := map[string]string{"newer": "1.36.0", "older": "1.35.0"}
	r := electiontest.Run(t, s, func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			client := kubernetes.NewForConfigOrDie(controllertest.Config(n))
			set := &n.Settings
			candidate, _, err := leaderelection.NewCandidate(client, set.Namespace, set.Identity, set.Lease, versions[n.Name()], versions[n.Name()], v1.OldestEmulationVersion)
			if !assert.NoError(t, err) {
				return
			}
			go candidate.Run(ctx)
			leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
				Lock: &resourcelock.LeaseLock{
					LeaseMeta: metav1.ObjectMeta{Namespace: set.Namespace, Name: set.Lease}, Client: client.CoordinationV1(),
					LockConfig: resourcelock.ResourceLockConfig{Identity: set.Identity},
				},
				LeaseDuration: set.LeaseDuration, RenewDeadline: set.RenewDeadline, RetryPeriod: set.RetryPeriod, Coordinated: true,
				Callbacks: leaderelection.LeaderCallbacks{
					OnStartedLeading: func(ctx context.Context) {
						defer n.Work(ctx)()
						<-ctx.Done()
					},
					OnStoppedLeading: func() {},
				},
			})
		})
	})
	require.Len(t, r.Changes, 2)
	assert.Equal(t, "older", r.Changes[0].To)
	assert.Equal(t, "newer", r.Changes[1].To)
}
