package figures

import (
	"fmt"
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/trace"
)

// LateFromNs is the instant in Margins from which the answers to the leader are late. The leader's second renewal is
// the first one with a late answer.
const LateFromNs = sec

// Margins runs B02, openshift/library-go#305, with seeds from 1 on: from LateFromNs on the answers to the leader are
// late by d, and right after the first late answer the leader loses its network. A margin is the successor's start
// minus the old leader's stop in nanoseconds; if the margin is below zero, there are two leaders at once.
//
// A margin is leaseDuration - retryPeriod - renewDeadline - d, which is 3 s - d, plus a lag >= 0 that does not depend
// on d. The lag is the time until the others observe the last renewal, and the time after leaseDuration until one of
// them looks again.
func Margins(d time.Duration, elections int) (Spread, error) {
	s, err := decode("60s", three+fmt.Sprintf(`,"actions":[{"at":%q,"act":"latency","target":"holder","response":%q}]`,
		time.Duration(LateFromNs), d))
	if err != nil {
		return nil, err
	}
	margins := make(Spread, 0, elections)
	for seed := uint64(1); seed <= uint64(elections); seed++ {
		calm := runSeed(s, seed)
		leader := calm.kind(0, trace.StartedLeading).Candidate
		answer := calm.firstRenewal(LateFromNs, leader)
		cut := s.Clone()
		cut.Actions = append(cut.Actions,
			scenario.Action{At: scenario.Duration(answer.At + 1), Act: scenario.ActCut,
				Target: calm.World.Node(leader).Name()})
		h := runSeed(cut, seed)
		stopped := h.first(answer.At, func(r *trace.Record) bool {
			return r.Kind == trace.LeadingDone && r.Candidate == leader
		})
		if want := answer.At + 12*sec; stopped.At != want {
			return nil,
				fmt.Errorf(
					"d = %v, seed %d: the old leader stops at %d ns, not retryPeriod and renewDeadline after the "+
						"answer, at %d", d, seed, stopped.At, want)
		}
		margins = append(margins, h.kind(answer.At, trace.StartedLeading).At-stopped.At)
	}
	return margins, nil
}
