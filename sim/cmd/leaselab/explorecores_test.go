//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The file of a search is the same on any number of cores, and so is what it says.
func TestExploreOnAnyNumberOfCores(t *testing.T) {
	path := cutOffFile(t)
	var first []byte
	for _, cores := range []int{1, 2, 7} {
		file := filepath.Join(t.TempDir(), "search.runs")
		c := exec.Command(os.Args[0], "explore", path, "--set", "actions[0].for=10s..20s/2s", "--window", "3s..20s", "--rule", "leaderless>30s", "--states", "2000", "--resume", file)
		c.Env = append(os.Environ(), asCommand+"=1", fmt.Sprintf("GOMAXPROCS=%d", cores))
		said, err := c.CombinedOutput()
		require.NoError(t, err, "%s", said)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if first == nil {
			first = text
		}
		assert.True(t, bytes.Equal(first, text), "%d cores", cores)
	}
	require.Greater(t, bytes.Count(first, []byte("\n")), 20, "there is something to compare")
}
