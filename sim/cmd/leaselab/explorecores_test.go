//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a search says is the same on any number of cores, but for the time that it takes.
func TestExploreOnAnyNumberOfCores(t *testing.T) {
	path, first := cutOffFile(t), ""
	for _, cores := range []int{1, 2, 7} {
		c := exec.Command(os.Args[0], "explore", path, "--set", "actions[0].for=10s..20s/2s", "--window", "3s..20s", "--rule", "leaderless>30s", "--states", "2000", "-o", "json")
		c.Env = append(os.Environ(), asCommand+"=1", fmt.Sprintf("GOMAXPROCS=%d", cores))
		out, err := c.Output()
		require.NoError(t, err)
		said := regexp.MustCompile(`"\w*[sS]econds?":[^,]*,|"\w*PerSecond":[^,]*,`).ReplaceAllString(string(out), "")
		if first == "" {
			first = said
		}
		assert.Equal(t, first, said, "%d cores", cores)
	}
	require.Contains(t, first, `"transitions":`)
}
