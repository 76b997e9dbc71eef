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

// Every old spelling becomes a line that the command accepts, and a new spelling stays the same. Behind "--" are the
// words of another program.
func TestOldSpellings(t *testing.T) {
	for old, want := range map[string]string{
		"check audit.jsonl --leaderless 30s":            "import --judge audit.jsonl --leaderless 30s",
		"compare crash --seed-b 17":                     "run --against=crash crash --against-seed 17",
		"compare --seed 2 crash -o json mine.yaml":      "run --against=mine.yaml --seed 2 crash -o json",
		"compare crash --color never paused-leader":     "run --against=paused-leader crash --color never",
		"lesson check a.yaml":                           "scenarios check a.yaml",
		"lessons -o whole":                              "scenarios --lessons -o whole",
		"link crash --at 40s":                           "export link crash --at 40s",
		"open https://a/#crash -o json":                 "export scenario https://a/#crash -o json",
		"reroll crash --rule moreThanOneActive":         "explain --point-of-no-return crash --rule moreThanOneActive",
		"explore crash --write=broken.yaml":             "explore crash --schedule=broken.yaml",
		"hunt crash --out found":                        "hunt crash --failures found",
		"export svg crash -o a.svg --dark":              "export svg crash --out a.svg --dark",
		"export csv crash -oa.csv":                      "export csv crash --out=a.csv",
		"run crash -o json":                             "",
		"explore crash -o yaml --out broken.yaml":       "",
		"export scenario #crash -o json":                "",
		"test crash -- ./program check --out x -o json": "",
		"run check": "",
		"":          "",
	} {
		now, note := respell(command(), strings.Fields(old))
		if want == "" {
			assert.Equal(t, strings.Fields(old), append([]string{}, now...))
			assert.Empty(t, note, old)
			continue
		}
		assert.Equal(t, want, strings.Join(now, " "))
		assert.NotEmpty(t, note, old)
		checkExample(t, "leaselab "+want)
	}
}

// An old spelling prints what the new one prints, exits alike, and says the new spelling in one line.
func TestOldSpellingsDoTheSame(t *testing.T) {
	node := "../../evidence/testdata/pause-1/node-a.klog"
	for old, c := range map[string][2]string{
		"check " + node: {"import --judge " + node, "`leaselab check` is now `leaselab import --judge`"},
		"compare crash --seed-b 7": {"run crash --against-seed 7",
			"`leaselab compare` is now `leaselab run A --against B`, --seed-b is now --against-seed"},
		"reroll nowhere": {"explain nowhere --point-of-no-return",
			"`leaselab reroll` is now `leaselab explain --point-of-no-return`"},
		"help lessons": {"help scenarios", "`leaselab lessons` is now `leaselab scenarios --lessons`"},
	} {
		out, told, code := asProcess(t, strings.Fields(old)...)
		want, wantTold, wantCode := asProcess(t, strings.Fields(c[0])...)
		assert.Equal(t, want, out, old)
		assert.Equal(t, wantCode, code, old)
		assert.Equal(t, "leaselab: "+c[1]+"\n"+wantTold, told)
	}
}

// One scenario alone is nothing to compare, and one line says so.
func TestCompareNeedsTwo(t *testing.T) {
	for _, args := range [][]string{{"compare", "crash"}, {"compare", "crash", "-o", "json"}, {"run", "crash", "--against="}} {
		out, told, code := asProcess(t, args...)
		assert.Equal(t, exitUsage, code)
		assert.Empty(t, out)
		assert.Equal(t, "leaselab: the second scenario is missing: leaselab run A --against B, or --against-seed SEED\n", told)
	}
}

// A typo of an old name suggests the new one, and help knows old names and typos.
func TestTyposOfOldNames(t *testing.T) {
	_, err := leaselab("rerol", "crash")
	assert.EqualError(t, err, `leaselab has no command "rerol"; did you mean "explain --point-of-no-return"?`)
	_, err = leaselab("help", "chek")
	assert.EqualError(t, err, `leaselab has no command "chek"; did you mean "import --judge"?`)
	_, err = leaselab("completion", "tcsh")
	assert.EqualError(t, err, `"tcsh" is not a shell that leaselab knows; use one of bash, zsh, fish, powershell`)
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
