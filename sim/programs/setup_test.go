package programs

import (
	"testing"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
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

// The advice about a candidate's own clock does not send a user of `leaselab test` to `leaselab test`.
func TestAdviceAboutClocks(t *testing.T) {
	s, _ := shipped.ByName("clock-offset")
	assert.ErrorContains(t, Expressible(&s, AsProcesses), "leave its clock out of the scenario, or start that copy under")
	assert.NotContains(t, Expressible(&s, AsProcesses).Error(), "leaselab test")
	assert.ErrorContains(t, Expressible(&s, InBubble), "leaselab test SCENARIO")
}

// A server cannot replace processes that it has not started; `leaselab test` can.
func TestRollingUpdateNeedsProcesses(t *testing.T) {
	s, _ := shipped.ByName("rolling-update")
	assert.ErrorContains(t, Expressible(&s, OnServer), `the act "rollingUpdate" at `)
	assert.NoError(t, Expressible(&s, AsProcesses))
}
