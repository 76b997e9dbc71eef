package expect_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/judge/expect"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

func length(d time.Duration) *scenario.Duration { return new(scenario.Duration(d)) }

// weigh runs "A leader dies" with other clauses: a leads until it crashes at 20 s, b from 34.039 s.
func weigh(t *testing.T, clauses ...scenario.Expect) []expect.Outcome {
	t.Helper()
	s, shipped := shipped.ByName("a-leader-dies")
	require.True(t, shipped)
	s.Expect = clauses
	return judge(t, s)
}

func judge(t *testing.T, s scenario.Scenario) []expect.Outcome {
	t.Helper()
	require.NoError(t, scenario.Validate(s))
	r := run.WithClauses(s)
	r.To(r.EndNs(), nil)
	return r.Outcomes(r.EndNs())
}

// Each clause says what it found, met or not; a neighbor that is just wrong is not met.
func TestClauses(t *testing.T) {
	for name, c := range map[string]struct {
		clause   scenario.Expect
		met      bool
		words    string
		measured string
	}{
		"leader at the end":    {scenario.Expect{Leader: "b"}, true, "b leads at the end", "b"},
		"the other at the end": {scenario.Expect{Leader: "a"}, false, "a leads at the end", "b"},
		"leader then": {scenario.Expect{Leader: "a", At: length(19 * time.Second)}, true, "a leads at 19s",
			"a"},
		"nobody in between": {scenario.Expect{Leader: "nobody", At: length(34 * time.Second)}, true,
			"nobody leads at 34s", "nobody"},
		"b after it": {scenario.Expect{Leader: "b", At: length(34039 * time.Millisecond)}, true,
			"b leads at 34.039s", "b"},
		"leader before anything": {scenario.Expect{Leader: "nobody", At: length(0)}, true, "nobody leads at 0s",
			"nobody"},
		"changes":         {scenario.Expect{Changes: new(2)}, true, "2 leader changes", "2"},
		"too few changes": {scenario.Expect{Changes: new(1)}, false, "1 leader change", "2"},
		"the gap": {scenario.Expect{Measure: "leaderlessLongest", AtLeast: "14s", AtMost: "14.1s"}, true,
			"the longest time without an active leader, including before the first and after the last, between 14s " +
				"and 14.1s", "14.038760558 s"},
		"a shorter gap": {scenario.Expect{Measure: "leaderlessLongest", AtMost: "14s"}, false,
			"the longest time without an active leader, including before the first and after the last, at most 14s",
			"14.038760558 s"},
		"all gaps": {scenario.Expect{Measure: "leaderlessTotal", AtMost: "14.1s"}, true,
			"the total time without an active leader, at most 14.1s", "14.048760577 s"},
		"never two": {scenario.Expect{Measure: "doubleLeaderTotal", AtMost: "0s"}, true,
			"the total time with two or more active leaders, at most 0s", "0 s"},
		"no violation": {scenario.Expect{Violation: "moreThanOneActive", AtMost: "0"}, true,
			"more than one active worker, never", "0"},
		"a violation": {scenario.Expect{Violation: "moreThanOneActive"}, false,
			"more than one active worker, at least once", "0"},
		"the crash": {scenario.Expect{Event: "crashed", Node: "a", From: length(20 * time.Second),
			Until: length(21 * time.Second)}, true, "the event “crashed” of a, from 20s, until 21s, at least once",
			"1"},
		"too early": {scenario.Expect{Event: "crashed", Until: length(20 * time.Second)}, false,
			"the event “crashed”, until 20s, at least once", "0"},
		"another node's": {scenario.Expect{Event: "crashed", Node: "b"}, false,
			"the event “crashed” of b, at least once", "0"},
		"conflicts": {scenario.Expect{Measure: "conflicts", AtMost: "0"}, true,
			"writes refused because the Lease had changed meanwhile, or already existed, at most 0", "0"},
		"rate": {scenario.Expect{Measure: "requestsPerSecond", AtLeast: "0.8", AtMost: "0.9"}, true,
			"requests per second, as the mean of the whole run, between 0.8 and 0.9", "0.883"},
		"peak": {scenario.Expect{Measure: "requestsPeak", AtMost: "10"}, true,
			"the most requests within one second of the run's clock, at most 10", "5"},
	} {
		got := weigh(t, c.clause)
		require.Len(t, got, 1, name)
		of := c.clause.Violation + c.clause.Event + c.clause.Measure
		if number, err := strconv.ParseFloat(strings.TrimSuffix(c.measured, " s"), 64); err == nil {
			if strings.HasSuffix(c.measured, " s") {
				number *= 1e9
			}
			assert.InDelta(t, number, got[0].Value, 1e-6, name)
		}
		got[0].Value = 0
		assert.Equal(t, expect.Outcome{Clause: c.words, Name: of, Met: c.met, Measured: c.measured}, got[0], name)
		assert.Equal(t, []expect.Clause{{Clause: c.words, Name: of}}, expect.Clauses([]scenario.Expect{c.clause}), name)
	}
}

// Violations are counted by their beginning, their nodes and their length.
func TestViolationsWithBounds(t *testing.T) {
	s, shipped := shipped.ByName("paused-leader")
	require.True(t, shipped)
	for name, c := range map[string]struct {
		clause scenario.Expect
		met    bool
	}{
		"by its nodes": {scenario.Expect{Violation: "moreThanOneActive", Nodes: []string{"a", "b"}}, false},
		"long enough": {scenario.Expect{Violation: "moreThanOneActive", Measure: "longest", AtLeast: "20s"},
			true},
		"too long": {scenario.Expect{Violation: "moreThanOneActive", Measure: "total", AtMost: "20s"}, false},
		"in its window": {scenario.Expect{Violation: "moreThanOneActive", From: length(30 * time.Second),
			Until: length(40 * time.Second)}, true},
		"outside its window": {scenario.Expect{Violation: "moreThanOneActive", From: length(45 * time.Second)}, false},
	} {
		s.Expect = []scenario.Expect{c.clause}
		assert.Equal(t, c.met, judge(t, s)[0].Met, name)
	}
}
