package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/run"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/words"
)

// The documentation has every command that --help lists, with every flag, and every checker.
func TestReferenceIsComplete(t *testing.T) {
	r := referenceOf(command())
	require.Len(t, r.Checkers, len(rules.All()))
	flags := map[string]int{}
	for _, c := range r.Commands {
		assert.NotEmpty(t, c.Short, c.Line)
		for _, f := range c.Flags {
			assert.NotEmpty(t, f.Usage, "%s --%s", c.Line, f.Name)
			flags[f.Name]++
		}
	}
	for _, known := range []string{"seed", "seeds", "set", "addr", "scenario", "feature-gates", "counterfactuals"} {
		assert.NotZero(t, flags[known], known)
	}
	listed := 0
	for _, c := range command().Commands() {
		if !c.Hidden {
			listed++
		}
	}
	assert.GreaterOrEqual(t, len(r.Commands), listed)
}

// Every help text belongs to a command.
func TestHelpTextsHaveCommands(t *testing.T) {
	files, err := helpTexts.ReadDir("help")
	require.NoError(t, err)
	texts := map[string]bool{}
	for _, c := range visible(command()) {
		_, path, _ := strings.Cut(c.CommandPath(), " ")
		texts[strings.ReplaceAll(path, " ", "-")+".md"] = c.Long != ""
	}
	for _, file := range files {
		assert.True(t, texts[file.Name()], file.Name())
	}
}

// Runs measure the margins that the documentation gives.
func TestMarginsOfTheDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../../web/docs/guarantees.md")
	require.NoError(t, err)
	for says, settings := range map[string]string{
		"client-go's defaults (15 s, 10 s, 2 s)": `"elector":{}`,
		"the same, and the answer to a renewal takes 3 s": `"elector":{},"actions":[{"at":"20s","act":"latency",` +
			`"target":"a","response":"3s"}]`,
		"the same, and the answer takes 4.9 s": `"elector":{},"actions":[{"at":"20s","act":"latency","target":"a",` +
			`"response":"4.9s"}]`,
		"leaseDuration 20 s": `"elector":{"leaseDuration":"20s"}`,
		"renewDeadline 5 s":  `"elector":{"renewDeadline":"5s"}`,
	} {
		s, err := scenario.Decode(
			[]byte(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","seed":1,"duration":"40s",` +
				`"candidates":[{"name":"a"},{"name":"b","startAt":"100ms"}],` + settings + `}`))
		require.NoError(t, err)
		r := run.Plain(s)
		r.To(int64(40*time.Second), nil)
		_, least, ok := r.Checks.Margin()
		require.True(t, ok)
		assert.Contains(t, string(page), "| "+says+" | "+words.Seconds(least)+" |\n")
	}
}

// Every command that the README, the documentation and the text for coding agents tell to run exists, with its flags.
func TestCommandsInTheDocumentationExist(t *testing.T) {
	inBlock, inText := regexp.MustCompile(`(?m)^(?:\$ )?leaselab ([a-z].*)$`), regexp.MustCompile("`leaselab ([a-z][^`\n]*)`")
	files, err := filepath.Glob("../../../web/docs/*.md")
	require.NoError(t, err)
	questions, err := filepath.Glob("../../../web/docs/q/*.md")
	require.NoError(t, err)
	for _, file := range append(append(files, questions...), "../../../README.md", "../../../web/docs/agents/SKILL.md") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for i, part := range strings.Split(string(text), "\n```") { // every second part is a block of code
			for _, told := range []*regexp.Regexp{inText, inBlock}[i%2].FindAllStringSubmatch(part, -1) {
				parses(t, file, told[1])
			}
		}
	}
}

// parses checks the subcommand and the flags of a command line. A line of the text may end with a flag's name.
func parses(t *testing.T, file, line string) {
	t.Helper()
	args := strings.Fields(strings.NewReplacer("'", "", `"`, "").Replace(line))
	if end := slices.IndexFunc(args, func(one string) bool {
		return one == "--" || strings.ContainsAny(one[:1], "#|>&")
	}); end >= 0 {
		args = args[:end]
	}
	root := command()
	root.InitDefaultCompletionCmd(args...)
	c, rest, err := root.Find(args)
	if !assert.NoError(t, err, "%s: %s", file, line) {
		return
	}
	assert.NotEqual(t, root, c, "%s: %s", file, line)
	if err = c.ParseFlags(rest); err != nil {
		assert.NoError(t, c.ParseFlags(append(rest, "1")), "%s: %s", file, line)
	}
}
