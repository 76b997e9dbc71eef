//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asProcess runs the command as a separate process.
func asProcess(t *testing.T, args ...string) (out, told string, code int) {
	c, stdout, stderr := process(t, args...)
	_ = c.Wait() // the exit code says more
	return stdout.String(), stderr.String(), c.ProcessState.ExitCode()
}

// A command or flag that leaselab no longer has says what replaces it.
func TestRemovedSaysWhatReplacesIt(t *testing.T) {
	for name, instead := range removedCommands {
		_, err := leaselab(append(strings.Fields(name), "--flag", "x")...)
		assert.ErrorContains(t, err, name+" was removed: "+instead)
	}
	for name, instead := range removedFlags {
		_, err := leaselab(strings.Fields(name)...)
		_, flag, _ := strings.Cut(name, " --")
		assert.ErrorContains(t, err, "--"+flag+" was removed: "+instead)
	}
}

// One scenario alone is nothing to compare, and one line says so.
func TestCompareNeedsTwo(t *testing.T) {
	out, told, code := asProcess(t, "run", "crash", "--against=")
	assert.Equal(t, exitUsage, code)
	assert.Empty(t, out)
	assert.Equal(t, "leaselab: the second scenario is missing: leaselab run A --against B, or --against-seed SEED\n", told)
}

// Help shows at most eighteen commands, and no flag names a file where another command has a format.
func TestFewCommandsAndOneMeaningOfEachFlag(t *testing.T) {
	shown := 0
	for _, c := range command().Commands() {
		if c.IsAvailableCommand() {
			shown++
		}
	}
	assert.LessOrEqual(t, shown, 18)
	for _, c := range visible(command()) {
		if output := c.Flags().ShorthandLookup("o"); output != nil {
			assert.Equal(t, "output", output.Name, c.CommandPath())
			_, formats := c.GetFlagCompletionFunc("output")
			assert.True(t, formats, c.CommandPath())
		}
		assert.Nil(t, c.Flags().Lookup("write"), c.CommandPath())
		assert.Nil(t, c.LocalFlags().Lookup("out"), c.CommandPath())
	}
}

// Every command takes --out: the file gets what standard output would get. A mistake elsewhere keeps the old file.
func TestOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answer")
	for _, line := range []string{"scenarios", "run crash", "run crash -o json", "run crash --seeds 1..3 -o json", "schema",
		"export csv crash --of leaders", "export svg crash", "explain crash", "completion fish", "run --help"} {
		want, _, _ := asProcess(t, strings.Fields(line)...)
		nothing, _, code := asProcess(t, append(strings.Fields(line), "--out", file)...)
		assert.Zero(t, code, line)
		if line == "run --help" { // which cobra prints before it looks at other flags
			assert.Equal(t, want, nothing)
			continue
		}
		assert.Empty(t, nothing, line)
		got, err := readFile(file)
		require.NoError(t, err)
		assert.Equal(t, want, string(got), line)
	}
	_, _, code := asProcess(t, "run", "nowhere", "--out", file)
	assert.Equal(t, exitUsage, code)
	kept, err := readFile(file)
	require.NoError(t, err)
	assert.NotEmpty(t, kept)
	_, told, code := asProcess(t, "run", "crash", "--out", "/nowhere/file")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, told, "--out: open /nowhere/file")
}

// Help and stories fit into the columns of the terminal, and lose nothing.
func TestTextFitsIntoColumns(t *testing.T) {
	lines := []string{"--help", "explain paused-leader --counterfactuals", "scenarios", "run crash -q",
		"scenarios --lessons"}
	for _, c := range visible(command()) {
		lines = append(lines, strings.TrimPrefix(c.CommandPath(), "leaselab ")+" --help")
	}
	for _, line := range lines {
		t.Setenv("COLUMNS", "1000")
		wide, err := leaselab(strings.Fields(line)...)
		require.NoError(t, err)
		t.Setenv("COLUMNS", "60")
		narrow, err := leaselab(strings.Fields(line)...)
		require.NoError(t, err)
		for one := range strings.Lines(narrow) {
			assert.LessOrEqual(t, width(strings.TrimRight(one, "\n")), 60, "%s: %s", line, one)
		}
		assert.Greater(t, strings.Count(narrow, "\n"), strings.Count(wide, "\n"), line)
		if !strings.Contains(line, "--help") { // whose commands have a \ at the end of a line
			assert.Equal(t, strings.Fields(wide), strings.Fields(narrow), line)
		}
	}
	t.Setenv("COLUMNS", "")
	usual, err := leaselab("explain", "paused-leader")
	require.NoError(t, err)
	for one := range strings.Lines(usual) {
		assert.LessOrEqual(t, width(one), 101, one)
	}
}

// A shell reads a wrapped example as the same command.
func TestWrappedExamples(t *testing.T) {
	const example = "  leaselab run crash --set 'a b=c d'   # why?\n  # a comment of more words than one line has room for"
	assert.Equal(t, "  # why?\n  leaselab run crash \\\n      --set 'a b=c d'\n"+
		"  # a comment of more\n  # words than one line\n  # has room for\n", wrapExamples(example, 26))
}
