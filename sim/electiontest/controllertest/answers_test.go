package controllertest_test

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/electiontest/controllertest"
)

// says checks that a page about a question still has the words that a test holds.
func says(t *testing.T, page, words string) {
	t.Helper()
	text, err := os.ReadFile("../../../web/docs/q/" + page + ".md")
	require.NoError(t, err)
	assert.Contains(t, strings.Join(strings.Fields(string(text)), " "), words)
}

// At a normal stop, a manager logs the error of a lost Lease.
func TestManagerLogsALossAtItsStop(t *testing.T) {
	says(t, "leader-election-lost", "controller-runtime writes them at every normal stop")
	var mu sync.Mutex
	var lines []string
	electiontest.Run(t, with(t, "actions: [{at: 30s, act: stop, target: holder}]"), func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			options, err := controllertest.Options(n)
			require.NoError(t, err)
			options.Logger = funcr.New(func(_, line string) {
				mu.Lock()
				defer mu.Unlock()
				lines = append(lines, line)
			}, funcr.Options{})
			m, err := manager.New(controllertest.Config(n), options)
			require.NoError(t, err)
			require.NoError(t, m.Add(controllertest.Runnable(n, untilDone)))
			assert.NoError(t, m.Start(ctx))
		})
	})
	all := strings.Join(lines, "\n")
	assert.Contains(t, all, `"msg"="error received after stop sequence was engaged" "error"="leader election lost"`)
}

// A manager releases the Lease after GracefulShutdownTimeout, although its work goes on.
func TestManagerReleasesBeforeLongWorkEnds(t *testing.T) {
	says(t, "release-on-cancel", "A reconciler that needs longer than `GracefulShutdownTimeout`. The manager then releases while it still works.")
	for _, c := range []struct {
		drain    time.Duration
		expected string
	}{
		{40 * time.Second, "{violation: moreThanOneActive, measure: longest, atLeast: 5s}"},
		{20 * time.Second, "{violation: moreThanOneActive, atMost: 0}"},
	} {
		s := with(t, "elector: {releaseOnCancel: true}\nactions: [{at: 30s, act: stop, target: holder}]\nexpect: ["+c.expected+"]")
		r := electiontest.Run(t, s, func(cluster *electiontest.Cluster) {
			cluster.Start(manage(t, func(ctx context.Context) error {
				<-ctx.Done()
				time.Sleep(c.drain)
				return nil
			}))
		})
		require.Len(t, r.Changes, 2)
		assert.Equal(t, "b", r.Changes[1].To)
	}
}

// After a loss a manager's Start returns at once, and work that ignores its context goes on.
func TestManagerDoesNotWaitAfterALoss(t *testing.T) {
	says(t, "exit-on-loss", "After a loss it doesn't wait for your reconcilers")
	var lost, returned time.Time
	electiontest.Run(t, with(t, "actions: [{at: 30s, act: cut, target: holder}]\nexpect: [{violation: moreThanOneActive}]"), func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			m, err := controllertest.Manager(n)
			require.NoError(t, err)
			require.NoError(t, m.Add(controllertest.Runnable(n, func(work context.Context) error {
				<-work.Done()
				if ctx.Err() == nil {
					lost = time.Now()
				}
				time.Sleep(20 * time.Second)
				return nil
			})))
			if m.Start(ctx) != nil && ctx.Err() == nil {
				returned = time.Now()
				<-ctx.Done() // the process goes on
			}
		})
	})
	assert.Less(t, returned.Sub(lost), time.Second)
	assert.False(t, lost.IsZero())
}
