package rebuild

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/study/whatif"
)

// What would have prevented the overlap of the recorded pause.
func TestCuresOfAPause(t *testing.T) {
	s, _, err := Scenario(demo(t, "pause-1/audit.jsonl.gz"))
	require.NoError(t, err)
	c := CuresOf(s, nil)
	assert.True(t, c.Subject.Violation)
	assert.Positive(t, c.AtNs)
	require.NotEmpty(t, c.Lines)
	assert.Equal(t, whatif.NoViolation, c.Lines[0].Result.Fate)
}
