package lab

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
)

func runComparison(t *testing.T, l *Lab, a, b protocol.Side) *protocol.Comparison {
	t.Helper()
	require.NoError(t, l.Compare(a, b))
	goneOn(t, l)
	c := l.Comparison()
	require.NotNil(t, c)
	assert.Nil(t, l.Comparison(), "once")
	return c
}

func seedPointer(n uint64) *uint64 { return &n }

// Two variants of one story: a crash, and a graceful stop with release.
func TestCompareScenarios(t *testing.T) {
	l := openShipped(t, "a-leader-dies")
	l.Slice()
	c := runComparison(t, l, protocol.Side{Scenario: "graceful-stop"}, protocol.Side{Scenario: "graceful-stop-release"})
	require.Len(t, c.Changes, 2)
	assert.False(t, c.Changes[0].Differ)
	p := c.Changes[1]
	require.True(t, p.Differ)
	assert.Equal(t, p.B.At-p.A.At, *p.AtNs)
	assert.Equal(t, p.B.LeaderlessNs-p.A.LeaderlessNs, *p.GapNs)
	assert.Negative(t, *p.GapNs)
	require.NotEmpty(t, c.Differences)
	first := c.Differences[0]
	assert.Equal(t, "first", first.Kind)
	require.NotNil(t, first.CursorB)
	assert.NotEqual(t, first.TextA, first.TextB)
	for k := 1; k < len(c.Differences); k++ {
		assert.LessOrEqual(t, c.Differences[k-1].T, c.Differences[k].T)
	}
	assert.Equal(t, "nobody led", c.Totals[2].Label)
	assert.Equal(t, "b", c.Totals[2].Better)
	assert.NotEmpty(t, c.A.Timeline.Lanes)
	assert.Equal(t, max(c.A.Until, c.B.Until), c.To)
	assert.Equal(t, int64(0), l.history.cursor.T, "the session is unchanged")
}

// The first difference equals that of a linear search, wherever the checkpoints lie.
func TestFirstDifference(t *testing.T) {
	day := scenario.Scenario{APIVersion: scenario.APIVersion, Kind: scenario.Kind, Seed: 1, Duration: scenario.Duration(3 * 3600e9)}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		day.Candidates = append(day.Candidates, scenario.Candidate{Name: name})
	}
	for _, at := range []int64{1, 3e9, 1800e9, 7300e9, 10_799e9} {
		l := New(nil)
		require.NoError(t, l.Open(Opening{Whole: &day}))
		require.NoError(t, l.RunTo("end"))
		l.Seek(timeline.Cursor{T: at, N: -1})
		require.NoError(t, l.Act(scenario.ActCrash, "d", protocol.ActOptions{}))
		require.NoError(t, l.RunTo("end"))
		c := runComparison(t, l, protocol.Side{Branch: new(int)}, protocol.Side{Branch: &l.history.current})
		require.NotEmpty(t, c.Differences)
		assert.Equal(t, at+1, c.Differences[0].T)
		assert.Contains(t, c.Differences[0].TextB, "d ")
		again := runComparison(t, l, c.A.Side, c.B.Side) // as a link finds the two runs
		assert.Equal(t, c.A.Hash, again.A.Hash)
		assert.Equal(t, c.B.Hash, again.B.Hash)
		assert.Equal(t, c.Differences, again.Differences)
	}
}

func TestCompareWithItselfAndAnotherSeed(t *testing.T) {
	l := openShipped(t, "crash")
	l.move(timeline.Cursor{T: 100e9, N: -1})
	here := 0
	c := runComparison(t, l, protocol.Side{Branch: &here}, protocol.Side{Branch: &here})
	assert.True(t, c.Same)
	assert.Empty(t, c.Differences)
	c = runComparison(t, l, protocol.Side{Branch: &here}, protocol.Side{Branch: &here, Seed: seedPointer(9)})
	assert.False(t, c.Same)
	assert.Equal(t, uint64(9), c.B.Seed)
	assert.Equal(t, int64(100e9), c.B.Until, "nothing after the live cursor is shown")
	c = runComparison(t, l, protocol.Side{Scenario: "paused-leader"}, protocol.Side{Scenario: "crash"})
	var only []string
	for _, d := range c.Differences {
		if d.Kind == "violation" {
			only = append(only, d.In)
		}
	}
	assert.Contains(t, only, "a")
	assert.NotContains(t, only, "b")
}

func TestCompareRefuses(t *testing.T) {
	l := openShipped(t, "crash")
	nine := 9
	for want, side := range map[string]protocol.Side{
		"the second run: the session has no branch number 9":                {Branch: &nine},
		`the second run: no scenario is named "x"`:                          {Scenario: "x"},
		"the second run: scenario must be a branch, the name of a scenario": {},
		"the second run: branch must be":                                    {Branch: &nine, Scenario: "crash"},
		"the second run: seed":                                              {Scenario: "crash", Seed: seedPointer(1 << 60)},
	} {
		assert.ErrorContains(t, l.Compare(protocol.Side{Scenario: "crash"}, side), want)
	}
}

// Some steps write no record. Where one ends each run, the sentences of both are none.
func TestCompareRunsWithStepsThatTellNothing(t *testing.T) {
	var all []scenario.Scenario
	for _, name := range []string{"b52-heartbeat-and-patience", "b54-blind-watcher"} {
		s, found := shipped.ByName(name)
		require.True(t, found, name)
		all = append(all, s)
	}
	l := New(all)
	require.NoError(t, l.Open(Opening{Name: "b54-blind-watcher"}))
	// A cut at the last instant that is compared.
	until := int64(4402841)
	cut := json.RawMessage(`{"at":"4402841ns","act":"cut","target":"node-0"}`)
	c := runComparison(t, l, protocol.Side{Scenario: "b54-blind-watcher", Actions: []json.RawMessage{cut}, Until: &until}, protocol.Side{Scenario: "b52-heartbeat-and-patience"})
	first := c.Differences[0]
	assert.Equal(t, "node-0 is cut off from the API server (both ways).", first.TextA)
	assert.NotEqual(t, first.TextA, first.TextB)
}
