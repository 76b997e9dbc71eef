package wide

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A quotient is rounded half away from zero, and the product may need more than 64 bits.
func TestMulDiv(t *testing.T) {
	for _, c := range []struct{ a, b, c, want int64 }{
		{0, 5, 3, 0},
		{7, 1, 2, 4},
		{-7, 1, 2, -4},
		{5, 1, 3, 2},
		{-5, 1, 3, -2},
		{4, 1, 3, 1},
		{math.MaxInt64, 1_000_000, 1_000_000, math.MaxInt64},
		{-math.MaxInt64, 999_999, 1_000_000, -9_223_362_813_482_738_952},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64},
	} {
		assert.Equal(t, c.want, MulDiv(c.a, c.b, c.c), "%d * %d / %d", c.a, c.b, c.c)
	}
	assert.Panics(t, func() { MulDiv(math.MaxInt64, 3, 1) }, "the quotient does not fit")
}

// byHand is a·b/c by numbers of any length; ok is false if it does not fit 64 bits.
func byHand(a, b, c int64) (quotient int64, ok bool) {
	product := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	twice := new(big.Int).Abs(product)
	twice.Mul(twice, big.NewInt(2)).Add(twice, big.NewInt(c)) // |a·b|/c + 1/2 = (2|a·b| + c) / 2c
	q := twice.Quo(twice, new(big.Int).Mul(big.NewInt(2), big.NewInt(c)))
	if product.Sign() < 0 {
		q.Neg(q)
	}
	return q.Int64(), q.IsInt64()
}

// The readings of a clock over 90 days, at any rate that a scenario may have, are exact.
func TestMulDivOfClocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const days90 = int64(90 * 24 * time.Hour)
	for range 50_000 {
		a, b, c := r.Int64N(2*days90)-days90, 100_000+r.Int64N(9_900_001), int64(1_000_000)
		if r.IntN(2) == 0 {
			b, c = c, b
		}
		want, ok := byHand(a, b, c)
		require.True(t, ok)
		require.Equal(t, want, MulDiv(a, b, c), "%d * %d / %d", a, b, c)
	}
}

// FuzzMulDiv compares with numbers of any length.
func FuzzMulDiv(f *testing.F) {
	f.Add(int64(-1_500_000_001), int64(1_000_000), int64(999_983))
	f.Add(int64(math.MaxInt64), int64(3), int64(2))
	f.Fuzz(func(t *testing.T, a, b, c int64) {
		if a == math.MinInt64 || b < 0 || c <= 0 {
			t.Skip()
		}
		want, ok := byHand(a, b, c)
		if !ok {
			t.Skip()
		}
		assert.Equal(t, want, MulDiv(a, b, c))
	})
}
