package programs

import (
	"cmp"
	"math"
	"time"

	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/programs/replay"
)

// A program reports its work in one of two ways: it says when its work begins and ends, or it reports each piece of
// work. A program that reports pieces counts as working from its first piece until it says that its work has ended,
// or until it no longer has a valid Lease and has reported no piece for Options.PieceLasts. When the node that holds
// the Lease begins to work, the others' work ends at once, unless they have reported a piece since that node acquired
// the Lease. So an orderly handover does not count as two workers.

// BeginsWork says that the program works from now on, until EndsWork or its end.
func (n *Node) BeginsWork() {
	n.c.post(n, func() {
		n.reports = true
		n.beginWhole()
	})
}

// EndsWork says that the program no longer works, neither as a whole nor in pieces.
func (n *Node) EndsWork() {
	n.c.post(n, func() {
		n.reports = true
		n.endAll()
	})
}

// Assume says that the program seems to work from now on, or seems to have stopped. It has no effect on a program that
// reports its work, because the report is the truth.
func (n *Node) Assume(works bool) {
	n.c.post(n, func() {
		switch {
		case n.reports:
		case works:
			n.beginWhole()
		default:
			n.endAll()
		}
	})
}

// beginWhole begins work that does not come in pieces.
func (n *Node) beginWhole() {
	if !n.atWork {
		n.atWork = true
		n.begin()
	}
}

// Piece says that the program does a piece of work now.
func (n *Node) Piece() {
	n.c.post(n, func() { n.c.piece(n) })
}

// NoteExit says that the program's process has ended by itself, and all its work with it.
func (n *Node) NoteExit(how conduct.Exit) {
	n.c.post(n, func() {
		n.keepLines()
		n.endAll()
		n.tellWork(n.c.atNs)
		n.exited = true
		ends := replay.CallReturns
		if how.Signal != "" {
			ends = replay.CallCrashes
		}
		n.tellEnd(ends, &how)
	})
}

func (n *Node) begin() {
	n.begins, n.worked = true, true
	n.alive++
	n.working++
}

func (n *Node) finish() {
	n.worked = true
	n.alive--
	n.working--
}

func (n *Node) endAll() {
	if n.atWork {
		n.atWork = false
		n.finish()
	}
	if n.pieces {
		n.pieces = false
		n.finish()
	}
}

// `piece` records a piece of work at c.atNs. The first piece begins the work. If the node n holds the Lease, its piece
// also ends the work of nodes whose last piece came before n acquired the Lease.
func (c *Cluster) piece(n *Node) {
	if n.ended {
		return
	}
	if !n.reports && n.atWork { // it was an assumption
		n.atWork = false
		n.finish()
	}
	n.reports = true
	if !n.pieces {
		if c.holds(n) {
			for other := range c.processes() {
				if other != n && other.pieces && other.pieceNs < c.acquiredNs {
					other.pieces = false
					other.finish()
					other.tellWork(c.atNs)
				}
			}
		}
		n.pieces = true
		n.begin()
	}
	n.pieceNs = c.atNs
}

// `holds` reports whether the Lease names a node.
func (c *Cluster) holds(n *Node) bool {
	_, o, exists := c.run.World.Holder()
	return exists && o.Spec.HolderIdentity != 0 && c.run.World.ByIdentity(o.Spec.HolderIdentity) == n.index
}

// `expire` ends all work in pieces that is over before an instant. That is the work of nodes that no longer hold a
// valid Lease and have reported no piece for too long.
func (c *Cluster) expire(nowNs int64) {
	for n := range c.processes() {
		if n.expiresNs() >= nowNs {
			continue
		}
		at := max(n.expiresNs(), c.run.World.Now())
		c.tellAttempts(at)
		c.advance(at)
		c.atNs = at
		n.pieces = false
		n.finish()
		n.tellWork(at)
	}
}

// expiresNs returns when the node's work in pieces ends if nothing else happens.
func (n *Node) expiresNs() int64 {
	switch lasts := n.pieceNs + n.c.options.pieceLastsNs(); {
	case !n.pieces || n.ended:
		return math.MaxInt64
	case !n.c.holds(n):
		return lasts
	default:
		return max(lasts, n.leaseEndsNs)
	}
}

// pieceLastsNs returns PieceLasts, or a second.
func (o *Options) pieceLastsNs() int64 {
	return int64(cmp.Or(o.PieceLasts, time.Second))
}

// `soonest` returns when the driver must look at pieces again: a nanosecond after the first work in pieces ends.
func (c *Cluster) soonest(nowNs int64) int64 {
	next := int64(math.MaxInt64 - 1)
	for n := range c.processes() {
		next = min(next, n.expiresNs())
	}
	return max(next, nowNs) + 1
}
