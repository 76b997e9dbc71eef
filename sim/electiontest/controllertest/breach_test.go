package controllertest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/explain"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/view/export/gotest"
)

// exported is the text of a scenario's test.
func exported(t *testing.T, name string, o gotest.Options) (*gotest.Test, string) {
	t.Helper()
	s, known := shipped.ByName(name)
	require.True(t, known, name)
	o.Encode = yaml.Encode
	one, err := gotest.Export(s, o)
	require.NoError(t, err, name)
	return one, one.Text
}

// cut splits the text of an exported test before its assertions and behind them.
func cut(t *testing.T, text string) (before, check, after string) {
	t.Helper()
	at := -1
	for _, begin := range []string{"\t// Jitter decides", "\tconst seeds", "\tresult := electiontest.Run"} {
		if at < 0 {
			at = strings.Index(text, begin)
		}
	}
	require.Positive(t, at)
	end := at + strings.Index(text[at:], "\n}\n") + 3
	return text[:at], text[at:end], text[end:]
}

// used makes every package that a check may need imported and used.
func used(text string) string {
	for _, name := range []string{"slices", "strings", "time"} {
		if !strings.Contains(text, "\t\""+name+"\"\n") {
			text = strings.Replace(text, "\t\"testing\"\n", "\t\""+name+"\"\n\t\"testing\"\n", 1)
		}
	}
	return text + "\nvar _, _, _ = slices.Contains[[]string], strings.Join, time.Now\n"
}

// fixed is the test of one scenario's breach with the scenario and the program of its fixed partner.
func fixed(t *testing.T, name, partner string, o gotest.Options) string {
	t.Helper()
	_, text := exported(t, name, o)
	o.Violation = false
	_, other := exported(t, partner, o)
	_, check, _ := cut(t, text)
	before, _, after := cut(t, other)
	return used(before + check + after)
}

// careful wraps the lock of an exported test, so that a release ends the work first and leaves another's Lease alone.
func careful(t *testing.T, text string) string {
	t.Helper()
	source, err := os.ReadFile("../../conformance/programs/score_test.go")
	require.NoError(t, err)
	_, lock, found := strings.Cut(string(source), "\ntype carefulLock struct")
	require.True(t, found)
	lock, _, found = strings.Cut(lock, "\n// electReleasing")
	require.True(t, found)
	for _, one := range [][2]string{
		{"\t\tleaderelection.RunOrDie(electing, leaderelection.LeaderElectionConfig{\n\t\t\tLock: &", "\t\tlock.Interface = &"},
		{"\t\t\t},\n\t\t\tLeaseDuration:", "\t\t\t}\n\t\tleaderelection.RunOrDie(electing, leaderelection.LeaderElectionConfig{\n\t\t\tLock: lock,\n\t\t\tLeaseDuration:"},
		{"\t\telecting := ctx\n", `		electing := ctx
		var stop context.CancelFunc
		ended := make(chan struct{})
		lock := &carefulLock{endWork: func() {
			if stop != nil {
				stop()
				<-ended
			}
		}}
`},
		{"defer n.Work(leading)()", "defer close(ended)\n\t\t\t\t\tleading, stop = context.WithCancel(leading)\n\t\t\t\t\tdefer n.Work(leading)()"},
	} {
		require.Equal(t, 1, strings.Count(text, one[0]), one[0])
		text = strings.Replace(text, one[0], one[1], 1)
	}
	if !strings.Contains(text, "\t\"errors\"\n") {
		text = strings.Replace(text, "import (\n", "import (\n\t\"errors\"\n", 1)
	}
	return used(text) + "\ntype carefulLock struct" + strings.ReplaceAll(lock, "defaults.Renew", "10*time.Second")
}

// fix is a scenario with a bug in client-go or in its use, and a scenario without it. b05 has a wrapper of the lock instead.
type fix struct{ broken, partner string }

var fixes = []fix{
	{"b05-wiped-lease", ""},
	{"b02-three-second-margin", "b02-three-second-margin-fixed"},
	{"b04-released-too-early", "b04-released-too-early-fixed"},
	{"b06-slow-stop-hook", "b06-slow-stop-hook-fixed"},
	{"b07-work-without-a-lease", "b07-work-without-a-lease-fixed"},
	{"b21-retry-sleep", "b21-retry-sleep-fixed"},
	{"b25-old-primary", "b25-old-primary-fixed"},
}

// On unmodified client-go, the test of an incident fails, and the one that expects the violation passes. With the fix it is the
// other way round. Both hold for tests with electiontest and for standalone ones, whose module has no leaselab.
func TestBugAndFix(t *testing.T) {
	if testing.Short() {
		t.Skip("builds 56 test programs with client-go")
	}
	t.Parallel()
	with, alone := newOutside(t), newOutside(t)
	mod, err := os.ReadFile(filepath.Join(alone.dir, "go.mod"))
	require.NoError(t, err)
	var kept []string
	for line := range strings.Lines(string(mod)) {
		if !strings.Contains(line, "leaselab/leaselab") {
			kept = append(kept, line)
		}
	}
	alone.write(t, "go.mod", strings.Join(kept, ""))
	want := map[string]string{}
	for _, one := range fixes {
		for _, o := range []gotest.Options{{}, {Violation: true}, {Standalone: true}, {Standalone: true, Violation: true}} {
			test, broken := exported(t, one.broken, o)
			repaired := ""
			if one.partner == "" {
				repaired = careful(t, broken)
			} else {
				repaired = fixed(t, one.broken, one.partner, o)
			}
			for k, text := range []string{broken, repaired} {
				module, name := with, test.Name+map[bool]string{true: "Expected"}[o.Violation]+[]string{"", "Fixed"}[k]
				if o.Standalone {
					module, name = alone, name+"Alone"
				}
				at := strings.Index(text, "func Test")
				text = text[:at] + "func " + name + text[at+strings.Index(text[at:], "("):]
				require.NoError(t, os.Mkdir(filepath.Join(module.dir, name), 0o755))
				module.write(t, filepath.Join(name, "x_test.go"), text)
				want[name] = map[bool]string{true: "pass", false: "fail"}[o.Violation == (k == 0)]
			}
		}
	}
	got, output := with.tests(t)
	gotAlone, outputAlone := alone.tests(t)
	for name, outcome := range want {
		if strings.HasSuffix(name, "Alone") {
			assert.Equal(t, outcome, gotAlone[name], "%s: %s", name, outputAlone[name])
			continue
		}
		assert.Equal(t, outcome, got[name], "%s: %s", name, output[name])
	}
}

// The release of client-go and the functions in it that an exported test names are the ones of this module.
func TestUpstreamFunctions(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	require.Contains(t, string(mod), "k8s.io/client-go "+explain.ClientGo+"\n")
	out, err := newOutside(t).run("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/client-go")
	require.NoError(t, err, out)
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(out), "tools/leaderelection/leaderelection.go"))
	require.NoError(t, err)
	named := map[string]bool{}
	for _, one := range fixes {
		test, _ := exported(t, one.broken, gotest.Options{})
		require.NotEmpty(t, test.Breach.Function, one.broken)
		named[test.Breach.Function] = true
		assert.Contains(t, string(source), "func (le *LeaderElector) "+test.Breach.Function+"(", one.broken)
	}
	assert.Equal(t, map[string]bool{"release": true, "renew": true, "Run": true}, named)
}
