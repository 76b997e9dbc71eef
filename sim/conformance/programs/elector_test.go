// Package programs runs real programs, over the unmodified libraries, through scenarios in virtual time.
package programs

import (
	"context"
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
)

// elect is client-go's elector as its documentation shows it; only the rest.Config is the node's.
func elect(t *testing.T) func(context.Context, *electiontest.Node) {
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
					<-ctx.Done()
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
	for _, v := range r.Violations {
		t.Log(v)
	}
	t.Log(r.Changes, r.Requests, r.Hash)
	require.Len(t, r.Changes, 2)
}

func TestCrash(t *testing.T) {
	r := electiontest.Run(t, electiontest.Shipped(t, "crash"), func(c *electiontest.Cluster) { c.Start(elect(t)) })
	for _, v := range r.Violations {
		t.Log(v)
	}
	t.Log(r.Changes, r.Requests, r.Hash)
}
