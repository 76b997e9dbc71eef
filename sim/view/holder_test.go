package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/view"
)

// A write that a fault refuses stores nothing: the holder in the Lease stays, without a hole in its lane.
func TestARefusedWriteLeavesTheHolder(t *testing.T) {
	holders := view.Timeline(openAt(t, "b55-shed-in-step-fixed", 24*time.Second).Look(), 0, 24e9, 1000).Holder
	require.Len(t, holders, 1)
	assert.Equal(t, "a", holders[0].Holder)
	assert.Equal(t, int64(24e9), holders[0].To)
}
