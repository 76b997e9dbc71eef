package bridge

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answer is a reply as the page decodes it.
type answer struct {
	ID     int64                `json:"id"`
	OK     bool                 `json:"ok"`
	Result json.RawMessage      `json:"result"`
	Error  *protocol.ErrorReply `json:"error"`
}

func read(t testing.TB, reply []byte) answer {
	t.Helper()
	var a answer
	require.NoError(t, json.Unmarshal(reply, &a), "%s", reply)
	require.NotEqual(t, a.OK, a.Error != nil, "ok and error exclude each other: %s", reply)
	return a
}

func ask(t testing.TB, b *Bridge, op string, params any) answer {
	t.Helper()
	p, err := json.Marshal(params)
	require.NoError(t, err)
	if params == nil {
		p = nil
	}
	request, err := json.Marshal(Request{ID: 7, Op: op, Params: p})
	require.NoError(t, err)
	a := read(t, b.Handle(request))
	require.Equal(t, int64(7), a.ID)
	return a
}

func greet(t testing.TB) *Bridge {
	t.Helper()
	b := New(clock.NewMock(), nil)
	require.True(t, ask(t, b, "hello", map[string]any{"scenarios": json.RawMessage(shipped.JSON())}).OK)
	return b
}

// openBridge returns a bridge that shows "A leader dies" at 36 s.
func openBridge(t testing.TB) *Bridge {
	t.Helper()
	b := greet(t)
	require.True(t, ask(t, b, "open", map[string]any{"scenario": "a-leader-dies", "cursor": map[string]any{"t": 36e9, "n": -1}}).OK)
	return b
}

// aMap is the specification of a heat map.
const aMap = `{"scenario":"crash","x":{"path":"elector.leaseDuration","values":"10s,15s"},"y":{"path":"elector.renewDeadline","values":"5s,10s"},"first":1,"seeds":5,"varyPhase":true}`

// Studies by their specification.
const (
	aHunt = `{"kind":"hunt","scenario":"crash","values":[{"name":"runs","value":"48"},{"name":"faults","value":"all"},{"name":"seed","value":"3"}]}`
)

// operations lists all operations, each with valid parameters, text that its result must contain, and invalid
// parameters.
var operations = []struct {
	name    string
	good    string
	has     string
	bad     string
	because string
}{
	{"hello", `{}`, `"knobs"`, `{"scenarios":[{"kind":"Scenario"}]}`, "apiVersion"},
	{"open", `{"scenario":"crash","seed":3}`, `"scenario":"crash"`, `{"scenario":"no-such"}`, `no scenario is named "no-such"`},
	{"errors", `{"scenario":{"apiVersion":"leaselab.dev/v1","kind":"Scenario","duraton":"2m"}}`, `{"path":"duraton","message":"duraton: unknown field; did you mean \"duration\"?"}`, `{"scenarios":1}`, "parameters of errors"},
	{"play", `{"speed":0}`, `"playing":true`, `{"speed":5000}`, "between 0.01 and 1000"},
	{"pause", ``, `"playing":false`, ``, ""},
	{"tick", ``, `{}`, ``, ""},
	{"seek", `{"cursor":{"t":1000000000,"n":-1}}`, `"cursor":{"t":1000000000,"n":-1}`, `{"cursor":5}`, "parameters of seek"},
	{"step", `{"direction":1,"unit":"event"}`, `"cursor"`, `{"direction":"on"}`, "parameters of step"},
	{"goOn", ``, `"cursor"`, ``, ""},
	{"branch", `{"branch":0,"do":"rename","name":"the story"}`, `"name":"the story"`, `{"branch":0,"do":"rename","name":" "}`, "1 to 80 characters"},
	{"branch", `{"branch":0,"do":"fork","name":"mine"}`, `"name":"mine"`, `{"branch":0,"do":"delete"}`, "is the only branch"},
	{"runTo", `{"what":"end"}`, `"cursor":{"t":120000000000,"n":-1}`, `{"what":"lunch"}`, "lunch"},
	{"act", `{"act":"crash","node":"b"}`, `"undo":"b crashes`, `{"act":"crash","node":"nobody"}`, "nobody"},
	{"extend", `{"actions":[{"at":"121s","act":"crash","target":"b"}]}`, ``, `{"actions":[{"at":"1s","act":"crash","target":"b"}]}`, "the session has shown the run up to"},
	{"edit", `{"path":"elector.leaseDuration","value":"20s","mode":"rerun"}`, `"value":"20s"`, `{"path":"elector.leaseDuration","value":"1s","mode":"rerun"}`, "renewDeadline"},
	{"undo", ``, ``, ``, ""},
	{"redo", ``, ``, ``, ""},
	{"branch", `{"branch":0}`, `"branch":0`, `{"branch":9}`, "branch number 9"},
	{"timeline", `{"from":0,"to":40000000000,"widthPx":800}`, `"lanes"`, `{"from":"now"}`, "parameters of timeline"},
	{"events", `{"count":10}`, `"rows"`, `{"count":1.5}`, "parameters of events"},
	{"object", `{"version":1}`, `"by":"a"`, `{"version":999}`, "no version 999"},
	{"decision", ``, `"numbers":0`, `{"number":"one"}`, "parameters of decision"},
	{"why", `{"change":1}`, `left on b's countdown`, `{"change":5}`, "change number 5"},
	{"share", ``, `"engine"`, ``, ""},
	{"checks", ``, `"rule":"marginNegative"`, ``, ""},
	{"save", ``, `"name":"a-leader-dies.json"`, ``, ""},
	{"sweep", `{"patch":[{"path":"elector.retryPeriod","value":"1s"}],"after":20000000000,"first":1,"count":3}`, `"of":3`, `{"count":0}`, "1 to 10000"},
	{"rest", `{"method":"GET","target":"/apis/coordination.k8s.io/v1/leases"}`, `LeaseList`, `{"method":7}`, "parameters of rest"},
	{"yaml", `{"json":"{\"a\":[true,\"true\"]}"}`, `"text":"a:\n- true\n- \"true\"\n"`, `{"json":"{"}`, "this is not JSON"},
	{"restPoll", `{"watch":9}`, `"ended":true`, `{"wach":1}`, "parameters of restPoll"},
	{"restClose", `{"watch":9}`, `{}`, `{"watch":"x"}`, "parameters of restClose"},
	{"exchange", `{"cursor":{"t":10000019,"n":1}}`, `"method":"POST"`, `{"cursor":{"t":11,"n":1}}`, "is not a request"},
	{"breakpoints", `{"breakpoints":[{"text":"active=2"}]}`, `"breakpoints":[{"text":"active = 2"}]`, `{"breakpoints":[{"text":"active is 2"}]}`, "character 8: expected one of = != < <= > >="},
	{"compare", `{"a":{"branch":0},"b":{"scenario":"crash","seed":5}}`, `"differences"`, `{"a":{"branch":0},"b":{"scenario":"no-such"}}`, `the second run: no scenario is named "no-such"`},
	{"saveSession", ``, `"kind":"Session"`, ``, ""},
	{"snapshot", ``, `"kind":"Snapshot"`, ``, ""},
	{"cause", `{"kind":"change","number":1}`, `left of the 2.959 s wait that b drew`, `{"kind":"change","number":7}`, "no change number 7"},
	{"whatIf", `{"kind":"change","number":1}`, `"of":`, `{"kind":"lunch","number":1}`, "change or violation"},
	{"try", `{"kind":"change","number":1,"line":0}`, `"name":"with releaseOnCancel"`, `{"kind":"change","number":1,"line":99}`, "no variant number 99"},
	{"reroll", `{"scenario":"a-leader-dies","until":40000000000,"kind":"change","number":1,"runs":5,"points":3}`, `"runs":5`, `{"scenario":"a-leader-dies","until":40000000000,"kind":"change","number":1,"runs":0,"points":3}`, "1 to 10000"},
	{"check", `{"path":"elector.leaseDuration","value":"20s"}`, `{}`, `{"pth":"x"}`, "parameters of check"},
	{"act", `{"act":"","action":{"at":"0s","act":"latency","target":"*","request":"9ms"},"now":true}`, `"undo":"every node gets a new latency`, `{"act":"","action":{"at":"0s","act":"latency","target":"*","request":"9"},"now":true}`, `request "9" must have a unit`},
	{"edit", `{"path":"","value":"","mode":"rerun","changes":[{"path":"client.qps","value":"5"},{"path":"client.burst","value":"2"}]}`, `"undo":"2 settings`, `{"path":"","value":"","mode":"rerun","changes":[{"path":"client.burst","value":"0"}]}`, "between 1 and 10,000"},
	{"settings", ``, `"usual"`, ``, ""},
	{"check", `{"path":"","value":"","changes":[{"path":"expect","value":"[{\"event\":\"sang\"}]"}]}`, `"path":"expect[0].event"`, `{"path":5}`, "parameters of check"},
	{"check", `{"path":"","value":"","action":{"at":"0s","act":"fail","target":"a","error":"tired"},"now":true}`, `"path":"error"`, ``, ""},
	{"lesson", `{"lesson":{"apiVersion":"leaselab.dev/v1alpha1","kind":"Lesson","name":"one","title":"One","scenario":"crash","opens":"1s","shows":{"from":"0s","to":"20s"},"steps":[{"name":"look","kind":"look","until":"5s","look":{"region":"slope","node":"bb"},"says":{"title":"Look.","text":["Here."]}}]}}`, `names no node; use one of a, b and c"`, `{"lessons":{}}`, "parameters of lesson"},
	{"offers", `{"scenario":"a-leader-dies","after":36000000000}`, `"name":"Who leads at 66 s?"`, `{"after":"now"}`, "parameters of offers"},
	{"goTest", `{"scenario":"crash"}`, `"file":"crash_test.go"`, `{"scenario":"paused-leader"}`, "a goroutine cannot be stopped from outside"},
	{"export", `{"scenario":"a-leader-dies","live":40000000000,"format":"mermaid","from":0,"to":40000000000,"link":"https://example.com/#crash"}`, `nobody leads for 14.039 s`, `{"scenario":"crash","format":"pdf","from":0,"to":1}`, "svg, markdown or mermaid"},
	{"export", `{"scenario":"a-leader-dies","live":36000000000,"format":"markdown","from":0,"to":36000000000}`, `trace hash`, `{"scenario":"crash","live":9000000000,"format":"mermaid","from":5,"to":5}`, "must lie between 0 and"},
	{"export", `{"scenario":"a-leader-dies","live":40000000000,"format":"svg","from":0,"to":40000000000,"dark":true}`, `#1b1f25`, `{"scenario":"no-such","format":"svg","from":0,"to":1}`, "no shipped scenario has the name"},
	{"history", `{"scenario":"crash","format":"leaders","from":0,"to":40000000000}`, `leader,from,to`, `{"scenario":"crash","format":"pdf","from":0,"to":1}`, "format must be ndjson"},
	{"history", `{"scenario":"crash","format":"ndjson","from":0,"to":40000000000}`, `\"kind\":\"Trace\"`, `{"scenario":"crash","format":"csv","from":5,"to":5}`, "the span must lie within the run"},
	{"heatFields", `{"scenario":"crash"}`, `"path":"actions[0].at"`, `{"scenario":"no-such"}`, `no shipped scenario has the name "no-such"`},
	{"heatPlan", `{"study":` + aMap + `}`, `"refused":[{"cell":2,"rule":"elector.renewDeadline \"10s\" must be shorter than`, `{"study":{"scenario":"crash","x":{"path":"elector.leaseDuration","values":""},"y":{"path":"elector.renewDeadline","values":"5s"},"seeds":1}}`, "needs values, such as"},
	{"heatCells", `{"study":` + aMap + `,"cells":[0,3],"seeds":2}`, `"cell":3,"runs":2,"values":[`, `{"study":` + aMap + `,"cells":[2],"seeds":2}`, "no runs in cell 2"},
	{"heatRuns", `{"study":` + aMap + `,"cell":3,"seeds":5,"measure":"leaderlessMax"}`, `"text":"`, `{"study":7,"cell":3}`, "parameters of heatRuns"},
	{"heatOpen", `{"study":` + aMap + `,"cell":3,"seed":2,"measure":"leaderlessMax"}`, `"seed":2,`, `{"study":` + aMap + `,"cell":9,"seed":2}`, "no runs in cell 9"},
	{"numbersGo", `{"setting":"15s/10s/2s","candidates":3,"ms":0}`, `"over":false,"answer":{"setting":"15s/10s/2s","candidates":3,"takeoverSeconds":{"p50":1`, `{"setting":"10s/10s/2s","candidates":3}`, "client-go refuses it: leaseDuration must be greater than renewDeadline"},
	{"numbersOpen", `{"setting":"15s/10s/2s","candidates":5,"seed":7}`, `"replicas":5`, `{"setting":"15s/10s","candidates":3}`, "must be three durations"},
	{"studyForm", `{"kind":"advise","scenario":"crash"}`, `"name":"takeover"`, `{"kind":"lunch","scenario":"crash"}`, `unknown study "lunch"`},
	{"studyGo", `{"study":{"kind":"shrink","scenario":"paused-leader","values":[{"name":"rule","value":"moreThanOneActive"}]},"ms":0}`, `"sentences":[],"items":[`, `{"study":{"kind":"shrink","scenario":"crash","values":[{"name":"rule","value":"sang"}]},"ms":1}`, `unknown rule "sang"`},
	{"studyMake", `{"study":` + aHunt + `,"part":{"part":7,"work":[{"run":1,"schedule":{"seed":1,"faults":[]}}]}}`, `"part":7,"result":[{"run":1,`, `{"study":{"kind":"shrink","scenario":"paused-leader","values":[]},"part":{"part":1,"work":[]}}`, "the study shrink has no parts"},
	{"evidenceBegin", `{"lease":"ns/demo","around":"2026-11-20T19:17:00Z","year":2026,"nodes":[{"file":"f","node":"a"}]}`, `{}`, `{"lease":"demo","year":2026}`, "must be namespace/name"},
	{"evidenceBegin", `{"year":2026}`, `{}`, `{"around":"noon","year":2026}`, "must be as in RFC 3339"},
	{"evidenceEnd", ``, ``, `{"name":"f"}`, "drop a file first"},
	{"evidenceReport", ``, ``, `{}`, "drop a file first"},
	{"evidenceText", ``, ``, `{"format":"text"}`, "drop a file first"},
	{"evidenceChart", ``, ``, `{"lease":"ns/demo","from":0,"to":0,"steps":600}`, "drop a file first"},
	{"evidenceAgain", ``, ``, `{"lease":"ns/demo"}`, "drop a file first"},
	{"evidenceCheckup", ``, ``, `{"stall":30}`, "drop a file first"},
	{"evidenceHistory", ``, ``, `{"lease":"ns/demo","format":"csv"}`, "drop a file first"},
	{"recordShow", ``, ``, `{}`, "no record is open"},
	{"recordBegin", ``, `{}`, ``, ""},
	{"recordFeed", ``, ``, `{"text":""}`, "no record is open"},
	{"symptoms", `{"text":"error: leader election lost"}`, `"id":"Q1"`, `{"text":5}`, "parameters of symptoms"},
	{"expect", `{"scenario":"crash"}`, `"met":true`, `{"scenario":"no-such"}`, `no shipped scenario has the name "no-such"`},
}

// Every operation answers valid parameters, and refuses others with a sentence. A refusal does not change the
// session.
func TestOperations(t *testing.T) {
	for _, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			raw := func(params string) any {
				if params == "" {
					return nil
				}
				return json.RawMessage(params)
			}
			if op.bad != "" {
				b := openBridge(t)
				before := string(ask(t, b, "pause", nil).Result)
				a := ask(t, b, op.name, raw(op.bad))
				require.False(t, a.OK)
				assert.Contains(t, a.Error.Message, op.because)
				assert.Contains(t, []string{"input", "state", "limit", "unknown"}, a.Error.Code)
				assert.Empty(t, a.Error.Stack)
				assert.Equal(t, before, string(ask(t, b, "pause", nil).Result), "the session is as it was")
			}
			if op.has != "" {
				a := ask(t, openBridge(t), op.name, raw(op.good))
				require.True(t, a.OK, "%+v", a.Error)
				assert.Contains(t, string(a.Result), op.has)
			}
			if free := []string{"hello", "open", "lesson", "offers", "goTest", "export", "history", "reroll", "numbersGo", "numbersOpen", "symptoms"}; !slices.Contains(free, op.name) && !strings.HasPrefix(op.name, "heat") && !strings.HasPrefix(op.name, "study") && !strings.HasPrefix(op.name, "evidence") && !strings.HasPrefix(op.name, "record") {
				assert.Contains(t, ask(t, greet(t), op.name, raw(op.good)).Error.Message, "no scenario is open", "before a scenario is open")
			}
		})
	}
}

// Undo and redo have nothing to do at first; then they undo and redo the last change.
func TestUndoAndRedo(t *testing.T) {
	b := openBridge(t)
	for _, op := range []string{"undo", "redo"} {
		assert.Contains(t, ask(t, b, op, nil).Error.Message, "nothing to "+op)
	}
	var before, after, undone, redone protocol.View
	view := func(op string, params any, into *protocol.View) {
		a := ask(t, b, op, params)
		require.True(t, a.OK)
		require.NoError(t, json.Unmarshal(a.Result, into))
	}
	view("pause", nil, &before)
	view("act", map[string]any{"act": "crash", "node": "b"}, &after)
	view("undo", nil, &undone)
	view("redo", nil, &redone)
	assert.NotEqual(t, before.Hash, after.Hash)
	assert.Equal(t, before.Hash, undone.Hash)
	assert.Equal(t, after.Hash, redone.Hash)
	assert.Equal(t, after.Cursor, redone.Cursor)
}

// The bridge's clock paces playback: a tick moves the cursor by the elapsed wall time.
func TestPlaying(t *testing.T) {
	mock := clock.NewMock()
	b := New(mock, nil)
	require.True(t, ask(t, b, "hello", map[string]any{"scenarios": json.RawMessage(shipped.JSON())}).OK)
	require.True(t, ask(t, b, "open", map[string]any{"scenario": "crash"}).OK)
	mock.Add(time.Minute) // the page is read, not played
	require.True(t, ask(t, b, "play", map[string]any{"speed": 10, "until": 3e9}).OK)
	at := func(a answer) int64 {
		var v protocol.View
		require.NoError(t, json.Unmarshal(a.Result, &v))
		return v.Cursor.T
	}
	mock.Add(100 * time.Millisecond)
	assert.Equal(t, int64(time.Second), at(ask(t, b, "tick", nil)))
	mock.Add(time.Hour)
	a := ask(t, b, "tick", nil)
	assert.Equal(t, int64(3*time.Second), at(a), "250 ms of the hour count, and at 3 s it pauses")
	assert.Contains(t, string(a.Result), `"playing":false`)
	mock.Add(time.Second)
	assert.Equal(t, "{}", string(ask(t, b, "tick", nil).Result))
}

// A full link restores everything on screen.
func TestSharing(t *testing.T) {
	b := openBridge(t)
	require.True(t, ask(t, b, "act", map[string]any{"act": "crash", "node": "b"}).OK)
	require.True(t, ask(t, b, "edit", map[string]any{"path": "network.requestLatency", "value": "7ms", "mode": "now"}).OK)
	require.True(t, ask(t, b, "runTo", map[string]any{"what": "leaderChange"}).OK)
	var before, after protocol.View
	require.NoError(t, json.Unmarshal(ask(t, b, "seek", map[string]any{"cursor": map[string]any{"t": 40e9, "n": -1}}).Result, &before))
	var share protocol.Share
	require.NoError(t, json.Unmarshal(ask(t, b, "share", nil).Result, &share))
	a := ask(t, greet(t), "open", map[string]any{
		"scenario": share.Scenario, "actions": share.Actions, "patch": share.Patch, "seed": share.Seed, "cursor": share.Cursor, "live": share.Live,
	})
	require.True(t, a.OK, "%+v", a.Error)
	require.NoError(t, json.Unmarshal(a.Result, &after))
	assert.Equal(t, share.Hash, after.Hash)
	assert.Equal(t, before.Hash, after.Hash)
	assert.Equal(t, before.Cursor, after.Cursor)
	assert.Equal(t, before.Live, after.Live)
}

// odd are requests that no page sends; none may cause a panic.
var odd = []string{
	``, `{`, `[]`, `null`, `"x"`, `{"id":"x"}`, `{"id":1e99}`, `{"op":5}`, `{}`, `{"op":""}`, `{"op":"hello","params":{"scenarios":null}}`, `{"op":"hello","params":[]}`,
	`{"op":"hello","params":{"scenarios":["x"]}}`, `{"op":"open"}`, `{"op":"open","params":{}}`, `{"op":"open","params":{"scenario":""}}`, `{"op":"open","params":{"scenario":5}}`,
	`{"op":"open","params":{"scenario":"crash","actions":[{}]}}`, `{"op":"open","params":{"scenario":"crash","actions":[null]}}`,
	`{"op":"open","params":{"scenario":"crash","actions":[{"at":"1s","act":"crash","target":"zz"}]}}`,
	`{"op":"open","params":{"scenario":"crash","patch":[{"path":"","value":""}]}}`, `{"op":"open","params":{"scenario":"crash","patch":[{"path":"candidates","value":"[]"}]}}`,
	`{"op":"open","params":{"scenario":"crash","cursor":{"t":-5,"n":-7},"live":{"t":9223372036854775807,"n":2147483647}}}`,
	`{"op":"open","params":{"scenario":{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"1ns"}}}`,
	`{"op":"seek","params":{"cursor":{"t":-9223372036854775808,"n":-2147483648}}}`, `{"op":"seek","params":{"cursor":{"t":5,"n":2147483647}}}`, `{"op":"seek","params":{"cursor":{"t":1e18,"n":0}}}`,
	`{"op":"step","params":{"direction":-9223372036854775808,"unit":""}}`, `{"op":"step","params":{"direction":0,"unit":"landmark"}}`, `{"op":"step","params":{"direction":-1,"unit":"landmark"}}`,
	`{"op":"play","params":{"speed":-1}}`, `{"op":"play","params":{"speed":0.01,"until":-5}}`, `{"op":"tick"}`, `{"op":"runTo"}`,
	`{"op":"act","params":{"act":"","node":""}}`, `{"op":"act","params":{"act":"add","options":{"name":"UPPER"}}}`, `{"op":"act","params":{"act":"add","options":{"name":"a"}}}`,
	`{"op":"act","params":{"act":"add","node":"*"}}`, `{"op":"act","params":{"act":"clock","node":"a","options":{"offset":"1y"}}}`, `{"op":"act","params":{"act":"clock","node":"a"}}`,
	`{"op":"act","params":{"act":"clock","node":"a","options":{"ratePpm":-1}}}`, `{"op":"act","params":{"act":"cut","node":"*","options":{"direction":"sideways"}}}`,
	`{"op":"act","params":{"act":"write","node":"a"}}`, `{"op":"act","params":{"act":"set","node":"a"}}`, `{"op":"act","params":{"act":"fail","node":"*"}}`, `{"op":"act","params":{"act":"crash","node":"holder"}}`,
	`{"op":"act","params":{"act":"remove","node":"*"}}`, `{"op":"act","params":{"act":"restart","node":"*"}}`,
	`{"op":"edit","params":{"path":"","value":"","mode":""}}`, `{"op":"edit","params":{"path":"candidates[0].name","value":"q","mode":"rerun"}}`, `{"op":"edit","params":{"path":"candidates","value":"[]","mode":"rerun"}}`,
	`{"op":"edit","params":{"path":"seed","value":"9","mode":"restart","node":"a"}}`, `{"op":"edit","params":{"path":"network.requestLatency","value":"1s","mode":"now","node":"zz"}}`,
	`{"op":"edit","params":{"path":"elector.retryPeriod","value":"1s","mode":"restart","node":"zz"}}`, `{"op":"edit","params":{"path":"elector.retryPeriod","value":"1s","mode":"restart"}}`,
	`{"op":"edit","params":{"path":"duration","value":"1ns","mode":"rerun"}}`, `{"op":"edit","params":{"path":"actions","value":"[]","mode":"rerun"}}`,
	`{"op":"branch","params":{"branch":-1}}`, `{"op":"timeline","params":{"from":9223372036854775807,"to":-9223372036854775808,"widthPx":-1}}`,
	`{"op":"timeline","params":{"from":-9223372036854775808,"to":9223372036854775807,"widthPx":0}}`,
	`{"op":"events","params":{"count":-1}}`, `{"op":"events","params":{"count":9223372036854775807,"from":9223372036854775807}}`, `{"op":"events","params":{"from":-5,"count":3,"filter":"\u0000"}}`,
	`{"op":"events","params":{"around":{"t":-1,"n":5},"count":5,"node":"zz"}}`, `{"op":"events","params":{"around":{"t":9223372036854775807,"n":5},"count":5}}`,
	`{"op":"object","params":{"version":-1}}`, `{"op":"object","params":{"version":9223372036854775807}}`, `{"op":"why","params":{"change":-1}}`, `{"op":"why"}`,
	`{"op":"sweep"}`, `{"op":"sweep","params":{"count":1,"first":18446744073709551615}}`, `{"op":"sweep","params":{"count":10000,"after":-9223372036854775808,"patch":[{"path":"x","value":""}]}}`,
	`{"op":"sweep","params":{"count":10000,"first":9,"patch":[{"path":"duration","value":"2160h"}]}}`,
	`{"op":"rest"}`, `{"op":"rest","params":{"method":"PATCH","target":"%zz","body":"{"}}`, `{"op":"rest","params":{"method":"DELETE","target":"/apis/coordination.k8s.io/v1/namespaces/default/leases/demo","headers":[":",""]}}`,
	`{"op":"rest","params":{"method":"GET","target":"/apis/coordination.k8s.io/v1/leases?watch=1&resourceVersion=9999999999999"}}`, `{"op":"restPoll","params":{"watch":1}}`, `{"op":"restClose","params":{"watch":-1}}`,
	`{"op":"exchange"}`, `{"op":"exchange","params":{"cursor":{"t":-5,"n":99}}}`,
	`{"op":"check","params":{"path":"candidates[99].name","value":"x"}}`, `{"op":"check"}`, `{"op":"undo"}`, `{"op":"redo"}`, `{"op":"redo"}`, `{"op":"save"}`, `{"op":"share"}`,
}

// refuseToPanic sends requests in order and asks for every view after each.
func refuseToPanic(t *testing.T, b *Bridge, requests []string) {
	for _, request := range requests {
		for _, one := range []string{request, `{"op":"pause"}`, `{"op":"timeline","params":{"from":0,"to":60000000000,"widthPx":10}}`, `{"op":"events","params":{"count":5,"filter":"a"}}`, `{"op":"object"}`} {
			a := read(t, b.Handle([]byte(one)))
			if a.Error != nil {
				require.NotEqual(t, "panic", a.Error.Code, "%s, asked %s:\n%s\n%s", request, one, a.Error.Message, a.Error.Stack)
				require.NotEmpty(t, a.Error.Message)
			}
		}
	}
}

// Odd requests get a sentence: alone, in sequence, and with the session at its beginning and at its end.
func TestOddRequests(t *testing.T) {
	refuseToPanic(t, greet(t), odd)
	refuseToPanic(t, openBridge(t), odd)
	for _, request := range odd {
		refuseToPanic(t, openBridge(t), []string{request, `{"op":"undo"}`, request})
	}
	atTheEnd := openBridge(t)
	require.True(t, ask(t, atTheEnd, "runTo", map[string]any{"what": "end"}).OK)
	refuseToPanic(t, atTheEnd, odd)
}

// FuzzBridge sends any bytes, line by line. Every reply must be JSON, and none may report a panic.
func FuzzBridge(f *testing.F) {
	for _, request := range odd {
		f.Add([]byte(request))
	}
	for _, op := range operations {
		f.Add([]byte(`{"op":"` + op.name + `","params":` + op.good + "}\n" + `{"op":"` + op.name + `","params":` + op.bad + `}`))
	}
	shelf := greet(f).shelf
	cost := bounded.Limit{Fixed: 64 << 20, PerByte: 10_000} // a line of ten bytes can be an operation that computes a share
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4000 {
			return
		}
		cost.Do(t, len(data), func() {
			b := quick(shelf)
			require.True(t, ask(t, b, "open", map[string]any{"scenario": "a-leader-dies", "cursor": map[string]any{"t": 36e9, "n": -1}}).OK)
			refuseToPanic(t, b, strings.Split(string(data), "\n"))
		})
	})
}

// Two bridges that make the parts of a study that a third one has find what one finds by itself.
func TestStudyInParts(t *testing.T) {
	type answer struct {
		Over   bool
		Report json.RawMessage
		Parts  []json.RawMessage
	}
	asked := func(b *Bridge, op, params string) (out answer, text json.RawMessage) {
		a := ask(t, b, op, json.RawMessage(params))
		require.True(t, a.OK, "%+v", a.Error)
		require.NoError(t, json.Unmarshal(a.Result, &out))
		return out, a.Result
	}
	alone, b := answer{}, greet(t)
	for !alone.Over {
		alone, _ = asked(b, "studyGo", `{"study":`+aHunt+`,"ms":1000}`)
	}
	b = greet(t)
	others := []*Bridge{greet(t), greet(t)}
	results := []string{}
	together := answer{}
	for !together.Over {
		together, _ = asked(b, "studyGo", `{"study":`+aHunt+`,"ms":0,"parts":2,"results":[`+strings.Join(results, ",")+`]}`)
		results = results[:0]
		for i, part := range together.Parts {
			_, made := asked(others[i%2], "studyMake", `{"study":`+aHunt+`,"part":`+string(part)+`}`)
			results = append(results, string(made))
		}
	}
	assert.JSONEq(t, string(alone.Report), string(together.Report))
}

// A study is the same in one slice and in many; another specification begins another study.
func TestStudyInSlices(t *testing.T) {
	b := greet(t)
	goOn := func(seed string) (over bool, done int) {
		a := ask(t, b, "studyGo", json.RawMessage(`{"study":{"kind":"hunt","scenario":"crash","values":[{"name":"runs","value":"48"},{"name":"faults","value":"all"},{"name":"seed","value":"`+seed+`"}]},"ms":0}`))
		require.True(t, a.OK, "%+v", a.Error)
		var answer struct {
			Over   bool
			Report struct{ Done int }
		}
		require.NoError(t, json.Unmarshal(a.Result, &answer))
		return answer.Over, answer.Report.Done
	}
	slices := 0
	over, done := goOn("3")
	for ; !over; slices++ {
		over, done = goOn("3")
	}
	assert.Greater(t, slices, 40)
	assert.Equal(t, 48, done)
	over, done = goOn("4")
	assert.False(t, over, "another study begins")
	assert.LessOrEqual(t, done, 1)
}

// Every operation has a test in bridge_test.go, and every test there has an operation.
func TestEveryOperationIsTested(t *testing.T) {
	listed, tested := map[string]bool{}, map[string]bool{}
	for _, o := range Operations() {
		listed[o.Name] = true
	}
	for _, op := range operations {
		tested[op.name] = true
	}
	assert.Equal(t, listed, tested, "operations of the table, then those with a test in bridge_test.go")
	assert.Contains(t, ask(t, openBridge(t), "sing", nil).Error.Message, "unknown operation")
}
