package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/compile"
	"github.com/leaselab/leaselab/sim/testsupport/random"
	"github.com/leaselab/leaselab/sim/world"
)

// Whatever happens to requests, no slot leaks, and the world counts the held ones.
func TestSlotsAreNotLeaked(t *testing.T) {
	held := int32(0)
	for n := range uint64(150) {
		s := random.Scenario(n)
		w := world.New(compile.Scenario(s))
		for steps := 0; w.Step(int64(s.Duration)); steps++ {
			if steps%64 == 0 {
				held += w.HeldSlots(t)
			}
		}
	}
	require.Positive(t, held)
}
