package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asShell is the arguments that a shell hands to the command of a line.
func asShell(t *testing.T, line string) []string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("it needs sh")
	}
	out, err := exec.Command(sh, "-c", `leaselab() { printf '%s\n' "$@"; }; `+line).CombinedOutput()
	require.NoError(t, err, "%s: %s", line, out)
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

// A printed command runs as it stands, whatever the file is called.
func TestReplayLinesAreQuoted(t *testing.T) {
	source, err := leaselab("scenarios", "crash")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "run ü ni's $HOME.yaml")
	require.NoError(t, os.WriteFile(path, []byte(source), 0o600))

	swept, err := leaselab("sweep", path, "--set", "elector.retryPeriod=1s", "--vary-phase", "-o", "json")
	require.NoError(t, err)
	var row struct{ Replay string }
	require.NoError(t, json.Unmarshal([]byte(swept), &row))
	args := asShell(t, row.Replay)
	assert.Equal(t, path, args[1])
	_, err = leaselab(args...)
	require.NoError(t, err, row.Replay)

	if testing.Short() {
		t.Skip("hundreds of runs: the rest runs without -short")
	}
	report, _ := huntedBy(t, "first-election", "--runs", "60", "--faults", "pause,crash", "--out", filepath.Join(t.TempDir(), "it's found"))
	require.NotEmpty(t, report.Failures)
	_, err = leaselab(asShell(t, report.Failures[0].Replay)...)
	require.NoError(t, err, report.Failures[0].Replay)
}
