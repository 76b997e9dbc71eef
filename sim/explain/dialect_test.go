package explain

import (
	"fmt"
	"testing"

	"github.com/leaselab/leaselab/sim/testsupport/random"
	"github.com/stretchr/testify/assert"
)

// Explanations of leaders that follow other rules than client-go's add up too: each change, whatever dialect it was in.
func TestExplanationsOfDialectsAddUp(t *testing.T) {
	explained := 0
	for n := range uint64(200) {
		s := random.Speaking(n)
		if len(s.APIServers) > 0 { // coordinated electors have no dialects
			continue
		}
		r := observe(s, int64(s.Duration), false)
		for _, e := range r.tracker.Explanations {
			explained++
			what := fmt.Sprintf("number %d", n)
			laidEndToEnd(t, r, e.Parts, e.FromNs, e.ToNs, what)
			laidEndToEnd(t, r, e.Chain, e.ChainFromNs, e.ToNs, what)
			if e.FromNs < e.ToNs && len(e.Ending) > 0 {
				laidEndToEnd(t, r, e.Ending, e.EndingFromNs, e.FromNs, what)
			}
		}
	}
	assert.Greater(t, explained, 200, "leader changes that were explained")
}
