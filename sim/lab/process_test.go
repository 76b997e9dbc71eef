package lab_test

import (
	"testing"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Acts on a process work live: a node sleeps, its elector hangs, the process sends a burst. The events show it, and a
// refusal says why.
func TestActsOnProcesses(t *testing.T) {
	for act, says := range map[string]string{"suspend": "is suspended", "hang": "hangs", "burst": "sends 200 requests"} {
		s := parseProcess(t, `"client":{"qps":5},"candidates":[{"name":"a"},{"name":"b","startAt":"50ms"}]`)
		l := open(t, s)
		l.Show(20 * sec)
		require.NoError(t, l.Act(act, "a", protocol.ActOptions{}), act)
		assert.Contains(t, text(t, l.Events(l.View().Cursor, 0, 1000, says, "a")), says, act)
		if act != "burst" {
			assert.Error(t, l.Act(act, "a", protocol.ActOptions{}), "%s twice", act)
			require.NoError(t, l.Act("resume", "a", protocol.ActOptions{}))
		}
	}
}

// A wall clock can jump under way, but settings of the whole run cannot change in the middle of it.
func TestJumpAndProcessKnobs(t *testing.T) {
	l := open(t, parseProcess(t, `"candidates":[{"name":"a"}]`))
	l.Show(20 * sec)
	require.NoError(t, l.Act("clock", "a", protocol.ActOptions{Jump: "-1h"}))
	assert.Error(t, l.Act("clock", "a", protocol.ActOptions{Jump: "soon"}))
	assert.Error(t, l.Edit("process.onLoss", "exit", "restart", "a"))
	require.NoError(t, l.Edit("process.onLoss", "exit", "rerun", ""))
	require.NoError(t, l.Edit("elector.dialect", `["noFastPath"]`, "rerun", ""))
	assert.Error(t, l.Edit("elector.dialect", `["forLife","ttlLock"]`, "rerun", ""))
}

func parseProcess(t *testing.T, fields string) scenario.Scenario {
	t.Helper()
	s, err := scenario.Decode([]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"60s",` + fields + `}`))
	require.NoError(t, err)
	return s
}
