package main

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The last count of go test's output is the result; running out of time is not a failure.
func TestCounted(t *testing.T) {
	for _, c := range []struct {
		said     string
		execs    int64
		overtime bool
	}{{`fuzz: elapsed: 0s, gathering baseline coverage: 0/136 completed
fuzz: elapsed: 3s, execs: 8356 (2785/sec), new interesting: 7 (total: 143)
fuzz: minimizing 56-byte failing input file
fuzz: elapsed: 10s, execs: 47646 (5153/sec), new interesting: 40 (total: 176)
PASS
`, 47646, false},
		{"--- FAIL: FuzzX (0.00s)\n    x_test.go:1: execs: 5 \n", 0, false},
		{"fuzz: elapsed: 3s, gathering baseline coverage: 196/1047 completed\nPASS\n", 196, false},
		{"fuzz: elapsed: 5s, execs: 2557 (1170/sec), new interesting: 101 (total: 266)\n--- FAIL: FuzzRun (5.28s)\n    context deadline exceeded\nFAIL\n", 2557, true},
		{"--- FAIL: FuzzRun (5.28s)\n    --- FAIL: FuzzRun (0.00s)\n        x_test.go:1: context deadline exceeded\nFAIL\n", 0, false},
	} {
		execs, overtime := counted(strings.NewReader(c.said))
		assert.Equal(t, c.execs, execs, c.said)
		assert.Equal(t, c.overtime, overtime, c.said)
	}
}

// The last line has the total. A target that failed, or that never ran, makes the report fail.
func TestReport(t *testing.T) {
	all := []target{{dir: "core", name: "FuzzA", execs: 7_000_000, took: 30 * time.Minute}, {dir: "sim", name: "FuzzB", execs: 500, took: 30 * time.Minute}}
	var out strings.Builder
	assert.True(t, report(&out, all))
	assert.Equal(t, `
  executions  a second
   7,000,000     3,888  core FuzzA
         500         0  sim FuzzB
fuzz: 2 targets, 7,000,500 executions in 1h0m0s (at this rate 7,000,500 in an hour), 0 failures
`, out.String())
	out.Reset()
	assert.False(t, report(&out, append(all, target{dir: "sim", name: "FuzzC", execs: 9, failed: true}, target{dir: "sim", name: "FuzzD"})))
	assert.Contains(t, out.String(), "9         0  sim FuzzC  FAILED")
	assert.Contains(t, out.String(), "2 failures\n")
}

// Command fuzzall finds the fuzz targets of this module.
func TestTargets(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("under js there are no subprocesses, so the go command cannot be asked; the native run asks it")
	}
	all, err := targets("../../..")
	require.NoError(t, err)
	said := map[string]bool{}
	for i := range all {
		said[all[i].String()] = true
	}
	for _, known := range []string{"../../../core/apiserver FuzzPatch", "../../scenario/random FuzzMutants", "../../../wasm/bridge FuzzLink", "../../cmd/leaselab FuzzSweep"} {
		assert.True(t, said[known], known)
	}
	assert.Len(t, said, len(all), "none twice")
}
