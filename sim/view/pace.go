package view

import (
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
)

// Pace returns the factors of "story speed" over a span of the run. This speed is high where nothing happens and low
// around events, so an hour with three failovers takes minutes to watch. A factor of 2 means two seconds of the run
// per second on the screen. Each factor applies from T until the T of the next factor. Pace merges neighbors with
// equal factors. The max in the loop ensures that each iteration advances.
func Pace(r *timeline.Run, fromNs, toNs int64) []protocol.PaceSpan {
	spans := []protocol.PaceSpan{}
	for t := fromNs; t < toNs; {
		ppm, untilNs := r.Story(t)
		if n := len(spans); n == 0 || spans[n-1].Factor != float64(ppm)/1e6 {
			spans = append(spans, protocol.PaceSpan{T: t, Factor: float64(ppm) / 1e6})
		}
		t = max(untilNs, t+1)
	}
	return spans
}
