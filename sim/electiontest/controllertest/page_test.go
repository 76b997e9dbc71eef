package controllertest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// block is a block of code of a page: its language, the word after it, and its text.
var block = regexp.MustCompile("(?ms)^```(\\w+) ?([\\w.]*)\n(.*?)^```$")

// The page "Test your operator's election in five minutes", followed by the letter: its files are written, its commands run
// in order, and what it shows of their output is in their output.
func TestThePageOfTheDocumentation(t *testing.T) {
	inTestLong(t)
	t.Parallel()
	page, err := os.ReadFile("../../../web/docs/operator.md")
	require.NoError(t, err)
	dir := t.TempDir()
	env := append(published(t), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "LEASELAB_DIR="+dir,
		"GOBIN="+filepath.Join(dir, "bin"))

	at, output, files, commands := dir, "", 0, 0
	for _, b := range block.FindAllStringSubmatch(string(page), -1) {
		language, word, text := b[1], b[2], b[3]
		switch language {
		case "sh":
			c := exec.Command("bash", "-euc", text+"pwd > '"+dir+"/at'\n")
			c.Dir = at
			c.Env = env
			out, err := c.CombinedOutput()
			output = string(out)
			if strings.Contains(output, "dial tcp") {
				t.Skipf("not run: the page of the documentation: a module and the network are missing:\n%s", output)
			}
			require.Equal(t, word == "fails", err != nil, "%s\n%s", text, output)
			if now, err := os.ReadFile(filepath.Join(dir, "at")); err == nil {
				at = strings.TrimSpace(string(now))
			}
			commands++
		case "text":
			rest := output
			for line := range strings.Lines(text) {
				for part := range strings.SplitSeq(strings.TrimSpace(line), "…") { // what varies
					_, after, found := strings.Cut(rest, part)
					require.True(t, found, "%q of %q is not in what is left of the output:\n%s", part, line, rest)
					rest = after
				}
			}
		default:
			require.NotEmpty(t, word, "a file without a name:\n%s", text)
			require.NoError(t, os.WriteFile(filepath.Join(at, word), []byte(text), 0o644))
			files++
		}
	}
	assert.GreaterOrEqual(t, files, 4)
	assert.GreaterOrEqual(t, commands, 6)
}
