package coordinator

import (
	"github.com/leaselab/leaselab/core/step"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/coordination"
)

// The words of a decision name the durations of the controller that made it, also where Terms changes them.
func TestDecisionsNameTheirDurations(t *testing.T) {
	for _, c := range []struct {
		electionNs, validNs     int64
		election, valid, silent string
	}{
		{electionNs, validNs, "5 s", "30 min", "15 min"},
		{1_500_000_000, 180 * second, "1.5 s", "3 min", "90 s"},
		{20 * second, 20_040_000_000, "20 s", "20.04 s", "10.02 s"},
	} {
		d := Decision{ElectionNs: c.electionNs, ValidNs: c.validNs, Need: SilentCandidate}
		assert.Equal(t, "a candidate has not renewed for "+c.silent, d.NeedText())
		for standing, want := range map[Standing]string{
			NeverRenewed: "has no renewTime: does not count",
			Expired:      "renewTime is older than " + c.valid + ": does not count",
			AwaitingAck:  "pinged within " + c.election + ", no ack yet: the controller waits",
			Fresh:        "renewed within " + c.election + ": counts as an ack",
			Stale:        "renewed more than " + c.election + " ago: must be pinged before an election",
			Unanswered:   "did not answer its ping within " + c.election + ": left out",
		} {
			assert.Equal(t, want, d.StandingText(standing), standing.String())
			considered := Considered{Standing: standing, Silent: true, Readable: true}
			line := considered.line(&d, coordination.NewSymbols(), nil)
			assert.True(t, strings.HasSuffix(line, ": "+want+"; silent for "+c.silent+": forces an election"), line)
		}
	}
}

// With Terms, the controller's own decisions carry its durations.
func TestTermsReachTheDecision(t *testing.T) {
	b := newBench(t, func(c *Config) { c.Terms = Terms{ElectionNs: 7 * second, ValidNs: 240 * second} })
	d := b.m.beginDecision(step.Reading{Wall: origin}, b.key("l"))
	assert.Equal(t, "renewed within 7 s: counts as an ack", d.StandingText(Fresh))
	assert.Equal(t, "renewTime is older than 4 min: does not count", d.StandingText(Expired))
}
