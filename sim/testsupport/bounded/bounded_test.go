package bounded

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// failed records a failure without ending the test.
type failed struct {
	testing.TB
	said string
}

func (f *failed) Helper() {}

func (f *failed) Fatalf(format string, _ ...any) { f.said = format }

var kept []byte

// Do counts allocations, and its limit grows with the input.
func TestLimit(t *testing.T) {
	allocates := func(n int) func() { return func() { kept = make([]byte, n) } }
	limit := Limit{Fixed: 1 << 20, PerByte: 100}
	for _, c := range []struct {
		size, allocated int
		fits            bool
	}{{0, 4 << 20, true}, {0, 7 << 20, false}, {4096, 8 << 20, true}, {4096, 14 << 20, false}} {
		f := &failed{TB: t}
		limit.Do(f, c.size, allocates(c.allocated))
		assert.Equal(t, c.fits, f.said == "", "%+v", c)
	}
}

// Growth accepts n·log(n) and refuses n², in memory and in time, and repeats a measurement that was wrong once.
func TestGrowth(t *testing.T) {
	of := func(bytes, ns func(n int64) int64) func(int) cost {
		return func(n int) cost { return cost{bytes(int64(n)), time.Duration(ns(int64(n)))} }
	}
	linear := func(n int64) int64 { return 100_000 * n }
	sorting := func(n int64) int64 { return 10_000 * nLogN(int(n)) }
	square := func(n int64) int64 { return 10_000 * n * n }
	for _, fine := range []func(int) cost{of(linear, linear), of(sorting, sorting), of(linear, sorting)} {
		assert.Empty(t, growth(64, 512, fine))
	}
	refused := func(n int64) int64 { // few things
		if n < 100 {
			return 0
		}
		return linear(n)
	}
	assert.Empty(t, growth(64, 512, of(refused, refused)))
	assert.Contains(t, growth(64, 512, of(square, linear)), "memory grows")
	assert.Contains(t, growth(64, 512, of(linear, square)), "time grows")

	again := 0
	assert.Empty(t, growth(64, 512, func(n int) cost {
		again++
		if again == 1 || again == 10 { // many, and twice as many
			return cost{cpu: time.Millisecond * time.Duration(n*n)}
		}
		return cost{cpu: time.Duration(linear(int64(n)))}
	}))
	assert.Equal(t, (1+512/64+1)+(1+512/64), again)
}

// Real work: a copy of everything for each thing allocates too much; one copy does not.
func TestGrowthOfWork(t *testing.T) {
	copies := func(of func(n int) int) string {
		return growth(64, 1024, func(n int) cost {
			return measure(func() {
				for range of(n) {
					kept = make([]byte, 100*n)
				}
			})
		})
	}
	assert.Contains(t, copies(func(n int) int { return n }), "memory grows")
	assert.Empty(t, copies(func(int) int { return 64 }))
}

func TestRepeat(t *testing.T) {
	wide := "[" + List + `"f/` + Index + `"` + End + "]"
	assert.Equal(t, `["f/0","f/1","f/2"]`, Repeat(wide, 3))
	assert.Equal(t, `[]`, Repeat(wide, 0))
	deep := Chain + `{"a":` + End + "1" + Chain + "}" + End
	assert.Equal(t, `{"a":{"a":1}}`, Repeat(deep, 2))
	assert.Equal(t, "x", Repeat("x", 9))
	assert.Equal(t, "aa", Repeat(Chain+"a", 2), "a part without an end extends to the end of the text")
	assert.True(t, Repeats(wide))
	assert.False(t, Repeats("[]"))
	assert.False(t, Repeats(wide+List+strings.Repeat("x", 300)), "too long")
}
