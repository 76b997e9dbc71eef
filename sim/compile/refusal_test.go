package compile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// compile refuses an act that can do nothing, and says what would make it possible again.
func TestRefusals(t *testing.T) {
	second := scenario.Duration(time.Second)
	at := func(act, node string) scenario.Action {
		return scenario.Action{At: 10 * second, Act: act, Target: node}
	}
	s := scenario.Scenario{
		APIVersion: scenario.APIVersion, Kind: scenario.Kind, Duration: 20 * second,
		Candidates: []scenario.Candidate{
			{Name: "leader", WorkTail: 20 * second}, {Name: "follower", StartAt: second}, {Name: "down", StartAt: second}, {Name: "stopped", StartAt: second},
			{Name: "paused", StartAt: second}, {Name: "cut", StartAt: second}, {Name: "gone", StartAt: second}, {Name: "late", StartAt: 15 * second},
		},
		Actions: []scenario.Action{
			at(scenario.ActCrash, "down"), at(scenario.ActStop, "stopped"), at(scenario.ActPause, "paused"), at(scenario.ActCut, "cut"), at(scenario.ActRemove, "gone"),
		},
	}
	require.NoError(t, scenario.Validate(s))
	w := world.New(compile.Scenario(s))
	w.Run(int64(11*second), func([]trace.Record) {})
	for _, c := range []struct{ act, node, want string }{
		{"crash", "leader", ""},
		{"crash", "holder", ""},
		{"crash", "*", ""},
		{"write", "", ""},
		{"explode", "leader", ""},
		{"add", "", ""},
		{"crash", "nobody", `The run has no node named "nobody" now.`},
		{"crash", "gone", "gone has left for good."},
		{"crash", "late", "late has not started yet."},
		{"cut", "late", ""},
		{"clock", "late", ""},
		{"crash", "down", "down is already down. Restart it first."},
		{"restart", "down", ""},
		{"stop", "down", "down is already down. Restart it first."},
		{"burst", "stopped", "stopped has ended. Restart it first."},
		{"restart", "leader", "leader is running. Crash or stop it first."},
		{"pause", "paused", "paused is already paused. Resume it first."},
		{"hang", "paused", "paused is already paused. Resume it first."},
		{"resume", "paused", ""},
		{"resume", "leader", "leader is not paused."},
		{"cut", "cut", "cut is cut off already. Heal it first."},
		{"heal", "cut", ""},
		{"heal", "leader", "leader is not cut off."},
	} {
		assert.Equal(t, c.want, compile.Refusal(w, c.act, c.node), "%s %s", c.act, c.node)
	}
}

// A process that ends its work is not asked to stop again.
func TestAStoppingProcessIsNotStoppedAgain(t *testing.T) {
	second := scenario.Duration(time.Second)
	s := scenario.Scenario{
		APIVersion: scenario.APIVersion, Kind: scenario.Kind, Duration: 20 * second,
		Elector:    scenario.Elector{ReleaseOnCancel: new(true), ReleaseAfterWork: new(true)},
		Candidates: []scenario.Candidate{{Name: "a", WorkTail: 10 * second}},
		Actions:    []scenario.Action{{At: 5 * second, Act: scenario.ActStop, Target: "a"}},
	}
	require.NoError(t, scenario.Validate(s))
	w := world.New(compile.Scenario(s))
	w.Run(int64(4*second), func([]trace.Record) {})
	assert.Empty(t, compile.Refusal(w, scenario.ActStop, "a"))
	w.Run(int64(6*second), func([]trace.Record) {})
	assert.Equal(t, "a is stopping already.", compile.Refusal(w, scenario.ActStop, "a"))
}
