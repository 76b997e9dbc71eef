package digest

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func name(numbers ...uint64) Name {
	var d Digest
	for _, n := range numbers {
		d.Add(n)
	}
	return d.Name()
}

// Other numbers, another order and another count give another name. The names are the same everywhere: files have them.
func TestNames(t *testing.T) {
	seen := map[Name]bool{}
	for _, all := range [][]uint64{{}, {0}, {0, 0}, {1}, {1, 2}, {2, 1}, {1, 2, 3}, {math.MaxUint64}, {1 << 63}, {0x2d358dccaa6c78a5}, {0x2d358dccaa6c78a5, 0}, {0x2d358dccaa6c78a5, 1}} {
		assert.False(t, seen[name(all...)], "%v", all)
		seen[name(all...)] = true
	}
	for i := range uint64(100_000) {
		seen[name(7, i, i*i)] = true
	}
	assert.Len(t, seen, 100_012)
	assert.Equal(t, Name{0x9697d52e0a112fc1, 0x472a4b30d6b88828}, name(1, 2, 3))
}

// Instants count from now, but never is never.
func TestInstants(t *testing.T) {
	since := func(now, at int64) Name {
		var d Digest
		d.AddSince(now, at)
		return d.Name()
	}
	assert.Equal(t, since(5, 7), since(1005, 1007))
	assert.NotEqual(t, since(5, 7), since(6, 7))
	assert.Equal(t, since(5, math.MaxInt64), since(6, math.MaxInt64))
}

// The order of an unordered part does not matter, what is in it does, and how often.
func TestUnordered(t *testing.T) {
	of := func(numbers ...uint64) Name {
		var all Unordered
		for _, n := range numbers {
			var one Digest
			one.Add(n)
			all.Add(&one)
		}
		var d Digest
		d.AddAll(&all)
		return d.Name()
	}
	assert.Equal(t, of(1, 2, 3), of(3, 1, 2))
	assert.NotEqual(t, of(1, 2), of(1, 3))
	assert.NotEqual(t, of(1), of(1, 1))
	assert.NotEqual(t, of(), of(0))
	var a, b Digest
	a.AddFlags(true, false, true)
	b.AddFlags(true, true, false)
	assert.NotEqual(t, a.Name(), b.Name())
}
