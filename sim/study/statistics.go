package study

import (
	"math"
	"slices"
)

// Wilson returns the 95 % interval of the share of hits in runs, after E. B. Wilson (1927). Without runs, the
// interval is 0 to 1.
//
// The textbook formula, share ± 1.96 sigma, gives an interval of width 0 at 0 hits, which is the most common case in
// a study. Wilson's interval makes sense there, too: 0 hits in 100 runs give 0 to 3.7 %. With no hits, the lower end
// is exactly 0. If all runs are hits, the upper end is exactly 1.
func Wilson(hits, runs int) (low, high float64) {
	if runs == 0 {
		return 0, 1
	}
	const z = 1.959963984540054
	n := float64(runs)
	share := float64(hits) / n
	center := share + float64(z*z/(2*n))
	spread := z * math.Sqrt(float64(share*(1-share)/n)+float64(z*z/(4*n*n)))
	whole := 1 + float64(z*z/n)
	low, high = max(0, (center-spread)/whole), min(1, (center+spread)/whole)
	if hits == 0 {
		low = 0
	}
	if hits == runs {
		high = 1
	}
	return low, high
}

// Quantile returns the sorted value nearest to a share: share 0 is the least value, and share 1 the greatest. `sorted`
// must not be empty.
func Quantile(sorted []int64, share float64) int64 {
	return sorted[int(share*float64(len(sorted)-1)+0.5)]
}

// ReachedBy reports whether enough lengths are at or below the quantile. The argument `ended` has the lengths that are
// over, in sorted order. The argument "of" is the number of all lengths. If ReachedBy returns false, the
// quantile of all lengths is only a lower bound, because some of the shorter lengths are not over yet.
//
// Suppose that 6 of 100 runs end without a leader. Then at most 94 lengths have ended, and the 95th in sorted order
// may not have ended. So the p95 is "at least 12 s", but the median is exact.
func ReachedBy(ended []int64, of int, share float64, quantile int64) bool {
	upTo, _ := slices.BinarySearch(ended, quantile+1)
	return upTo > int(share*float64(of-1)+0.5)
}

// Spread contains quantiles of measurements from many runs, in the unit of the values. Each quantile is one of the
// values, never a mean of two.
type Spread struct{ P50, P95, P99, Max int64 }

// SpreadOf sorts the values in place and returns their spread, or the zero value without values.
func SpreadOf(values []int64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	slices.Sort(values)
	return Spread{Quantile(values, 0.5), Quantile(values, 0.95), Quantile(values, 0.99), values[len(values)-1]}
}
