package view

import (
	"cmp"

	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/world/fencing"
)

const (
	writePx    = 3   // similar writes this close together share a mark
	writeMarks = 400 // number of marks in a window without a width
)

// fenceWords contains the name of the fencing token that the resource checks to refuse stale writes. leaseTransitions
// grows with each change of holder; resourceVersion grows with each write of the Lease.
var fenceWords = [...]string{fencing.NoFence: "none", fencing.TransitionsFence: "leaseTransitions",
	fencing.VersionFence: "resourceVersion"}

// resourceLane returns the writes to the resource in the window of a timeline, or nil if the scenario has no
// resource. Similar writes within writePx pixels become one mark, because otherwise an hour would need a hundred
// thousand shapes. Two writes are similar if they have the same node and the same outcome, and are both stale or both
// fresh. So an accepted stale write never hides among fresh ones. For a timeline without a width pixelNs is 0, and
// resourceLane divides the window into writeMarks parts.
func resourceLane(look timeline.Look, t *protocol.Timeline, pixelNs int64) *protocol.ResourceLane {
	settings := &look.Run.Setup().Resource
	if settings.WriteEveryNs == 0 {
		return nil
	}
	widthNs := cmp.Or(pixelNs*writePx, (t.To-t.From)/writeMarks)
	return &protocol.ResourceLane{
		Fence: fenceWords[settings.Fence],
		Writes: look.Run.Writes(timeline.Stretch{FromNs: t.From, ToNs: t.To, WidthNs: widthNs, Detail: t.Detail},
			look.Live),
	}
}
