package study

import "math"

// The functions of package math differ in their last bits between platforms, because some use assembly. The functions
// here use plain arithmetic and give the same result everywhere. They round each product before they add to it.

// Log returns the natural logarithm of a number above 0. For 0, a negative number or infinity, it loops forever.
//
// Log halves or doubles x until x lies in [1, 2), and adds ln 2 for each halving. For the rest it sums ln x = 2 (y +
// y³/3 + y⁵/5 + ...) with y = (x-1)/(x+1). y is at most 1/3, so 30 terms exceed the precision of float64.
func Log(x float64) float64 {
	halvings := 0
	for ; x >= 2; x /= 2 {
		halvings++
	}
	for ; x < 1; x *= 2 {
		halvings--
	}
	y := (x - 1) / (x + 1)
	sum, power := 0.0, y
	for k := 1; k < 60; k += 2 {
		sum += power / float64(k)
		power *= y * y
	}
	return float64(float64(halvings)*math.Ln2) + float64(2*sum)
}

// Exp returns e to the power of x. If x is above 0.5, it squares the result for x/2; otherwise it sums 19 terms of the
// Taylor series.
func Exp(x float64) float64 {
	if x < 0 {
		return 1 / Exp(-x)
	}
	if x > 0.5 {
		half := Exp(x / 2)
		return half * half
	}
	sum, term := 1.0, 1.0
	for k := 1; k < 20; k++ {
		term *= x / float64(k)
		sum += term
	}
	return sum
}

// Power returns x to the power of n, or 1 if n is 0 or less. It squares x once for each bit of n.
func Power(x float64, n int) float64 {
	power := 1.0
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			power *= x
		}
		x *= x
	}
	return power
}

// Root returns the n-th root of a number of 1 or more. It bisects until the bounds are neighboring float64 values,
// and returns the lower bound, so Power(Root(x, n), n) is at most x.
func Root(x float64, n int) float64 {
	low, high := 1.0, x
	for {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			return low
		}
		if Power(middle, n) <= x {
			low = middle
		} else {
			high = middle
		}
	}
}

// Tail returns the share of a normal distribution that is more than z sigmas above its mean.
//
// Near the mean it sums the share between the mean and z and subtracts that from 0.5. Far from the mean, the
// difference of two nearly equal numbers has few correct digits: at 6 sigmas only 1e-9 remains of 0.5. So above 3
// sigmas it uses Laplace's continued fraction, density / (z + 1/(z + 2/(z + ...))).
func Tail(z float64) float64 {
	if z < 0 {
		return 1 - Tail(-z)
	}
	density := Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	if z > 3 { // a continued fraction
		rest := z
		for k := 60; k > 0; k-- {
			rest = z + float64(k)/rest
		}
		return density / rest
	}
	sum, term := 0.0, z
	for k := 3; k < 200; k += 2 {
		sum += term
		term *= z * z / float64(k)
	}
	return 0.5 - float64(density*sum)
}
