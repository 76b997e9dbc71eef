// Package wide does integer arithmetic whose products need 128 bits.
//
// Guarantee: the results are the same on every platform. Non-guarantee: a quotient that does not fit into 64 bits
// causes a panic, as math/bits.Div64 does.
package wide

import "math/bits"

// MulDiv returns a·b/c, rounded half away from zero. b must not be negative, c must be positive.
func MulDiv(a, b, c int64) int64 {
	negative := a < 0
	if negative {
		a = -a
	}
	high, low := bits.Mul64(uint64(a), uint64(b))
	low, carry := bits.Add64(low, uint64(c)/2, 0)
	quotient, _ := bits.Div64(high+carry, low, uint64(c))
	if negative {
		return -int64(quotient)
	}
	return int64(quotient)
}
