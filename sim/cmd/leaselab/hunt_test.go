package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/rules"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/study/hunt"
)

func huntedBy(t *testing.T, args ...string) (report hunted, code int) {
	t.Helper()
	out, err := leaselab(append([]string{"hunt", "-o", "json"}, args...)...)
	var exit exitError
	if errors.As(err, &exit) {
		code = exit.code
	} else {
		require.NoError(t, err)
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	return report, code
}

// A hunt finds what breaks a rule, each failure runs again as a file and by its replay line, and the exit code is that of the worst.
func TestHunt(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	dir := filepath.Join(t.TempDir(), "found")
	report, code := huntedBy(t, "first-election", "--runs", "60", "--faults", "pause,crash", "--failures", dir)
	assert.Equal(t, 3, code)
	assert.Equal(t, 60, report.Runs)
	require.NotEmpty(t, report.Failures)
	for i, f := range report.Failures {
		assert.Equal(t, rules.MoreThanOneActive, f.Rule)
		assert.Len(t, f.Scenario.Actions, f.Acts)
		assert.LessOrEqual(t, f.Acts, f.Found)
		_, err := leaselab(strings.Fields(strings.TrimPrefix(f.Replay, "leaselab "))...)
		require.NoError(t, err, f.Replay)
		file, err := os.ReadFile(filepath.Join(dir, "hunt-"+string(rune('1'+i))+".yaml"))
		require.NoError(t, err)
		assert.Contains(t, string(file), "violation: "+f.Rule)
	}
	again, _ := huntedBy(t, "first-election", "--runs", "60", "--faults", "pause,crash")
	require.Len(t, again.Failures, len(report.Failures))
	for i, f := range again.Failures {
		assert.Equal(t, scenario.Encode(report.Failures[i].Scenario), scenario.Encode(f.Scenario))
		link := strings.Trim(strings.TrimPrefix(f.Replay, "leaselab run "), "'")
		_, err := leaselab("run", link)
		require.NoError(t, err, f.Replay)
	}
	report, code = huntedBy(t, "first-election", "--runs", "20", "--faults", "jump")
	assert.Zero(t, code)
	assert.Empty(t, report.Failures)
}

// A hunt that is kept in a file goes on from there, and gives what it gives in one go.
func TestHuntResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs: runs without -short")
	}
	file := filepath.Join(t.TempDir(), "hunt.runs")
	whole, _ := huntedBy(t, "first-election", "--runs", "96")
	first, _ := huntedBy(t, "first-election", "--runs", "40", "--resume", file)
	assert.Equal(t, 40, first.Runs)
	rest, _ := huntedBy(t, "first-election", "--runs", "96", "--resume", file)
	whole.Seconds, rest.Seconds = 0, 0
	assert.Equal(t, whole, rest)
	few, _ := huntedBy(t, "first-election", "--runs", "8")
	known, _ := huntedBy(t, "first-election", "--runs", "8", "--resume", file)
	few.Seconds, known.Seconds = 0, 0
	assert.Equal(t, few, known, "of a file with more runs")
	_, err := leaselab("hunt", "crash", "--resume", file)
	assert.ErrorContains(t, err, "another scenario, or other arguments; name another file, or delete this one and start again: leaselab hunt crash --resume="+file)
	_, err = leaselab("hunt", "first-election", "--faults", "cut,fail", "--resume", file)
	assert.ErrorContains(t, err, "start again: leaselab hunt first-election --faults=cut --faults=fail --resume="+file)
}

// A hunt whose file says that it is over writes the files that its replay commands name.
func TestHuntThatIsOver(t *testing.T) {
	file, dir := filepath.Join(t.TempDir(), "hunt.runs"), filepath.Join(t.TempDir(), "found")
	first, _ := huntedBy(t, "first-election", "--runs", "4", "--resume", file)
	require.NotEmpty(t, first.Failures)
	report, code := huntedBy(t, "first-election", "--runs", "4", "--resume", file, "--failures", dir)
	assert.Equal(t, 3, code)
	require.NotEmpty(t, report.Failures)
	for _, f := range report.Failures {
		_, err := leaselab(strings.Fields(strings.TrimPrefix(f.Replay, "leaselab "))...)
		assert.NoError(t, err, f.Replay)
	}
	_, err := leaselab("hunt", "first-election", "--runs", "4", "--failures", dir)
	require.ErrorContains(t, err, "hunt-1.yaml is there already, and this hunt would replace it")
}

// A scenario that is too long for a link has a way to run it again, too.
func TestHuntOfALongScenario(t *testing.T) {
	text := "apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nduration: 10s\ncandidates:\n"
	for i := range 1500 {
		text += fmt.Sprintf("  - {name: pod-%016x}\n", uint64(i+1)*0x9E3779B97F4A7C15)
	}
	long, err := yaml.Decode([]byte(text))
	require.NoError(t, err)
	replay := (&huntFlags{}).replay(0, &hunt.Failure{Scenario: long})
	assert.Equal(t, fromInput, replay)
	var out strings.Builder
	writeHunted(painter{Writer: &out}, &hunted{Failures: []huntedFailure{{Replay: replay}}})
	assert.Contains(t, out.String(), "replay: its scenario is too long for a link; --failures DIRECTORY writes it to a file, and -o json prints it\n")
	assert.NotContains(t, out.String(), fromInput)
}

func TestHuntRefuses(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"--runs 1000000000000", "--runs 1000000000000 must be 1 to 10000000, the limit of one hunt; to limit the time instead, use --budget 10m"},
		{"--runs -1", "--runs -1 must be 1 to"},
		{"--runs 0", "--runs 0 must be 1 to"},
		{"--runs 1.5", `--runs "1.5": must be a whole number`},
		{"--budget -1s", "--budget -1s must be above 0"},
		{"--budget 0s", "--budget 0s must be above 0"},
		{"--faults=", "--faults is empty: give it a value, or leave it out"},
		{"--faults pasue", `did you mean "pause"?`},
		{"--seed -1", "--seed"},
		{"-o yaml", "must be text or json"},
	} {
		_, err := leaselab(append([]string{"hunt", "crash"}, strings.Fields(c.args)...)...)
		require.Error(t, err, c.args)
		assert.Contains(t, err.Error(), c.says)
	}
	text, err := leaselab("hunt", "first-election", "--budget", "1ns")
	require.NoError(t, err)
	assert.Contains(t, text, "0 distinct failures")
}

func TestShrink(t *testing.T) {
	out, err := leaselab("shrink", "paused-leader", "-o", "yaml")
	require.NoError(t, err)
	assert.Contains(t, out, "leaselab: run ", "what it leaves out, on standard error")
	assert.Regexp(t, `leaselab: act 1, pause of the holder at 2s: any .at. from \S+ to \S+\n`, out)
	path := filepath.Join(t.TempDir(), "small.yaml")
	require.NoError(t, os.WriteFile(path, []byte(out[strings.Index(out, "apiVersion"):]), 0o600))
	_, err = leaselab("run", path)
	require.NoError(t, err, "its assertions say what it breaks")

	_, err = leaselab("shrink", "crash")
	assert.ErrorContains(t, err, "crash with seed 1 breaks no rule of safety or liveness and fails no assertion")
	_, err = leaselab("shrink", "crash", "--rule", rules.NoRecovery, "--seed", "3")
	assert.ErrorContains(t, err, "crash with seed 3 does not break noRecovery")
	_, err = leaselab("shrink", "crash", "--rule", "noRecover")
	assert.ErrorContains(t, err, `--rule: unknown rule "noRecover"`)
}
