package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The text output of many seeds says in how many runs each rule was broken and each assertion held, and why the exit
// code is not 0.
func TestManySeedsSayWhy(t *testing.T) {
	const base = `apiVersion: leaselab.dev/v1alpha1
kind: Scenario
seed: 1
duration: 80s
candidates: [{name: a}, {name: b, startAt: 50ms}, {name: c, startAt: 100ms}]
`
	const late = "actions: [{at: 20s, act: latency, target: a, response: 4.9s}, {at: 25s, act: cut, target: a}]\n"
	for name, c := range map[string]struct {
		scenario string
		code     int
		why      string
		says     []string
	}{
		"fine": {base + "actions: [{at: 20s, act: crash, target: a}]\nexpect: [{changes: 2}]\n", 0, "", []string{
			"30 runs, 30 leader changes after the first\ntime without a leader: min 1",
			"safety\n  no rule was broken\n\nliveness\n  no rule was broken\n", "assertion 1 held in every run: 2 leader changes\n",
			"least margin of each of 30 runs (the successor's start minus the old leader's stop): min 1", "; below 0 in 0\n",
		}},
		"safety": {base + late, 3, "exit code 3: moreThanOneActive (safety) was broken in 14 of 30 runs, first seed 1", []string{
			"  1 moreThanOneActive     in 14 of 30 runs, seeds 1, 3, 5, 8, 9, …\n    total duration in each of 14 runs: min 0.082 s  p50 0.662 s  max 1.161 s\n", "; below 0 in 14\n",
			"observation\n 12 marginNegative        in 30 of 30 runs, seeds 1, 2, 3, 4, 5, …\n",
		}},
		"unmet": {base + late + "expect: [{violation: moreThanOneActive, measure: longest, atLeast: 500ms}, {leader: b}]\n", 2,
			"exit code 2: assertion 1 failed in 22 of 30 runs, first seed 2; assertion 2 failed in 14 of 30 runs, first seed 1", []string{
				"in 14 of 30 runs (expected), seeds", "measured 0 s with seed 2, 0 s with seed 4, 0.196253354 s with seed 5, 0 s with seed 6, 0 s with seed 7, …\n",
			}},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "s.yaml")
			require.NoError(t, os.WriteFile(file, []byte(c.scenario), 0o600))
			out, err := leaselab("run", file, "--seeds", "1..30")
			for _, text := range c.says {
				assert.Contains(t, out, text)
			}
			if c.code == 0 {
				require.NoError(t, err)
				return
			}
			var exit exitError
			require.True(t, errors.As(err, &exit), "%v", err)
			assert.Equal(t, c.code, exit.code)
			assert.True(t, strings.HasPrefix(exit.why, c.why), exit.why)
			assert.NotContains(t, exit.why, "\n")
		})
	}
}

// With -o json each line equals the output of its seed alone, in order, on any number of cores.
func TestManySeedsAsLines(t *testing.T) {
	var want string
	for _, seed := range []string{"5", "6", "7", "8"} {
		one, err := leaselab("run", "b06-slow-stop-hook", "--seed", seed, "-o", "json")
		var exit exitError
		require.True(t, err == nil || errors.As(err, &exit), "%v", err)
		want += one
	}
	for _, cores := range []int{1, 4} {
		before := runtime.GOMAXPROCS(cores)
		got, _ := leaselab("run", "b06-slow-stop-hook", "--seeds", "5..8", "-o", "json")
		runtime.GOMAXPROCS(before)
		assert.Equal(t, want, got)
	}
}
