package study

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The functions of plain arithmetic agree with package math.
func TestPlainArithmetic(t *testing.T) {
	for _, x := range []float64{1e-12, 0.3, 0.5, 1, 1.5, 2, 30, 1e9, 9.2e18} {
		assert.InEpsilon(t, 1+math.Log(x)*math.Log(x), 1+Log(x)*Log(x), 1e-14, "logarithm of %v", x)
	}
	assert.Negative(t, Log(0.3))
	for x := -20.0; x < 20; x += 0.37 {
		assert.InEpsilon(t, math.Exp(x), Exp(x), 1e-13, "e to the power of %v", x)
		assert.InEpsilon(t, math.Pow(1+math.Abs(x), 7), Power(1+math.Abs(x), 7), 1e-14)
		assert.InEpsilon(t, math.Pow(1+math.Abs(x), 1.0/8), Root(1+math.Abs(x), 8), 1e-14)
	}
	for z := -8.0; z < 8; z += 0.19 {
		assert.InEpsilon(t, math.Erfc(z/math.Sqrt2)/2, Tail(z), 1e-11, "tail beyond %v", z)
	}
}
