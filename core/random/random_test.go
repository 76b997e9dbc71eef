package random_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/random"
)

// The stream of state 1234567 begins with the numbers that the generator's author published.
func TestNumbersArePublished(t *testing.T) {
	s := random.New(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		assert.Equal(t, want, s.Uint64())
	}
}

func TestFloatsAreBelowOne(t *testing.T) {
	s, sum := random.New(1), 0.0
	for range 10_000 {
		x := s.Float64()
		assert.True(t, x >= 0 && x < 1)
		sum += x
	}
	assert.InDelta(t, 5000, sum, 150)
}

func TestUUIDs(t *testing.T) {
	s, form := random.New(1), regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for range 1000 {
		uid := s.UUID()
		assert.Regexp(t, form, uid)
		seen[uid] = true
	}
	assert.Len(t, seen, 1000)
}
