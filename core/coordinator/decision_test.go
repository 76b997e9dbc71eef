package coordinator

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/core/step"
)

// The words of a decision name the durations of the controller that made it, also where Terms changes them.
func TestDecisionsNameTheirDurations(t *testing.T) {
	for validNs, silent := range map[int64]string{validNs: "15 min", 180 * second: "90 s", 20_040_000_000: "10.02 s"} {
		d := Decision{ValidNs: validNs, Need: SilentCandidate}
		assert.Equal(t, "a candidate has not renewed for "+silent, d.NeedText())
	}
}

// With Terms, the controller's own decisions carry its durations.
func TestTermsReachTheDecision(t *testing.T) {
	b := newBench(t, func(c *Config) { c.Terms = Terms{ElectionNs: 7 * second, ValidNs: 240 * second} })
	d := b.m.beginDecision(step.Reading{Wall: origin}, b.key("l"))
	assert.Equal(t, 7*second, d.ElectionNs)
	assert.Equal(t, 240*second, d.ValidNs)
}
