package bridge

import (
	"encoding/json"
	"testing"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenarios"
)

func TestSmoke(t *testing.T) {
	b := New(clock.NewMock())
	call := func(op string, params any) map[string]any {
		p, _ := json.Marshal(params)
		raw, _ := json.Marshal(map[string]any{"id": 1, "op": op, "params": json.RawMessage(p)})
		var reply map[string]any
		out := b.Handle(raw)
		require.NoError(t, json.Unmarshal(out, &reply))
		t.Log(op, string(out)[:min(len(out), 3000)])
		require.True(t, reply["ok"].(bool), string(out))
		return reply["result"].(map[string]any)
	}
	call("hello", map[string]any{"scenarios": json.RawMessage(scenarios.JSON())})
	call("open", map[string]any{"scenario": "a-leader-dies", "cursor": map[string]any{"t": 36e9, "n": -1}})
	call("timeline", map[string]any{"from": 0, "to": 40e9, "widthPx": 800})
	call("events", map[string]any{"count": 10})
	call("object", map[string]any{})
	call("why", map[string]any{"change": 1})
	call("act", map[string]any{"act": "crash", "node": "b"})
	call("runTo", map[string]any{"what": "leaderChange"})
	call("share", map[string]any{})
	call("undo", nil)
}
