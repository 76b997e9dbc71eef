package scenario

import "strings"

// Distribution says how to draw a duration, in one of four ways:
//
//	min max         evenly between them; min is optional
//	mean min        exponentially: min plus a random time whose average is mean
//	p50 p99         log-normally: half are shorter than p50, one in a hundred is longer than p99; a long tail
//	quantiles two or more, evenly spaced from the shortest to the longest possible, with straight lines between them
//
// With window, all requests of all clients within a window of that length get the same draw, so they are all slow at
// once.
//
// Draw evenly if you know only two limits, exponentially if requests wait in a queue, log-normally if a dashboard
// shows p50 and p99, and from quantiles if you have a measurement. A window models a slow server rather than slow
// packets: without a window, one slow answer says nothing about the next.
type Distribution struct {
	Min       Duration   `json:"min,omitempty"`
	Max       Duration   `json:"max,omitempty"`
	Mean      Duration   `json:"mean,omitempty"`
	P50       Duration   `json:"p50,omitempty"`
	P99       Duration   `json:"p99,omitempty"`
	Quantiles []Duration `json:"quantiles,omitempty"`
	Window    Duration   `json:"window,omitempty"`
}

// checkNetwork checks that the fields of one level fit together. It checks each level separately, because a constant
// in the candidate may replace a distribution in the scenario without a contradiction.
func (v *validator) checkNetwork(n *Network, path string) {
	if n == nil {
		return
	}
	v.checkLeg(n.RequestLatency, n.RequestDistribution, join(path, "requestLatency"), join(path, "requestDistribution"))
	v.checkLeg(n.ResponseLatency, n.ResponseDistribution, join(path, "responseLatency"),
		join(path, "responseDistribution"))
}

// checkLeg checks that a direction has a constant or a distribution, not both.
func (v *validator) checkLeg(constant *Duration, drawn *Distribution, constantPath, drawnPath string) {
	if constant != nil && drawn != nil {
		field := drawnPath[strings.LastIndexByte(drawnPath, '.')+1:]
		v.relate(refuseDuration(constantPath, *constant, "contradicts "+field+"; keep one of them"))
	}
	if drawn != nil {
		v.relate(checkDistribution(drawn, drawnPath))
	}
}

// checkDistribution accepts a distribution if its lengths ascend and it has the fields of exactly one way to draw.
func checkDistribution(d *Distribution, path string) *FieldError {
	const ways = "max (with min), mean (with min), p50 with p99, or quantiles"
	given := 0
	for _, is := range []bool{d.Max != 0, d.Mean != 0, d.P50 != 0 || d.P99 != 0, len(d.Quantiles) > 0} {
		if is {
			given++
		}
	}
	switch {
	case given == 0:
		return refuseField(path, "has no lengths; it needs "+ways)
	case given > 1:
		return refuseField(path, "has more than one way to draw; keep one of "+ways)
	case d.Min != 0 && d.Max == 0 && d.Mean == 0:
		return refuseDuration(join(path, "min"), d.Min, "belongs to max or to mean")
	case d.Max != 0 && d.Max < d.Min:
		return refuseDuration(join(path, "max"), d.Max, "must not be shorter than min "+quote(d.Min.String()))
	case d.P50 == 0 && d.P99 != 0:
		return refuseField(join(path, "p50"), "missing; p99 needs it")
	case d.P50 != 0 && d.P99 < d.P50:
		return refuseDuration(join(path, "p99"), d.P99, "must not be shorter than p50 "+quote(d.P50.String()))
	case len(d.Quantiles) == 1:
		return refuseField(join(path, "quantiles"), "needs at least two lengths, the shortest and the longest")
	}
	for i := 1; i < len(d.Quantiles); i++ {
		if d.Quantiles[i] < d.Quantiles[i-1] {
			return refuseDuration(index(join(path, "quantiles"), i), d.Quantiles[i],
				"must not be shorter than the one before it")
		}
	}
	return nil
}
