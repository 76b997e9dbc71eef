package bridge

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/timeline"
)

// earlierLinks are links and stored sessions of earlier versions, with the scenario that each opens.
var earlierLinks = []struct {
	scenario, opens string
	patch           string
	actions         []string
}{
	{"a-leader-dies", "a-leader-dies", `{"path":"elector.leaseDuration","value":"20s"}`, nil},
	{"b03-frozen-leader-mended", "b03-paused-leader-fixed", "", nil},
	{"b01-hanging-request-mended", "b01-hanging-request-fixed", `{"path":"network.requestLatency","value":"4ms"}`,
		[]string{
			`{"at":"10s","act":"fail","target":"*","error":"http503"}`, `{"at":"12s","act":"mend","target":"*"}`,
		}},
	{"a-leader-dies", "a-leader-dies", "", []string{
		`{"at":"5s","act":"cut","target":"holder","direction":"up","mode":"late"}`,
		`{"at":"6s","act":"heal","target":"*"}`, `{"at":"7s","act":"pause","target":"b","for":"1s"}`,
		`{"at":"9s","act":"clock","target":"a","jump":"1h"}`,
		`{"at":"10s","act":"write","op":"patch","clear":["holderIdentity"]}`,
	}},
}

// A link of an earlier version opens the same run, and the page writes it with today's words.
func TestEarlierLinksOpen(t *testing.T) {
	for _, link := range earlierLinks {
		b := greet(t)
		params := map[string]any{"scenario": link.scenario, "cursor": timeline.Cursor{T: 15e9, N: -1},
			"edge": timeline.Cursor{T: 15e9, N: -1}}
		if link.patch != "" {
			params["patch"] = []json.RawMessage{json.RawMessage(link.patch)}
		}
		var actions []json.RawMessage
		for _, action := range link.actions {
			actions = append(actions, json.RawMessage(action))
		}
		params["actions"] = actions
		a := ask(t, b, "open", params)
		require.True(t, a.OK, "%s: %v", link.scenario, a.Error)
		share := ask(t, b, "share", nil)
		require.True(t, share.OK, "%v", share.Error)
		assert.Contains(t, string(share.Result), `"scenario":"`+link.opens+`"`)
		assert.NotContains(t, string(share.Result), "mend")
		assert.Contains(t, string(share.Result), `"live":{"t":15000000000,`)
		assert.NotContains(t, string(share.Result), "edge")
	}
}

// Sessions and snapshots of earlier versions, which say edge instead of live, open.
func TestEarlierSessionsOpen(t *testing.T) {
	for _, op := range []string{"saveSession", "snapshot"} {
		b := greet(t)
		at := timeline.Cursor{T: 15e9, N: -1}
		require.True(t, ask(t, b, "open", map[string]any{"scenario": "a-leader-dies", "cursor": at, "live": at}).OK)
		require.True(t, ask(t, b, "act", map[string]any{"act": "pause", "node": "b"}).OK)
		saved := ask(t, b, op, nil)
		require.True(t, saved.OK, "%v", saved.Error)
		document := saved.Result
		if op == "saveSession" {
			var file struct {
				Scenario json.RawMessage `json:"scenario"`
			}
			require.NoError(t, json.Unmarshal(document, &file))
			document = file.Scenario
		}
		earlier := strings.ReplaceAll(strings.ReplaceAll(string(document), `"live":{`, `"edge":{`), `"live": {`,
			`"edge": {`)
		require.NotEqual(t, string(document), earlier)
		again := greet(t)
		a := ask(t, again, "open", map[string]any{"scenario": json.RawMessage(earlier)})
		require.True(t, a.OK, "%s: %v", op, a.Error)
		assert.Equal(t, b.view().Live, again.view().Live, op)
		assert.Equal(t, b.view().Hash, again.view().Hash, op)
	}
}

// A Deployment opens as the scenario that the engine makes from it, and has no errors.
func TestADeploymentOpens(t *testing.T) {
	b := greet(t)
	deployment := map[string]any{"scenario": json.RawMessage(
		`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2,"paused":false}}`)}
	require.True(t, ask(t, b, "open", deployment).OK)
	found := ask(t, b, "errors", deployment)
	require.True(t, found.OK, "%v", found.Error)
	assert.Contains(t, string(found.Result), `"errors":[]`)
	saved := ask(t, b, "save", nil)
	assert.Contains(t, string(saved.Result), `"act":"rollingUpdate"`)
	assert.Contains(t, string(saved.Result), "Not read: spec.paused.")
}
