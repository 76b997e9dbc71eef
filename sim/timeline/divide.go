package timeline

import (
	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/trace"
)

// A long run has widely spaced checkpoints. On its way to the cursor the run divides a segment into short segments,
// which it may forget at any time. After that, a move of the cursor nearby recomputes only a few requests and
// sentences.
const (
	shortRequests = 1000     // requests in a short segment
	shortBytes    = 16 << 20 // memory limit of all their checkpoints
)

// `divisible` reports whether a segment is long enough, and its world small enough, to divide it. A segment with loaded
// events needs no division. The last segment is not divisible, because it is still growing.
func (r *Run) divisible(k int) bool {
	s := r.segments[k]
	if s.loaded || k == len(r.segments)-1 {
		return false
	}
	requests := r.segments[k+1].start.World.Counts().Requests - s.start.World.Counts().Requests
	return requests >= 2*shortRequests && s.start.bytes()*16 <= shortBytes
}

// approach returns a state in segment k just before an instant, and divides the segment on the way.
func (r *Run) approach(k int, ns int64) *State {
	s := r.segments[k]
	st := r.from(s)
	if !r.divisible(k) {
		return st
	}
	d := divider{run: r, state: st, place: k + 1, rows: s.rowsFrom, requests: s.start.World.Counts().Requests}
	for st.Step(ns-1, d.see) {
		d.leave()
	}
	return st
}

// `near` returns the segment that contains an instant: a short one if the segment is divisible.
func (r *Run) near(ns int64) int {
	r.shed()
	k := r.segmentAt(ns)
	if !r.divisible(k) {
		return k
	}
	s := r.segments[k]
	untilNs := r.segments[k+1].fromNs
	st := r.from(s)
	d := divider{run: r, state: st, place: k + 1, rows: s.rowsFrom, requests: s.start.World.Counts().Requests}
	for st.Step(untilNs, d.see) {
		if d.leave() && st.World.Now() >= ns {
			break
		}
	}
	return r.segmentAt(ns)
}

// divider adds short segments while a state advances.
type divider struct {
	run      *Run
	state    *State
	place    int // index of the next short segment
	rows     int
	requests int64 // count of requests at the last short segment
	begun    bool
}

func (d *divider) see(r *trace.Record, _ explain.Note) {
	if hasRow(r.Kind) {
		d.rows++
	}
}

// `leave` starts a short segment if the last one is long enough and the instant is complete.
func (d *divider) leave() bool {
	w := d.state.World
	if w.Counts().Requests-d.requests < shortRequests || d.state.NextAt() <= w.Now() {
		return false
	}
	if next := d.run.segments[d.place]; w.Now() >= next.fromNs {
		return false // a checkpoint ends the segment here anyway
	}
	d.requests = w.Counts().Requests
	if !d.begun {
		d.begun = true
		d.run.segments[d.place-1] = d.run.segments[d.place-1].bare() // other branches keep the undivided segment
	}
	d.run.segments = append(d.run.segments, nil)
	copy(d.run.segments[d.place+1:], d.run.segments[d.place:])
	d.run.segments[d.place] = &segment{start: d.state.Clone(), fromNs: w.Now(), rowsFrom: d.rows, short: true}
	d.run.shorts++
	d.place++
	return true
}

// `shed` forgets all short segments once the run has too many.
func (r *Run) shed() {
	if int64(r.shorts)*r.frontier.bytes() > shortBytes {
		r.undivide()
	}
}

// undivide forgets all short segments, and the events of the segments that they divided.
func (r *Run) undivide() {
	if r.shorts == 0 {
		return
	}
	kept := make([]*segment, 0, len(r.segments)-r.shorts)
	for i, s := range r.segments {
		if s.short {
			continue
		}
		if i+1 < len(r.segments) && r.segments[i+1].short {
			s.unload()
		}
		kept = append(kept, s)
	}
	r.segments, r.shorts = kept, 0
}
