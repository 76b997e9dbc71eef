package gotest

import (
	"testing"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/stretchr/testify/assert"
)

// An act that a test cannot express has a reason, and one that it can express has none.
func TestRefusedActsHaveReasons(t *testing.T) {
	for _, act := range scenario.Acts() {
		_, why := inexpressible[act.Word]
		assert.Equal(t, act.Use.GoTest == scenario.No, why, act.Word)
	}
}
