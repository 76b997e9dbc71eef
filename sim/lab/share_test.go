package lab

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/timeline"
)

// A link contains what was shown: two runs that differ only after the live cursor give the same link. Opening this very
// run again needs the rest, too.
func TestALinkLeavesOutWhatWasNotShown(t *testing.T) {
	text := func(s *protocol.Share) string {
		b, err := json.Marshal(s)
		require.NoError(t, err)
		return string(b)
	}
	at := int64(19 * time.Second)
	later := []scenario.Action{{At: scenario.Duration(30 * time.Second), Act: scenario.ActCrash, Target: "b"}}
	labs := make([]*Lab, 2)
	for k, actions := range [][]scenario.Action{nil, later} {
		labs[k] = New(shipped.List())
		require.NoError(t, labs[k].Open(Opening{Name: "a-leader-dies", Actions: actions, Cursor: &timeline.Cursor{T: at, N: -1}, Live: &timeline.Cursor{T: at, N: -1}}))
	}
	assert.Equal(t, text(labs[0].Share(false)), text(labs[1].Share(false)))
	assert.Len(t, labs[1].Share(true).Actions, 1)

	labs[1].Show(int64(31 * time.Second))
	assert.Len(t, labs[1].Share(false).Actions, 1, "shown now")
}
