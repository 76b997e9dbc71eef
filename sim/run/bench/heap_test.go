package bench

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/random"
)

// A heap that hands out its events in the wrong order would be no measure.
func TestHeapIsInOrder(t *testing.T) {
	stream := random.New(1)
	var h []bareEvent
	var want []int64
	for rank := range uint64(300) {
		at := int64(stream.Uint64() % 100)
		h, want = pushed(h, bareEvent{at: at, rank: rank}), append(want, at)
	}
	for range 2000 {
		slices.Sort(want)
		assert.Equal(t, want[0], h[0].at)
		want[0] += int64(stream.Uint64() % 50)
		replace(h, bareEvent{at: want[0]})
	}
}
