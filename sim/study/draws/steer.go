package draws

import (
	"math"

	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/sim/world"
)

// almostOne is the largest draw.
var almostOne = math.Nextafter(1, 0)

// aim is what a run tries from an instant on.
type aim struct {
	fromNs   int64
	early    int     // a candidate whose bit is set wants its attempts to succeed early, any other late
	meetNs   int64   // an attempt of each candidate begins then; 0: none
	asServed bool    // the API server has its first request then
	astray   float64 // the share of draws that are made at random, to leave the paths that aiming takes
}

// steered repeats the draws of a run before an instant, and aims after it.
func (s *search) steered(a aim, base trial) jitter {
	used, met := map[int32]int{}, map[int32]bool{}
	return func(w *world.World, candidate int32, nowNs int64) float64 {
		if n := used[candidate]; nowNs < a.fromNs && int(candidate) < len(base.draws) &&
			n < len(base.draws[candidate]) {
			used[candidate]++
			return base.draws[candidate][n].value
		}
		if a.astray > 0 && s.stream.Float64() < a.astray {
			return s.stream.Float64()
		}
		node, soon := w.Node(candidate), a.early>>min(candidate, 3)&1 == 1
		meetNs := a.meetNs
		if running, _ := node.Settings(); a.asServed {
			meetNs -= running.RequestNs
		}
		switch {
		case meetNs > nowNs:
			return toward(node, nowNs, meetNs, soon)
		case a.meetNs > 0 && !soon && !met[candidate]: // what happened then is seen late
			met[candidate] = true
			return almostOne
		}
		zeroNs, leading, ok := node.Countdown()
		switch {
		case !ok || leading || zeroNs <= nowNs:
			return extreme(soon)
		case soon:
			return toward(node, nowNs, zeroNs, true)
		}
		return toward(node, nowNs, zeroNs-1, false)
	}
}

func extreme(soon bool) float64 {
	if soon {
		return 0
	}
	return almostOne
}

// toward is the draw after which the node's next attempt, or one of the following, begins at an instant.
func toward(node world.Node, nowNs, atNs int64, soon bool) float64 {
	running, _ := node.Settings()
	retryNs, factor := int64(running.RetryPeriod), elector.JitterFactor
	if running.OwnJitter {
		factor = running.JitterFactor
	}
	longestNs := retryNs + int64(factor*float64(retryNs))
	waitNs := atNs - nowNs
	switch {
	case waitNs < retryNs:
		return extreme(soon)
	case waitNs >= 2*longestNs:
		waitNs = (retryNs + longestNs) / 2
	case waitNs >= longestNs: // leaves one wait of a length that can be drawn
		waitNs = min(max(waitNs-(retryNs+longestNs)/2, retryNs), longestNs)
	}
	if factor == 0 {
		return 0
	}
	value := float64(waitNs-retryNs) / (factor * float64(retryNs))
	for value > 0 && elector.JitterDelayNs(retryNs, value) > waitNs && !running.OwnJitter {
		value = math.Nextafter(value, 0)
	}
	for value < almostOne && elector.JitterDelayNs(retryNs, value) < waitNs && !running.OwnJitter {
		value = math.Nextafter(value, 1)
	}
	return min(max(value, 0), almostOne)
}
