package probe

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/coordination"
)

// After a deletion, another candidate may create the Lease. The old leader notices that it cannot renew within
// renewDeadline, which client-go begins to count up to one wait late.
func TestDeletedLease(t *testing.T) {
	d := Durations{Lease: 15 * time.Second, Renew: 10 * time.Second, Retry: 2 * time.Second}
	for together, want := range map[time.Duration]bool{15 * time.Second: true, 16 * time.Second: false} {
		begins := disturbed + time.Second
		w := NewWatch()
		w.add(write{at: begins, node: 1, after: coordination.Record{HolderIdentity: 1}})
		w.spans = []span{{0, time.Second, begins + together}, {1, begins, -1}}
		w.End(time.Minute)
		assert.Equal(t, want, createsAgain(w, &d) == passed, together)
	}
}
