//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where the output cannot be written, every command says so and fails, whatever it found.
func TestFullDiskUnderTheOutput(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /dev/full")
	}
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept.runs")
	_, err := leaselab("sweep", "crash", "--set", "duration=2m", "--resume", kept)
	require.NoError(t, err)
	for _, args := range []string{
		"sweep crash --set duration=2m -o json", "sweep crash --set duration=2m -o csv", "sweep crash --set duration=2m",
		"sweep merge KEPT", "sweep merge KEPT -o json", "hunt first-election --runs 20 -o json", "hunt paused-leader --runs 20",
		"run crash", "run crash -o json", "run crash -o ndjson", "run crash --seeds 1..3", "run crash --seeds 1..3 -o json",
		"run crash -q --trace /dev/full", "scenarios", "scenarios crash", "schema", "explain crash", "explain crash -o json", "run crash --against paused-leader", "shrink paused-leader --windows=false",
		"explore b05-wiped-lease --window 14s..20s --set actions[0].for=14s", "explore b05-wiped-lease --window 14s..20s --set actions[0].for=14s -o json",
		"advise survive=60s takeover=5s", "advise survive=60s takeover=5s -o json", "sweep manifest crash --set duration=2m --image leaselab:1 --shards 7", "run crash --out /dev/full", "export csv crash --out /dev/full", "completion bash", "--help", "run --help", "--version",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			require.NoError(t, err)
			defer full.Close()
			run := exec.Command(os.Args[0], strings.Fields(strings.ReplaceAll(args, "KEPT", kept))...)
			var said bytes.Buffer
			run.Env, run.Dir, run.Stdout, run.Stderr = append(os.Environ(), asCommand+"=1"), dir, full, &said
			var exit *exec.ExitError
			require.ErrorAs(t, run.Run(), &exit)
			assert.Equal(t, exitUsage, exit.ExitCode())
			assert.Contains(t, said.String(), "no space left on device")
			assert.NotContains(t, said.String(), "Please report this")
		})
	}
}
