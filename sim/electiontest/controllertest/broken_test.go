package controllertest_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/electiontest"
)

// rules lists the safety rules that a run has broken.
func rules(r *electiontest.Result) (broken []string) {
	for _, v := range r.Violations {
		if v.Severity == "safety" && !slices.Contains(broken, v.Rule) {
			broken = append(broken, v.Rule)
		}
	}
	return broken
}

// Work that ignores its context goes on after its candidate lost the Lease: two work at once. The fix is the context.
func TestWorkThatIgnoresItsContext(t *testing.T) {
	for _, broken := range []bool{true, false} {
		ignores := func(ctx context.Context) error {
			for range 60 { // a minute of work, a second at a time
				if !broken && ctx.Err() != nil {
					return nil
				}
				time.Sleep(time.Second)
			}
			return nil
		}
		r := electiontest.Run(t, with(t, "actions: [{at: 30s, act: cut, target: holder}]"), func(c *electiontest.Cluster) {
			c.Start(func(ctx context.Context, n *electiontest.Node) { elect(ctx, n, ignores) })
		}, electiontest.Allow("moreThanOneActive"))
		if !broken {
			assert.Empty(t, rules(r))
			continue
		}
		require.Contains(t, rules(r), "moreThanOneActive")
		overlap := r.Violations[slices.IndexFunc(r.Violations, func(v electiontest.Violation) bool { return v.Rule == "moreThanOneActive" })]
		assert.Contains(t, overlap.Text, "a and b")
		assert.NotEmpty(t, overlap.Story)
		require.NotEmpty(t, r.Findings)
		assert.Equal(t, "worksOn B06", r.Findings[0].Cause+" "+r.Findings[0].Incident, "it ends by itself, 20 s later")
	}
}

// A program that releases the Lease before its work has drained lets the next begin beside it. The fix is to wait for the
// work, as the manager of controller-runtime does.
func TestReleaseBeforeTheDrain(t *testing.T) {
	drains := func(ctx context.Context) error {
		<-ctx.Done()
		time.Sleep(8 * time.Second)
		return nil
	}
	s := "elector: {releaseOnCancel: true}\nactions: [{at: 30s, act: stop, target: holder}]"
	r := electiontest.Run(t, with(t, s), func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) { elect(ctx, n, drains) })
	}, electiontest.Allow("moreThanOneActive"))
	require.Contains(t, rules(r), "moreThanOneActive")
	require.NotEmpty(t, r.Findings)
	assert.Equal(t, "releasesEarly B04", r.Findings[0].Cause+" "+r.Findings[0].Incident)

	r = electiontest.Run(t, with(t, s), func(c *electiontest.Cluster) { c.Start(manage(t, drains)) })
	assert.Empty(t, rules(r))
	assert.Empty(t, r.Findings)
	require.Len(t, r.Changes, 2)
	assert.GreaterOrEqual(t, r.Changes[1].At, 38*time.Second)
}
