package lab

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rename"
)

// newNames are the changes that give nodes of the present run other names.
func newNames(t *testing.T, l *Lab, names ...rename.Name) []protocol.PatchEntry {
	t.Helper()
	changes, err := rename.Changes(l.Scenario(), names)
	require.NoError(t, err)
	var all []protocol.PatchEntry
	for _, c := range changes {
		all = append(all, protocol.PatchEntry(c))
	}
	return all
}

// Names change under way: the cursor and the run stay, live acts follow, undo brings the old names back, and the link and the file
// open the run with its new names and its hash.
func TestNamesChangeUnderWay(t *testing.T) {
	l := opened(t, "better-candidate", 0)
	require.NoError(t, l.RunToTime("time", 20e9))
	holder := l.Look().Here().World
	require.NoError(t, l.Act("pause", holder.Node(0).Name(), protocol.ActOptions{}))
	require.NoError(t, l.RunToTime("time", 60e9))
	cursor, counts, nodes := l.Cursor(), l.Look().Here().World.Counts(), rename.Nodes(l.Scenario())
	name := l.Look().Here().World.Node(0).Name()

	require.NoError(t, l.EditAll(newNames(t, l, rename.Name{From: name, To: "p" + name}), "same", ""))
	assert.Equal(t, cursor, l.Cursor())
	assert.Equal(t, counts, l.Look().Here().World.Counts())
	assert.Contains(t, rename.Nodes(l.Scenario()), "p"+name)
	assert.Equal(t, "p"+name, l.history.spec().actions[0].Target, "the live act follows")
	assert.Equal(t, "new names", l.Session().Undo)

	hash := l.Look().Here().World.Hash()
	saved, err := scenario.Decode(l.Save().Scenario)
	require.NoError(t, err)
	r := run.Plain(saved)
	r.To(cursor.T, nil)
	assert.Equal(t, hash, r.World.Hash(), "the file gives the same run")

	share := l.Share(false)
	actions, err := scenario.DecodeActions(share.Actions)
	require.NoError(t, err)
	other := opened(t, "crash", 0)
	require.NoError(t, other.Open(Opening{Name: share.Scenario.(string), Patch: share.Patch, Actions: actions, Cursor: &share.Cursor, Live: &share.Live}))
	assert.Equal(t, hash, other.Look().Here().World.Hash(), "so does the link")

	require.NoError(t, l.Undo())
	assert.Equal(t, nodes, rename.Nodes(l.Scenario()))
	assert.Equal(t, cursor, l.Cursor())
	require.NoError(t, l.Redo())
	assert.Equal(t, hash, l.Look().Here().World.Hash())
}

// A renaming that the run refuses leaves the session as it was.
func TestARefusedRenamingChangesNothing(t *testing.T) {
	l := opened(t, "a-leader-dies", 0)
	before := string(l.Save().Scenario)
	changes := []protocol.PatchEntry{{Path: "candidates[0].name", Value: "b"}}
	require.ErrorContains(t, l.EditAll(changes, "same", ""), "is already taken")
	require.ErrorContains(t, l.CheckEdit(changes, "same", ""), "is already taken")
	assert.Equal(t, before, string(l.Save().Scenario))
	assert.Empty(t, l.Session().Undo)
}
