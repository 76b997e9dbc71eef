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

	"github.com/leaselab/leaselab/sim/study/grid"
)

// The text output of many seeds is the row of a sweep, with the rules that were broken; the error says why the exit code is not 0.
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
			": 30 runs\n", "leaderless p50", "\nNo rule was broken.\n",
		}},
		"safety": {base + late, 3, "exit code 3: moreThanOneActive (safety) was broken in 14 of 30 runs, first seed 1", []string{
			"46.7 % (", "  moreThanOneActive (safety) in 14 of 30 runs; first seed 1\n", "  marginNegative (observation) in 30 of 30 runs; first seed 1\n",
		}},
		"unmet": {base + late + "expect: [{violation: moreThanOneActive, measure: longest, atLeast: 500ms}, {leader: b}]\n", 2,
			"exit code 2: assertion 1 failed in 22 of 30 runs, first seed 2; assertion 2 failed in ", []string{"moreThanOneActive (safety) in 14 of 30 runs"}},
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

// The worst run decides the exit code, whichever seed it has: safety, then liveness, then assertions.
func TestTheWorstSeedDecides(t *testing.T) {
	for _, codes := range [][]int{{2, 4, 3}, {3, 4, 2}, {4, 3, 2}} {
		v := seedsVerdict{}
		for i, code := range codes {
			v.add(uint64(i), &grid.Run{Code: code})
		}
		assert.Equal(t, exitSafety, v.code, codes)
	}
	v := seedsVerdict{}
	v.add(1, &grid.Run{Code: 2})
	v.add(2, &grid.Run{Code: 4})
	assert.Equal(t, exitLiveness, v.code)
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

// What only one run can have is refused with what to write instead.
func TestSeedsUntil(t *testing.T) {
	_, err := leaselab("run", "crash", "--seeds", "1..3", "--until", "30s")
	assert.EqualError(t, err, "--until works for one run only; with --seeds, use --set duration=30s")
	_, err = leaselab("run", "crash", "--seeds", "1..2000000")
	assert.ErrorContains(t, err, "has 2000000 seeds; the limit is 1000000: use a shorter range")
}
