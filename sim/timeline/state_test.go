package timeline

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Calls of alive say that virtual time advances: they stop when it stops.
func TestNoSignsWhileTimeStands(t *testing.T) {
	signs := 0
	p := pulse{alive: func() { signs++ }, lastNs: 7}
	for range 2 * aliveSteps {
		p.beat(7)
	}
	assert.Zero(t, signs)
	for range 2 * aliveSteps {
		p.beat(8)
	}
	assert.Equal(t, 1, signs)
}
