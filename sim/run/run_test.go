package run_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/trace"
)

func scenarioNamed(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	s, known := shipped.ByName(name)
	require.True(t, known, name)
	return s
}

// Every watcher sees every record once, with its ordinal within the instant.
func TestEveryWatcherSeesEveryRecord(t *testing.T) {
	s := scenarioNamed(t, "a-leader-dies")
	require.NotEmpty(t, s.Expect)
	r, seen, at, ordinal := run.WithAll(s), int64(0), int64(-1), int32(0)
	r.To(r.EndNs(), func(record *trace.Record, note explain.Note) {
		if seen++; record.At != at {
			at, ordinal = record.At, 0
		}
		ordinal++
		require.Equal(t, explain.Place{AtNs: at, Ordinal: ordinal}, note.Place)
	})
	assert.Equal(t, r.World.Counts().Records, seen)
	assert.Len(t, r.Tracker.Explanations, len(r.Checks.Changes))
	outcomes := r.Outcomes(r.EndNs())
	require.GreaterOrEqual(t, len(outcomes), len(s.Expect))
	for _, o := range outcomes {
		assert.True(t, o.Met, o)
	}
	assert.Empty(t, run.Plain(s).Outcomes(0), "the clauses had no watcher")
}

// A clone from the middle of a run ends as the run does, and neither changes the other.
func TestClone(t *testing.T) {
	s := scenarioNamed(t, "paused-leader")
	whole, first := run.WithAll(s), run.WithAll(s)
	whole.To(whole.EndNs(), nil)
	for first.World.Now() < 25e9 {
		require.True(t, first.Step(first.EndNs(), nil))
	}
	second := first.Clone()
	for _, r := range []*run.Run{second, first} {
		r.To(r.EndNs(), nil)
		assert.Equal(t, whole.World.Hash(), r.World.Hash())
		assert.Equal(t, whole.Checks.Violations, r.Checks.Violations)
		assert.Equal(t, whole.Tracker.Stories, r.Tracker.Stories)
		assert.Equal(t, whole.Outcomes(whole.EndNs()), r.Outcomes(r.EndNs()))
	}
	require.NotEmpty(t, whole.Checks.Violations)
}

// A run in slices of any size ends the same, and every request counts against the budget.
func TestSlice(t *testing.T) {
	s := scenarioNamed(t, "paused-leader")
	whole := run.Plain(s)
	whole.To(whole.EndNs(), nil)
	never := func() bool { return false }
	for _, size := range []int64{1, 7, 1_000_000} {
		r, slices, spent := run.Plain(s), 0, int64(0)
		for over := false; !over; slices++ {
			budget := size
			over = r.Slice(r.EndNs(), &budget, never)
			spent += size - budget
		}
		assert.Equal(t, whole.World.Hash(), r.World.Hash())
		assert.Equal(t, whole.Checks.Violations, r.Checks.Violations)
		assert.Equal(t, whole.World.Counts().Requests, spent)
		assert.Equal(t, size == 1_000_000, slices == 1, "%d slices of %d", slices, size)
	}
	r, budget := run.Plain(s), int64(1_000_000)
	require.True(t, r.Slice(r.EndNs(), &budget, func() bool { return len(r.Checks.Changes) == 1 }))
	assert.Equal(t, r.Checks.Changes[0].AtNs, r.World.Now(), "it stops at once")
	assert.False(t, r.Slice(r.EndNs(), new(int64(0)), never), "the budget is empty")
}

// Settle reports a rule that only elapsed time breaks; nothing reports it earlier.
func TestSettle(t *testing.T) {
	s := scenarioNamed(t, "a-leader-dies")
	s.Bounds = scenario.Bounds{Leaderless: scenario.Duration(5e9)}
	r := run.WithAll(s)
	const atNs = 20e9 + 100e6 + 5e9 // the leader dies at 20 s, and this run has no event just before this instant
	for r.Step(atNs, nil) {
	}
	broken := func() (n int) {
		for _, v := range r.Checks.Violations {
			if v.Rule == rules.LeaderlessTooLong {
				n++
			}
		}
		return n
	}
	require.Less(t, r.World.Now(), int64(25e9), "the last event is before the bound")
	require.Zero(t, broken())
	r.Settle(atNs)
	assert.Equal(t, 1, broken())
	assert.Len(t, r.Tracker.Stories, len(r.Checks.Violations), "the violation by elapsed time has a story")
}
