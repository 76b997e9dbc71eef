package clients

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

// @kubernetes/client-node runs if the page's packages are installed: `make npm` installs them.
func TestClientNode(t *testing.T) {
	t.Parallel()
	web, err := filepath.Abs(filepath.Join("..", "..", "..", "web"))
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(web, "node_modules", "@kubernetes", "client-node")); err != nil {
		served.NotRun(t, "@kubernetes/client-node is not installed: make npm")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		served.NotRun(t, "the PATH has no node")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, node, filepath.Join("testdata", "client_node.mjs"), served.Command(t).URL, web).CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), "client-node did everything")
}
