package pacer

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// steady returns a constant factor.
func steady(ppm int64) Factor {
	return func(int64) (int64, int64) { return ppm, 1<<63 - 1 }
}

// The virtual time is the wall time times the factor, from a hundredth to a thousand.
func TestRates(t *testing.T) {
	for ppm, want := range map[int64]time.Duration{10_000: time.Millisecond, 1_000_000: 100 * time.Millisecond,
		4_000_000: 400 * time.Millisecond, 1_000_000_000: 100 * time.Second} {
		mock := clock.NewMock()
		p := New(mock)
		mock.Add(100 * time.Millisecond)
		assert.Equal(t, 7+int64(want), p.Advance(7, steady(ppm)), "%d millionths", ppm)
		assert.Equal(t, int64(7), p.Advance(7, steady(ppm)), "no wall time has passed since")
	}
}

// The remainders of slices add up: many short slices equal one long slice.
func TestRemaindersAreCarried(t *testing.T) {
	mock := clock.NewMock()
	p := New(mock)
	now, wall := int64(0), int64(0)
	for range 300 {
		mock.Add(33)
		wall += 33
		now = p.Advance(now, steady(10_000))
	}
	assert.Equal(t, wall/100, now)

	r := rand.New(rand.NewPCG(9, 9))
	for range 50 {
		ppm := 1 + r.Int64N(1_000_000_000)
		mock := clock.NewMock()
		p := New(mock)
		now, wall := int64(0), int64(0)
		for range 10 {
			slice := r.Int64N(int64(MostWall))
			mock.Add(time.Duration(slice))
			wall += slice
			now = p.Advance(now, steady(ppm))
		}
		want := new(big.Int).Mul(big.NewInt(wall), big.NewInt(ppm))
		require.Equal(t, want.Quo(want, big.NewInt(1_000_000)).Int64(), now, "%d millionths", ppm)
	}
}

// If the factor changes inside a slice, the rest of the slice runs at the new factor.
func TestTheFactorChangesOnTheWay(t *testing.T) {
	story := func(now int64) (ppm, until int64) {
		switch {
		case now < 100_000_000:
			return 4_000_000, 100_000_000
		case now < 100_001_000:
			return 20_000, 100_001_000 // 1 µs at a fiftieth takes 50 µs
		}
		return 1_000_000, 1<<63 - 1
	}
	mock := clock.NewMock()
	p := New(mock)
	mock.Add(25*time.Millisecond + 50*time.Microsecond + 10*time.Millisecond)
	assert.Equal(t, int64(100_001_000+10_000_000), p.Advance(0, story))
	// A slice that ends exactly at the change stops there, and the next begins with the new factor.
	p.Reset()
	mock.Add(25 * time.Millisecond)
	now := p.Advance(0, story)
	assert.Equal(t, int64(100_000_000), now)
	mock.Add(50 * time.Microsecond)
	assert.Equal(t, int64(100_001_000), p.Advance(now, story))
}

// A page that slept for minutes continues where it was: 250 ms of the sleep count.
func TestAStallCountsLittle(t *testing.T) {
	mock := clock.NewMock()
	p := New(mock)
	mock.Add(10 * time.Minute)
	now := p.Advance(0, steady(1_000_000))
	assert.Equal(t, int64(MostWall), now)
	mock.Add(time.Millisecond)
	assert.Equal(t, now+int64(time.Millisecond), p.Advance(now, steady(1_000_000)))
	mock.Add(MostWall)
	assert.Equal(t, int64(MostWall), p.Advance(0, steady(1_000_000)), "250 ms count in full")
}

// When the wall clock goes back, the run does not, and time counts from the new reading.
func TestTheWallClockJumpsBack(t *testing.T) {
	mock := clock.NewMock()
	mock.Set(time.Unix(1_000_000, 0))
	p := New(mock)
	mock.Set(time.Unix(1000, 0))
	assert.Equal(t, int64(500), p.Advance(500, steady(1_000_000)))
	mock.Add(3 * time.Millisecond)
	assert.Equal(t, int64(500+3_000_000), p.Advance(500, steady(1_000_000)))
}

// After Reset neither the time before it nor the remainder counts.
func TestReset(t *testing.T) {
	mock := clock.NewMock()
	p := New(mock)
	mock.Add(99)
	assert.Zero(t, p.Advance(0, steady(10_000)))
	p.Reset()
	mock.Add(99)
	assert.Zero(t, p.Advance(0, steady(10_000)), "99 ns and 99 ns would make one virtual nanosecond")
	mock.Add(1)
	assert.Equal(t, int64(1), p.Advance(0, steady(10_000)))
}
