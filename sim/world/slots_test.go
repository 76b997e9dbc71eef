package world

import (
	"testing"

	"github.com/leaselab/leaselab/sim/scenario/random"
	"github.com/stretchr/testify/require"
)

// Whatever happens to requests, each slot is free exactly once or somebody still refers to it, and as many are held as say
// so.
func TestSlotsAreNotLeaked(t *testing.T) {
	held := 0
	for n := range uint64(150) {
		s := random.Scenario(n)
		w := New(Compile(s))
		for steps := 0; w.Step(int64(s.Duration)); steps++ {
			if steps%64 != 0 {
				continue
			}
			free := make([]int, len(w.requests))
			for _, slot := range w.free {
				free[slot]++
			}
			holding := int32(0)
			for k := range w.requests {
				r := &w.requests[k]
				used := r.candidate >= 0 && (r.onWire || r.waited || r.timeoutSet)
				require.Equal(t, map[bool]int{true: 0, false: 1}[used], free[k], "number %d, slot %d: %+v", n, k, r)
				if used && r.held != notHeld {
					require.True(t, r.onWire, "number %d: what is held is on the wire", n)
					holding++
				}
			}
			require.Equal(t, holding, w.holding, "number %d", n)
			held += int(holding)
		}
	}
	require.Positive(t, held)
}
