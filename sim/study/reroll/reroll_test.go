package reroll

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/judge/check"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// runReroll makes the runs in slices.
func runReroll(t *testing.T, p Plan, slice int) Outcome {
	t.Helper()
	r, err := New(p)
	require.NoError(t, err)
	under, done := study.InStages(r), 0
	for {
		over, err := under.Go(slice)
		require.NoError(t, err)
		o := r.Outcome()
		require.GreaterOrEqual(t, o.Done, done)
		require.Equal(t, over, o.Done == o.Of, "the progress is whole when the outcome is")
		if done = o.Done; over {
			return o
		}
	}
}

// Several cores may make the runs of a stage at once and in any order: the curve is the same.
func TestOnSeveralCores(t *testing.T) {
	for _, p := range []Plan{two(t), {Scenario: byName(t, "clock-rate"), Event: Event{Rule: rules.MoreThanOneActive}, Runs: 40, Points: 9}} {
		r, err := New(p)
		require.NoError(t, err)
		for {
			plan, err := r.Next()
			require.NoError(t, err)
			if plan == nil {
				break
			}
			results := make([]int64, plan.Runs())
			var all sync.WaitGroup
			for core := range 4 {
				all.Go(func() {
					for number := len(results) - 1 - core; number >= 0; number -= 4 {
						results[number] = plan.Run(number)
					}
				})
			}
			all.Wait()
			for number, one := range results {
				r.Take(number, one)
			}
		}
		assert.Equal(t, runReroll(t, p, 1<<30), r.Outcome())
	}
}

func byName(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	s, ok := shipped.ByName(name)
	require.True(t, ok)
	return s
}

func two(t *testing.T) Plan {
	return Plan{Scenario: byName(t, "paused-leader"), Event: Event{Rule: rules.MoreThanOneActive}, Runs: 40, Points: 9}
}

// The curve does not depend on slices, ends with 1 where the violation happens, and never leaves its own interval.
func TestTheCurve(t *testing.T) {
	whole, slices := runReroll(t, two(t), 1<<30), runReroll(t, two(t), 37)
	assert.Equal(t, whole, slices)
	require.GreaterOrEqual(t, whole.HappensNs, int64(0))
	require.GreaterOrEqual(t, len(whole.Points), 9)
	last := whole.Points[len(whole.Points)-1]
	assert.Equal(t, whole.HappensNs, last.AtNs)
	assert.Equal(t, 1.0, last.Share())
	assert.Equal(t, whole.Of, whole.Done)
	for k, p := range whole.Points {
		assert.LessOrEqual(t, p.Low, p.Share())
		assert.GreaterOrEqual(t, p.High, p.Share())
		if k > 0 {
			assert.Less(t, whole.Points[k-1].AtNs, p.AtNs)
		}
	}
	assert.GreaterOrEqual(t, whole.InevitableNs, int64(0))
	assert.LessOrEqual(t, whole.InevitableNs, whole.HappensNs)
}

// A leader that is paused for 30 s is overtaken whatever is drawn: the acts alone make it inevitable, from the
// beginning on. One whose work only goes on for a while is not: it depends on the follower's draws.
func TestWhatTheActsDecideIsInevitable(t *testing.T) {
	decided := runReroll(t, two(t), 1<<30)
	assert.Zero(t, decided.InevitableNs)
	assert.Len(t, decided.Points, 9, "a flat curve needs no more instants")

	p := two(t)
	p.Scenario.Actions = nil
	o := runReroll(t, p, 1<<30)
	assert.Equal(t, int64(-1), o.HappensNs)
	assert.Equal(t, int64(-1), o.InevitableNs)
	for _, point := range o.Points {
		assert.Zero(t, point.Hits)
	}
}

// By hand: after a crash at 20 s a candidate leads again once 15 s have passed since it saw the last renewal and its
// wait is over. Draws decide whether the gap is longer than a bound, so the curve rises from the middle, and
// at each instant it agrees with counting the futures of a clone.
func TestAgainstCountingByHand(t *testing.T) {
	s := byName(t, "a-leader-dies")
	p := Plan{Scenario: s, Event: Event{LeaderlessNs: int64(14500 * time.Millisecond), AfterNs: 1}, Runs: 60, Points: 7, FromNs: int64(15 * time.Second), ToNs: int64(33 * time.Second)}
	o := runReroll(t, p, 500)
	require.Len(t, o.Points[:1], 1)
	mixed := false
	for _, point := range o.Points {
		hits := 0
		base := world.New(compile.Scenario(s))
		base.Run(point.AtNs, func([]trace.Record) {})
		for n := range p.Runs {
			future := base.Clone()
			future.Reseed(uint64(n) + 1)
			c := check.New()
			// The checks want the whole run: it is deterministic up to the instant.
			world.New(compile.Scenario(s)).Run(point.AtNs, c.Observe)
			future.Run(int64(s.Duration), c.Observe)
			for _, change := range c.Changes[1:] {
				if change.LeaderlessNs > p.Event.LeaderlessNs {
					hits++
					break
				}
			}
		}
		assert.Equal(t, hits, point.Hits, "at %d", point.AtNs)
		mixed = mixed || hits > 0 && hits < p.Runs
	}
	assert.True(t, mixed, "some instants are undecided")
}

func TestEvents(t *testing.T) {
	for text, want := range map[string]Event{"moreThanOneActive": {Rule: "moreThanOneActive"}, "leaderless>20s": {LeaderlessNs: 20e9}, "leaderless > 1m30s": {LeaderlessNs: 90e9}} {
		e, err := ParseEvent(text)
		require.NoError(t, err)
		assert.Equal(t, want, e)
	}
	for _, text := range []string{"", "leaderless>", "leaderless>20", "leaderless>-1s"} {
		_, err := ParseEvent(text)
		assert.Error(t, err, text)
	}
	assert.Equal(t, "leaderless>20s", Event{LeaderlessNs: 20e9}.String())
	for _, p := range []Plan{{Runs: 0, Points: 5}, {Runs: 5, Points: 1}, {Runs: 5, Points: MaxPoints + 1}} {
		_, err := New(p)
		assert.ErrorContains(t, err, "must be", p)
	}
}
