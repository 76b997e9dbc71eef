package coordinated

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/coordinator"
)

// The words of a standing name the durations of the controller.
func TestStandingsNameTheirDurations(t *testing.T) {
	d := &coordinator.Decision{ElectionNs: 1_500_000_000, ValidNs: 20_040_000_000}
	for standing, want := range map[coordinator.Standing]string{
		coordinator.NeverRenewed: "has no renewTime: does not count",
		coordinator.Expired:      "renewTime is older than 20.04 s: does not count",
		coordinator.AwaitingAck:  "pinged within 1.5 s, no ack yet: the controller waits",
		coordinator.Fresh:        "renewed within 1.5 s: counts as an ack",
		coordinator.Stale:        "renewed more than 1.5 s ago: must be pinged before an election",
		coordinator.Unanswered:   "did not answer its ping within 1.5 s: left out",
	} {
		assert.Equal(t, want, standingText(d, standing), standing.String())
		considered := coordinator.Considered{Standing: standing, Silent: true, Readable: true}
		line := consideredLine(&considered, d, coordination.NewSymbols(), nil)
		assert.True(t, strings.HasSuffix(line, ": "+want+"; silent for 10.02 s: forces an election"), line)
	}
}
