package lab

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/world"
)

// minimal has each act with the fewest fields it needs, and the instant at which laboratory() performs it. Add every
// new act of the format here.
var minimal = map[string]string{
	"crash":        `{"target":"holder"}`,
	"restart":      `{"target":"c"}`,
	"pause":        `{"target":"a","for":"1s"}`,
	"resume":       `{"target":"b"}`,
	"stop":         `{"target":"a"}`,
	"cut":          `{"target":"b","direction":"up","mode":"refuse"}`,
	"heal":         `{"target":"a"}`,
	"fail":         `{"target":"a","error":"http500"}`,
	"recover":      `{"target":"a"}`,
	"latency":      `{"target":"a","request":"50ms"}`,
	"clock":        `{"target":"a","ratePpm":900000}`,
	"write":        `{"op":"touch"}`,
	"request":      `{"method":"DELETE","path":"/apis/coordination.k8s.io/v1/namespaces/default/leases/demo"}`,
	"add":          `{"candidate":{"name":"z","elector":{"retryPeriod":"1s"}}}`,
	"remove":       `{"target":"b"}`,
	"upgrade":      `{"target":"b","binaryVersion":"1.36.0"}`,
	"set":          `{"target":"b","elector":{"retryPeriod":"1s"}}`,
	"suspend":      `{"target":"a"}`,
	"hang":         `{"target":"a"}`,
	"burst":        `{"target":"a","count":20}`,
	"server":       `{"server":{"ratePerSecond":5}}`,
	"rollback":     `{"to":"10s"}`,
	"cutResource":  `{"target":"a"}`,
	"healResource": `{"target":"a"}`, "rollingUpdate": `{"every":"5s"}`,
	"intercept": `{"target":"e","effect":"drop"}`,
	"deliver":   `{"target":"d"}`,
}

// laboratory returns a run in which every act is possible at 12 s: b is paused, c is down, a is cut off from the
// resource, an act holds a message of d, and e has one under way.
func laboratory(t *testing.T) *Lab {
	t.Helper()
	s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":3,"duration":"60s","resource":{"fence":"none"},
		"candidates":[{"name":"a"},{"name":"b","startAt":"100ms"},{"name":"c","startAt":"200ms"},
		{"name":"d","startAt":"300ms","network":{"requestLatency":"4900ms"}},{"name":"e","startAt":"400ms","network":{"requestLatency":"4900ms"}}],
		"actions":[{"at":"11s","act":"intercept","target":"d","effect":"late"},{"at":"5s","act":"pause","target":"b"},{"at":"5s","act":"crash","target":"c"},{"at":"6s","act":"cutResource","target":"a"},{"at":"11s","act":"cut","target":"a"},
		{"at":"11s","act":"fail","target":"a","error":"http503"}]}`))
	require.NoError(t, err)
	l := New(nil)
	require.NoError(t, l.Open(Opening{Whole: &s}))
	l.move(timeline.Cursor{T: 12e9, N: -1})
	return l
}

func actOf(t *testing.T, act, at, fields string) scenario.Action {
	t.Helper()
	all, err := scenario.DecodeActions([]json.RawMessage{json.RawMessage(`{"at":"` + at + `","act":"` + act + `",` + fields[1:])})
	require.NoError(t, err)
	return all[0]
}

// reopen returns the lab that a link of this one opens.
func reopen(t *testing.T, l *Lab, whole bool) *Lab {
	t.Helper()
	share := l.Share(whole)
	actions, err := scenario.DecodeActions(share.Actions)
	require.NoError(t, err)
	o := Opening{Patch: share.Patch, Actions: actions, Cursor: &share.Cursor, Live: &share.Live, Engine: share.Engine, Hash: share.Hash}
	if document, is := share.Scenario.(json.RawMessage); is {
		s, err := scenario.Decode(document)
		require.NoError(t, err)
		o.Whole = &s
	} else {
		o.Name = share.Scenario.(string)
	}
	other := New(nil)
	other.shelf.named = l.shelf.named
	require.NoError(t, other.Open(o))
	return other
}

// Every act of the format can happen now: it has a label, a row in the events and an entry in the link, and undo
// reverts it.
func TestEveryActIsInjectedNow(t *testing.T) {
	for _, rule := range scenario.Acts() {
		t.Run(rule.Word, func(t *testing.T) {
			fields, known := minimal[rule.Word]
			require.True(t, known, "minimal lacks %s", rule.Word)
			l := laboratory(t)
			before := same(l.View())
			a := actOf(t, rule.Word, "0s", fields)
			require.NoError(t, l.CheckInject(a, true))
			assert.Equal(t, before, same(l.View()), "a check changes nothing")
			require.NoError(t, l.Inject(a, true))
			v := l.View()
			assert.NotEqual(t, before.Hash, v.Hash, "it happened")
			assert.NotContains(t, v.Undo, "%!", "undo has a label")
			assert.Greater(t, len(v.Undo), len(" at 12.000 s"), "undo has a label: %q", v.Undo)
			rows := 0
			for _, row := range l.Events(l.Cursor(), -1, 50, "", "").Rows {
				if row.T == v.Cursor.T {
					rows++
				}
			}
			assert.Positive(t, rows, "the list of events shows it")
			l.move(timeline.Cursor{T: 30e9, N: -1})
			assert.Equal(t, l.View().Hash, reopen(t, l, false).View().Hash, "the link restores the act")
			require.NoError(t, l.Undo())
			assert.Equal(t, before, same(l.View()))
		})
	}
	assert.Len(t, minimal, len(scenario.Acts()), "a removed act")
}

// An act at a shown instant starts a branch there. A later act is planned: nothing on screen changes, the act happens
// at its instant, and undo removes it.
func TestAnActAtAnInstant(t *testing.T) {
	l := laboratory(t)
	here := l.Cursor()
	require.NoError(t, l.Inject(actOf(t, "stop", "8s", `{"target":"a"}`), false))
	assert.Equal(t, timeline.Cursor{T: 8e9, N: -1}, l.Cursor())
	assert.Len(t, l.View().Branches, 2)
	require.NoError(t, l.Undo())
	assert.Equal(t, here, l.Cursor(), "the cursor is where it was")

	before := same(l.View())
	require.NoError(t, l.Inject(actOf(t, "stop", "20s", `{"target":"a"}`), false))
	planned := same(l.View())
	before.Run, planned.Run = 0, 0
	assert.Equal(t, before, planned, "the shown part is unchanged")
	isStopped := func(l *Lab) bool {
		i := compile.NodeNamed(l.Look().Here().World, "a")
		return l.Look().Here().World.Node(i).Role() == world.RoleEnded
	}
	other := reopen(t, l, false)
	for _, one := range []*Lab{l, other} {
		one.move(timeline.Cursor{T: 19e9, N: -1})
		assert.False(t, isStopped(one))
		one.move(timeline.Cursor{T: 22e9, N: -1})
		assert.True(t, isStopped(one))
	}
	assert.Equal(t, l.View().Hash, other.View().Hash)
	require.NoError(t, l.Undo())
	l.move(timeline.Cursor{T: 22e9, N: -1})
	assert.False(t, isStopped(l))
}

// A refusal names the field of the act, its value and the rule, and leaves the session unchanged.
func TestAnActIsRefusedAtItsField(t *testing.T) {
	l := laboratory(t)
	require.NoError(t, l.Inject(actOf(t, "cut", "0s", `{"target":"c","mode":"hold"}`), true))
	before := text(l.View())
	for _, c := range []struct{ act, at, fields, path, value string }{
		{"cut", "", `{"target":"*","mode":"refuse"}`, "mode", "refuse"},
		{"crash", "", `{"target":"nobody"}`, "target", "nobody"},
		{"crash", "", `{"target":"c"}`, "target", "c"}, // c is down
		{"rollback", "", `{"to":"50s"}`, "to", "50s"},
		{"stop", "61s", `{"target":"a"}`, "at", "1m1s"},
		{"add", "", `{"candidate":{"name":"y","elector":{"dialect":["forLife","ttlLock"]}}}`, "candidate.elector.dialect[1]", "ttlLock"},
	} {
		now := c.at == ""
		if now {
			c.at = "0s"
		}
		err := l.Inject(actOf(t, c.act, c.at, c.fields), now)
		var field *scenario.FieldError
		require.True(t, errors.As(err, &field), "%s: %v", c.act, err)
		assert.Equal(t, c.path, field.Path, field.Message)
		assert.Equal(t, c.value, field.Value, field.Message)
		assert.NotContains(t, field.Message, "actions[")
		assert.NotEmpty(t, field.Rule)
	}
	assert.Equal(t, before, text(l.View()), "the session is unchanged")
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Two fields that are valid only together change together, and the link keeps both.
func TestSettingsAreChangedTogether(t *testing.T) {
	l := openShipped(t, "a-leader-dies")
	before := same(l.View())
	alone := []protocol.PatchEntry{{Path: "elector.renewDeadline", Value: "16s"}}
	require.Error(t, l.EditAll(alone, "rerun", ""))
	both := append(alone, protocol.PatchEntry{Path: "elector.leaseDuration", Value: "20s"}, protocol.PatchEntry{Path: "network.requestDistribution.p50", Value: "2ms"},
		protocol.PatchEntry{Path: "network.requestDistribution.p99", Value: "40ms"}, protocol.PatchEntry{Path: "resource.fence", Value: "none"}, protocol.PatchEntry{Path: "candidates[1].workTail", Value: "1s"})
	require.NoError(t, l.CheckEdit(both, "rerun", ""))
	require.NoError(t, l.EditAll(both, "rerun", ""))
	l.move(timeline.Cursor{T: 40e9, N: -1})
	assert.Equal(t, l.View().Hash, reopen(t, l, false).View().Hash)
	s := l.Settings()
	assert.Contains(t, string(s.Scenario), `"renewDeadline":"16s"`)
	assert.Contains(t, string(s.InForce), `"retryPeriod":"2s"`)
	assert.Contains(t, string(s.Usual), `"leaseDuration":"15s"`)
	assert.Contains(t, s.Nodes, "a")
	require.NoError(t, l.EditAll([]protocol.PatchEntry{{Path: "resource", Value: ""}, {Path: "candidates[1].workTail", Value: ""}}, "rerun", ""), "both are removed again")
	require.NoError(t, l.Undo())
	require.NoError(t, l.Undo())
	assert.Equal(t, before, same(l.View()))
}

// A setting that acts can change can change under way, for one node or for all. EditAll refuses every other setting by
// name and says what to do instead.
func TestSettingsUnderWay(t *testing.T) {
	for _, c := range []struct {
		mode    string
		changes []protocol.PatchEntry
		acts    []string
	}{
		{"now", []protocol.PatchEntry{{Path: "network.requestLatency", Value: "9ms"}, {Path: "server.ratePerSecond", Value: "50"}}, []string{"server", "set"}},
		{"now", []protocol.PatchEntry{{Path: "candidates[1].elector.retryPeriod", Value: "1s"}, {Path: "candidates[1].clock.ratePpm", Value: "900000"}}, []string{"set", "clock"}},
		{"restart", []protocol.PatchEntry{{Path: "candidates[1].elector.dialect", Value: `["forLife"]`}}, []string{"set", "crash", "restart"}},
		{"restart", []protocol.PatchEntry{{Path: "elector.retryPeriod", Value: "1s"}}, []string{"set", "crash", "restart"}},
		{"now", []protocol.PatchEntry{{Path: "network.requestDistribution", Value: `{"max":"4ms"}`}, {Path: "candidates[0].network.responseLatency", Value: "1ms"}}, []string{"set", "set"}},
	} {
		l := openShipped(t, "a-leader-dies")
		l.move(timeline.Cursor{T: 12e9, N: -1})
		before := same(l.View())
		require.NoError(t, l.EditAll(c.changes, c.mode, "a"), c.changes)
		var acts []string
		for _, a := range l.history.spec().actions {
			acts = append(acts, a.Act)
		}
		assert.Equal(t, c.acts, acts)
		l.move(timeline.Cursor{T: 30e9, N: -1})
		assert.Equal(t, l.View().Hash, reopen(t, l, false).View().Hash)
		require.NoError(t, l.Undo())
		assert.Equal(t, before, same(l.View()))
	}
	l := openShipped(t, "a-leader-dies")
	for path, value := range map[string]string{"process.onLoss": "exit", "candidates[0].workTail": "1s", "seed": "9", "bounds.recovery": "9s", "client.qps": "5"} {
		err := l.EditAll([]protocol.PatchEntry{{Path: path, Value: value}}, "now", "")
		var field *scenario.FieldError
		require.True(t, errors.As(err, &field), path)
		assert.Equal(t, path, field.Path)
		assert.Contains(t, field.Rule, "Run again with it")
		require.NoError(t, l.EditAll([]protocol.PatchEntry{{Path: path, Value: value}}, "rerun", ""), path)
	}
}

// Replicas are one entry but several nodes: each gets its own acts, unless there are too many.
func TestSettingsOfReplicas(t *testing.T) {
	open := func(replicas string) *Lab {
		s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":3,"duration":"60s","candidates":[{"name":"w","replicas":` + replicas + `}]}`))
		require.NoError(t, err)
		l := New(nil)
		require.NoError(t, l.Open(Opening{Whole: &s}))
		l.move(timeline.Cursor{T: 5e9, N: -1})
		return l
	}
	change := []protocol.PatchEntry{{Path: "candidates[0].network.requestLatency", Value: "7ms"}}
	l := open("3")
	require.NoError(t, l.EditAll(change, "now", ""))
	var targets []string
	for _, a := range l.history.spec().actions {
		targets = append(targets, a.Act+" "+a.Target)
	}
	assert.Equal(t, []string{"set w-0", "set w-1", "set w-2"}, targets)
	err := open("201").EditAll(change, "now", "")
	var field *scenario.FieldError
	require.True(t, errors.As(err, &field))
	assert.Equal(t, "candidates[0]", field.Path)
}

// The link of a shipped scenario contains a planned act beside the name.
func TestAPlanIsInTheLink(t *testing.T) {
	l := openShipped(t, "a-leader-dies")
	l.move(timeline.Cursor{T: 5e9, N: -1})
	require.NoError(t, l.Inject(actOf(t, "stop", "9s", `{"target":"a"}`), false))
	require.NoError(t, l.EditAll([]protocol.PatchEntry{{Path: "seed", Value: "5"}}, "rerun", ""))
	l.move(timeline.Cursor{T: 12e9, N: -1})
	assert.Equal(t, "a-leader-dies", l.Share(false).Scenario)
	other := reopen(t, l, false)
	assert.Equal(t, world.RoleEnded, other.Look().Here().World.Node(0).Role())
	assert.Equal(t, l.View().Hash, other.View().Hash)
}

// A distribution that is removed under way becomes the constant that it replaced.
func TestADistributionIsTakenAwayUnderWay(t *testing.T) {
	l := openShipped(t, "a-leader-dies")
	require.NoError(t, l.EditAll([]protocol.PatchEntry{{Path: "network.requestDistribution.max", Value: "80ms"}}, "rerun", ""))
	l.move(timeline.Cursor{T: 5e9, N: -1})
	require.NoError(t, l.EditAll([]protocol.PatchEntry{{Path: "network.requestDistribution.max", Value: ""}}, "now", ""))
	set := l.history.spec().actions[0]
	require.NotNil(t, set.Network.RequestLatency)
	assert.Nil(t, set.Network.RequestDistribution)
	assert.Equal(t, scenario.Duration(2e6), *set.Network.RequestLatency)
}
