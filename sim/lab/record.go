package lab

import (
	"errors"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
)

// ErrFact is the error of an operation that would change a record, because a record has already happened.
var ErrFact = errors.New(
	"this is a record of real programs, so nothing can change it. `leaselab import RECORD -o scenario` turns it into " +
		"a scenario, in which you can act")

// OpenRecord starts a session with a record, in which a scenario's acts happened to real programs. It shows the known
// part of the record. While the programs still run the record grows, and Reach shows the new part. A record has one
// branch and no acts: see ErrFact.
func (l *Lab) OpenRecord(s scenario.Scenario, outside timeline.Outside) {
	sp := &spec{begun: s, outside: outside}
	l.history = historyOf([]*branch{{view: protocol.BranchView{Name: sp.title(), Parent: -1}, spec: sp}}, 0)
	l.playback.stop()
	l.stops = breakpoints{}
	l.begin(search{toNs: outside.KnownNs(), look: nothing, done: func(timeline.Cursor, bool) {
		l.history.live = timeline.Cursor{T: outside.KnownNs(), N: -1}
		l.history.cursor = l.history.live
	}})
}

// Reach makes the new part of a record visible. The cursor does not move.
func (l *Lab) Reach() {
	outside := l.Record()
	if outside == nil || l.search != nil {
		return
	}
	to := outside.KnownNs()
	if !l.liveRun().ComputeShare(to, tickRequests) {
		to = min(to, l.liveRun().ComputedNs())
	}
	to = min(to, outside.KnownNs()) // the record may be damaged
	l.noteGrowth(l.liveRun())
	l.history.live = timeline.Latest(l.history.live, timeline.Cursor{T: to, N: -1})
}

// Record returns the source of the calls in the session's run, or nil for a simulation.
func (l *Lab) Record() timeline.Outside {
	if !timeline.Records || len(l.history.branches) == 0 {
		return nil
	}
	return l.history.spec().outside
}
