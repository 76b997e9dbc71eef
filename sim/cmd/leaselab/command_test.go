package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leaselab runs the command in this process.
func leaselab(args ...string) (string, error) {
	var out bytes.Buffer
	c := command()
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&out)
	err := c.Execute()
	return out.String(), err
}

// The summary has the documented members, and the same seed gives the same hash.
func TestRunSummary(t *testing.T) {
	first, err := leaselab("run", "crash", "--seed", "7", "-o", "json")
	require.NoError(t, err)
	again, err := leaselab("run", "crash", "--seed", "7", "-o", "json")
	require.NoError(t, err)
	assert.Equal(t, first, again)
	var sum struct {
		Seed                uint64
		Hash                string
		VirtualSeconds      float64
		Events, Requests    int
		LeaderChanges       []struct{ At, LeaderlessSeconds float64 }
		LeaderlessSeconds   float64
		DoubleLeaderSeconds *float64
		Violations          []any
	}
	require.NoError(t, json.Unmarshal([]byte(first), &sum))
	assert.Equal(t, uint64(7), sum.Seed)
	assert.Len(t, sum.Hash, 16)
	assert.Equal(t, 120.0, sum.VirtualSeconds)
	require.Len(t, sum.LeaderChanges, 2)
	assert.InDelta(t, 60+sum.LeaderChanges[1].LeaderlessSeconds, sum.LeaderChanges[1].At, 1e-9)
	assert.InDelta(t, sum.LeaderChanges[0].LeaderlessSeconds+sum.LeaderChanges[1].LeaderlessSeconds, sum.LeaderlessSeconds, 1e-9)
	assert.NotNil(t, sum.DoubleLeaderSeconds)
	assert.NotNil(t, sum.Violations)
	other, err := leaselab("run", "crash", "--seed", "8", "-o", "json")
	require.NoError(t, err)
	assert.NotEqual(t, first, other)
}

// ndjson has one event per line with the summary last, and as many lines as the summary counts events.
func TestRunEvents(t *testing.T) {
	out, err := leaselab("run", "first-election", "-o", "ndjson")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var sum struct{ Events int }
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &sum))
	assert.Equal(t, sum.Events, len(lines)-1)
}

// The exit code reports the outcome of a run; violations that a scenario expects do not count.
func TestExitCodes(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "s.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	const paused = `apiVersion: leaselab.dev/v1alpha1
kind: Scenario
seed: 1
duration: 80s
candidates: [{name: a}, {name: b, startAt: 100ms}]
actions: [{at: 20s, act: pause, target: a, for: 30s}]
`
	for _, c := range []struct {
		name, scenario string
		code           int
	}{
		{"safety", paused, 3},
		{"expected", paused + "expect: [{violation: moreThanOneActive}]\n", 0},
		{"unmet", strings.Replace(paused, "pause, target: a, for: 30s", "pause, target: a, for: 1s", 1) + "expect: [{violation: moreThanOneActive}]\n", 2},
		{"wrong leader", strings.Replace(paused, "30s}]", "1s}]", 1) + "expect: [{leader: b}]\n", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := leaselab("run", write(c.scenario), "-o", "json")
			if c.code == 0 {
				require.NoError(t, err)
				return
			}
			var exit exitError
			require.True(t, errors.As(err, &exit), "%v", err)
			assert.Equal(t, c.code, exit.code)
		})
	}
}

// Bad input gets one sentence with the place, the value and the way out.
func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"run", "nowhere"}, "`leaselab scenarios` lists"},
		{[]string{"run", "crash", "-o", "xml"}, `"xml" must be text, json or ndjson`},
		{[]string{"run", "crash", "--seed", "-1"}, "seed"},
		{[]string{"run", "crash", "--seeds", "9..1"}, "1..600"},
		{[]string{"run", "crash", "--until", "3h"}, "duration"},
		{[]string{"conform", "cle", "--explain", "x"}, "conform was removed: run `go run ./sim/testsupport/recorded/conform`"},
		{[]string{"scenarios", "nowhere"}, "no shipped scenario"},
		{[]string{"serve", "--site", t.TempDir()}, "make site"},
		{[]string{"serve", "--quota", "many"}, "as 256MiB"},
		{[]string{"serve", "--quota", "9223372036854775807KiB"}, "as 256MiB"},
		{[]string{"serve", "--accept-hosts", "("}, "--accept-hosts"},
		{[]string{"serve", "--embed-from", "docs.example.com"}, "--embed-from"},
		{[]string{"serve", "--addr", "8001"}, "HOST:PORT"},
		{[]string{"serve", "--authorization-mode", "ABAC"}, "must be AlwaysAllow or RBAC"},
		{[]string{"serve", "--authorization-mode", "RBAC"}, "add --kubeconfig FILE, which creates a token, or --token TOKEN"},
		{[]string{"serve", "--rbac", "/none"}, "add --kubeconfig FILE"},
		{[]string{"serve", "--rbac", "/none", "--token", "t"}, "--rbac: open /none"},
		{[]string{"serve", "--rbac", "command_test.go", "--token", "t"}, "--rbac command_test.go: document 1"},
		{[]string{"serve", "--rbac", "/none", "--token", "t", "--authorization-mode", "AlwaysAllow"}, "omit --authorization-mode"},
		{[]string{"serve", "--token", "t", "--user", "t=bob"}, "--user t=bob must be TOKEN=NAME"},
		{[]string{"serve", "--scenario", "crash", "--rbac", "/none", "--token", "t"}, "--rbac: open /none"},
		{[]string{"serve", "--nodes", "a,b,a"}, `names "a" twice`},
		{[]string{"serve", "--nodes", "a,../b"}, `"../b" must consist of`},
		{[]string{"serve", "--nodes", "a,,b"}, `"" must consist of`},
		{[]string{"serve", "--kubeconfig", "/none/lab.yaml"}, "create the folder first"},
		{[]string{"serve", "--kubeconfig", t.TempDir()}, "not a regular file"},
		{[]string{"serve", "--kubeconfig", "command_test.go"}, "did not write this file"},
		{[]string{"serve", "--tls-addr", "8001", "--tls"}, "--tls-addr \"8001\" must be HOST:PORT"},
		{[]string{"serve", "--tls-addr", "127.0.0.1:0"}, "add --tls or --kubeconfig FILE"},
		{[]string{"serve", "--tls-cert-file", "/none"}, "belong together"},
	} {
		_, err := leaselab(c.args...)
		require.Error(t, err, c.args)
		assert.Contains(t, err.Error(), c.says)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// Every shipped scenario prints as its file, and the file runs to the same hash as the name.
func TestScenarioFiles(t *testing.T) {
	list, err := leaselab("scenarios", "-o", "json")
	require.NoError(t, err)
	var all struct{ Items []struct{ Name string } }
	require.NoError(t, json.Unmarshal([]byte(list), &all))
	require.NotEmpty(t, all.Items)
	source, err := leaselab("scenarios", "paused-leader")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "s.yaml")
	require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
	byFile, err := leaselab("run", path, "-o", "json")
	require.NoError(t, err)
	byName, err := leaselab("run", "paused-leader", "-o", "json")
	require.NoError(t, err)
	assert.Equal(t, byName, byFile)
}

// The recorded opening contains the story that the page tells: b leads at 34.039 s, and the frames add up to it.
func TestOpening(t *testing.T) {
	file, err := recordOpening()
	require.NoError(t, err)
	require.Greater(t, len(file.Frames), 50)
	require.Len(t, file.Timeline.Changes, 2)
	assert.Equal(t, int64(34_038_760_571), file.Timeline.Changes[1].At)
	assert.Equal(t, "Nobody led for 14.039 s.", file.Why.Title)
}
