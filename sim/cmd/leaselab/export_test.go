package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each format names the run: scenario, seed, and a link that opens the same run.
func TestExport(t *testing.T) {
	for format, begins := range map[string]string{"svg": "<svg ", "markdown": "## Crash\n", "mermaid": "sequenceDiagram\n"} {
		out, err := leaselab("export", format, "crash", "--seed", "17", "--from", "50s", "--to", "80s", "--page", "https://example.com/")
		require.NoError(t, err)
		assert.Regexp(t, "^"+begins, out)
		assert.Contains(t, out, "crash")
		assert.Regexp(t, `seed:? 17\b`, out)
		assert.Contains(t, out, "https://example.com/#v1.")
	}
	light, err := leaselab("export", "svg", "a-leader-dies", "--to", "40s")
	require.NoError(t, err)
	dark, err := leaselab("export", "svg", "a-leader-dies", "--to", "40s", "--dark")
	require.NoError(t, err)
	assert.NotEqual(t, light, dark)
}

// -o writes the same bytes to a file, and the link of an export is a scenario for an export.
func TestExportToAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "takeover.svg")
	out, err := leaselab("export", "svg", "a-leader-dies", "--to", "40s", "--out", path)
	require.NoError(t, err)
	assert.Empty(t, out)
	written, err := os.ReadFile(path)
	require.NoError(t, err)
	printed, err := leaselab("export", "svg", "a-leader-dies", "--to", "40s")
	require.NoError(t, err)
	assert.Equal(t, printed, string(written))

	link, err := leaselab("export", "link", "a-leader-dies", "--at", "40s")
	require.NoError(t, err)
	byLink, err := leaselab("export", "mermaid", link[:len(link)-1], "--to", "40s")
	require.NoError(t, err)
	assert.Contains(t, byLink, "nobody leads for 14.039 s")
}

// A Go test is the same text on standard output and in a file; a seed is the test's.
func TestExportGoTest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crash_test.go")
	printed, err := leaselab("export", "go-test", "crash", "--seed", "17")
	require.NoError(t, err)
	_, err = leaselab("export", "go-test", "crash", "--seed", "17", "--out", path)
	require.NoError(t, err)
	written, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, printed, string(written))
	assert.Contains(t, printed, "func TestCrash(t *testing.T)")
	assert.Contains(t, printed, "seed: 17")
}

// An instant that the run does not have is refused with what to write.
func TestExportRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"export", "svg", "crash", "--to", "3h"}, "--to 3h0m0s must lie between 0 and the end, 2m"},
		{[]string{"export", "svg", "crash", "--to", "0s"}, "--to 0s must lie between 0 and the end, 2m"},
		{[]string{"export", "svg", "crash", "--from", "50s", "--to", "40s"}, "--from 50s must lie between 0 and the end of the span, 40s"},
		{[]string{"export", "svg", "crash", "--from", "-1s"}, "--from -1s must lie between 0 and the end of the span, 2m"},
		{[]string{"export", "svg", "crash", "--from", "30"}, "write 30s if you mean seconds"},
		{[]string{"export", "svg", "crsh"}, `did you mean "crash"?`},
		{[]string{"export", "pdf", "crash"}, `leaselab export has no command "pdf"; use one of csv, go-test, link, markdown, mermaid, ndjson, scenario, svg`},
		{[]string{"export", "svg"}, "a scenario (a shipped one's name, a file, or - for standard input) is missing"},
		{[]string{"export", "mermaid", "many", "--to", "30s"}, "more requests than a readable diagram; choose a shorter one with --from and --to"},
		{[]string{"export", "svg", "crash", "--out", "/nowhere/crash.svg"}, "/nowhere/crash.svg"},
		{[]string{"export", "go-test", "crash", "--out", "/nowhere/crash_test.go"}, "/nowhere/crash_test.go"},
		{[]string{"export", "go-test", "crash", "--expect-violation"}, "seed: with it the scenario breaks no rule of safety or liveness"},
		{[]string{"export", "go-test", "b57-unreadable-answer", "--standalone"}, "; leave out --standalone"},
		{[]string{"export", "go-test", "paused-leader"}, "actions[0].act: pause: a goroutine cannot be stopped from outside"},
	} {
		_, err := leaselab(c.args...)
		require.Error(t, err, c.args)
		assert.Contains(t, err.Error(), c.says)
	}
}
