package world

import (
	"math/bits"

	"github.com/leaselab/leaselab/core/step"
)

// `timers` has one timer per node and knows which is earliest. It is a tournament tree. The leaves are the timers in
// node order, and every inner place holds the earlier of its two children, so the root holds the earliest of all.
// Ties go to the lower node, which is the left child. A changed timer competes only with the winners next to its path
// to the root. These winners are already known, so no comparison depends on the previous one, and nothing else moves.
type timers struct {
	nodes int
	tree  []timer // place k has its children at 2k and 2k+1, the root is at 1, and the leaves are the second half
}

type timer struct {
	at        int64 // Never if unset
	candidate int32
}

// add adds the timer of the next node.
func (t *timers) add() {
	t.nodes++
	if leaves := len(t.tree) / 2; t.nodes > leaves {
		t.widen(max(2*leaves, 1))
	}
}

// `widen` makes room for that many nodes.
func (t *timers) widen(leaves int) {
	before := t.tree[len(t.tree)/2:]
	t.tree = make([]timer, 2*leaves)
	for k := range t.tree {
		t.tree[k].at = step.Never
	}
	for i := range before {
		t.set(int32(i), before[i].at)
	}
}

func (t *timers) clone() timers {
	return timers{nodes: t.nodes, tree: append([]timer(nil), t.tree...)}
}

// `next` returns the earliest timer. If no timer runs, the instant is Never and the candidate is meaningless.
func (t *timers) next() (candidate int32, at int64) {
	if len(t.tree) < 2 {
		return -1, step.Never
	}
	return t.tree[1].candidate, t.tree[1].at
}

// `of` returns when the timer of a node is due, or Never if it is unset.
func (t *timers) of(candidate int32) int64 { return t.tree[len(t.tree)/2+int(candidate)].at }

// `set` moves the timer of a node; Never clears it. The CPU could not predict a branch on which of two timers is
// earlier. So `set` uses a subtraction, which borrows if the rival is earlier. If the place is odd, the rival is on the
// left and wins a tie.
func (t *timers) set(candidate int32, at int64) {
	tree := t.tree
	k := uint(len(tree)/2) + uint(candidate)
	tree[k] = timer{at, candidate}
	for ; k > 1; k /= 2 {
		rival := &tree[k^1]
		_, borrow := bits.Sub64(uint64(rival.at), uint64(at)+uint64(k&1), 0)
		earlier := -int64(borrow) // all ones if the rival is earlier
		at ^= (at ^ rival.at) & earlier
		candidate ^= (candidate ^ rival.candidate) & int32(earlier)
		winner := &tree[k/2]
		if winner.at == at && winner.candidate == candidate {
			return
		}
		winner.at, winner.candidate = at, candidate
	}
}
