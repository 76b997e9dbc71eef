package programs

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/conformance/served"
	"github.com/leaselab/leaselab/sim/scenario/rules"
)

func TestMain(m *testing.M) {
	code := m.Run()
	served.Clean()
	os.Exit(code)
}

// ran is what a run of the command has left.
type ran struct {
	code      int
	out, said string
}

func runs(t *testing.T, command string, arguments ...string) ran {
	t.Helper()
	process := exec.Command(command, arguments...)
	var out, said bytes.Buffer
	process.Stdout, process.Stderr, process.Dir = &out, &said, t.TempDir()
	err := process.Run()
	var exit *exec.ExitError
	if err != nil {
		require.True(t, errors.As(err, &exit), "%v", err)
	}
	return ran{process.ProcessState.ExitCode(), out.String(), said.String()}
}

// Three real processes over client-go, one of which SIGSTOP stops for 20 s. A program whose work looks at nothing works beside the next
// leader: the report names two workers. The fixed program looks at its Lease before each piece of work, and nothing is broken. The
// record of a run is judged alike.
func TestThreeProcesses(t *testing.T) {
	t.Parallel()
	leaselab := served.BuildCommand(t)
	operator := filepath.Join(t.TempDir(), "operator")
	built := exec.Command("go", "build", "-o", operator, "./operator")
	said, err := built.CombinedOutput()
	require.NoError(t, err, "%s", said)
	scenario, err := filepath.Abs("testdata/pause.yaml")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		arguments []string
		flags     []string
		code      int
		tells     []string
		rules     []string
	}{
		"piece by piece": {
			code: 3, rules: []string{rules.MoreThanOneActive, rules.CallbacksOutOfOrder, rules.KnowsLostStillActive},
			tells: []string{`. and . both lead, for [23]\.\d{3} s\.`, `[abc] resumes after 20\.000 s\.`, `[abc] starts leading without holding the Lease\.`},
		},
		"from a line to a line": {
			arguments: []string{"--silent"}, flags: []string{"--works-from", "^started leading$", "--works-until", "^stopped leading$"},
			code: 3, rules: []string{rules.MoreThanOneActive, rules.KnowsLostStillActive},
			tells: []string{`. and . both lead, for \d\d\.\d{3} s\.`, `[abc] had been paused since 00:04\.000, so it could not know that its Lease had expired\.`},
		},
		"careful": {arguments: []string{"--careful"}, tells: []string{`never two at once`, `[abc] was paused`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			record := filepath.Join(t.TempDir(), "run.ndjson")
			arguments := append([]string{"test", scenario, "--record", record}, c.flags...)
			r := runs(t, leaselab, append(append(arguments, "--", operator), c.arguments...)...)
			require.Equal(t, c.code, r.code, "%s\n%s", r.out, r.said)
			for _, text := range c.tells {
				assert.Regexp(t, text, r.out)
			}
			assert.Regexp(t, `\d  [abc] \| .*Successfully acquired lease`, r.said)

			again := runs(t, leaselab, "import", "--judge", record, "-o", "json")
			assert.Equal(t, c.code, again.code, again.said)
			var summary struct {
				Hash       string
				Violations []struct{ Rule string }
			}
			require.NoError(t, json.Unmarshal([]byte(again.out), &summary))
			assert.Equal(t, regexp.MustCompile(`hash (\S+)`).FindStringSubmatch(r.out)[1], summary.Hash)
			var broken []string
			for _, v := range summary.Violations {
				broken = append(broken, v.Rule)
			}
			assert.ElementsMatch(t, c.rules, broken)
		})
	}
}
