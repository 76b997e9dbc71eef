package lab

import (
	"fmt"
	"slices"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
)

// branch is a named run of the session, and the cursor at which the session left it.
type branch struct {
	view   protocol.BranchView
	spec   *spec
	cursor timeline.Cursor
	live   timeline.Cursor
}

// history is the tree of branches, the session's position in it, and the steps for undo and redo. It never removes a
// branch: Delete only hides the branch, so that undo can bring it back. So a branch's id is always its index.
//
// history has the cursors of the current branch; every other branch has its own cursors. leave and enter move them.
type history struct {
	branches []*branch
	current  int
	cursor   timeline.Cursor // the session's cursor
	live     timeline.Cursor // the latest instant of the current branch that the session has shown
	undo     []undoStep
	redo     []undoStep
	viewed   []protocol.BranchView // the branches as the last view returned them
}

// undoStep is a position and a state of the branches that undo or redo restores.
type undoStep struct {
	label  string // the change that undo or redo reverts
	branch int
	spec   *spec
	cursor timeline.Cursor
	live   timeline.Cursor
	views  []protocol.BranchView // the branches at that time, with their names
}

// historyOf returns a history without undo steps, at instant 0 of a branch.
func historyOf(all []*branch, current int) history {
	return history{branches: all, current: current, cursor: timeline.Cursor{N: -1}, live: timeline.Cursor{N: -1}}
}

// branchViews returns the branches as the page lists them.
func (h *history) branchViews() []protocol.BranchView {
	all := []protocol.BranchView{}
	for k, b := range h.branches {
		one := b.view
		one.Live = b.live.T
		if k == h.current {
			one.Live = h.live.T
		}
		all = append(all, one)
	}
	return all
}

func (h *history) branch(id int) (*branch, error) {
	if id < 0 || id >= len(h.branches) || h.branches[id].view.Hidden {
		return nil, fmt.Errorf("the session has no branch number %d", id)
	}
	return h.branches[id], nil
}

func (h *history) spec() *spec { return h.branches[h.current].spec }

func (h *history) endNs() int64 { return h.spec().endNs() }

func (h *history) clamp(c timeline.Cursor) timeline.Cursor { return h.spec().clamp(c) }

func (h *history) newBranch(name string, sp *spec, forkNs int64) {
	h.leave()
	h.branches = append(h.branches, &branch{view: protocol.BranchView{Id: len(h.branches), Name: name,
		Parent: h.current, ForkAt: forkNs}, spec: sp})
	h.current = len(h.branches) - 1
}

// `leave` saves the cursors of the current branch.
func (h *history) leave() {
	h.branches[h.current].cursor, h.branches[h.current].live = h.cursor, h.live
}

// `enter` makes another branch the current one, at its saved cursors.
func (h *history) enter(id int) {
	h.leave()
	b := h.branches[id]
	h.current, h.cursor, h.live = id, b.cursor, b.live
}

// heir returns the branch to show after the deletion of one: its nearest remaining ancestor, or else the first
// remaining branch, or -1.
func (h *history) heir(id int) int {
	next := h.branches[id].view.Parent
	for next >= 0 && h.branches[next].view.Hidden {
		next = h.branches[next].view.Parent
	}
	for k := 0; next < 0 && k < len(h.branches); k++ {
		if k != id && !h.branches[k].view.Hidden {
			next = k
		}
	}
	return next
}

// restore goes back to a step: to its branches, their names and the session's position. It hides branches that came
// later, but does not lose them, since redo needs them.
func (h *history) restore(p *undoStep) {
	h.leave()
	for i, b := range h.branches {
		if i < len(p.views) {
			b.view = p.views[i]
		} else {
			b.view.Hidden = true
		}
	}
	h.branches[p.branch].spec = p.spec
	h.current, h.cursor, h.live = p.branch, p.cursor, p.live
}

// `move` sets the cursor, and also the live cursor if the new place is beyond it.
func (h *history) move(c timeline.Cursor) {
	h.cursor = h.clamp(c)
	h.live = timeline.Latest(h.live, h.cursor)
}

// `seek` sets the cursor, never beyond the live cursor.
func (h *history) seek(c timeline.Cursor) {
	if c = h.clamp(c); h.live.Before(c) {
		c = h.live
	}
	h.cursor = c
}

// `remember` pushes the current state on the undo stack, before a change at the cursor.
func (h *history) remember(label string) {
	h.recall(label + " at " + words.Instant(h.cursor.T))
}

// recall is like remember, but for a change without an instant. Its label needs no instant.
func (h *history) recall(label string) {
	h.undo = append(h.undo, h.present(label))
	h.redo = nil
}

func (h *history) present(label string) undoStep {
	return undoStep{label: label, branch: h.current, spec: h.spec(), cursor: h.cursor, live: h.live, views: h.views()}
}

// `views` returns the current branches. Steps share the list as long as it does not change. Otherwise a thousand acts
// in a thousand branches would need a million entries.
func (h *history) views() []protocol.BranchView {
	known := h.viewed
	for i, b := range h.branches {
		if i == len(known) {
			known = append(known, b.view)
		} else if known[i] != b.view {
			known = append(known[:i:i], b.view)
		}
	}
	h.viewed = known[:len(h.branches)]
	return h.viewed[:len(h.viewed):len(h.viewed)]
}

// `specs` returns the specs that have a run: the specs of all branches, and the specs of all undo and redo steps.
func (h *history) specs() []*spec {
	var all []*spec
	add := func(s *spec) {
		if s.run != nil && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, b := range h.branches {
		add(b.spec)
	}
	for _, steps := range [][]undoStep{h.undo, h.redo} {
		for i := range steps {
			add(steps[i].spec)
		}
	}
	return all
}
