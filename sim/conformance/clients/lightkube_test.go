package clients

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

// lightkube runs if python3 has it.
func TestLightkube(t *testing.T) {
	t.Parallel()
	if err := exec.Command("python3", "-c", "import lightkube").Run(); err != nil {
		served.NotRun(t, "python3 has no lightkube")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "python3", "testdata/lightkube_client.py", served.Start(t, 0).URL).CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), "lightkube did everything")
}
