package lab

import (
	"github.com/leaselab/leaselab/sim/run/pacer"
	"github.com/leaselab/leaselab/sim/timeline"
)

// tickRequests is the maximum number of requests that one Advance computes: about 10 ms in a browser.
const tickRequests = 8000

// playback is the state of playing. Story speed slows down where something happens and hurries through renewals;
// package pacer computes the instants.
type playback struct {
	on      bool
	speed   float64 // virtual seconds per second; 0 means story speed
	untilNs int64   // the instant where playing pauses; 0 means nowhere
}

// `stop` stops playing, and forgets the instant at which to pause.
func (p *playback) stop() { p.on, p.untilNs = false, 0 }

// Play starts playing. `speed` is in virtual seconds per second, 0 for story speed; `until` is the instant at which
// to pause, 0 for none. If the cursor has already reached that instant, Play does nothing: the request may come from an
// earlier view.
func (l *Lab) Play(speed float64, until int64) {
	l.playback.on, l.playback.speed, l.playback.untilNs = until <= 0 || until > l.history.cursor.T, speed, until
	if l.history.cursor.T >= l.history.endNs() && !l.waits() {
		l.playback.on = false
		l.toast = "The run ends here."
	}
}

// `waits` reports whether a run that plays to its end waits there instead of stopping, because more of the run may
// become known.
func (l *Lab) waits() bool {
	outside := l.Record()
	return outside != nil && outside.GoesOn()
}

// Pause stops playing.
func (l *Lab) Pause() { l.playback.on = false }

// Playing reports whether the run is playing; then Advance moves it.
func (l *Lab) Playing() bool { return l.playback.on }

// Advance moves the cursor by the elapsed wall time, as converted by the pacer. If the cursor passes the live cursor,
// the live cursor moves, too. Advance does nothing while a search computes another place.
func (l *Lab) Advance(p *pacer.Pacer) {
	if !l.playback.on {
		return
	}
	if l.search != nil {
		p.Reset()
		return
	}
	to := p.Advance(l.history.cursor.T, l.factor)
	end := l.history.endNs()
	if l.playback.untilNs > 0 {
		end = min(end, max(l.playback.untilNs, l.history.cursor.T))
	}
	to = min(to, end)
	// A frame computes a bounded share: if it needs more, the run plays more slowly than requested.
	if r := l.liveRun(); to > l.history.live.T && !r.ComputeShare(to, tickRequests) {
		to = max(min(to, r.ComputedNs()), l.history.cursor.T)
	}
	l.noteGrowth(l.liveRun())
	at, fires := l.stops.follow(l.Look(), to)
	if fires {
		l.toast = stopReason(l.stops.walk)
	}
	if fires || at.T >= end && !l.waits() {
		l.playback.on = false
	}
	l.move(at)
}

// factor returns the speed at an instant, in millionths, and the instant until which that speed applies.
func (l *Lab) factor(nowNs int64) (ppm, untilNs int64) {
	if l.playback.speed > 0 {
		return int64(l.playback.speed*1e6 + 0.5), 1<<63 - 1
	}
	return l.liveRun().Story(nowNs)
}

// NextInstant returns the instant of the next event after an instant, or the end of the run.
func (l *Lab) NextInstant(afterNs int64) int64 {
	s := l.liveRun().At(timeline.Cursor{T: afterNs, N: -1})
	return min(s.NextAt(), l.history.endNs())
}

// Show moves the cursor to an instant, and also the live cursor if the instant is beyond it.
func (l *Lab) Show(ns int64) { l.move(timeline.Cursor{T: ns, N: -1}) }
