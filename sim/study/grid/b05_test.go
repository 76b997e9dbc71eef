package grid_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/study/grid"
)

// A sweep over the length of the cut finds the window of B05 without being told where to look: the leaving leader wipes its
// successor's lease if the network heals 14 to 17 s after the cut, and otherwise never. 220 runs of client-go have the same window.
func TestSweepFindsTheWindowOfB05(t *testing.T) {
	if testing.Short() {
		t.Skip("run without -short: thousands of runs")
	}
	s, known := shipped.ByName("b05-wiped-lease")
	require.True(t, known)
	s.Actions[0].Within = 2e9 // the cut comes at any phase of the renewals
	all, err := grid.Combinations(s, []string{"actions[0].for=1s..40s/500ms"})
	require.NoError(t, err)
	plan := grid.NewPlan(all, 1, 60)
	runs, rows := study.New(plan, study.Shard{}), make([]*grid.Row, len(all))
	require.True(t, runs.Go(plan.Runs()))
	outcome := grid.NewRows(plan, s.Name, func(i int, row *grid.Row, _ *grid.RefusedRow) { rows[i] = row })
	for number, one, more := runs.Take(); more; number, one, more = runs.Take() {
		outcome.Add(number, one)
	}
	outcome.End()

	var window []grid.Where
	for _, f := range grid.Findings(all, rows) {
		if f.Rule == rules.WriteByNonHolder {
			window = f.Where
		}
	}
	assert.Equal(t, []grid.Where{{Path: "actions[0].for", Values: "14s to 16.5s"}}, window)
	for i, row := range rows {
		length, err := time.ParseDuration(all[i].Changes[0].Value)
		require.NoError(t, err)
		for _, b := range row.Broken {
			if b.Rule == rules.WriteByNonHolder {
				assert.True(t, 14*time.Second <= length && length < 17*time.Second, length)
			}
		}
	}
}
