package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/words"
)

// hostile writes to the clipboard, hides text, moves the cursor, turns the direction of a text, and begins as a formula.
const hostile = "=HYPERLINK(\"x\")\x1b]52;c;aGk=\x07\x1b[8m\u202eevil\u2066\u0085\u009b31m\x7f\r\b\x9b\U000f1234"

// fed lists command lines for a hostile input: TEXT is the input itself, and each other upper-case word is a file that contains
// it.
var fed = []string{
	"run SCENARIO", "run SCENARIO -o json", "run SCENARIO -o ndjson", "run SCENARIO --fold --color always", "run SCENARIO -q --seeds 1..2",
	"run SCENARIO --set title=TEXT", "run TEXT", "run -- TEXT", "run SCENARIO --set TEXT", "run SCENARIO --rule TEXT",
	"run SCENARIO --against crash", "run SCENARIO --against crash -o json", "run crash --against SCENARIO --color always", "run BROKEN", "run RECORD",
	"explain SCENARIO", "explain SCENARIO -o json", "explain SCENARIO --counterfactuals --color always", "explain TEXT", "explain RECORD",
	"sweep SCENARIO --set elector.retryPeriod=1s,2s", "sweep SCENARIO --set elector.retryPeriod=1s,2s -o csv", "sweep SCENARIO --set title=TEXT,b -o csv",
	"sweep SCENARIO --set title=TEXT,b", "sweep SCENARIO --set TEXT=1", "sweep merge BROKEN",
	"hunt SCENARIO --runs 2", "hunt SCENARIO --runs 2 -o json", "hunt SCENARIO --faults TEXT", "shrink SCENARIO", "shrink SCENARIO -o json",
	"explore SCENARIO --window 20s..21s --rule leaderless>1s", "explore SCENARIO --window 20s..21s --rule leaderless>1s -o yaml", "explore SCENARIO --rule TEXT",
	"advise TEXT=5s", "advise takeover=TEXT", "numbers TEXT", "checkup TEXT", "checkup LOG", "checkup SCENARIO -o json", "why TEXT", "why LOG", "why SCENARIO -o json", "scenarios TEXT", "scenarios check SCENARIO", "scenarios check BROKEN", "scenarios check LESSON",
	"schema TEXT", "score TEXT", "score -- TEXT", "test SCENARIO -- TEXT", "test TEXT -- true", "test --suite TEXT -- true", "test SCENARIO --works-from TEXT --works-until TEXT -- true",
	"import LOG", "import LOG -o json", "import AUDIT LOG", "import --judge LOG", "import --judge RECORD", "import RECORD", "import RECORD -o scenario", "import TEXT",
	"serve --addr TEXT", "serve --scenario TEXT", "serve --faults TEXT", "serve --crds BROKEN", "serve --rbac BROKEN --token x", "serve --fixture BROKEN", "serve --feature-gates TEXT",
	"serve --token TEXT", "serve --accept-hosts TEXT", "serve --embed-from TEXT", "completion TEXT", "TEXT", "TEXT --help", "help TEXT", "--TEXT", "run --TEXT", "opening", "reference",
}

// exported are the formats of export.
var exported = []string{"csv", "csv --of leaders", "go-test", "link", "markdown", "mermaid", "ndjson", "svg", "scenario"}

// inputs writes the files that contain a text.
func inputs(t testing.TB, text string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	quoted := func(v any) string {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		return string(data)
	}
	one := strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
	whole := fmt.Sprintf(`{"apiVersion":"leaselab.dev/v1alpha1","kind":"Scenario","name":"real","title":%[1]s,"summary":%[1]s,"seed":1,"duration":"60s",`+
		`"candidates":[{"name":"a","identity":%[2]s},{"name":"b","startAt":"100ms"}],"actions":[{"at":"20s","act":"pause","target":"a","for":"30s"}]}`, quoted(text), quoted("a"+text))
	write := func(second int, holder string) string {
		lease := fmt.Sprintf(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"demo","namespace":"default","annotations":{"x":%s}},"spec":{"holderIdentity":%s,"leaseDurationSeconds":15,"leaseTransitions":%d}}`, quoted(text), quoted(holder), second)
		return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","stage":"ResponseComplete","requestURI":"/apis/coordination.k8s.io/v1/namespaces/default/leases/demo","verb":"update","user":{"username":%[1]s},"userAgent":%[1]s,`+
			`"objectRef":{"resource":"leases","namespace":"default","name":"demo","apiGroup":"coordination.k8s.io","apiVersion":"v1"},"responseStatus":{"code":200},"requestObject":%[2]s,"responseObject":%[2]s,`+
			`"requestReceivedTimestamp":"2026-11-27T10:00:0%[3]d.000000Z","stageTimestamp":"2026-11-27T10:00:0%[3]d.010000Z"}`+"\n", quoted(text), lease, second)
	}
	files := map[string]string{
		"SCENARIO": whole,
		"BROKEN":   "apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\n" + one + ": 1\nname: " + quoted(text) + "\nduration: " + quoted(text) + "\ncandidates: [{name: " + quoted(text) + "}]\n",
		"LESSON":   "apiVersion: leaselab.dev/v1alpha1\nkind: Lesson\ntitle: " + quoted(text) + "\nsteps: [{text: " + quoted(text) + ", ask: " + quoted(text) + "}]\n",
		"LOG": "I1127 10:00:00.000000 1 leaderelection.go:250] attempting to acquire leader lease default/demo...\n" +
			"I1127 10:00:01.000000 1 leaderelection.go:260] successfully acquired lease default/" + one + "\nE1127 10:00:02.000000 1 leaderelection.go:332] error retrieving resource lock default/demo: " + one + "\n",
		"AUDIT":  write(1, "first") + write(2, text) + write(3, text) + write(4, "last"),
		"RECORD": `{"record":"leaselab.dev/record/v1","engine":4,"scenario":` + whole + "}\n" + one + "\n",
	}
	named := map[string]string{}
	for _, kind := range slices.Sorted(maps.Keys(files)) {
		named[kind] = filepath.Join(dir, strings.ToLower(kind))
		require.NoError(t, os.WriteFile(named[kind], []byte(files[kind]), 0o600))
	}
	return named
}

// argumentsOf fills a command line in.
func argumentsOf(line, text string, files map[string]string) []string {
	var args []string
	for _, word := range strings.Fields(line) {
		if file := files[word]; file != "" {
			word = file
		}
		args = append(args, strings.ReplaceAll(word, "TEXT", strings.ReplaceAll(text, "\x00", "")))
	}
	return args
}

// seenBy runs a command and returns what a user would see, on both outputs.
func seenBy(args []string) string {
	var out bytes.Buffer
	root := command()
	root.SetArgs(args)
	root.SetOut(newStandardOutput(&out))
	said := &cleaner{out: &out}
	root.SetErr(said)
	if err := root.Execute(); err != nil {
		fmt.Fprintln(said, "leaselab:", err)
	}
	return out.String()
}

// isSafe reports whether a text can do nothing to a terminal but color it with leaselab's own colors.
func isSafe(text string) bool {
	for _, color := range []string{red, green, yellow, faint, bold, "0"} {
		text = strings.ReplaceAll(text, "\x1b["+color+"m", "")
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && words.IsControl(r) })
}

// Whatever a scenario, a log, a record or an argument contains, no command prints a character that acts on the terminal.
func TestNoInputActsOnTheTerminal(t *testing.T) {
	files := inputs(t, hostile)
	lines := fed
	for _, format := range exported {
		lines = append(lines, "export "+format+" SCENARIO", "export "+format+" LOG", "export "+format+" AUDIT")
	}
	has := 0
	for _, line := range lines {
		text := seenBy(argumentsOf(line, hostile, files))
		assert.True(t, isSafe(text), "leaselab %s: %q", line, text)
		if strings.Contains(text, `\u001b]52`) || strings.Contains(text, `\x1b]52`) || strings.Contains(text, `\e]52`) {
			has++
		}
	}
	assert.Greater(t, has, 40, "the text arrives")
}

// Each command takes part in the test above.
func TestEveryCommandIsFed(t *testing.T) {
	text := strings.Join(fed, "\n")
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		for _, one := range c.Commands() {
			each(one)
		}
		name := strings.TrimPrefix(c.CommandPath(), "leaselab ")
		if c.HasParent() && !c.HasSubCommands() && !c.Hidden && c.Parent().Name() != "export" && name != "stills" {
			assert.Regexp(t, `(?m)^`+name+`\b`, text)
		}
	}
	each(command())
}

// slow matches the command lines that do not fit into a fuzz test.
var slow = regexp.MustCompile(`^(test|score|serve|shrink|explore|hunt|advise|opening|reference)|--counterfactuals`)

// FuzzTerminal: no text acts on the terminal, whichever command it goes into, nor makes a formula.
func FuzzTerminal(f *testing.F) {
	for i, text := range []string{hostile, "\x1b[31mred\x1b[0m", "\xc2", "\xe2\x80", "\r", "-1+1", "@x\n=1", pen + "[31m"} {
		f.Add(text, uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		if strings.Contains(text, pen) && len(text) < 5 || len(text) > 1000 {
			return // nobody knows the pen
		}
		text = strings.ReplaceAll(text, pen, "")
		quick := slices.DeleteFunc(slices.Clone(fed), func(line string) bool {
			return slow.MatchString(line)
		})
		files := inputs(t, text)
		line := quick[int(which)%len(quick)]
		seen := seenBy(argumentsOf(line, text, files))
		require.True(t, isSafe(seen), "leaselab %s: %q", line, seen)
		areCells(t, seenBy([]string{"export", "csv", files["SCENARIO"]}))
	})
}

// areCells checks that no cell of a table is a formula.
func areCells(t *testing.T, table string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		return // an error instead of a table
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
				_, err := strconv.ParseFloat(cell, 64)
				assert.NoError(t, err, cell)
			}
		}
	}
}

// No cell of a table is a formula; numbers stay numbers.
func TestNoCellIsAFormula(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "a", "=1": "'=1", "+1": "+1", "-1.5": "-1.5", "-1+1": "'-1+1", "@x": "'@x", "\tx": "'\tx", "＝1": "'＝1", "-0s": "'-0s"} {
		assert.Equal(t, want, words.Cell(text))
	}
	files := inputs(t, "=1+1")
	for _, line := range []string{"export csv SCENARIO", "export csv AUDIT", "export csv --of leaders AUDIT", "sweep SCENARIO --set title==1+1,@b -o csv"} {
		table := seenBy(argumentsOf(line, "", files))
		assert.Contains(t, table, "'", line)
		areCells(t, table)
	}
}

// A scenario in YAML reads back unchanged, whatever its texts are.
func TestHostileScenariosReadBack(t *testing.T) {
	want, err := load(inputs(t, hostile)["SCENARIO"])
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "again.yaml")
	require.NoError(t, os.WriteFile(file, []byte(seenBy([]string{"export", "scenario", inputs(t, hostile)["SCENARIO"], "-o", "yaml"})), 0o600))
	got, err := load(file)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

// A text that arrives in pieces comes out as the same text in one piece does.
func TestCleanerTakesPieces(t *testing.T) {
	text := []byte("é→" + hostile + "\r\n" + pen + "[31mred" + pen + "[0m\xe2\x80")
	var whole bytes.Buffer
	c := &cleaner{out: &whole}
	_, err := c.Write(text)
	require.NoError(t, err)
	require.NoError(t, c.finish())
	assert.Contains(t, whole.String(), "é→=HYPERLINK(\"x\")\\u001b]52;c;aGk=\\u0007")
	assert.Contains(t, whole.String(), "\\u000d\\u0008")
	assert.Contains(t, whole.String(), "\r\n\x1b[31mred\x1b[0m\ufffd")
	for size := 1; size < 9; size++ {
		var out bytes.Buffer
		c := &cleaner{out: &out}
		for piece := range slices.Chunk(text, size) {
			n, err := c.Write(piece)
			require.NoError(t, err)
			require.Equal(t, len(piece), n)
		}
		require.NoError(t, c.finish())
		assert.Equal(t, whole.String(), out.String())
	}
}

// Standard error waits for its reader for a moment, goes on without it, and says how much is missing.
func TestStandardErrorWithoutAReader(t *testing.T) {
	in, out := io.Pipe()
	e := &standardError{out: out}
	begun := time.Now()
	for i := range saidMost + 100 {
		n, err := fmt.Fprintf(e, "line %d\n", i)
		require.NoError(t, err)
		require.Positive(t, n)
	}
	e.end()
	assert.Less(t, time.Since(begun), 5*time.Second)
	read := make(chan string)
	go func() {
		data, _ := io.ReadAll(in)
		read <- string(data)
	}()
	assert.Eventually(t, func() bool { return len(e.queue) == 0 }, 5*time.Second, time.Millisecond)
	_, err := fmt.Fprintln(e, "the last line")
	require.NoError(t, err)
	e.end()
	require.NoError(t, out.Close())
	text := <-read
	assert.Contains(t, text, "line 0\nline 1\n")
	assert.Regexp(t, `leaselab: \d+ lines are missing here, because nobody read standard error in time`, text)
	assert.Contains(t, text, "the last line\n")
}
