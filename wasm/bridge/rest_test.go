package bridge

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const leasesPath = "/apis/coordination.k8s.io/v1/namespaces/default/leases"

func rest(t testing.TB, b *Bridge, method, target, body string) protocol.RestAnswer {
	t.Helper()
	headers := []string{"Content-Type: application/json"}
	if method == "PATCH" {
		headers = []string{"Content-Type: application/merge-patch+json"}
	}
	a := ask(t, b, "rest", RestParams{Method: method, Target: target, Headers: headers, Body: body})
	require.True(t, a.OK, "%v", a.Error)
	var answer protocol.RestAnswer
	require.NoError(t, json.Unmarshal(a.Result, &answer))
	return answer
}

func poll(t testing.TB, b *Bridge, watch int) protocol.RestFrames {
	t.Helper()
	var frames protocol.RestFrames
	require.NoError(t, json.Unmarshal(ask(t, b, "restPoll", RestWatchParams{Watch: watch}).Result, &frames))
	return frames
}

// A read shows what the run has stored at its live instant. A write is an act: it can be undone, and in the past it
// makes a branch.
func TestRest(t *testing.T) {
	b := openBridge(t)
	list := rest(t, b, "GET", leasesPath, "")
	require.Equal(t, 200, list.Status)
	assert.Contains(t, list.Body, `"holderIdentity":"b"`)
	assert.False(t, list.Changed)

	watch := rest(t, b, "GET", leasesPath+"?watch=1", "")
	require.NotZero(t, watch.Watch)
	require.Len(t, poll(t, b, watch.Watch).Frames, 1, "the stored Lease")
	assert.Empty(t, poll(t, b, watch.Watch).Frames)

	name := nameIn(t, list.Body)
	refused := rest(t, b, "PATCH", leasesPath+"/"+name, `{"spec":{"leaseDurationSeconds":0}}`)
	assert.Equal(t, 422, refused.Status)
	assert.False(t, refused.Changed)

	written := rest(t, b, "PATCH", leasesPath+"/"+name,
		`{"metadata":{"labels":{"by":"hand"}},"spec":{"holderIdentity":"stranger"}}`)
	require.Equal(t, 200, written.Status, written.Body)
	assert.True(t, written.Changed)
	require.NotNil(t, written.View)
	assert.Equal(t, "stranger", written.View.Lease.Holder)
	frames := poll(t, b, watch.Watch)
	require.True(t, len(frames.Frames) > 0)
	if !frames.Ended { // if the engine made the run again, the watch has told its client to list again
		assert.Contains(t, frames.Frames[0], `"stranger"`)
	}
	assert.Contains(t, rest(t, b, "GET", leasesPath+"/"+name, "").Body, `"by":"hand"`)

	require.True(t, ask(t, b, "undo", nil).OK)
	assert.NotContains(t, rest(t, b, "GET", leasesPath+"/"+name, "").Body, `"by":"hand"`)

	require.True(t, ask(t, b, "seek", map[string]any{"cursor": map[string]any{"t": 20e9, "n": -1}}).OK)
	gone := rest(t, b, "GET", leasesPath+"?watch=1", "").Watch
	deleted := rest(t, b, "DELETE", leasesPath+"/"+name, "")
	require.Equal(t, 200, deleted.Status)
	assert.Contains(t, deleted.View.Toast, "New branch")
	last := poll(t, b, gone)
	assert.True(t, last.Ended)
	require.Len(t, last.Frames, 1)
	assert.Contains(t, last.Frames[0], `"code":410`)
	assert.Empty(t, poll(t, b, gone).Frames, "said once")
	assert.Equal(t, 404, rest(t, b, "GET", leasesPath+"/"+name, "").Status)
}

func nameIn(t testing.TB, list string) string {
	t.Helper()
	var l struct {
		Items []struct{ Metadata struct{ Name string } }
	}
	require.NoError(t, json.Unmarshal([]byte(list), &l))
	require.NotEmpty(t, l.Items)
	return l.Items[0].Metadata.Name
}

// A saved run with requests is the same run.
func TestRestIsSaved(t *testing.T) {
	b := openBridge(t)
	name := nameIn(t, rest(t, b, "GET", leasesPath, "").Body)
	rest(t, b, "PATCH", leasesPath+"/"+name, `{"spec":{"holderIdentity":"stranger"}}`)
	rest(t, b, "POST", leasesPath, `{"metadata":{"generateName":"other-"}}`)
	want := rest(t, b, "GET", leasesPath, "").Body
	var share protocol.Share
	require.NoError(t, json.Unmarshal(ask(t, b, "share", nil).Result, &share))
	require.Len(t, share.Actions, 2)

	again := greet(t)
	a := ask(t, again, "open", map[string]any{"scenario": share.Scenario, "actions": share.Actions, "seed": share.Seed,
		"cursor": share.Cursor, "live": share.Live})
	require.True(t, a.OK, "%v", a.Error)
	assert.Equal(t, want, rest(t, again, "GET", leasesPath, "").Body)
	var other protocol.Share
	require.NoError(t, json.Unmarshal(ask(t, again, "share", nil).Result, &other))
	assert.Equal(t, share.Hash, other.Hash)
}

// The page can show every request of a candidate as it went over the wire, and sending it again gives the API's
// answer.
func TestExchanges(t *testing.T) {
	b := openBridge(t)
	var events protocol.Events
	require.NoError(t, json.Unmarshal(ask(t, b, "events", EventsParams{Count: 500, From: new(int)}).Result, &events))
	methods := map[string]int{}
	for _, row := range events.Rows {
		if row.Kind != "request" && row.Kind != "write" || row.Index < 0 {
			continue
		}
		a := ask(t, b, "exchange", map[string]any{"cursor": map[string]any{"t": row.T, "n": row.N}})
		require.True(t, a.OK, "%s: %v", row.Text, a.Error)
		var e protocol.Exchange
		require.NoError(t, json.Unmarshal(a.Result, &e))
		assert.Equal(t, row.Node, e.Node)
		methods[fmt.Sprint(e.Method, " ", e.Status)]++
		if e.Method != "GET" {
			assert.True(t, json.Valid([]byte(e.Body)), e.Body)
			assert.Contains(t, e.Body, `"holderIdentity":"`+row.Node+`"`)
		}
		if e.Status != 0 {
			assert.True(t, json.Valid([]byte(e.Answer)), e.Answer)
		}
	}
	assert.Positive(t, methods["GET 200"])
	assert.Positive(t, methods["POST 201"])
	assert.Positive(t, methods["PUT 200"])
	assert.Equal(t, 1, methods["GET 404"])
}
