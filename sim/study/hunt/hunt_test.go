package hunt_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/study/hunt"
)

func newHunt(t testing.TB, p hunt.Plan) *hunt.Hunt {
	t.Helper()
	h, err := hunt.New(p)
	require.NoError(t, err)
	return h
}

// round runs a round in slices of requests requests, the last trial first if backwards, and reports whether it had a
// trial.
func round(h *hunt.Hunt, requests int64, backwards bool) bool {
	trials := h.Round()
	for over := 0; over < len(trials); {
		over = 0
		for i := range trials {
			if backwards {
				i = len(trials) - 1 - i
			}
			if trials[i].Go(requests) {
				over++
			}
		}
	}
	h.Take(trials)
	return len(trials) > 0
}

func runHunt(t testing.TB, p hunt.Plan) hunt.Outcome {
	t.Helper()
	h := newHunt(t, p)
	for round(h, 1<<40, false) {
	}
	return h.Outcome()
}

// The findings do not depend on the order in which trials run, or on slices.
func TestSameSeedsSameFailures(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	p := hunt.Plan{Scenario: base(t, "[]"), Seed: 3, Runs: 200}
	whole := runHunt(t, p)
	require.NotEmpty(t, whole.Failures)
	assert.Equal(t, 200, whole.Runs)

	h := newHunt(t, p)
	for n := 0; round(h, 100, n%2 == 0); n++ {
	}
	assert.Equal(t, whole, h.Outcome())
	p.Seed, p.Runs = 4, whole.Runs
	assert.NotEqual(t, whole, runHunt(t, p))
}

// A hunt that ends early also lists what its last runs have found: as many failures as a hunt of that many runs has.
func TestLastRoundOfAHuntThatEndsEarly(t *testing.T) {
	h := newHunt(t, hunt.Plan{Scenario: base(t, "[]"), Seed: 3, Runs: 200})
	for len(h.Last()) == 0 {
		require.True(t, round(h, 1<<40, false))
	}
	before := h.Outcome()
	last := h.Last()
	for _, trial := range last {
		require.True(t, trial.Shrinks())
		for !trial.Go(1 << 40) {
		}
	}
	h.Take(last)
	assert.Greater(t, len(h.Outcome().Failures), len(before.Failures))
	assert.Equal(t, runHunt(t, hunt.Plan{Scenario: base(t, "[]"), Seed: 3, Runs: before.Runs}), h.Outcome())
	assert.Empty(t, h.Last())
}

// A hunt that stops after any number of results continues from them and gives what it gives in one go, even with more
// runs than at first. It does not matter who makes a task.
func TestGoesOnFromAnyResult(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	p := hunt.Plan{Scenario: base(t, "[]"), Seed: 3, Runs: 50}
	whole := runHunt(t, p)
	require.NotEmpty(t, whole.Failures)
	elsewhere := newHunt(t, p)
	var records [][]byte
	h := newHunt(t, p)
	short := p
	short.Runs = 20 // in the middle of a round
	fewer := newHunt(t, short)
	for trials := fewer.Round(); len(trials) > 0; trials = fewer.Round() {
		for _, trial := range trials {
			for !trial.Go(1 << 40) {
			}
			if r := trial.Record(); r.Shrink == 0 && r.Run > 16 {
				h.Know(r)
			}
		}
		fewer.Take(trials)
	}
	require.Equal(t, 20, fewer.Outcome().Runs)
	for trials := h.Round(); len(trials) > 0; trials = h.Round() {
		for _, trial := range trials {
			data, err := json.Marshal(trial.Task())
			require.NoError(t, err)
			var task hunt.Task
			require.NoError(t, json.Unmarshal(data, &task))
			made, err := elsewhere.Trial(task)
			require.NoError(t, err)
			for !made.Go(1000) {
			}
			data, err = json.Marshal(made.Record())
			require.NoError(t, err)
			records = append(records, data)
			var r hunt.Record
			require.NoError(t, json.Unmarshal(data, &r))
			trial.Put(r)
		}
		h.Take(trials)
	}
	require.Equal(t, whole, h.Outcome())
	for kept := range len(records) {
		h := newHunt(t, p)
		for _, data := range records[:kept] {
			var r hunt.Record
			require.NoError(t, json.Unmarshal(data, &r))
			h.Know(r)
		}
		made := 0
		for trials := h.Round(); len(trials) > 0; trials = h.Round() {
			for _, trial := range trials {
				if !trial.Over() {
					made++
				}
				for !trial.Go(1 << 40) {
				}
			}
			h.Take(trials)
		}
		require.Equal(t, whole, h.Outcome(), "after %d results", kept)
		require.Equal(t, len(records)-kept, made)
	}
	_, err := elsewhere.Trial(hunt.Task{Run: 1})
	assert.ErrorContains(t, err, "must have a schedule or a failure")
}

// Each failure is a scenario that does what it says, and no two are the same.
func TestFailuresRunAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	for _, whole := range []bool{false, true} {
		s := base(t, "[{at: 30s, act: latency, target: c, response: 50ms}]")
		o := runHunt(t, hunt.Plan{Scenario: s, Seed: 1, Runs: 150, Whole: whole})
		require.NotEmpty(t, o.Failures)
		keys := map[string]bool{}
		for i := range o.Failures {
			f := &o.Failures[i]
			again, err := scenario.Decode(scenario.Encode(f.Scenario))
			require.NoError(t, err)
			r := run.WithClauses(again)
			r.To(r.EndNs(), nil)
			sum := summary.Of(again, r, r.EndNs())
			assert.Equal(t, summary.Fine, summary.Verdict(again, r, &sum), sum.Unmet)
			assert.Equal(t, f.Rule, again.Expect[0].Violation)
			assert.True(t, brokenIn(&r.Checks, f.Rule))
			key := f.Rule
			for _, cause := range f.Causes {
				key += cause
			}
			assert.False(t, keys[key], "twice: %s", key)
			keys[key] = true
			if whole {
				assert.Contains(t, again.Actions, s.Actions[0], "the scenario's own acts stay")
			}
		}
	}
}

// A hunt draws only the kinds in its plan, and finds nothing without a fault that can break a rule.
func TestKinds(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	o := runHunt(t, hunt.Plan{Scenario: base(t, "[]"), Seed: 1, Runs: 300, Faults: []string{"jump"}})
	assert.Empty(t, o.Failures, "client-go survives jumps of the wall clock")
	o = runHunt(t, hunt.Plan{Scenario: base(t, "[]"), Seed: 1, Runs: 60, Faults: []string{"pause"}})
	require.NotEmpty(t, o.Failures)
	for i := range o.Failures {
		for _, a := range o.Failures[i].Scenario.Actions {
			assert.Equal(t, scenario.ActPause, a.Act)
		}
	}
	names, help := hunt.Kinds()
	require.Len(t, help, len(names))
	for _, name := range names {
		o := runHunt(t, hunt.Plan{Scenario: base(t, "[]"), Seed: 1, Runs: 40, Faults: []string{name}})
		assert.Equal(t, 40, o.Runs, name)
		assert.Greater(t, o.Features, 20, name)
	}
}

func TestBlind(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	o := runHunt(t, hunt.Plan{Scenario: base(t, "[]"), Seed: 1, Runs: 100, Blind: true})
	assert.Zero(t, o.Kept)
	assert.NotEmpty(t, o.Failures)
}

func TestImpossiblePlans(t *testing.T) {
	for _, c := range []struct {
		plan hunt.Plan
		says string
	}{
		{hunt.Plan{}, "runs 0 must be 1 to 10000000"},
		{hunt.Plan{Runs: hunt.MaxRuns + 1}, "with different seeds"},
		{hunt.Plan{Runs: 1, Faults: []string{"cut", "pasue"}}, `did you mean "pause"?`},
		{hunt.Plan{Runs: 1, Faults: []string{"unheard-of"}}, "use cut, fail"},
	} {
		c.plan.Scenario = base(t, "[]")
		_, err := hunt.New(c.plan)
		assert.ErrorContains(t, err, c.says)
	}
}

// After the faults are over the run goes on for long enough that a missing leader breaks a rule.
func TestLivenessIsDemanded(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	s := base(t, "[]")
	s.Elector.Dialect = []string{"forLife"}
	o := runHunt(t, hunt.Plan{Scenario: s, Seed: 1, Runs: 100, Faults: []string{"crash"}})
	require.NotEmpty(t, o.Failures)
	assert.Equal(t, rules.Liveness, o.Failures[0].Severity)
}

// While faults go on or follow each other the hunt demands no leader: client-go's gaps under them are not failures.
func TestGapsUnderFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	s := base(t, "[]")
	plan := hunt.Plan{Scenario: s, Seed: 1, Runs: 300, Faults: []string{"crash", "stop", "latency", "fail"}}
	for _, f := range runHunt(t, plan).Failures {
		assert.NotEqual(t, rules.LeaderlessTooLong, f.Rule, "%v", f.Causes)
	}
	s.Bounds.Leaderless = scenario.Duration(15 * time.Second)
	plan.Scenario = s
	assert.True(t, slices.ContainsFunc(runHunt(t, plan).Failures, func(f hunt.Failure) bool { return f.Rule == rules.LeaderlessTooLong }), "a bound that the scenario states is demanded")
}

// A hunt finds the same natively, on 32 bits and in WebAssembly. The number changes with the kinds of faults, with what guides a hunt and with what a shrink leaves.
func TestSameOnEveryPlatform(t *testing.T) {
	o := runHunt(t, hunt.Plan{Scenario: base(t, "[]"), Seed: 1, Runs: 40})
	text := ""
	for i := range o.Failures {
		text += string(scenario.Encode(o.Failures[i].Scenario))
	}
	assert.Equal(t, uint64(0x7bca717c38af6ce2), coordination.Hash64(text)+uint64(o.Features))
}
