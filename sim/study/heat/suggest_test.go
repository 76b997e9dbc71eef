package heat

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A step is the greatest of 1, 2 and 5 times a power of ten that is not above a duration.
func TestRoundStep(t *testing.T) {
	for of, want := range map[time.Duration]time.Duration{
		1: 1, 9: 5, 10: 10, 19: 10, 20: 20, 49: 20, 50: 50, 99: 50, 100: 100, 999 * time.Millisecond: 500 * time.Millisecond,
		time.Second: time.Second, 15 * time.Second: 10 * time.Second,
	} {
		assert.Equal(t, want, roundStep(of), of.String())
	}
}
