package check_test

import (
	"testing"

	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var _ = tests(rules.NodeReadyMismatch)

// A living node that is not ready and a dead one that is: each is found, with its length, and the neighbor is not.
func TestNodeReadyMismatch(t *testing.T) {
	const beats = abc + `,"heartbeats":{"nodes":2,"monitors":[{"name":"m"}]}`
	for _, c := range []struct {
		name, act   string
		node        string
		from, until int64 // seconds, at most; until 0: still
		text        string
	}{
		{"cut off for longer than the grace period", `{"at":"60s","act":"cut","target":"node-1","for":"100s"}`,
			"node-1", 115, 175, "node-1 is alive"},
		{"cut off for less", `{"at":"60s","act":"cut","target":"node-1","for":"30s"}`, "", 0, 0, ""},
		{"the monitor is paused when a node dies",
			`{"at":"60s","act":"pause","target":"m"},{"at":"61s","act":"crash","target":"node-0"}`, "node-0", 126, 0,
			"node-0 has been gone since 01:01.000"},
		{"it goes on",
			`{"at":"60s","act":"pause","target":"m","for":"100s"},{"at":"61s","act":"crash","target":"node-0"}`,
			"node-0", 126, 161, "node-0 has been gone"},
		{"the monitor is paused and no node dies", `{"at":"60s","act":"pause","target":"m","for":"30s"}`, "", 0, 0, ""},
		{"a node dies", `{"at":"60s","act":"crash","target":"node-0"}`, "", 0, 0, ""},
		{"and comes back",
			`{"at":"60s","act":"crash","target":"node-0"},{"at":"150s","act":"restart","target":"node-0"}`, "", 0, 0,
			""},
	} {
		w, checks := runChecked(t, "200s", beats+`,"actions":[`+c.act+`]`)
		checks.Settle(200 * sec)
		found := of(checks, rules.NodeReadyMismatch)
		if c.node == "" {
			assert.Empty(t, found, c.name)
			continue
		}
		require.Len(t, found, 1, c.name)
		v := found[0]
		assert.Equal(t, c.node, w.Node(v.First).Name(), c.name)
		assert.Equal(t, "m", w.Node(v.Second).Name(), c.name)
		assert.True(t, v.FromNs > 100*sec && v.FromNs <= c.from*sec+1, "%s: %d", c.name, v.FromNs)
		if c.until == 0 {
			assert.Equal(t, int64(-1), v.UntilNs, c.name)
		} else {
			assert.True(t, v.UntilNs > v.FromNs && v.UntilNs <= c.until*sec, "%s: %d", c.name, v.UntilNs)
		}
		assert.Contains(t, v.Describe(func(i int32) string { return w.Node(i).Name() }, sec), c.text)
		copied := checks.Clone()
		assert.Equal(t, checks.Findings(200*sec), copied.Findings(200*sec))
	}
}
