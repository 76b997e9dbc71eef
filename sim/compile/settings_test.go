package compile_test

import (
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// setting is one field of a group of settings.
type setting struct{ scenario.Setting }

func settings() []setting {
	var all []setting
	for _, s := range scenario.Settings() {
		all = append(all, setting{s})
	}
	return all
}

// changedBySet reports whether a set act can change it.
func (s setting) changedBySet() bool { return s.Effect != scenario.AtNextRun }

// unusual is a value that is not the default, as scenario.Set takes it: the first or the second of two.
func (s setting) unusual(t *testing.T, second bool) string {
	t.Helper()
	n := 1
	if second {
		n = 2
	}
	words := scenario.Choices(s.Key)
	switch {
	case s.Type == reflect.TypeFor[scenario.Duration]():
		usual, err := time.ParseDuration("0" + s.Default)
		require.NoError(t, err)
		return (usual + time.Duration(n)*time.Second).String()
	case s.Type == reflect.TypeFor[scenario.Distribution]():
		return []string{`{"max":"2s"}`, `{"p50":"1s","p99":"4s"}`}[n-1]
	case s.Type.Kind() == reflect.Slice:
		return `["` + words[len(words)-n] + `"]`
	case len(words) > 0:
		return words[len(words)-n]
	case s.Type.Kind() == reflect.Bool:
		return strconv.FormatBool((s.Default == "true") == second)
	case s.Type.Kind() == reflect.Float64:
		least, most, _ := scenario.FloatRange(s.Key)
		return strconv.FormatFloat(least+(most-least)*float64(n)/8, 'g', -1, 64)
	case s.Type.Kind() == reflect.Int:
		usual, err := strconv.Atoi(s.Default)
		require.NoError(t, err)
		return strconv.Itoa(usual + n)
	}
	require.Fail(t, "this test knows no value of this kind", "%s", s.Path)
	return ""
}

// needs lists what a setting needs beside it in a valid scenario.
var needs = map[string]scenario.Change{
	"elector.expiryFactor":      {Path: "elector.dialect", Value: `["ttlLock"]`},
	"elector.lockDelay":         {Path: "elector.dialect", Value: `["ttlLock"]`},
	"elector.releaseAfterWork":  {Path: "elector.releaseOnCancel", Value: "true"},
	"process.restartBackoffMax": {Path: "process.restartAfterCrash", Value: "3s"},
	"process.watchdogPeriod":    {Path: "process.watchdogTolerance", Value: "0s"},
	"process.watchdogFailures":  {Path: "process.watchdogTolerance", Value: "0s"},
	"client.workQps":            {Path: "client.qps", Value: "5"},
	"client.burst":              {Path: "client.qps", Value: "5"},
	"client.ownLeaseClient":     {Path: "client.qps", Value: "5"},
}

// plain is a valid scenario in which tests change a setting.
func (s setting) plain(t *testing.T) scenario.Scenario {
	t.Helper()
	plain := scenario.Scenario{
		APIVersion: scenario.APIVersion, Kind: scenario.Kind, Duration: scenario.Duration(time.Second), Candidates: []scenario.Candidate{{Name: "a"}},
	}
	if need := needs[s.Path]; need.Path != "" {
		changed, err := scenario.Set(plain, need.Path, need.Value)
		require.NoError(t, err)
		return changed
	}
	return plain
}

// settingsOf are what the world's first candidate runs with.
func settingsOf(w *world.World) world.Candidate {
	_, have := w.Node(0).Settings()
	return have
}

// Every setting of the format reaches the world, and a copy of it keeps it.
func TestEverySettingReachesTheWorld(t *testing.T) {
	for _, one := range settings() {
		t.Run(one.Path, func(t *testing.T) {
			plain := one.plain(t)
			changed, err := scenario.Set(plain, one.Path, one.unusual(t, false))
			require.NoError(t, err)
			w := world.New(compile.Scenario(changed))
			assert.NotEqual(t, settingsOf(world.New(compile.Scenario(plain))), settingsOf(w), "the world has no trace of it")
			assert.Equal(t, settingsOf(w), settingsOf(w.Clone()))
		})
	}
}

// Every setting survives everything that keeps a scenario: both kinds of documents, a changed session, its branches and its file.
func TestEverySettingIsKept(t *testing.T) {
	for _, one := range settings() {
		t.Run(one.Path, func(t *testing.T) {
			plain, value := one.plain(t), one.unusual(t, false)
			changed, err := scenario.Set(plain, one.Path, value)
			require.NoError(t, err)
			require.Equal(t, value, scenario.Get(changed, one.Path))

			fromJSON, err := scenario.Decode(scenario.Encode(changed))
			require.NoError(t, err)
			assert.Equal(t, changed, fromJSON)
			fromYAML, err := yaml.Decode(yaml.Encode(changed))
			require.NoError(t, err)
			assert.Equal(t, changed, fromYAML)

			l := lab.New(nil)
			require.NoError(t, l.Open(lab.Opening{Whole: &plain}))
			require.NoError(t, l.EditAll([]protocol.PatchEntry{{Path: one.Path, Value: value}}, "rerun", ""))
			require.NoError(t, l.Fork("branch"))
			session, err := lab.ReadSession(l.SaveSession().Scenario)
			require.NoError(t, err)
			again := lab.New(nil)
			require.NoError(t, again.OpenSession(session))
			assert.Equal(t, value, scenario.Get(again.Scenario(), one.Path))
		})
	}
}

// A set act gives a candidate the settings that it would have had if its entry in the scenario had said the same. It
// changes one setting and loses none of the others.
func TestASetActChangesOneSetting(t *testing.T) {
	var unusual []scenario.Change
	for _, one := range settings() {
		if one.Type != reflect.TypeFor[scenario.Distribution]() { // the constant latencies stand in their place
			unusual = append(unusual, scenario.Change{Path: one.Path, Value: one.unusual(t, false)})
		}
	}
	s, err := scenario.Fragment(unusual)
	require.NoError(t, err)
	s.Duration, s.Candidates = scenario.Duration(time.Second), []scenario.Candidate{{Name: "a"}}
	for _, one := range settings() {
		if !one.changedBySet() {
			continue
		}
		t.Run(one.Path, func(t *testing.T) {
			part, err := scenario.Fragment([]scenario.Change{{Path: one.Path, Value: one.unusual(t, true)}})
			require.NoError(t, err)
			told := s.Clone()
			told.Candidates[0].Elector, told.Candidates[0].Network = &part.Elector, &part.Network

			setup := compile.Scenario(s)
			act := scenario.Action{At: 1, Act: scenario.ActSet, Target: "a", Elector: &part.Elector, Network: &part.Network}
			setup.Controls = append(setup.Controls, compile.Action(setup, s, &act, 0)...)
			w := world.New(setup)
			before := settingsOf(w)
			w.Run(int64(s.Duration), func([]trace.Record) {})
			assert.NotEqual(t, before, settingsOf(w))
			assert.Equal(t, settingsOf(world.New(compile.Scenario(told))), settingsOf(w))
		})
	}
}
