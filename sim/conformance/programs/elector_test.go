// Package programs runs real programs, over the unmodified libraries, through scenarios in virtual time.
package programs

import (
	"context"
	"strings"
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
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario/rules"
)

// elect is client-go's elector as its documentation shows it; only the rest.Config is the node's.
func elect(t *testing.T) func(context.Context, *electiontest.Node) {
	return electWith(t, func(ctx context.Context, _ *electiontest.Node) { <-ctx.Done() })
}

func electWith(t *testing.T, work func(context.Context, *electiontest.Node)) func(context.Context, *electiontest.Node) {
	return func(ctx context.Context, n *electiontest.Node) {
		client, err := coordinationclient.NewForConfig(&rest.Config{Host: n.Host, Transport: n})
		require.NoError(t, err)
		leaderelection.RunOrDie(logr.NewContext(ctx, logr.Discard()), leaderelection.LeaderElectionConfig{
			Lock: &resourcelock.LeaseLock{
				LeaseMeta: metav1.ObjectMeta{Namespace: n.Settings.Namespace, Name: n.Settings.Lease}, Client: client,
				LockConfig: resourcelock.ResourceLockConfig{Identity: n.Settings.Identity},
			},
			LeaseDuration: n.Settings.LeaseDuration, RenewDeadline: n.Settings.RenewDeadline, RetryPeriod: n.Settings.RetryPeriod,
			ReleaseOnCancel: n.Settings.ReleaseOnCancel, Name: n.Name(),
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(ctx context.Context) {
					defer n.Work(ctx)()
					work(ctx, n)
				},
				OnStoppedLeading: func() {},
			},
		})
	}
}

// The leader is cut off: another leads, and the rules find nothing.
func TestCut(t *testing.T) {
	s := electiontest.YAML(t, `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
seed: 1
duration: 2m
candidates: [{name: a}, {name: b, startAt: 50ms}, {name: c, startAt: 100ms}]
actions:
  - {at: 30s, act: cut, target: holder, for: 40s}
`)
	r := electiontest.Run(t, s, func(c *electiontest.Cluster) {
		c.Start(elect(t))
		c.Until(29 * time.Second)
		assert.Equal(t, []string{"a"}, c.Workers())
		assert.Equal(t, "a", c.Holder())
		c.Until(60 * time.Second)
		assert.NotContains(t, c.Workers(), "a")
	})
	assert.Empty(t, r.Violations)
	require.Len(t, r.Changes, 2)
}

// A seed gives the same run, jitter included.
func TestTheSameSeed(t *testing.T) {
	crash := func() *electiontest.Result {
		return electiontest.Run(t, electiontest.Shipped(t, "crash"), func(c *electiontest.Cluster) { c.Start(elect(t)) })
	}
	first := crash()
	require.Len(t, first.Changes, 2)
	for range 5 {
		assert.Equal(t, first.Hash, crash().Hash)
	}
}

// The scenario that a failed test writes is the same run of leaselab's own candidates: the same changes to the nanosecond, and the same
// breach.
func TestTheScenarioOfATest(t *testing.T) {
	for name, c := range map[string]struct {
		actions string
		work    func(ctx context.Context, n *electiontest.Node)
		rule    string
	}{
		"ignores its context": {"{at: 30s, act: cut, target: holder, for: 60s}", func(_ context.Context, n *electiontest.Node) { <-n.Context().Done() }, rules.MoreThanOneActive},
		"drains for 12 s": {"{at: 30s, act: cut, target: holder, for: 60s}", func(ctx context.Context, _ *electiontest.Node) {
			<-ctx.Done()
			time.Sleep(12 * time.Second)
		}, rules.MoreThanOneActive},
		"releases before its drain": {"{at: 30s, act: stop, target: holder}", func(ctx context.Context, _ *electiontest.Node) {
			<-ctx.Done()
			time.Sleep(12 * time.Second)
		}, rules.MoreThanOneActive},
	} {
		t.Run(name, func(t *testing.T) {
			s := electiontest.YAML(t, `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 2m
network: {requestLatency: 7ms, responseLatency: 11ms}
candidates: [{name: a}, {name: b, startAt: 50ms}, {name: c, startAt: 100ms}]
actions: [`+c.actions+`]
`)
			released := strings.HasPrefix(name, "releases")
			r := electiontest.Run(t, s, func(cluster *electiontest.Cluster) {
				cluster.Start(func(ctx context.Context, n *electiontest.Node) {
					n.Settings.ReleaseOnCancel = released
					electWith(t, c.work)(ctx, n)
				})
			}, electiontest.Allow(rules.MoreThanOneActive))
			again := run.WithClauses(r.Scenario)
			again.To(again.EndNs(), nil)
			require.Len(t, again.Checks.Changes, len(r.Changes))
			for i, change := range r.Changes {
				assert.Equal(t, change.At, time.Duration(again.Checks.Changes[i].AtNs), "change %d", i)
				assert.Equal(t, change.To, again.World.Node(again.Checks.Changes[i].To).Name())
			}
			var broken []string
			for i := range again.Checks.Violations {
				broken = append(broken, again.Checks.Violations[i].Rule)
			}
			assert.Contains(t, broken, c.rule)
		})
	}
}
