package programs

import (
	"time"

	"github.com/leaselab/leaselab/sim/scenario"
)

// The wait before a kubelet starts an exited program again. It doubles with each exit. Source: kubernetes v1.36
// pkg/kubelet, with the feature gate ReduceDefaultCrashLoopBackOffDecay. The older back-off, from 10 s to 5 min, would
// outlast most tests.
const (
	firstRestart = scenario.Duration(time.Second)
	lastRestart  = scenario.Duration(time.Minute)
)

// Restarted returns the scenario for processes under a kubelet: a program that exits or dies by itself starts again.
// The act crash stands for the death of a node, so nothing starts after it. A scenario that says itself what happens
// after an exit stays unchanged.
func Restarted(s scenario.Scenario) scenario.Scenario {
	for i := range s.Candidates {
		if c := &s.Candidates[i]; c.Restart != "" || c.Preset != "" || c.Process != nil {
			return s
		}
	}
	if s.Preset != "" || s.Process != (scenario.Process{}) {
		return s
	}
	s = s.Clone()
	wait := lastRestart
	s.Process = scenario.Process{OnLoss: scenario.OnLossExit, RestartBackoffMax: &wait}
	for i := range s.Candidates {
		s.Candidates[i].Restart, s.Candidates[i].RestartAfter = scenario.RestartNew, firstRestart
	}
	return s
}
