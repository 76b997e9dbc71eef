package timeline

import "sort"

// Story speed is fast in uneventful stretches and slow around events.
const (
	storySteadyPpm   = 4_000_000 // 4×
	storyLandmarkPpm = 1_000_000 // 1× within landmarkNs of a landmark
	storyChangePpm   = 20_000    // 0.02× during the requests that change the holder
	landmarkNs       = 1_000_000_000
)

// Story returns the factor of story speed at an instant, in millionths, and the instant until which it holds.
func (r *Run) Story(nowNs int64) (ppm, untilNs int64) {
	r.Compute(nowNs + 2*landmarkNs)
	return r.index.story(nowNs)
}

// story returns the factor of story speed at an instant, and until when it holds. It looks landmarkNs ahead.
func (x *Index) story(nowNs int64) (ppm, untilNs int64) {
	untilNs = nowNs + landmarkNs
	for k := len(x.changes) - 1; k >= 0; k-- {
		m := x.changes[k]
		if m.fromNs <= nowNs && nowNs < m.toNs {
			return storyChangePpm, m.toNs
		}
		if nowNs < m.fromNs {
			untilNs = min(untilNs, m.fromNs)
		}
	}
	next := sort.Search(len(x.Landmarks), func(k int) bool { return x.Landmarks[k].T+landmarkNs > nowNs })
	if next == len(x.Landmarks) {
		return storySteadyPpm, untilNs
	}
	if t := x.Landmarks[next].T; t-landmarkNs > nowNs {
		return storySteadyPpm, min(untilNs, t-landmarkNs)
	} else {
		return storyLandmarkPpm, min(untilNs, t+landmarkNs)
	}
}
