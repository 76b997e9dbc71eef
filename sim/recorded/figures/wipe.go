package figures

import (
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
)

// CutAt is when the leader is cut off in WipesSuccessor.
const CutAt = 3 * time.Second

// WipesSuccessor is one run of B05, kubernetes#132849: the leader, which releases when it stops, is cut off at CutAt, and what
// is sent meanwhile is held and delivered on heal. Its release then reads a fresh version, believes it still leads, and wipes
// the Lease of its successor. With the mend a release looks at the holder it has read.
func WipesSuccessor(heal time.Duration, seed uint64, fixed bool) (bool, error) {
	mend := ""
	if fixed {
		mend = `,"releaseChecksHolder":true`
	}
	s, err := decode("60s", three+`,"elector":{"releaseOnCancel":true`+mend+`}`)
	if err != nil {
		return false, err
	}
	s.Actions = []scenario.Action{{At: scenario.Duration(CutAt), Act: scenario.ActCut, Target: scenario.TargetHolder, For: scenario.Duration(heal), Mode: scenario.ModeHold}}
	h := runSeed(s, seed)
	var holder coordination.Symbol
	for i := range h.records {
		r := &h.records[i]
		if r.Kind != trace.RequestEnded || r.Verb == elector.Get || r.Result != step.Success {
			continue
		}
		if r.Spec.HolderIdentity == 0 && holder != h.World.Identity(r.Candidate) {
			return true, nil
		}
		holder = r.Spec.HolderIdentity
	}
	return false, nil
}
