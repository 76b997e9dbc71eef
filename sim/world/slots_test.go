package world

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// HeldSlots is how many requests are held. Each slot must be free exactly once or somebody still refers to it.
func (w *World) HeldSlots(t *testing.T) int32 {
	t.Helper()
	free := make([]int, len(w.requests))
	for _, slot := range w.free {
		free[slot]++
	}
	holding := int32(0)
	for k := range w.requests {
		r := &w.requests[k]
		used := r.candidate >= 0 && (r.onWire || r.waited || r.timeoutSet)
		require.Equal(t, map[bool]int{true: 0, false: 1}[used], free[k], "slot %d: %+v", k, r)
		if used && r.held != notHeld {
			require.True(t, r.onWire, "what is held is on the wire")
			holding++
		}
	}
	require.Equal(t, holding, w.holding)
	return holding
}
