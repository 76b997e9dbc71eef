package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/run/history"
)

// visible lists the commands that help shows and that run.
func visible(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.Hidden {
			continue
		}
		if sub.Name() != "export" { // which only groups others
			all = append(all, sub)
		}
		all = append(all, visible(sub)...)
	}
	return all
}

// Help begins with examples, and every example is a line that the command accepts.
func TestHelpBeginsWithExamples(t *testing.T) {
	root := command()
	all := visible(root)
	require.Greater(t, len(all), 10)
	for _, c := range append(all, root) {
		help, err := leaselab(append(strings.Fields(c.CommandPath())[1:], "--help")...)
		require.NoError(t, err)
		assert.Contains(t, c.Example, "leaselab ", c.CommandPath())
		assert.True(t, strings.HasPrefix(help, c.Short+".\n\n"+c.Example+"\n"),
			"%s: only one line stands before the examples", c.CommandPath())
		assert.Less(t, strings.Index(help, c.Example), strings.Index(help, "\nUsage:\n"), c.CommandPath())
		assert.Less(t, strings.Index(help, "\nUsage:\n"), strings.Index(help, "\nFlags:\n"), c.CommandPath())
		for line := range strings.Lines(c.Example) {
			checkExample(t, line)
		}
	}
}

// usage.txt has a text for every flag that help shows, and no other text.
func TestUsageTexts(t *testing.T) {
	lines, used := 0, map[string]bool{}
	for section := range strings.SplitSeq(usageLines, "\n\n") {
		lines += strings.Count(section, "\n  ")
		heading, _, _ := strings.Cut(section, "\n")
		c, rest, err := command().Find(strings.Fields(heading)[1:])
		require.NoError(t, err)
		assert.True(t, heading == shared || len(rest) == 0 && c.Short != "", heading)
	}
	for _, c := range append(visible(command()), command()) {
		assert.NotEmpty(t, c.Short, c.CommandPath())
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			assert.NotEmpty(t, f.Usage, "%s --%s", c.CommandPath(), f.Name)
			own := "\n" + section(usageLines, c.CommandPath()) + "\n"
			if heading := c.CommandPath(); strings.Contains(own, "\n  "+f.Name+" ") {
				used[heading+" "+f.Name] = true
			} else {
				used[f.Name] = true
			}
		})
	}
	assert.Len(t, used, lines)
}

func checkExample(t *testing.T, line string) {
	line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
	line, _, _ = strings.Cut(line, " | ")
	line, _, _ = strings.Cut(line, " > ")
	words := regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`).FindAllString(line, -1)
	if len(words) == 0 || words[0] != "leaselab" {
		return // a comment, or another program
	}
	for i := range words {
		words[i] = strings.Trim(words[i], `'"`)
	}
	root := command()
	c, rest, err := root.Find(words[1:])
	require.NoError(t, err, line)
	require.NoError(t, c.ParseFlags(rest), line)
	assert.NoError(t, c.ValidateArgs(c.Flags().Args()), line)
}

func TestVersion(t *testing.T) {
	out, err := leaselab("--version")
	require.NoError(t, err)
	assert.Regexp(t, `^leaselab version \S.*, engine \d+, with(out)? the page, go1\S+ \w+/\w+\n$`, out)
}

// A misspelt name has a suggestion, and a missing or wrong value says what to write.
func TestWrongUsageSaysWhatToWrite(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"explian", "crash"}, `leaselab has no command "explian"; did you mean "explain"?`},
		{[]string{"help", "explian"}, `leaselab has no command "explian"; did you mean "explain"?`},
		{[]string{"completion", "tcsh"}, `"tcsh" is not a shell that leaselab knows; use one of bash, zsh, fish, powershell`},
		{[]string{"run"},
			"a scenario (a shipped one's name, a file, or - for standard input) is missing: leaselab run SCENARIO"},
		{[]string{"run", "crash", "crash"}, `unexpected argument "crash"`},
		{[]string{"run", "a-leader-die"}, `did you mean "a-leader-dies"?`},
		{[]string{"scenarios", "a-leader-die"}, `did you mean "a-leader-dies"?`},
		{[]string{"run", "crash", "--sed", "3"}, "unknown flag --sed; did you mean --seed?"},
		{[]string{"run", "crash", "-x"}, "`leaselab run --help` lists the flags"},
		{[]string{"run", "crash", "--rename", "a=Anna"}, "--rename was removed: edit the names in the scenario's file"},
		{[]string{"run", "crash", "--until", "30"}, `--until "30": must have a unit; write 30s if you mean seconds`},
		{[]string{"explain", "crash", "--point-of-no-return", "--rule", "moreThanOneActive", "--runs", "many"},
			`--runs "many": must be a whole number`},
		{[]string{"run", "crash", "-o", "jsn"}, `must be text, json or ndjson; did you mean "json"?`},
		{[]string{"run", "crash", "--color", "alwys"}, `did you mean "always"?`},
	} {
		_, err := leaselab(c.args...)
		require.Error(t, err, c.args)
		assert.Contains(t, err.Error(), c.says)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// A file with several errors tells all of them, one per line.
func TestAllErrorsOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "multi.yaml")
	require.NoError(t, os.WriteFile(path,
		[]byte("apiVersion: leaselab.dev/v1\nkind: Scenari\nduration: 15\ncandidates: [{name: a}]\n"), 0o600))
	_, err := leaselab("run", path)
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	assert.Equal(t, path+": 3 errors", lines[0])
	for i, says := range []string{"  line 1: apiVersion ", "  line 2: kind ", "  line 3: duration "} {
		assert.Contains(t, lines[i+1], says)
	}
}

// What the shell may complete a line to.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args []string
		has  []string
		not  []string
	}{
		{[]string{"run", "a-le"}, []string{"a-leader-dies\tA leader dies"}, []string{"crash"}},
		{[]string{"run", "crash", "-o", ""}, []string{"text", "json", "ndjson"}, nil},
		{[]string{"explain", "crash", "--point-of-no-return", "--rule", "more"}, []string{"moreThanOneActive\t"}, []string{"noRecovery"}},
		{[]string{"sweep", "crash", "--set", "elector.re"}, []string{"elector.retryPeriod=", "elector.renewDeadline="},
			[]string{"elector.leaseDuration"}},
		{[]string{"serve", "--scenario", "pause"}, []string{"paused-leader"}, nil},
		{[]string{"scenarios", "pause"}, []string{"paused-leader"}, nil},
	} {
		out, err := leaselab(append([]string{cobra.ShellCompRequestCmd}, c.args...)...)
		require.NoError(t, err)
		for _, want := range c.has {
			assert.Contains(t, out, want, c.args)
		}
		for _, other := range c.not {
			assert.NotContains(t, out, other, c.args)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		script, err := leaselab("completion", shell)
		require.NoError(t, err)
		assert.Contains(t, script, cobra.ShellCompRequestCmd)
	}
}

// -q prints the outcome only, and --fold a line for the renewals that follow each other.
func TestQuietAndFolded(t *testing.T) {
	every, err := leaselab("run", "crash")
	require.NoError(t, err)
	quiet, err := leaselab("run", "crash", "-q")
	require.NoError(t, err)
	folded, err := leaselab("run", "crash", "--fold")
	require.NoError(t, err)
	outcome := every[strings.Index(every, "\ncrash: seed"):]
	assert.Equal(t, outcome, "\n"+quiet)
	assert.True(t, strings.HasSuffix(folded, outcome))
	assert.Regexp(t, `s a renews the Lease, \d+ times until \d+\.\d{3}s\n`, folded)
	assert.Less(t, strings.Count(folded, "\n"), strings.Count(every, "\n")/2)
	told := 0
	for _, m := range regexp.MustCompile(`renews the Lease, (\d+) times`).FindAllStringSubmatch(folded, -1) {
		var n int
		require.NoError(t, json.Unmarshal([]byte(m[1]), &n))
		told += n
	}
	told += strings.Count(folded, "renews the Lease.")
	assert.Equal(t, strings.Count(every, "renews the Lease."), told, "no renewal is lost")
	for line := range strings.Lines(every) { // every other event is told as before
		if strings.Contains(line, "leading") || strings.Contains(line, "crashes") {
			assert.Contains(t, folded, line)
		}
	}
}

// There is color on request, none in a pipe, and NO_COLOR is obeyed; without its codes the text is the same.
func TestColor(t *testing.T) {
	for _, c := range []struct {
		line, colored string
	}{
		{"run crash", "\x1b[32m"},
		{"explain paused-leader", "\x1b[31mviolation 1: moreThanOneActive (safety)"},
		{"run graceful-stop --against graceful-stop-release", "\x1b[33m* "},
		{"sweep paused-leader --set elector.retryPeriod=1s,2s", "\x1b[33m1s "},
		{"explain paused-leader --point-of-no-return --rule moreThanOneActive --runs 2 --points 2", "\x1b[31mInevitable from 00:00.000 on"},
		{"run crash --seeds 1..2", "\n0.0 % (0.0 "}, // no two leaders: no color
		{"scenarios", "\x1b[1mTo begin with\x1b[0m\n"},
	} {
		plain, err := leaselab(strings.Fields(c.line)...)
		require.NoError(t, err)
		assert.NotContains(t, plain, "\x1b", c.line)
		colored, err := leaselab(strings.Fields(c.line + " --color always")...)
		require.NoError(t, err)
		assert.Contains(t, colored, c.colored)
		assert.Equal(t, plain, regexp.MustCompile("\x1b\\[\\d+m").ReplaceAllString(colored, ""), c.line)
	}
	terminal, err := os.OpenFile("/dev/null", os.O_WRONLY, 0) // a character device, as a terminal is
	require.NoError(t, err)
	defer terminal.Close()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	assert.True(t, paletteFor(newStandardOutput(terminal), "auto").on)
	t.Setenv("NO_COLOR", "1")
	assert.False(t, paletteFor(newStandardOutput(terminal), "auto").on)
}

// Each line of ndjson has the names by which assertions count it, and the Lease of that instant.
func TestEventsHaveNamesAndTheLease(t *testing.T) {
	out, err := leaselab("run", "crash", "-o", "ndjson")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var crashed, took bool
	for _, line := range lines[:len(lines)-1] {
		var e history.Event
		require.NoError(t, json.Unmarshal([]byte(line), &struct {
			*history.Event
			T any `json:"t"`
		}{Event: &e}))
		require.NotEmpty(t, e.Events, line)
		crashed = crashed || slices.Contains(e.Events, "crashed") && e.Holder == "a"
		if crashed && slices.Contains(e.Events, "startedLeading") {
			took = true
			assert.NotEqual(t, "a", e.Holder)
			assert.Equal(t, e.Node, e.Holder)
			assert.Equal(t, int32(1), e.Transitions)
		}
	}
	assert.True(t, crashed)
	assert.True(t, took)
}

// A link of the page opens as its scenario, and a link to a file opens as the file.
func TestLinks(t *testing.T) {
	source, err := leaselab("scenarios", "paused-leader")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "mine.yaml")
	require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
	want, err := leaselab("run", path, "-o", "json")
	require.NoError(t, err)

	address, err := leaselab("export", "link", path, "--at", "40s", "--page", "https://example.com/lab/#old")
	require.NoError(t, err)
	assert.Regexp(t, `^https://example\.com/lab/#v1\.[\w-]+\n$`, address)
	byLink, err := leaselab("run", strings.TrimSpace(address), "-o", "json")
	require.NoError(t, err)
	assert.Equal(t, want, byLink)

	opened, err := leaselab("export", "scenario", strings.TrimSpace(address))
	require.NoError(t, err)
	assert.Contains(t, opened, "kind: Scenario\n")
	assert.Contains(t, opened, "the link shows the run at 00:40.000, computed up to 00:40.000")
	assert.Contains(t, opened, "this engine reproduces the same run: trace hash ")
	opened, err = leaselab("export", "scenario", "#crash&speed=2")
	require.NoError(t, err)
	assert.Contains(t, opened, `the link contains "speed=2", which leaselab does not know and ignores`)

	byName, err := leaselab("export", "link", "paused-leader", "--seed", "7")
	require.NoError(t, err)
	assert.Less(t, len(byName), 250, "it has the name, not the scenario")
	withSeed, err := leaselab("run", strings.TrimSpace(byName), "-o", "json")
	require.NoError(t, err)
	direct, err := leaselab("run", "paused-leader", "--seed", "7", "-o", "json")
	require.NoError(t, err)
	assert.Equal(t, direct, withSeed)

	_, err = leaselab("run", strings.TrimSpace(address[:len(address)-3]))
	assert.ErrorContains(t, err, "damaged or cut short")
	_, err = leaselab("export", "scenario", "#nowhere")
	assert.ErrorContains(t, err, `no scenario is named "nowhere"`)
}

// A flag without a text is refused: a variable that is not set must not make a whole sweep of a shard.
func TestEmptyFlags(t *testing.T) {
	for _, args := range [][]string{
		{"sweep", "crash", "--set", "duration=2m", "--shard", ""},
		{"sweep", "crash", "--set", "duration=2m", "--seeds="}, {"hunt", "crash", "--failures", ""}, {"run", "crash", "--out", ""},
		{"shrink", "paused-leader", "--rule="}, {"explore", "crash", "--window="}, {"explore", "crash", "--jitter", ""},
		{"advise", "takeover=30s", "--scenario="},
	} {
		_, err := leaselab(args...)
		assert.ErrorContains(t, err, "is empty: give it a value, or leave it out", args)
	}
}
