package figures

import (
	"time"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/elector"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
)

// CutAt is the instant at which WipesSuccessor cuts the leader's network.
const CutAt = 3 * time.Second

// WipesSuccessor runs B05, kubernetes#132849, and reports whether the old leader wipes its successor's Lease. From
// CutAt on, the network holds the leader's requests for heal and then delivers them. The leader's release then reads
// a fresh version, but the leader assumes that it still leads, and empties the Lease. With fixed, the release checks
// the holder that it has read.
func WipesSuccessor(heal time.Duration, seed uint64, fixed bool) (bool, error) {
	check := ""
	if fixed {
		check = `,"releaseChecksHolder":true`
	}
	s, err := decode("60s", three+`,"elector":{"releaseOnCancel":true`+check+`}`)
	if err != nil {
		return false, err
	}
	s.Actions = []scenario.Action{{At: scenario.Duration(CutAt), Act: scenario.ActCut, Target: scenario.TargetHolder,
		For: scenario.Duration(heal), Mode: scenario.ModeHold}}
	h := runSeed(s, seed)
	var holder coordination.Symbol
	for i := range h.records {
		r := &h.records[i]
		if r.Kind != trace.RequestEnded || r.Verb == elector.Get || r.Result != step.Success {
			continue
		}
		if r.Spec.HolderIdentity == 0 && holder != h.World.Node(r.Candidate).Identity() {
			return true, nil
		}
		holder = r.Spec.HolderIdentity
	}
	return false, nil
}
