package explain

import (
	"slices"

	"github.com/leaselab/leaselab/sim/trace"
	"github.com/leaselab/leaselab/sim/world"
)

// `leaders` contains the active candidates, and how the last leader stopped. The fields who and active may differ for a
// moment. If several terms end in one step, there is a record for each, but at the first record the world has already
// ended all of them.
type leaders struct {
	who      []int32 // the active candidates, in the order in which they started leading
	active   int     // how many active candidates the world counts after the last record about leading
	last     int32   // the last leader; -1 if no candidate has led yet
	lastName string  // the last leader's name when its term began
	ender    int32   // the candidate that stopped being active last
	end      end
	overlap  overlap
}

// end is how and when the last active candidate stopped. It contains finished sentences, not references, because the
// explanation follows only when the next leader begins: by then the background may have forgotten the fault, and the
// node may have restarted.
type end struct {
	at      Place
	how     trace.Kind
	killed  bool   // killed by SIGKILL, after the grace period
	fromNs  int64  // when the leader last renewed
	failing bool   // the leader had tried to renew since fromNs
	way     []Part // how the leader spent the time since fromNs
	why     []Line // what kept the leader from renewing
}

// overlap is the current or the last span of time with more than one active candidate.
type overlap struct {
	parts    []Part // for each candidate that stopped: what the candidate did since the previous stop
	lines    []Line // which third or later leaders joined, and who left a group of three or more
	told     int    // how many lines are already in the story
	cursorNs int64  // end of the parts so far
}

func (l *leaders) clone() leaders {
	c := *l
	c.who = slices.Clone(l.who)
	c.overlap.parts, c.overlap.lines = slices.Clip(l.overlap.parts), slices.Clip(l.overlap.lines)
	return c
}

// start adds an active candidate under its current name. A process that generates a new identity at each start has
// another name after a restart.
func (l *leaders) start(candidate int32, name string) {
	l.last, l.lastName = candidate, name
	if !slices.Contains(l.who, candidate) {
		l.who = append(l.who, candidate)
	}
	l.active++
}

// `stop` removes a candidate and returns the one that stopped.
func (l *leaders) stop(candidate int32) int32 {
	if k := slices.Index(l.who, candidate); k >= 0 {
		l.who = slices.Delete(l.who, k, k+1)
		l.ender = candidate
	} else if len(l.who) > 0 {
		return l.who[0] // all candidates stop in this step, and the record is about another one
	}
	return candidate
}

// nameOf returns the name of a leader, even if it is gone.
func (l *leaders) nameOf(w *world.World, i int32) string {
	if i == l.last {
		return l.lastName
	}
	return w.Node(i).Name()
}
