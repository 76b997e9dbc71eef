package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const incidents = "../../evidence/testdata/"

func TestImportTellsAStory(t *testing.T) {
	out, err := leaselab("import", incidents+"pause-1/audit.jsonl.gz", incidents+"pause-1/node-a.klog", "--lease", "ns-a/demo")
	require.NoError(t, err)
	assert.Contains(t, out, "node-a → node-b  pause")
	assert.Contains(t, out, "node-a and node-b; the log of node-a says when it stopped leading")
	assert.Contains(t, out, "These files do not show when a leader worked")
}

func TestImportRefusals(t *testing.T) {
	pod := filepath.Join(t.TempDir(), "pod.json")
	require.NoError(t, os.WriteFile(pod, []byte("{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}\n"), 0o600))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"import"}, "a file, such as audit.jsonl"},
		{[]string{"import", "audit"}, "import audit needs a file"},
		{[]string{"import", pod}, "line 1 is of kind Pod: give the Lease, its watch, the audit log or the electors' logs; found no Lease"},
		{[]string{"import", "klog", incidents + "pause-1/watch.jsonl.gz"}, "contains no klog record"},
		{[]string{"import", incidents + "pause-1/node-a.klog", "--around", "noon"}, "must be an RFC 3339 time"},
		{[]string{"import", incidents + "pause-1/node-a.klog", "--lease", "demo"}, "must be namespace/name"},
		{[]string{"import", incidents + "pause-1/node-a.klog", "--node", "a"}, "must be NAME=FILE: the candidate and its log, such as --node node-a=old.log"},
	} {
		_, err := leaselab(c.args...)
		assert.ErrorContains(t, err, c.says)
	}
}

// --node names a file to read: no other file is necessary.
func TestImportOfANode(t *testing.T) {
	out, err := leaselab("import", "--node", "mine="+incidents+"pause-1/node-a.klog")
	require.NoError(t, err)
	assert.Contains(t, out, "(none) → mine")
	_, err = leaselab("import", "--judge", "--node", "mine="+incidents+"pause-1/node-a.klog")
	assert.ErrorContains(t, err, "exit code 3")
}

// A gzip file that is cut off is told with its line, and what came before it is read; check does not pass it.
func TestImportOfADamagedFile(t *testing.T) {
	whole, err := os.ReadFile(incidents + "crash-1/audit.jsonl.gz")
	require.NoError(t, err)
	for name, data := range map[string][]byte{"cut": whole[:4000], "changed": append(append([]byte{}, whole[:4000]...), bytes.Repeat([]byte{7}, 2000)...)} {
		file := filepath.Join(t.TempDir(), name+".gz")
		require.NoError(t, os.WriteFile(file, data, 0o600))
		out, err := leaselab("import", file, "--lease", "ns-a/demo")
		require.NoError(t, err)
		assert.Regexp(t, `\.gz:\d{2,}: the gzip data is damaged, or cut off; the report covers what came before\n`, out)
		assert.Contains(t, out, "(none) → node-")
		out, err = leaselab("import", "--judge", file, "--lease", "ns-a/demo")
		require.ErrorContains(t, err, "is not checked from line ")
		assert.Contains(t, out, "No rule was broken.")
	}
}

// A folder is read with all that is in it.
func TestImportOfAFolder(t *testing.T) {
	out, err := leaselab("import", incidents+"pause-1", "--lease", "ns-a/demo")
	require.NoError(t, err)
	assert.Contains(t, out, "node-a → node-b  pause")
	assert.Contains(t, out, "pause-1: 0 lines; it has 6 files; 1 of them say nothing about a Lease.")
	_, err = leaselab("import", t.TempDir())
	assert.ErrorContains(t, err, "found no Lease")
}

// check is a gate: safety 3, liveness 4, else 0.
func TestCheckExitCodes(t *testing.T) {
	code := func(args ...string) int {
		_, err := leaselab(append([]string{"import", "--judge"}, args...)...)
		var exit exitError
		if errors.As(err, &exit) {
			return exit.code
		}
		require.NoError(t, err)
		return 0
	}
	assert.Equal(t, 3, code(incidents+"pause-1/node-a.klog", incidents+"pause-1/node-b.klog"))
	assert.Equal(t, 4, code(incidents+"crash-1/audit.jsonl.gz", "--leaderless", "10s"))
	assert.Equal(t, 0, code(incidents+"crash-1/audit.jsonl.gz", "--leaderless", "30s"))
	assert.Equal(t, 0, code(incidents+"release-1/audit.jsonl.gz", "--lease", "ns-a/demo"))
}

// What -o scenario prints is a scenario that runs, with its fit and cures above it.
func TestImportRunsItAgain(t *testing.T) {
	out, err := leaselab("import", incidents+"pause-1/audit.jsonl.gz", "--lease", "ns-a/demo", "-o", "scenario")
	require.NoError(t, err)
	assert.Contains(t, out, "# The run has the same leaders")
	assert.Contains(t, out, "# What if: ")
	assert.Contains(t, out, "# Similar in the museum: ")
	file := filepath.Join(t.TempDir(), "again.yaml")
	require.NoError(t, os.WriteFile(file, []byte(out), 0o600))
	out, err = leaselab("run", file, "-q")
	var exit exitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 3, exit.code)
	assert.Contains(t, out, "node-b")
}

// A trace of a run is evidence, too: it names the fault.
func TestImportReadsATrace(t *testing.T) {
	for scenario, cause := range map[string]string{"paused-leader": "pause", "crash": "crash", "cut-off": "partition"} {
		file := filepath.Join(t.TempDir(), "run.ndjson")
		_, err := leaselab("run", scenario, "--trace", file)
		var exit exitError
		if !errors.As(err, &exit) {
			require.NoError(t, err)
		}
		out, err := leaselab("import", "trace", file, "-o", "json")
		require.NoError(t, err)
		assert.Contains(t, out, `"cause":"`+cause+`","confidence":1`, scenario)
	}
}
