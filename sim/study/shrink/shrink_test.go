package shrink_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/study/failure"
	"github.com/leaselab/leaselab/sim/study/shrink"
	"github.com/leaselab/leaselab/sim/testsupport/random"
)

func scenarioNamed(t *testing.T, name string) scenario.Scenario {
	t.Helper()
	s, known := shipped.ByName(name)
	require.True(t, known, name)
	return s
}

func shrunk(t testing.TB, p shrink.Plan) shrink.Outcome {
	t.Helper()
	s, err := shrink.New(p)
	require.NoError(t, err)
	require.True(t, s.Go(math.MaxInt64))
	o := s.Outcome()
	if o.Rule != "" {
		again, err := scenario.Decode(scenario.Encode(o.Scenario))
		require.NoError(t, err)
		require.Equal(t, scenario.Encode(o.Scenario), scenario.Encode(again))
	}
	return o
}

// judgeRun runs a scenario as the command does.
func judgeRun(s scenario.Scenario) (code int, sum summary.Summary) {
	r := run.WithClauses(s)
	r.To(r.EndNs(), nil)
	sum = summary.Of(s, r, r.EndNs())
	return summary.Verdict(s, r, &sum), sum
}

func words(s *scenario.Scenario) string {
	var all []string
	for i := range s.Actions {
		all = append(all, s.Actions[i].Act)
	}
	return strings.Join(all, " ")
}

// The result cannot shrink again, not even where phases decide, so that acts disappear at 2 s but not at 10 s.
func TestNothingIsLeft(t *testing.T) {
	twentyActs, err := yaml.Decode([]byte(twenty))
	require.NoError(t, err)
	all := []scenario.Scenario{twentyActs}
	for _, name := range []string{"b02-three-second-margin", "b05-wiped-lease", "paused-leader", "leader-clock-behind", "b16-slow-after-grant", "b36-half-open-connection"} {
		all = append(all, scenarioNamed(t, name))
	}
	shrinks := 0
	for _, s := range all {
		once := shrunk(t, shrink.Plan{Scenario: s})
		if once.Rule == "" || once.Rule == shrink.Assertion {
			continue
		}
		shrinks++
		again := shrunk(t, shrink.Plan{Scenario: once.Scenario, Rule: once.Rule})
		assert.Equal(t, string(scenario.Encode(once.Scenario)), string(scenario.Encode(again.Scenario)), s.Name)
		if s.Name == twentyActs.Name || s.Name == "b02-three-second-margin" {
			assert.LessOrEqual(t, time.Duration(once.Scenario.Duration), 20*time.Second, s.Name)
		}
	}
	assert.GreaterOrEqual(t, shrinks, 4)
}

// A shrink never comes back to a scenario that it has left: rounder instants must not undo what shorter ones have won.
func TestNoStepIsUndone(t *testing.T) {
	start, err := yaml.Decode([]byte(`apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 20s
candidates: [{name: a}, {name: c}]
actions:
  - {at: 0s, act: clock, target: c, ratePpm: 1500000}
  - {at: 1s, act: cut, target: a, for: 12s}
`))
	require.NoError(t, err)
	s, err := shrink.New(shrink.Plan{Scenario: start, Rule: rules.WriteByNonHolder})
	require.NoError(t, err)
	seen := map[string]int{}
	for over, steps := false, 0; !over; {
		over = s.Go(1)
		if o := s.Outcome(); len(o.Steps) > steps {
			steps = len(o.Steps)
			text := string(scenario.Encode(o.Scenario))
			require.Zero(t, seen[text], "step %d, %s, is back at step %d: %s", steps, o.Steps[steps-1].What, seen[text], text)
			seen[text] = steps
		}
	}
	assert.NotEmpty(t, seen)
}

// twenty is B02, the slow answer and the cut, among eighteen acts that break nothing.
const twenty = `apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: twenty-acts
seed: 7
duration: 2m
elector: {leaseDuration: 15s, renewDeadline: 10s, retryPeriod: 2s}
network: {requestLatency: 4ms, responseLatency: 3ms}
candidates: [{name: a}, {name: b, startAt: 50ms}, {name: c, startAt: 100ms}, {name: d, startAt: 1.3s}]
actions:
  - {at: 3.1s, act: clock, target: b, offset: 12m}
  - {at: 4.7s, act: fail, target: c, error: http503, for: 2.3s}
  - {at: 6.2s, act: pause, target: d, for: 1.7s}
  - {at: 7.9s, act: write, op: touch}
  - {at: 9.3s, act: latency, target: d, request: 300ms, for: 4.1s}
  - {at: 11.1s, act: crash, target: d, for: 3.3s}
  - {at: 12.4s, act: cut, target: c, for: 2.9s, mode: refuse}
  - {at: 13.3s, act: fail, target: d, error: conflict, count: 1, for: 4s}
  - {at: 15.6s, act: hang, target: c, for: 1.4s}
  - {at: 16.7s, act: latency, target: b, response: 700ms, for: 1.9s}
  - {at: 18.2s, act: clock, target: a, jump: -37s}
  - {at: 19.9s, act: latency, target: a, response: 4.9s}
  - {at: 21.3s, act: fail, target: d, error: reset, for: 5.2s}
  - {at: 22.8s, act: suspend, target: d, for: 2.1s}
  - {at: 26.3s, act: cut, target: a, direction: both, mode: drop}
  - {at: 26.9s, act: stop, target: d}
  - {at: 28.8s, act: restart, target: d}
  - {at: 61.7s, act: write, op: touch}
  - {at: 70.2s, act: latency, target: c, request: 90ms, for: 9s}
  - {at: 95.5s, act: clock, target: c, offset: -4s}
`

func TestTwentyActsOfB02(t *testing.T) {
	o := shrunk(t, shrink.Plan{Scenario: twentyActs(t), Windows: true})
	t.Logf("%d runs: %s", o.Tried, scenario.Encode(o.Scenario))
	assert.Equal(t, rules.MoreThanOneActive, o.Rule)
	assert.Equal(t, "latency cut", words(&o.Scenario))
	assert.Len(t, o.Scenario.Candidates, 2)
	assert.Zero(t, o.Scenario.Elector)
	assert.Zero(t, o.Scenario.Network)
	code, sum := judgeRun(o.Scenario)
	assert.Equal(t, summary.Fine, code, "its assertions say what it breaks")
	assert.NotZero(t, sum.DoubleLeaderSeconds)
	assert.NotEmpty(t, o.Steps)

	again := shrunk(t, shrink.Plan{Scenario: o.Scenario})
	assert.Equal(t, scenario.Encode(o.Scenario), scenario.Encode(again.Scenario), "there is nothing to leave out of the smallest one")
	windowsHold(t, &o)
}

// twentyActs is the schedule with a seed in which two lead: that is a matter of the followers' jitter.
func twentyActs(t testing.TB) scenario.Scenario {
	s, err := yaml.Decode([]byte(twenty))
	require.NoError(t, err)
	require.Len(t, s.Actions, 20)
	for s.Seed = 1; s.Seed < 50; s.Seed++ {
		if code, _ := judgeRun(s); code == 3 {
			return s
		}
	}
	require.Fail(t, "two lead with no seed")
	return s
}

// BenchmarkTwentyActs shrinks twenty acts, with the windows of the remaining ones, on one core.
func BenchmarkTwentyActs(b *testing.B) {
	s := twentyActs(b)
	runs := 0
	for b.Loop() {
		o := shrunk(b, shrink.Plan{Scenario: s, Windows: true})
		runs = o.Tried
	}
	b.ReportMetric(float64(runs), "runs")
}

// A window has no hole: an act may lie at each tenth of a second in it.
func TestWindowsHaveNoHoles(t *testing.T) {
	s, err := yaml.Decode([]byte(`apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: upgrade-coordinated
seed: 1
duration: 40s
candidates: [{name: node-1, binaryVersion: 1.36.0, emulationVersion: 1.36.0, strategy: OldestEmulationVersion}, {name: node-3}]
apiServers: [{name: api-1}]
actions:
  - {at: 0s, act: stop, target: node-1}
  - {at: 0s, act: clock, target: node-3, ratePpm: 500000}
  - {at: 1s, act: restart, target: '*'}
`))
	require.NoError(t, err)
	o := shrunk(t, shrink.Plan{Scenario: s, Rule: rules.MoreThanOneActive, Windows: true})
	require.Len(t, o.Scenario.Actions, 3)
	windowsHold(t, &o)
}

// reason returns with what the story of the first violation of a rule ends.
func reason(s scenario.Scenario, rule string) explain.Cause {
	r := run.WithAll(s)
	r.To(r.EndNs(), nil)
	for k := range r.Checks.Violations {
		if r.Checks.Violations[k].Rule == rule {
			return failure.Reason(r, k)
		}
	}
	return explain.NoCause
}

// Without a rule the shrink keeps what the scenario expects first, and what its story blames: in b05 the leader that empties its
// successor's Lease, although two candidates lead before that for another reason.
func TestKeepsTheBug(t *testing.T) {
	for _, name := range []string{"b05-wiped-lease", "b04-released-too-early", "b02-three-second-margin"} {
		s := scenarioNamed(t, name)
		o := shrunk(t, shrink.Plan{Scenario: s})
		assert.Equal(t, s.Expect[0].Violation, o.Rule)
		assert.Equal(t, reason(s, o.Rule), reason(o.Scenario, o.Rule), name)
	}
	s := scenarioNamed(t, "b05-wiped-lease")
	assert.NotEqual(t, reason(s, rules.MoreThanOneActive), reason(s, rules.WriteByNonHolder))
	s.Expect = s.Expect[1:]
	o := shrunk(t, shrink.Plan{Scenario: s})
	assert.Equal(t, rules.WriteByNonHolder, o.Rule, "a surprise comes before what the scenario expects")
	assert.Equal(t, reason(s, o.Rule), reason(o.Scenario, o.Rule))
}

// windowsHold: at both ends of each window and between them the rule breaks for the same reason, and a tenth of a second further
// it does not.
func windowsHold(t *testing.T, o *shrink.Outcome) {
	const tenth = scenario.Duration(100 * time.Millisecond)
	broken := func(act int, at scenario.Duration) bool {
		s := o.Scenario.Clone()
		s.Actions[act].At = at
		code, _ := judgeRun(s)
		return code == summary.Fine && reason(s, o.Rule) == reason(o.Scenario, o.Rule)
	}
	require.Len(t, o.Windows, len(o.Scenario.Actions))
	for _, w := range o.Windows {
		from, to := scenario.Duration(w.FromNs), scenario.Duration(w.ToNs)
		assert.True(t, broken(w.Act, to))
		for at := from; at < to; at += tenth {
			assert.True(t, broken(w.Act, at), "act %d at %s", w.Act, at)
		}
		if !w.AtStart {
			assert.False(t, broken(w.Act, from-tenth), "act %d earlier than %s", w.Act, from)
		}
		if !w.AtEnd {
			assert.False(t, broken(w.Act, to+tenth), "act %d later than %s", w.Act, to)
		}
	}
}

// Everything that a run can be refused for can shrink, and the result does the same again.
func TestEveryKindOfFailure(t *testing.T) {
	liveness := scenarioNamed(t, "api-outage-30s")
	liveness.Bounds.Leaderless, liveness.Expect = scenario.Duration(5*time.Second), nil
	fenced, err := yaml.Decode([]byte(`apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 1m
resource: {fence: leaseTransitions, writeEvery: 700ms}
candidates: [{name: a, identity: x}, {name: b, identity: x, startAt: 1s}, {name: c, startAt: 2s}]
actions: [{at: 30s, act: pause, target: b, for: 2s}, {at: 40s, act: write, op: touch}]
`))
	require.NoError(t, err)
	unmet := scenarioNamed(t, "crash")
	unmet.Expect = []scenario.Expect{{Leader: "nobody"}, {Measure: "leaderlessLongest", AtLeast: "1s", AtMost: "10s"}}
	count := scenarioNamed(t, "crash")
	three := 3
	count.Expect = []scenario.Expect{{Changes: &three}}
	observed := scenarioNamed(t, "b41-transitions-lie")
	for _, c := range []struct {
		name     string
		plan     shrink.Plan
		rule     string
		code     int
		mostActs int
	}{
		{"safety", shrink.Plan{Scenario: scenarioNamed(t, "paused-leader")}, rules.MoreThanOneActive, summary.Fine, 1},
		{"liveness", shrink.Plan{Scenario: liveness}, rules.LeaderlessTooLong, summary.Fine, 1},
		{"a fenced resource", shrink.Plan{Scenario: fenced, Rule: rules.StaleWriteAccepted}, rules.StaleWriteAccepted, summary.Fine, 0},
		{"an observation", shrink.Plan{Scenario: observed, Rule: rules.TransitionsMiscount}, rules.TransitionsMiscount, summary.Fine, 2},
		{"a figure out of its bounds", shrink.Plan{Scenario: unmet, Rule: shrink.Assertion}, shrink.Assertion, summary.Unexpected, 1},
		{"a wrong count", shrink.Plan{Scenario: count}, shrink.Assertion, summary.Unexpected, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := shrunk(t, c.plan)
			t.Logf("%d runs: %s", o.Tried, scenario.Encode(o.Scenario))
			require.Equal(t, c.rule, o.Rule)
			assert.LessOrEqual(t, len(o.Scenario.Actions), c.mostActs)
			code, sum := judgeRun(o.Scenario)
			assert.Equal(t, c.code, code, sum.Unmet)
			if c.code == summary.Fine {
				assert.NotEmpty(t, o.Scenario.Expect)
			}
		})
	}
}

func TestNothingToShrink(t *testing.T) {
	o := shrunk(t, shrink.Plan{Scenario: scenarioNamed(t, "crash")})
	assert.Empty(t, o.Rule)
	assert.Equal(t, 1, o.Tried)
	assert.Empty(t, shrunk(t, shrink.Plan{Scenario: scenarioNamed(t, "crash"), Rule: rules.NoRecovery}).Rule)
	_, err := shrink.New(shrink.Plan{Scenario: scenarioNamed(t, "crash"), Rule: "moreThanTwo"})
	assert.ErrorContains(t, err, `unknown rule "moreThanTwo"`)
}

// Whatever a random scenario breaks, its shrunk form also breaks, as a file.
func TestRandomScenarios(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of runs: runs without -short")
	}
	tried := 0
	for n := uint64(0); tried < 40; n++ {
		s := random.Speaking(n)
		code, _ := judgeRun(s)
		if code < 3 {
			continue
		}
		tried++
		o := shrunk(t, shrink.Plan{Scenario: s, Windows: n%4 == 0})
		code, sum := judgeRun(o.Scenario)
		assert.Equal(t, summary.Fine, code, "number %d: %v %s", n, sum.Unmet, scenario.Encode(o.Scenario))
		assert.LessOrEqual(t, len(o.Scenario.Actions), len(s.Actions))
		assert.LessOrEqual(t, len(o.Scenario.Candidates), len(s.Candidates))
	}
}

// The outcome does not depend on the slices.
func TestSlices(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of runs: runs without -short")
	}
	p := shrink.Plan{Scenario: scenarioNamed(t, "paused-leader"), Windows: true}
	whole := shrunk(t, p)
	for _, slice := range []int64{1, 37, 1000} {
		s, err := shrink.New(p)
		require.NoError(t, err)
		steps := 0
		for !s.Go(slice) {
			require.GreaterOrEqual(t, len(s.Outcome().Steps), steps)
			steps = len(s.Outcome().Steps)
		}
		assert.Equal(t, whole, s.Outcome(), slice)
	}
}
