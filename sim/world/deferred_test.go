package world

import (
	"testing"

	"github.com/leaselab/leaselab/sim/trace"
	"github.com/stretchr/testify/assert"
)

// A process may find both the answer to a request and its timeout when it resumes. It handles the first and forgets
// the other, because the slot may already hold the next request. Random runs found a slot that was freed twice.
func TestAnswerAndTimeoutInOnePause(t *testing.T) {
	s := plainSetup(1)
	s.Candidates[0].RequestNs, s.Candidates[0].ResponseNs = sec, 2*sec
	s.Candidates[0].RequestTimeoutNs = 4 * sec
	calm := find(runUntil(New(s), 60*sec), trace.RequestSent, 0)
	sent := calm[len(calm)/2].At
	for _, timeoutNs := range []int64{2 * sec, 3*sec - 1, 3 * sec, 3*sec + 1} {
		s := plainSetup(1)
		s.Candidates[0].RequestNs, s.Candidates[0].ResponseNs = sec, 2*sec
		s.Candidates[0].RequestTimeoutNs = timeoutNs
		s.Controls = []Control{
			{AtNs: sent + sec/2, Kind: DoPause, Target: 0, Source: -1},
			{AtNs: sent + 5*sec, Kind: DoResume, Target: 0, Source: -1},
		}
		w := New(s)
		w.Run(120*sec, func([]trace.Record) {
			seen := map[int32]bool{}
			for _, slot := range w.net.free {
				assert.False(t, seen[slot], "slot %d is free twice", slot)
				seen[slot] = true
			}
		})
	}
}
