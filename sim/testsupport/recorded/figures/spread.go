package figures

import (
	"fmt"
	"math"
	"slices"
)

// Spread is a sample of lengths in nanoseconds.
type Spread []int64

// At returns the percentile of the sample in seconds.
func (d Spread) At(percent int) float64 {
	sorted := slices.Sorted(slices.Values(d))
	return float64(sorted[(len(d)-1)*percent/100]) / 1e9
}

// CountBelow returns how many lengths are below ns.
func (d Spread) CountBelow(ns int64) (n int) {
	for _, v := range d {
		if v < ns {
			n++
		}
	}
	return n
}

// String returns the percentiles and the size of the sample.
func (d Spread) String() string {
	return fmt.Sprintf("min %.2f p50 %.2f p95 %.2f p99 %.2f max %.2f s of %d", d.At(0), d.At(50), d.At(95), d.At(99),
		d.At(100), len(d))
}

// Apart returns the two-sample statistic of Kolmogorov and Smirnov, the maximum distance of the two distributions, and
// its asymptotic p for large samples: the probability that two samples of one distribution are at least this far apart.
func Apart(a, b Spread) (distance, p float64) {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	for i, j := 0, 0; i < len(a) && j < len(b); {
		at := min(a[i], b[j])
		for i < len(a) && a[i] == at {
			i++
		}
		for j < len(b) && b[j] == at {
			j++
		}
		distance = max(distance, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	n := float64(len(a)) * float64(len(b)) / float64(len(a)+len(b))
	if n*distance*distance < 0.04 { // here the sum below does not converge, and 1 is right to twelve digits
		return distance, 1
	}
	for k := 1; k <= 100; k++ {
		term := 2 * math.Exp(-2*float64(k*k)*n*distance*distance)
		if k%2 == 0 {
			term = -term
		}
		p += term
	}
	return distance, min(max(p, 0), 1)
}

// Unlikely is the p below which two samples count as different. client-go draws its own jitter, so each comparison has
// a new p in each run. About a hundred comparisons in `make test-long` then fail by chance in one of a hundred runs.
const Unlikely = 0.0001

// Fisher returns the two-sided p of Fisher's exact test of a in n and b in n: the probability that two samples of one
// distribution differ at least this much.
func Fisher(a, b, n int) (p float64) {
	choose := func(n, k int) float64 {
		x, _ := math.Lgamma(float64(n + 1))
		y, _ := math.Lgamma(float64(k + 1))
		z, _ := math.Lgamma(float64(n - k + 1))
		return x - y - z
	}
	chance := func(k int) float64 { return math.Exp(choose(n, k) + choose(n, a+b-k) - choose(2*n, a+b)) }
	for k := max(0, a+b-n); k <= min(n, a+b); k++ {
		if one := chance(k); one <= chance(a)*(1+1e-9) {
			p += one
		}
	}
	return p
}
