package lab

import (
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
)

// search is a computation of unknown length, made in shares: a day with ten thousand candidates takes minutes.
type search struct {
	run  *timeline.Run                    // that is computed; nil: the current one
	toNs int64                            // where it ends
	look func() (timeline.Cursor, bool)   // whether what it looks for has been computed, and where
	walk func() bool                      // computes the next share in place of run, and reports whether it is there; nil: run does
	done func(to timeline.Cursor, f bool) // what happens at the end; f: look has found it
	at   func() int64                     // how far it is; nil: as far as the run is computed
}

// nothing is the look of a search that only has to get there.
func nothing() (timeline.Cursor, bool) { return timeline.Cursor{}, false }

// Slice bounds what one call computes, for a caller that must stay responsive. After a call that has begun something long,
// Progress is not nil and GoOn computes the next share.
func (l *Lab) Slice() { l.sliced = true }

func (l *Lab) begin(s search) {
	if s.run == nil {
		s.run = l.run()
	}
	l.search = &s
	l.GoOn()
	for !l.sliced && l.search != nil {
		l.GoOn()
	}
}

// GoOn computes the next share of what was begun. Until all of it is computed the session stands where it stood.
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
	l.grown(s.run)
	to, found := s.look()
	if there || found {
		l.search, l.runs.besides = nil, nil
		s.done(to, found)
	}
}

// Stop ends what was begun and is not finished. What has been computed is kept.
func (l *Lab) Stop() { l.search, l.runs.besides = nil, nil }

// Progress is how far what was begun has been computed, nil if nothing is under way.
func (l *Lab) Progress() *protocol.Progress {
	s := l.search
	if s == nil {
		return nil
	}
	if s.at != nil {
		return &protocol.Progress{At: min(s.at(), s.toNs), Of: s.toNs}
	}
	return &protocol.Progress{At: min(s.run.Computed(), s.toNs), Of: s.toNs}
}
