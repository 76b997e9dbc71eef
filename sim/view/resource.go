package view

import (
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/world/fencing"
)

const (
	writePx    = 3   // similar writes this close together share a mark
	writeMarks = 400 // the marks of a window without a width
)

// fenceWords name the fencing token by which the resource refuses stale writes. leaseTransitions grows with each change
// of holder, resourceVersion with each write of the Lease.
var fenceWords = [...]string{fencing.NoFence: "none", fencing.TransitionsFence: "leaseTransitions",
	fencing.VersionFence: "resourceVersion"}

// resourceLane returns the writes to the resource in the window of a timeline, or nil if the scenario has no
// resource. Similar writes within writePx pixels become one mark, because otherwise an hour would need a hundred
// thousand shapes. Writes are similar if they have the same node and the same outcome, and are both stale or both
// fresh. So an accepted stale write never hides among good ones. pixelNs is 0 for a timeline without a width; its
// window then divides into writeMarks parts.
func resourceLane(look timeline.Look, t *protocol.Timeline, pixelNs int64) *protocol.ResourceLane {
	settings := &look.Run.Setup().Resource
	if settings.WriteEveryNs == 0 {
		return nil
	}
	widthNs := pixelNs * writePx
	if widthNs == 0 {
		widthNs = (t.To - t.From) / writeMarks
	}
	return &protocol.ResourceLane{
		Fence: fenceWords[settings.Fence],
		Writes: look.Run.Writes(timeline.Stretch{FromNs: t.From, ToNs: t.To, WidthNs: widthNs, Detail: t.Detail},
			look.Live),
	}
}
