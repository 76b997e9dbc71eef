package bridge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deep returns JSON nested this many levels, of objects or of lists.
func deep(levels int, object bool) string {
	if object {
		return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
	}
	return strings.Repeat("[", levels) + strings.Repeat("]", levels)
}

// In a page the stack overflows at about 1,600 levels and takes the engine with it. The bridge refuses a deeper request
// before it parses it, and still answers it.
func TestDeepRequestsAreRefused(t *testing.T) {
	b := openBridge(t)
	for _, levels := range []int{120, 1000, 9000, 100_000} {
		for _, object := range []bool{true, false} {
			d := deep(levels, object)
			for _, params := range []string{
				d, `{"scenario":` + d + `}`, `{"scenario":{"kind":"Session","branches":` + d + `}}`,
				`{"scenario":"crash","actions":[` + d + `]}`, `{"scenario":"crash","patch":` + d + `}`,
			} {
				a := read(t, b.Handle([]byte(`{"id":41,"op":"open","params":`+params+`}`)))
				require.False(t, a.OK)
				assert.Equal(t, int64(41), a.ID, "without an answer the page hangs")
				assert.Contains(t, a.Error.Message, "nests more than 100 levels deep", "%.60s", params)
			}
		}
	}
	assert.Contains(t, read(t, b.Handle([]byte(strings.Repeat("[", 100_000)))).Error.Message, "levels deep")
	assert.True(t, ask(t, b, "timeline", map[string]any{"from": 0, "to": 1, "widthPx": 1}).OK, "the session goes on")
}

// A link's request with a deep body gets the API's answer, and the run continues.
func TestDeepBodiesAreAnswered(t *testing.T) {
	b := greet(t)
	for _, media := range []string{"application/merge-patch+json", "application/strategic-merge-patch+json",
		"application/apply-patch+yaml"} {
		action, err := json.Marshal(map[string]any{
			"at": "20s", "act": "request", "method": "PATCH", "path": leasesPath + "/demo?fieldManager=x",
			"headers": []string{"Content-Type: " + media}, "body": deep(4000, true),
		})
		require.NoError(t, err)
		end := timeline.Cursor{T: 30e9, N: -1}
		a := ask(t, b, "open", OpenParams{Scenario: json.RawMessage(`"a-leader-dies"`),
			Actions: []json.RawMessage{action}, Cursor: &end})
		require.True(t, a.OK, "%v", a.Error)
		events := ask(t, b, "events", EventsParams{Count: 1000, Filter: "400"})
		assert.Contains(t, string(events.Result), "400", "%s", media)
		answer := rest(t, b, "PATCH", leasesPath+"/demo", deep(4000, false))
		assert.Equal(t, 400, answer.Status)
		assert.Contains(t, answer.Body, "nested more than 400 levels deep")
	}
}

// A long sentence that quotes its input keeps its beginning and its end.
func TestLongRefusalsAreShortened(t *testing.T) {
	b := openBridge(t)
	a := ask(t, b, "open", map[string]any{"scenario": map[string]any{"kind": "Session",
		"apiVersion": strings.Repeat("é", 10_000), "branches": []int{}}})
	require.False(t, a.OK)
	assert.Less(t, len(a.Error.Message), 1100)
	assert.Regexp(t, `^apiVersion "é+…é+" must be "leaselab.dev/v1alpha1"$`, a.Error.Message)
}

// An invalid request gets an error in the terms of JSON, not of Go.
func TestRefusalsSpeakOfJSON(t *testing.T) {
	b := openBridge(t)
	for params, want := range map[string]string{
		`{"scenario":"crash","patch":7}`:   "patch is a number; it should be a list",
		`{"scenario":"crash","patch":[3]}`: "patch is a number; it should be an object",
		`{"scenario":"crash","seed":-1}`: "seed is the number -1; it should be a whole number, 0 " +
			"or more",
		`{"scenario":"crash","cursor":{"t":1e99,"n":0}}`:    "cursor.t is the number 1e99; it should be a whole number",
		`{"scenario":{"kind":"Session","branches":"none"}}`: "branches is a text; it should be a list",
		`{"scenario":7}`:    "it should be a scenario",
		`{"scenario":null}`: "it should be a scenario",
		`{}`:                "it should be a scenario",
	} {
		a := read(t, b.Handle([]byte(fmt.Sprintf(`{"id":5,"op":"open","params":%s}`, params))))
		require.False(t, a.OK, params)
		assert.Contains(t, a.Error.Message, want, params)
		assert.NotContains(t, a.Error.Message, "json:")
		assert.NotContains(t, a.Error.Message, "Go ")
	}
	assert.Equal(t, int64(9), read(t, b.Handle([]byte(`{"id":9,"op":`))).ID)
}
