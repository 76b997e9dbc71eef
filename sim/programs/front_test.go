package programs_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/serve/incoming"
)

// The last report of a process that has ended can arrive after the next process of the candidate has started. It does
// not count as work of the new one.
func TestLateReportOfAnEndedProcess(t *testing.T) {
	recordServed(t, `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: restarted
duration: 2s
candidates: [{name: a}, {name: b}]
actions:
  - {at: 700ms, act: crash, target: a}
  - {at: 800ms, act: restart, target: a}
`, func(ctx context.Context, url string) {
		work := url + incoming.NodesPath + "a" + programs.WorkPath
		for _, process := range []string{"0", "1"} { // until it runs
			status := 0
			for ctx.Err() == nil && status != 204 {
				status, _ = ask(ctx, "POST", work+"?process="+process, "")
			}
			assert.Equal(t, 204, status, process)
		}
		late, why := ask(ctx, "POST", work+"?process=0", "")
		assert.Zero(t, late, why)
		status, said := ask(ctx, "POST", work, "")
		assert.Equal(t, 204, status, "without a number it is the process that runs: %s", said)
	})
}
