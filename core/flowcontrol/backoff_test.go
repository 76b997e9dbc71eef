package flowcontrol

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The waits of a key's failures double from 5 ms to 1000 s and stay there.
func TestBackoff(t *testing.T) {
	var b Backoff
	const ms = int64(1_000_000)
	now := int64(0)
	for i, want := range []int64{5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240, 20480, 40960, 81920, 163840, 327680, 655360, 1_000_000, 1_000_000} {
		wait := b.WaitNs(now)
		assert.Equal(t, want*ms, wait, "failure %d", i)
		now += wait
	}
	assert.Equal(t, int32(20), b.Failures())
}

// A hundred retries go at once and then ten a second. The digits are golang.org/x/time/rate's, as its v0.15.0 gave them
// for the same instants.
func TestRetriesAreLimited(t *testing.T) {
	l := NewTokenBucket(retriesPerSecond, retryBurst)
	for range 100 {
		assert.Zero(t, l.Take(1, 0))
	}
	for _, c := range []struct{ at, want int64 }{
		{0, 100_000_000}, {0, 200_000_000}, {1, 299_999_999}, {7_777_777, 392_222_223}, {333_333_333, 166_666_666}, {1_000_000_001, 0},
	} {
		assert.Equal(t, c.want, l.Take(1, c.at), "at %d", c.at)
	}
}
