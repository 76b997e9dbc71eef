package lab

import (
	"sort"

	"github.com/leaselab/leaselab/sim/run/pacer"
)

// Story speed: fast where nothing happens, slow where something does.
const (
	storySteadyPpm   = 4_000_000 // 4×
	storyLandmarkPpm = 1_000_000 // 1× within landmarkNs of a landmark
	storyChangePpm   = 20_000    // 0.02× during the requests that change the holder
	landmarkNs       = 1_000_000_000
)

// tickRequests is how many requests one Advance computes at most: about 10 ms in a browser.
const tickRequests = 8000

// Play starts pacing. speed is virtual seconds per second, 0 for story speed; until pauses there, 0 nowhere. Where the
// cursor is there already nothing plays: whoever asked may have seen an earlier view.
func (l *Lab) Play(speed float64, until int64) {
	l.playing, l.speed, l.until = until <= 0 || until > l.cursor.T, speed, until
	if l.cursor.T >= l.endNs() {
		l.playing = false
		l.toast = "The run ends here."
	}
}

// Pause stops pacing.
func (l *Lab) Pause() { l.playing = false }

// Playing reports whether the lab wants to be advanced.
func (l *Lab) Playing() bool { return l.playing }

// Advance moves the cursor by what the pacer makes of the wall time passed. At the edge both move.
func (l *Lab) Advance(p *pacer.Pacer) {
	if !l.playing {
		return
	}
	to := p.Advance(l.cursor.T, l.factor)
	end := l.endNs()
	if l.until > 0 {
		end = min(end, max(l.until, l.cursor.T))
	}
	to = min(to, end)
	// A frame computes a bounded share: where more would be needed, the run is shown more slowly than asked for.
	if r := l.run(); to > l.edge.T && !r.compute(to, tickRequests) {
		to = max(min(to, r.frontier.world.Now()), l.cursor.T)
	}
	l.weighed(l.run())
	if at, fires := l.halt(to); fires {
		l.playing = false
		l.move(at)
		return
	}
	if to >= end {
		l.playing = false
	}
	l.move(Cursor{T: to, N: -1})
}

// factor is the speed at an instant in millionths, and until when it stays.
func (l *Lab) factor(nowNs int64) (ppm, untilNs int64) {
	if l.speed > 0 {
		return int64(l.speed*1e6 + 0.5), 1<<63 - 1
	}
	r := l.run()
	r.compute(nowNs+2*landmarkNs, stepBudget)
	return r.index.story(nowNs)
}

// story is the factor of story speed at an instant, and until when it stays. It looks landmarkNs ahead.
func (x *index) story(nowNs int64) (ppm, untilNs int64) {
	untilNs = nowNs + landmarkNs
	for k := len(x.moments) - 1; k >= 0; k-- {
		m := x.moments[k]
		if m.fromNs <= nowNs && nowNs < m.toNs {
			return storyChangePpm, m.toNs
		}
		if nowNs < m.fromNs {
			untilNs = min(untilNs, m.fromNs)
		}
	}
	next := sort.Search(len(x.landmarks), func(k int) bool { return x.landmarks[k].T+landmarkNs > nowNs })
	if next == len(x.landmarks) {
		return storySteadyPpm, untilNs
	}
	if t := x.landmarks[next].T; t-landmarkNs > nowNs {
		return storySteadyPpm, min(untilNs, t-landmarkNs)
	} else {
		return storyLandmarkPpm, min(untilNs, t+landmarkNs)
	}
}
