package lab

import (
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
)

// search is a computation of unknown length, done in shares: a simulated day with ten thousand candidates takes
// minutes. The lab's caller may be a worker of the page. Between shares, the worker must be able to react to a click
// on Stop.
//
// A running search does not touch the session. The function done makes the whole change at the end. So Stop needs to
// undo nothing, and no view shows half a branch.
type search struct {
	run  *timeline.Run                  // the run to compute; nil for the current one
	toNs int64                          // where the search ends
	look func() (timeline.Cursor, bool) // reports whether the computed part contains the target, and where
	// if not nil, computes the next share instead of the field run, and reports whether it has finished
	walk func() bool
	done func(to timeline.Cursor, f bool) // called at the end; f tells whether look has found the target
	at   func() int64                     // returns the progress; nil to use the end of the computed part of run
}

// `nothing` is for the field look of a search that has no target before its end.
func nothing() (timeline.Cursor, bool) { return timeline.Cursor{}, false }

// Slice limits how much one call computes, for a caller that must stay responsive. After a call that starts a long
// computation, Progress is not nil and GoOn computes the next share.
func (l *Lab) Slice() { l.sliced = true }

// `begin` starts a search and computes its first share. A short search, such as a step to the next event, ends within
// this call and never shows progress. If nothing has called Slice, `begin` computes everything. A new search replaces
// an unfinished one.
func (l *Lab) begin(s search) {
	if s.run == nil {
		s.run = l.liveRun()
	}
	l.search = &s
	l.GoOn()
	for !l.sliced && l.search != nil {
		l.GoOn()
	}
}

// GoOn computes the next share. Until the computation is complete the session stays unchanged. A search ends when its
// run reaches toNs, or earlier when `look` finds its target in the computed part.
func (l *Lab) GoOn() {
	s := l.search
	if s == nil {
		return
	}
	there := false
	if s.walk != nil {
		there = s.walk()
	} else {
		there = s.run.ComputeShare(s.toNs, tickRequests)
	}
	l.noteGrowth(s.run)
	to, found := s.look()
	if there || found {
		l.search, l.runs.besides = nil, nil
		s.done(to, found)
	}
}

// Stop ends an unfinished computation. It keeps the part that is complete.
func (l *Lab) Stop() { l.search, l.runs.besides = nil, nil }

// Progress returns how far the computation has come, or nil if none is running.
func (l *Lab) Progress() *protocol.Progress {
	s := l.search
	if s == nil {
		return nil
	}
	if s.at != nil {
		return &protocol.Progress{At: min(s.at(), s.toNs), Of: s.toNs}
	}
	return &protocol.Progress{At: min(s.run.ComputedNs(), s.toNs), Of: s.toNs}
}
