package lab_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenarios"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faultsWith are acts that take the fields of a scenario's action.
var faultsWith = []struct {
	act, with string
	nobody    bool // it has no target
}{
	{"fail", `{"error":"http503","for":"12s"}`, false}, {"fail", `{"error":"hang","verb":"writes"}`, false}, {"fail", `{"error":"stall","for":"7s"}`, false},
	{"fail", `{"error":"dropResponse","for":"1s","every":"5s"}`, false}, {"fail", `{"error":"conflict","count":2}`, false}, {"mend", `{}`, false},
	{"latency", `{"request":"3s","for":"9s"}`, false}, {"latency", `{"responseDistribution":{"p50":"5ms","p99":"6s"}}`, false},
	{"latency", `{"requestDistribution":{"max":"2s","window":"10s"},"for":"2s","every":"20s"}`, false},
	{"cut", `{"mode":"hold","for":"15s"}`, false}, {"cut", `{"mode":"late","direction":"up","for":"5s"}`, false}, {"cut", `{"mode":"connection"}`, false},
	{"set", `{"network":{"deadPeerTime":"20s","readLag":"2s"}}`, false},
	{"server", `{"server":{"ratePerSecond":2,"queue":3}}`, true}, {"server", `{"server":{"newLeaderLatency":"6s","newLeaderFor":"20s"}}`, true},
	{"rollback", `{"to":"1s"}`, true}, {"write", `{"op":"delete"}`, true},
}

// Every fault can be injected with all its fields; it becomes part of the run, with a name for undo.
func TestActsWithFields(t *testing.T) {
	for _, f := range faultsWith {
		s, found := scenarios.ByName("paused-leader")
		require.True(t, found)
		l := open(t, s)
		l.Show(10 * sec)
		node := "b"
		if f.nobody {
			node = ""
		}
		require.NoError(t, l.Act(f.act, node, lab.ActOptions{With: json.RawMessage(f.with)}), "%s %s", f.act, f.with)
		saved, err := scenario.Decode(l.Save().Scenario)
		require.NoError(t, err)
		a := saved.Actions[len(saved.Actions)-1]
		assert.Equal(t, f.act, a.Act)
		assert.Equal(t, node, a.Target)
		assert.NotEmpty(t, l.View().Undo)
		assert.NotContains(t, l.View().Undo, "%")
	}
}

// A bad field is refused with path, value and rule, and nothing of the session is lost.
func TestActsWithBadFields(t *testing.T) {
	s, found := scenarios.ByName("paused-leader")
	require.True(t, found)
	l := open(t, s)
	l.Show(10 * sec)
	before := text(t, l.View())
	for _, c := range []struct{ act, node, with, message string }{
		{"fail", "b", `{"error":"http418"}`, `error "http418" must be http429`},
		{"fail", "b", `{"error":"hang","eror":"x"}`, `eror: unknown field`},
		{"fail", "b", `{"error":"hang","error":"stall"}`, `error: the field is given twice`},
		{"fail", "b", `{}`, `error: missing; act "fail" needs it`},
		{"cut", "b", `{"error":"hang"}`, `error: does not belong to act "cut"`},
		{"rollback", "", `{"to":"1h"}`, `must lie before the act at`},
		{"server", "", `{"server":{"queue":4}}`, `server.queue 4 needs ratePerSecond`},
		{"latency", "b", `{"requestDistribution":{"p99":"1s"}}`, `requestDistribution.p50: missing`},
		{"latency", "nobody-here", `{"request":"1s"}`, `There is no node named "nobody-here" now.`},
		{"fail", "b", `[]`, `a JSON object`},
		{"fail", "b", `null`, `a JSON object`},
		{"fail", "b", `{"error":`, `a JSON object`},
		{"fail", "b", `{"at":"1s","error":"hang"}`, `at is given apart`},
	} {
		err := l.Act(c.act, c.node, lab.ActOptions{With: json.RawMessage(c.with)})
		require.Error(t, err, c.with)
		assert.Contains(t, err.Error(), c.message)
		var e *scenario.FieldError
		if errors.As(err, &e) {
			assert.NotEmpty(t, e.Path, c.with)
			assert.NotEmpty(t, e.Rule, c.with)
		}
		assert.Equal(t, before, text(t, l.View()), "%s %s", c.act, c.with)
	}
}
