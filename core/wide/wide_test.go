package wide

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
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

// FuzzMulDiv compares with numbers of any length.
func FuzzMulDiv(f *testing.F) {
	f.Add(int64(-1_500_000_001), int64(1_000_000), int64(999_983))
	f.Add(int64(math.MaxInt64), int64(3), int64(2))
	f.Fuzz(func(t *testing.T, a, b, c int64) {
		if a == math.MinInt64 || b < 0 || c <= 0 {
			t.Skip()
		}
		product := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		twice := new(big.Int).Mul(new(big.Int).Abs(product), big.NewInt(2))
		want := twice.Add(twice, big.NewInt(c)).Div(twice, big.NewInt(0).Mul(big.NewInt(2), big.NewInt(c)))
		if product.Sign() < 0 {
			want.Neg(want)
		}
		if !want.IsInt64() {
			t.Skip()
		}
		assert.Equal(t, want.Int64(), MulDiv(a, b, c))
	})
}
