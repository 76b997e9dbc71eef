package programs

import (
	"testing"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/stretchr/testify/assert"
)

// An act that programs cannot play has a reason, and one that they can play has none.
func TestRefusedActsHaveReasons(t *testing.T) {
	for _, act := range scenario.Acts() {
		for _, at := range []Place{InBubble, OnServer, AsProcesses} {
			_, why := refused[at][act.Word]
			assert.Equal(t, at.playing(&act.Use) == scenario.No, why, "%s, place %d", act.Word, at)
		}
	}
}
