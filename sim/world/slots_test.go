package world

import (
	"testing"

	"github.com/leaselab/leaselab/sim/network"
	"github.com/stretchr/testify/require"
)

// HeldSlots is the number of messages that rules hold. It requires that every slot is either free, once, or in use.
func (w *World) HeldSlots(t *testing.T) int32 {
	t.Helper()
	free := make([]int, len(w.net.list))
	for _, slot := range w.net.free {
		free[slot]++
	}
	holding := int32(0)
	for k := range w.net.list {
		r := &w.net.list[k]
		used := r.client >= 0 && (r.onWire || r.waited || r.timeoutSet)
		require.Equal(t, map[bool]int{true: 0, false: 1}[used], free[k], "slot %d: %+v", k, r)
		if used && r.held != network.NotHeld {
			require.True(t, r.onWire, "what is held is on the wire")
			holding++
		}
	}
	require.Equal(t, holding, w.net.held)
	return holding
}
