package lab

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
)

// snapshot returns the document of a lab, and another lab restored from it.
func snapshot(t *testing.T, l *Lab) ([]byte, *Lab) {
	t.Helper()
	document, err := json.Marshal(l.Snapshot())
	require.NoError(t, err)
	require.True(t, IsSnapshot(document))
	require.False(t, IsSession(document))
	m := openShipped(t, "crash")
	require.NoError(t, m.Restore(document, nil, nil))
	return document, m
}

// busy returns a lab with branches, deleted and renamed ones, undo and redo steps, breakpoints and a scenario of its
// own.
func busy(t *testing.T) *Lab {
	l := openShipped(t, "a-leader-dies")
	l.move(timeline.Cursor{T: 40e9, N: -1})
	require.NoError(t, l.Act(scenario.ActCrash, "b", protocol.ActOptions{}))
	l.Seek(timeline.Cursor{T: 12e9, N: -1})
	require.NoError(t, l.Act(scenario.ActCut, "c", protocol.ActOptions{}))
	require.NoError(t, l.Rename(1, "c is cut"))
	require.NoError(t, l.Edit("elector.leaseDuration", "20s", "rerun", ""))
	l.move(timeline.Cursor{T: 30e9, N: -1})
	require.NoError(t, l.Act(scenario.ActRemove, "a", protocol.ActOptions{}))
	require.NoError(t, l.Switch(1))
	require.NoError(t, l.Fork("what if"))
	require.NoError(t, l.Delete(2))
	require.NoError(t, l.Act(scenario.ActPause, "a", protocol.ActOptions{}))
	require.NoError(t, l.SetBreakpoints([]protocol.Breakpoint{{Text: "violation"}}))
	require.NoError(t, l.Undo())
	require.NoError(t, l.Undo())
	return l
}

// A lab restored from a snapshot has the same view as the original, also after every step of undo and redo.
func TestSnapshot(t *testing.T) {
	l := busy(t)
	document, m := snapshot(t, l)
	whole := func(l *Lab) protocol.View {
		v := *l.View()
		v.Run, v.Toast = 0, ""
		return v
	}
	require.Equal(t, whole(l), whole(m))
	again, err := json.Marshal(m.Snapshot())
	require.NoError(t, err)
	assert.JSONEq(t, string(document), string(again))
	for k := range 2 {
		require.NoError(t, l.Redo())
		require.NoError(t, m.Redo())
		require.Equal(t, whole(l), whole(m), "redo %d", k)
	}
	for k := 0; len(l.history.undo) > 0; k++ {
		require.NoError(t, l.Undo())
		require.NoError(t, m.Undo())
		require.Equal(t, whole(l), whole(m), "undo %d", k)
		require.Equal(t, l.Share(true), m.Share(true), "undo %d", k)
	}
	assert.Error(t, m.Undo())
}

// The page says where the current branch is, because it plays on between two snapshots.
func TestSnapshotElsewhere(t *testing.T) {
	l := busy(t)
	document, m := snapshot(t, l)
	require.NoError(t, m.Restore(document, &timeline.Cursor{T: 41e9, N: -1}, &timeline.Cursor{T: 44e9, N: -1}))
	l.move(timeline.Cursor{T: 44e9, N: -1})
	l.Seek(timeline.Cursor{T: 41e9, N: -1})
	assert.Equal(t, same(l.View()), same(m.View()))
}

// The size of a snapshot grows linearly with the number of acts.
func TestSnapshotsStaySmall(t *testing.T) {
	size := func(acts int) int {
		l := openShipped(t, "a-leader-dies")
		l.move(timeline.Cursor{T: 10e9, N: -1})
		for k := range acts {
			require.NoError(t, l.Edit("elector.retryPeriod", fmt.Sprintf("%dms", 1000+k%2), "now", "a"))
		}
		document, err := json.Marshal(l.Snapshot())
		require.NoError(t, err)
		return len(document)
	}
	ten, hundred := size(10), size(100)
	t.Logf("10 acts: %d bytes, 100 acts: %d bytes", ten, hundred)
	assert.Less(t, hundred, 10*ten)
}

// A snapshot with a wrong value gives an error with its field, and the session does not change.
func TestBrokenSnapshots(t *testing.T) {
	document, m := snapshot(t, busy(t))
	before := same(m.View())
	entry := func(d map[string]any, list string, at int) map[string]any {
		return d[list].([]any)[at].(map[string]any)
	}
	for name, harm := range map[string]func(d map[string]any){
		"unknown field":         func(d map[string]any) { d["brunch"] = 1 },
		`apiVersion "v9"`:       func(d map[string]any) { d["apiVersion"] = "v9" },
		"branch 99 must be":     func(d map[string]any) { d["branch"] = 99 },
		"branch 0 must be":      func(d map[string]any) { d["branches"], d["branch"], d["undo"], d["redo"] = nil, 0, nil, nil },
		"branches[0].parent 0":  func(d map[string]any) { entry(d, "branches", 0)["parent"] = 0 },
		"branches[0].spec -1":   func(d map[string]any) { entry(d, "branches", 0)["spec"] = -1 },
		"branches[1]: the name": func(d map[string]any) { entry(d, "branches", 1)["name"] = " " },
		"specs[0].scenario 7":   func(d map[string]any) { entry(d, "specs", 0)["scenario"] = 7 },
		"specs[0].acts.to 70": func(d map[string]any) {
			entry(d, "specs", 0)["acts"] = []any{map[string]any{"from": 0, "to": 70}}
		},
		"specs[0].acts.from 1": func(d map[string]any) {
			entry(d, "specs", 0)["acts"] = []any{map[string]any{"from": 1, "to": 1}}
		},
		"100,000 acts": func(d map[string]any) {
			d["acts"] = slices.Repeat(d["acts"].([]any)[:1], 1000)
			entry(d, "specs", 1)["acts"] = slices.Repeat([]any{map[string]any{"from": 0, "to": 1000}}, 101)
		},
		"scenarios[0]":                 func(d map[string]any) { entry(d, "scenarios", 0)["seed"] = "x" },
		"undo[0].branch 5 must be":     func(d map[string]any) { entry(d, "undo", 0)["branch"] = 5 },
		"undo[0].branches 9":           func(d map[string]any) { entry(d, "undo", 0)["branches"] = 9 },
		"undo[0].spec 99":              func(d map[string]any) { entry(d, "undo", 0)["spec"] = 99 },
		"redo[0].other 9":              func(d map[string]any) { entry(d, "redo", 0)["other"] = []any{map[string]any{"branch": 9}} },
		"actions[1].act":               func(d map[string]any) { entry(d, "acts", 0)["act"] = "sing" },
		`breakpoint "x"`:               func(d map[string]any) { d["breakpoints"] = []any{map[string]any{"text": "x"}} },
		"must be an index, 0 to -1":    func(d map[string]any) { d["scenarios"] = nil },
		"undo[0].branches -1 must be ": func(d map[string]any) { entry(d, "undo", 0)["branches"] = -1 },
	} {
		var d map[string]any
		require.NoError(t, json.Unmarshal(document, &d))
		harm(d)
		broken, err := json.Marshal(d)
		require.NoError(t, err)
		assert.ErrorContains(t, m.Restore(broken, nil, nil), name)
		assert.Equal(t, before, same(m.View()), "the session is unchanged")
	}
}

func BenchmarkSnapshot(b *testing.B) {
	l := openShipped(b, "a-leader-dies")
	l.move(timeline.Cursor{T: 10e9, N: -1})
	for k := range 100 {
		require.NoError(b, l.Edit("elector.retryPeriod", fmt.Sprintf("%dms", 1000+k%2), "now", "a"))
	}
	for b.Loop() {
		if _, err := json.Marshal(l.Snapshot()); err != nil {
			b.Fatal(err)
		}
	}
}
