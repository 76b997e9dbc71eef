package view_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/view"
)

const threeAtOnce = `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: three-at-once
seed: 1
duration: 2m
elector: {releaseOnCancel: true}
process: {drainAfterCancel: 30s}
candidates: [{name: a}, {name: b}, {name: c}]
actions:
- {at: 20s, act: stop, target: holder}
- {at: 30s, act: stop, target: holder}
`

// A run that is computed further than it is shown does not say who joins an overlap later.
func TestAViolationSaysNothingOfWhatFollowsLive(t *testing.T) {
	s, err := yaml.Decode([]byte(threeAtOnce))
	require.NoError(t, err)
	l := lab.New(nil)
	at := timeline.Cursor{T: 28e9, N: -1}
	require.NoError(t, l.Open(lab.Opening{Whole: &s, Cursor: &at, Live: &at}))
	look := l.Look()
	known := view.Timeline(look, 0, 40e9, 1000).Violations
	require.Len(t, known, 1)
	assert.Regexp(t, `^\w and \w both lead, for `, known[0].Text)
	look.Run.Compute(40e9)
	require.Len(t, look.Run.Frontier().Checks.Violations[0].Others, 1, "by then all three lead")
	assert.Equal(t, known, view.Timeline(look, 0, 40e9, 1000).Violations)
}

// An end without an act ends the faults of its kind on its node, and no others.
func TestAnEndEndsFaultsOfItsKind(t *testing.T) {
	s, err := yaml.Decode([]byte(`apiVersion: leaselab.dev/v1alpha1
kind: Scenario
seed: 1
duration: 1m
resource: {fence: none}
candidates: [{name: a}, {name: b}, {name: c}, {name: d}]
actions:
- {at: 5s, act: cut, target: a}
- {at: 6s, act: pause, target: a}
- {at: 7s, act: cut, target: b}
- {at: 8s, act: heal, target: a}
- {at: 10s, act: resume, target: a}
- {at: 5s, act: fail, target: c, error: http500}
- {at: 6s, act: cutResource, target: c}
- {at: 7s, act: latency, target: c, request: 1s}
- {at: 8s, act: recover, target: c}
- {at: 11s, act: healResource, target: c}
- {at: 5s, act: crash, target: d}
- {at: 8s, act: restart, target: d}
- {at: 12s, act: pause, target: d}
- {at: 14s, act: crash, target: d}
- {at: 12s, act: pause, target: c}
- {at: 13s, act: pause, target: b}
- {at: 15s, act: remove, target: b}
`))
	require.NoError(t, err)
	l := lab.New(nil)
	at := timeline.Cursor{T: 20e9, N: -1}
	require.NoError(t, l.Open(lab.Opening{Whole: &s, Cursor: &at, Live: &at}))
	said := []string{}
	for _, f := range view.Timeline(l.Look(), 0, 20e9, 1000).Faults {
		said = append(said, fmt.Sprint(f.Node, " ", f.Kind, " ", f.From/1e9, " ", f.To/1e9, " ", f.Open))
	}
	assert.Equal(t, []string{"a cut 5 8 false", "c errors 5 8 false", "d down 5 8 false", "a paused 6 10 false",
		"c resource 6 11 false", "b cut 7 20 true", "c slow 7 20 true", "d paused 12 14 false", "c paused 12 20 true",
		"b paused 13 15 false", "d down 14 20 true"}, said, "the end of a process ends its pause, and no other")
}

// A request that an act has held says from when to when; one that is delivered after its client has given up has its
// own tick, as soon as it has arrived.
func TestAHeldRequestSaysWhen(t *testing.T) {
	ticks := func(actions string, live int64) (all []timeline.Tick) {
		s, err := yaml.Decode([]byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nseed: 1\nduration: 2m\ncandidates: [{name: a}]\nactions: [" + actions + "]\n"))
		require.NoError(t, err)
		l := lab.New(nil)
		at := timeline.Cursor{T: live, N: -1}
		require.NoError(t, l.Open(lab.Opening{Whole: &s, Cursor: &at, Live: &at}))
		for _, tick := range view.Timeline(l.Look(), live-20e9, live, 10_000).Lanes[0].Ticks {
			if tick.HeldFrom != 0 {
				all = append(all, tick)
			}
		}
		return all
	}
	sent := int64(0)
	for at := int64(30e9); sent == 0; at += 1e6 { // a renewal is under way
		if all := ticks(fmt.Sprintf("{at: %dns, act: intercept, target: a, effect: late}", at), at+1e6); len(all) > 0 {
			sent = all[0].T
			assert.Equal(t, []timeline.Tick{{T: sent, End: sent, Verb: "update", Outcome: "open", N: -1, HeldFrom: at}}, all)
		}
	}
	held := sent + 1e6
	stopped := fmt.Sprintf("{at: %dns, act: intercept, target: a, effect: late}, {at: %%dns, act: deliver, target: a}", held)
	all := ticks(fmt.Sprintf(stopped, held+2e9), held+10e9)
	require.Len(t, all, 1)
	assert.Equal(t, []int64{sent, held, held + 2e9, held + 2e9 + 1e6}, []int64{all[0].T, all[0].HeldFrom, all[0].HeldTo, all[0].Served})
	assert.True(t, all[0].Write)

	all = ticks(fmt.Sprintf(stopped, held+8e9), held+7e9)
	require.Len(t, all, 1, "it is not delivered yet")
	assert.Equal(t, []int64{held, 0, 0}, []int64{all[0].HeldFrom, all[0].HeldTo, all[0].Served})
	assert.Equal(t, "lost", all[0].Outcome)
	all = ticks(fmt.Sprintf(stopped, held+8e9), held+10e9)
	require.Len(t, all, 2)
	assert.Equal(t, []int64{sent, held, held + 8e9, held + 8e9 + 1e6, held + 8e9 + 1e6}, []int64{all[1].T, all[1].HeldFrom, all[1].HeldTo, all[1].Served, all[1].End})
}
