package lab

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
)

func names(v *protocol.View) []string {
	all := []string{}
	for _, b := range v.Branches {
		if !b.Hidden {
			all = append(all, b.Name)
		}
	}
	return all
}

// same returns the parts of a view that must be equal after undo.
func same(v *protocol.View) protocol.View {
	c := *v
	c.Undo, c.Redo, c.Toast, c.Run, c.Branches = "", "", "", 0, nil
	for _, b := range v.Branches {
		if !b.Hidden {
			c.Branches = append(c.Branches, b)
		}
	}
	return c
}

// Undo and redo restore exactly the states before and after every kind of edit: acts at the live cursor and in the
// past, knobs, forks, names, deletions, switches.
func TestEveryEditIsUndone(t *testing.T) {
	l := openShipped(t, "a-leader-dies")
	l.move(timeline.Cursor{T: 40e9, N: -1})
	steps := []struct {
		name string
		do   func() error
	}{
		{"an act at the live instant", func() error { return l.Act(scenario.ActCrash, "b", protocol.ActOptions{}) }},
		{"an act in the past", func() error {
			l.Seek(timeline.Cursor{T: 12e9, N: -1})
			return l.Act(scenario.ActCut, "c", protocol.ActOptions{})
		}},
		{"a knob", func() error { return l.Edit("elector.leaseDuration", "20s", "rerun", "") }},
		{"a switch", func() error { return l.Switch(1) }},
		{"a name", func() error { return l.Rename(1, "  c is cut  ") }},
		{"a fork", func() error { return l.Fork("what if") }},
		{"an act in it", func() error { return l.Act(scenario.ActPause, "a", protocol.ActOptions{}) }},
		{"a deletion", func() error { return l.Delete(2) }},
		{"the deletion of the current branch", func() error { return l.Delete(3) }},
		{"a knob of one node", func() error { return l.Edit("elector.retryPeriod", "3s", "restart", "b") }},
	}
	var views []protocol.View
	for _, s := range steps {
		views = append(views, same(l.View()))
		require.NoError(t, s.do(), s.name)
	}
	assert.Equal(t, []string{"A leader dies", "c is cut"}, names(l.View()))
	views = append(views, same(l.View()))
	for range 2 {
		for k := len(steps) - 1; k >= 0; k-- {
			require.NoError(t, l.Undo())
			got := same(l.View())
			if k == 1 || k == 9 { // these steps move the cursor before they act
				got.Cursor, got.Hash = views[k].Cursor, views[k].Hash
				continue
			}
			require.Equal(t, views[k], got, "undo %s", steps[k].name)
		}
		require.Error(t, l.Undo())
		for k := range steps {
			require.NoError(t, l.Redo())
			want := views[k+1]
			if k+1 == 1 {
				continue
			}
			require.Equal(t, want, same(l.View()), "redo %s", steps[k].name)
		}
		require.Error(t, l.Redo())
	}
	assert.EqualError(t, l.Rename(2, "x"), "the session has no branch number 2")
	assert.Error(t, l.Rename(1, " "))
	require.NoError(t, l.Delete(1))
	assert.EqualError(t, l.Delete(0), "A leader dies is the only branch; a session keeps at least one")
}

// Switching to a branch whose run was dropped computes in shares. Stopped midway, it leaves the lab unchanged.
func TestAFarBranchIsReachedInShares(t *testing.T) {
	day := scenario.Scenario{APIVersion: scenario.APIVersion, Kind: scenario.Kind, Seed: 1, Duration: scenario.Duration(24 * time.Hour)}
	for _, name := range []string{"a", "b", "c"} {
		day.Candidates = append(day.Candidates, scenario.Candidate{Name: name})
	}
	l := New(nil)
	l.Slice()
	require.NoError(t, l.Open(Opening{Whole: &day}))
	require.NoError(t, l.RunTo("end"))
	goneOn(t, l)
	far := same(l.View())
	require.NoError(t, l.Edit("seed", "2", "rerun", ""))
	near := same(l.View())
	drop := func() { l.history.branches[0].spec.run = nil }
	for name, leap := range map[string]func() error{"switch": func() error { return l.Switch(0) }, "undo": l.Undo} {
		drop()
		require.NoError(t, leap())
		require.NotNil(t, l.Progress(), name)
		assert.Equal(t, int64(24*time.Hour), l.Progress().Of)
		assert.Equal(t, near, same(l.View()), "%s: the lab is unchanged", name)
		l.Stop()
		assert.Equal(t, near, same(l.View()), name)
		drop()
		require.NoError(t, leap())
		assert.Greater(t, goneOn(t, l), 5, name)
		got := same(l.View())
		if name == "undo" {
			require.Equal(t, far.Hash, got.Hash)
			require.NoError(t, l.Redo())
		} else {
			got.Branches, got.Branch = far.Branches, far.Branch
			require.Equal(t, far, got)
			require.NoError(t, l.Undo())
		}
		goneOn(t, l)
		require.Equal(t, near, same(l.View()))
	}
}

// A session document holds the branches with their names, the breakpoints, and the cursor at which each branch was
// left.
func TestSessionDocument(t *testing.T) {
	l := openShipped(t, "a-leader-dies")
	l.move(timeline.Cursor{T: 40e9, N: -1})
	l.Seek(timeline.Cursor{T: 12e9, N: -1})
	require.NoError(t, l.Act(scenario.ActCrash, "b", protocol.ActOptions{}))
	require.NoError(t, l.Rename(1, "b goes first"))
	require.NoError(t, l.Edit("elector.retryPeriod", "1s", "rerun", ""))
	l.move(timeline.Cursor{T: 30e9, N: -1})
	require.NoError(t, l.Delete(1))
	require.NoError(t, l.Act(scenario.ActCrash, "c", protocol.ActOptions{}))
	require.NoError(t, l.SetBreakpoints([]protocol.Breakpoint{{Text: "violation"}}))
	saved := l.SaveSession()
	assert.Equal(t, "a-leader-dies-session.json", saved.Name)
	require.True(t, IsSession(saved.Scenario))
	assert.False(t, IsSession(l.Save().Scenario))
	s, err := ReadSession(saved.Scenario)
	require.NoError(t, err)
	m := openShipped(t, "crash")
	require.NoError(t, m.OpenSession(s))
	want, got := l.View(), m.View()
	assert.Equal(t, []string{"A leader dies", "retryPeriod 1s"}, names(got))
	assert.Equal(t, 0, got.Branches[1].Parent, "the branch between is gone")
	assert.Equal(t, want.Hash, got.Hash)
	assert.Equal(t, want.Cursor, got.Cursor)
	assert.Equal(t, want.Live, got.Live)
	assert.Equal(t, want.Breakpoints, got.Breakpoints)
	assert.Equal(t, l.Share(false), m.Share(false), "and so is the link to it")
	require.NoError(t, m.Switch(0))
	assert.Equal(t, int64(40e9), m.history.live.T)
	whole, err := s.Scenario()
	require.NoError(t, err)
	assert.Equal(t, scenario.Encode(l.Scenario()), scenario.Encode(whole))

	for name, broken := range map[string]string{
		"branches[1].parent 7 must be": `"parent":7`, "breakpoint \"x\"": `"breakpoints":[{"text":"x"}]`, "unknown field": `"brunch":1`,
	} {
		var document map[string]any
		require.NoError(t, json.Unmarshal(saved.Scenario, &document))
		switch name {
		case "unknown field":
			document["brunch"] = 1
		case "breakpoint \"x\"":
			document["breakpoints"] = []any{map[string]any{"text": "x"}}
		default:
			document["branches"].([]any)[1].(map[string]any)["parent"] = 7
		}
		bytes, err := json.Marshal(document)
		require.NoError(t, err)
		before := same(m.View())
		s, err := ReadSession(bytes)
		if err == nil {
			err = m.OpenSession(s)
		}
		require.ErrorContains(t, err, name, broken)
		assert.Equal(t, before, same(m.View()), "the session is unchanged")
	}
}
