package compile_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// unusual gives every field of a group a value that is not its default. Other values differ from those again.
func unusual(t *testing.T, group any, other bool) {
	t.Helper()
	d := func(seconds float64) *scenario.Duration {
		return new(scenario.Duration(seconds * float64(time.Second)))
	}
	add := 0.0
	if other {
		add = 1
	}
	values := map[string]any{
		"LeaseDuration": d(31 + add), "RenewDeadline": d(21 + add), "RetryPeriod": d(3 + add), "RequestTimeout": d(7 + add),
		"ReleaseOnCancel": new(!other), "Coordinated": new(!other), "ReleaseAfterWork": new(!other), "ReleaseChecksHolder": new(!other),
		"JitterFactor": new(0.25 + add/2), "CallbackDelay": d(0.1 + add), "ExpiryFactor": new(1.000004 + add/2), "LockDelay": d(0.2 + add),
		"Lock":           map[bool]string{false: "configmaps", true: "configmapsleases"}[other],
		"Dialect":        map[bool][]string{false: {"noFastPath", "ttlLock"}, true: {"blindRelease"}}[other],
		"RequestLatency": d(0.3 + add), "ResponseLatency": d(0.4 + add), "DeadPeerTime": d(45 + add), "ReadLag": d(0.5 + add),
		"RequestDistribution":  &scenario.Distribution{Max: *d(2 + add)},
		"ResponseDistribution": &scenario.Distribution{P50: *d(1 + add), P99: *d(4 + add)},
	}
	v := reflect.ValueOf(group).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		require.Contains(t, values, name, "this test does not know the setting: give it two values here")
		v.Field(i).Set(reflect.ValueOf(values[name]))
	}
}

// apply runs one set act on a candidate and returns its settings before and after.
func apply(t *testing.T, s scenario.Scenario, act scenario.Action) (before, after world.Candidate) {
	t.Helper()
	setup := compile.Scenario(s)
	setup.Controls = append(setup.Controls, compile.Action(setup, s, &act, 0)...)
	w := world.New(setup)
	_, before = w.Node(0).Settings()
	w.Run(int64(s.Duration), func([]trace.Record) {})
	_, after = w.Node(0).Settings()
	return before, after
}

// differing lists the fields in which two structs differ, by path.
func differing(a, b reflect.Value, path string) []string {
	if a.Kind() == reflect.Struct {
		var all []string
		for i := range a.NumField() {
			all = append(all, differing(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name)...)
		}
		return all
	}
	same := a.Kind() == reflect.Slice && a.Len() == b.Len() // the jitter draws, which no act changes
	if same || a.Comparable() && a.Equal(b) {
		return nil
	}
	return []string{path}
}

// A set act that changes one setting leaves every other one as it was: a setting that somebody adds to the format and forgets
// on the way fails here, by name.
func TestASetActChangesOneSetting(t *testing.T) {
	var elector, otherElector scenario.Elector
	var network, otherNetwork scenario.Network
	unusual(t, &elector, false)
	unusual(t, &otherElector, true)
	unusual(t, &network, false)
	unusual(t, &otherNetwork, true)
	s := scenario.Scenario{
		Duration: scenario.Duration(time.Second), Elector: elector, Network: network,
		Process: scenario.Process{DrainAfterLoss: new(scenario.Duration(1)), WatchdogTolerance: new(scenario.Duration(2))},
		Client:  scenario.Client{QPS: new(3.0), Burst: new(4)}, Candidates: []scenario.Candidate{{Name: "a"}},
	}
	// One field of the format may stand in two of the world.
	alike := map[string][]string{
		"JitterFactor": {".Config.JitterFactor"}, "Dialect": {".Config.Dialect"}, "ExpiryFactor": {".ExpiryPpm"}, "Lock": {".Lock"},
		"LockDelay": {".LockDelayNs"}, "CallbackDelay": {".Config.CallbackDelayNs"}, "RequestTimeout": {".RequestTimeoutNs"},
		"RequestLatency": {".RequestNs", ".RequestDraw"}, "ResponseLatency": {".ResponseNs", ".ResponseDraw"},
		"RequestDistribution": {".RequestDraw"}, "ResponseDistribution": {".ResponseDraw"},
		"DeadPeerTime": {".DeadPeerNs"}, "ReadLag": {".ReadLagNs"},
	}
	for group, values := range map[string]reflect.Value{"elector": reflect.ValueOf(otherElector), "network": reflect.ValueOf(otherNetwork)} {
		for i := range values.NumField() {
			name := values.Type().Field(i).Name
			t.Run(group+"."+name, func(t *testing.T) {
				act := scenario.Action{At: 1, Act: scenario.ActSet, Target: "a"}
				one := reflect.New(values.Type())
				one.Elem().Field(i).Set(values.Field(i))
				switch part := one.Interface().(type) {
				case *scenario.Elector:
					act.Elector = part
				case *scenario.Network:
					act.Network = part
				}
				before, after := apply(t, s, act)
				want := alike[name]
				if want == nil {
					want = []string{".Config." + name}
				}
				assert.Equal(t, want, differing(reflect.ValueOf(before), reflect.ValueOf(after), ""))
			})
		}
	}
}

// Every setting of the format reaches the world when a run begins.
func TestEverySettingIsCompiled(t *testing.T) {
	plain := scenario.Scenario{Duration: 1, Candidates: []scenario.Candidate{{Name: "a"}}}
	usual := compile.Scenario(plain).Candidates[0]
	for _, group := range []any{&scenario.Elector{}, &scenario.Network{}} {
		unusual(t, group, false)
		values := reflect.ValueOf(group).Elem()
		for i := range values.NumField() {
			one := reflect.New(values.Type())
			one.Elem().Field(i).Set(values.Field(i))
			s := plain
			switch part := one.Interface().(type) {
			case *scenario.Elector:
				s.Elector = *part
			case *scenario.Network:
				s.Network = *part
			}
			got := compile.Scenario(s).Candidates[0]
			assert.NotEmpty(t, differing(reflect.ValueOf(usual), reflect.ValueOf(got), ""), "%s does not reach the world", values.Type().Field(i).Name)
		}
	}
}
