package network

import (
	"math/bits"

	"github.com/leaselab/leaselab/core/wide"
)

// Distribution is a table of quantiles with straight lines between them. It holds only integers, so a draw is the
// same on every platform. It never changes, so copies may share it.
type Distribution struct {
	values   []int64 // in ns, rising; evenly spaced, or spaced as in tailPlace
	tailed   bool
	windowNs int64 // length of a window in which all draws are the same; 0 makes every draw new
}

// tailSteps is the number of quantiles on either side of the median in a tailed table. Each halving of the remaining
// probability takes eight steps, down to one in two million.
const tailSteps = 160

// Quantiles returns the distribution with two or more rising values in ns, evenly spaced from the shortest to
// the longest. All draws within windowNs are the same; 0 makes every draw new.
func Quantiles(values []int64, windowNs int64) *Distribution {
	return &Distribution{values: values, windowNs: windowNs}
}

// Exponential returns the distribution of minNs plus an exponential time with mean meanNs.
func Exponential(minNs, meanNs, windowNs int64) *Distribution {
	return &Distribution{values: exponential(minNs, meanNs), tailed: true, windowNs: windowNs}
}

// LogNormal returns the log-normal distribution with the given median and 99th percentile.
func LogNormal(p50Ns, p99Ns, windowNs int64) *Distribution {
	return &Distribution{values: logNormal(p50Ns, p99Ns), tailed: true, windowNs: windowNs}
}

// At returns the quantile at u / 2^64, in ns.
func (d *Distribution) At(u uint64) int64 {
	var k int
	var part uint64 // distance from value k to the next one, in 2^-64
	if d.tailed {
		k, part = tailPlace(u)
	} else {
		high, low := bits.Mul64(u, uint64(len(d.values)-1))
		k, part = int(high), low
	}
	from := d.values[k]
	if part == 0 {
		return from
	}
	step, _ := bits.Mul64(uint64(d.values[k+1]-from), part)
	return from + int64(step)
}

// tailPlace finds u / 2^64 in a tailed table. In the upper half, step n above the median leaves a probability of
// 2^-(k+1)·(2−(i+1)/8), where k = 1 + (n−1)/8 and i = (n−1) mod 8. The lower half is its mirror image.
func tailPlace(u uint64) (k int, part uint64) {
	left, upper := ^u, true
	if u>>63 == 0 {
		left, upper = u, false
	}
	zeros := bits.LeadingZeros64(left)
	if zeros > tailSteps/8 {
		if upper {
			return 2 * tailSteps, 0
		}
		return 0, 0
	}
	down := ^(left << (zeros + 1)) // distance from the octave's upper end to its lower end
	n, part := (zeros-1)*8+int(down>>61), down<<3
	if upper {
		return tailSteps + n, part
	}
	return tailSteps - n - 1, ^part
}

// exponential computes the table of min plus an exponential time: −ln of the probability above the quantile.
func exponential(minNs, meanNs int64) []int64 {
	values := make([]int64, 2*tailSteps+1)
	values[tailSteps] = minNs + wide.MulDiv(meanNs, ln2, 1e9)
	for n := 1; n <= tailSteps; n++ {
		k, i := int64(1+(n-1)/8), (n-1)%8
		values[tailSteps+n] = capNs(minNs, wide.MulDiv(meanNs, (k+1)*ln2-lnEighths[7-i], 1e9))
		// Below the median: −ln(1−t) = t + t²/2 + t³/3 + … in 2^-32.
		t := uint64(15-i) << (32 - 3 - (k + 1))
		sum, power := uint64(0), t
		for j := uint64(1); power > 0; j++ {
			sum += power / j
			power = power * t >> 32
		}
		values[tailSteps-n] = minNs + wide.MulDiv(meanNs, int64(sum), 1<<32)
	}
	return values
}

// logNormal computes the table of the log-normal distribution with the given median and 99th percentile.
func logNormal(p50Ns, p99Ns int64) []int64 {
	spread := log2(uint64(p99Ns)) - log2(uint64(p50Ns)) // divided by z99, in 2^-32
	values := make([]int64, 2*tailSteps+1)
	values[tailSteps] = p50Ns
	for n := 1; n <= tailSteps; n++ {
		exponent := wide.MulDiv(normalTail[n-1], spread, z99)
		values[tailSteps+n] = timesPower(p50Ns, exponent)
		values[tailSteps-n] = timesPower(p50Ns, -exponent)
	}
	return values
}

// LongestNs is the upper limit of every draw: 90 days, the longest duration of a scenario.
const LongestNs = 90 * 24 * int64(3600e9)

func capNs(a, b int64) int64 { return min(a+min(b, LongestNs), LongestNs) }

// log2 returns the binary logarithm of x >= 1 in 2^-32. It computes the digits by repeated squaring.
func log2(x uint64) int64 {
	whole := bits.Len64(x) - 1
	m := x << (63 - whole) // in [1, 2), as 1.63 fixed point
	result := int64(whole)
	for range 32 {
		high, low := bits.Mul64(m, m) // 2.126 fixed point
		result <<= 1
		if high>>63 == 1 {
			result |= 1
			m = high
		} else {
			m = high<<1 | low>>63
		}
	}
	return result
}

// timesPower returns base · 2^(exponent / 2^32), at most LongestNs.
func timesPower(base, exponent int64) int64 {
	whole, fraction := exponent>>32, uint64(exponent)&(1<<32-1)
	power := uint64(1) << 32
	for i, root := range rootsOfTwo {
		if fraction>>(31-i)&1 == 1 {
			high, low := bits.Mul64(power, root)
			power = high<<32 | low>>32
		}
	}
	value := wide.MulDiv(base, int64(power), 1<<32)
	switch {
	case whole < -62:
		return 0
	case whole < 0:
		return value >> -whole
	case whole > 62 || value > LongestNs>>whole:
		return LongestNs
	}
	return value << whole
}

const (
	ln2 = 693_147_181 // in 1e-9
	z99 = 2_326_348   // the normal quantile of 0.99, in 1e-6
)

// lnEighths holds ln(1 + j/8) in 1e-9.
var lnEighths = [8]int64{0, 117_783_036, 223_143_551, 318_453_731, 405_465_108, 485_507_816, 559_615_788, 628_608_659}

// rootsOfTwo holds 2^(2^-i) in 2^-32 for i = 1, 2, …; later ones are 1 at that precision.
var rootsOfTwo = [20]uint64{
	6074001000, 5107605667, 4683695048, 4485121744, 4389014833, 4341736423, 4318288544, 4306612134, 4300785774,
	4297875550,
	4296421177, 4295694175, 4295330720, 4295149004, 4295058149, 4295012722, 4294990009, 4294978653, 4294972974,
	4294970135,
}

// normalTail holds the standard normal quantiles at the steps above the median, in 1e-6.
var normalTail = [tailSteps]int64{
	78412, 157311, 237202, 318639, 402250, 488776, 579132, 674490, 724514, 776422,
	830511, 887147, 946782, 1009990, 1077516, 1150349, 1189164, 1229859, 1272699, 1318011,
	1366204, 1417797, 1473468, 1534121, 1566689, 1601009, 1637325, 1675940, 1717228, 1761670,
	1809892, 1862732, 1891229, 1921351, 1953324, 1987428, 2024014, 2063528, 2106554, 2153875,
	2179469, 2206575, 2235407, 2266227, 2299362, 2335233, 2374387, 2417559, 2440956, 2465771,
	2492204, 2520502, 2550976, 2584020, 2620152, 2660067, 2681732, 2704733, 2729260, 2755549,
	2783892, 2814665, 2848359, 2885635, 2905889, 2927411, 2950380, 2975021, 3001611, 3030511,
	3062186, 3097269, 3116349, 3136636, 3158301, 3181560, 3206678, 3233998, 3263969, 3297193,
	3315276, 3334512, 3355067, 3377146, 3401005, 3426972, 3455479, 3487104, 3504327, 3522656,
	3542251, 3563308, 3586074, 3610866, 3638099, 3668329, 3684801, 3702336, 3721091, 3741252,
	3763060, 3786819, 3812930, 3841931, 3857739, 3874574, 3892584, 3911953, 3932911, 3955753,
	3980866, 4008773, 4023990, 4040199, 4057546, 4076207, 4096404, 4118426, 4142645, 4169569,
	4184255, 4199903, 4216653, 4234676, 4254189, 4275470, 4298883, 4324919, 4339125, 4354265,
	4370473, 4387918, 4406810, 4427419, 4450099, 4475328, 4489097, 4503774, 4519490, 4536408,
	4554733, 4574729, 4596740, 4621231, 4634600, 4648853, 4664118, 4680553, 4698359, 4717792,
	4739188, 4763001, 4776003, 4789866, 4804715, 4820706, 4838033, 4856947, 4877777, 4900964,
}
