package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The complete output of sweep, the same on one core as on four.
func TestSweepGolden(t *testing.T) {
	for name, args := range map[string]string{
		"response-delay": "sweep b02-three-second-margin --set actions[0].response=0s,3500ms,4900ms --set elector.renewDeadline=8s,10s --seeds 1..40",
		"heal-phase":     "sweep b05-wiped-lease --set actions[0].for=13s..16s/1s --seeds 1..20 -o json",
		"refused":        "sweep crash --set elector.leaseDuration=15s,20s --set elector.renewDeadline=10s,16s --vary-phase --seeds 1..3",
		"refused-json":   "sweep crash --set elector.leaseDuration=15s,20s --set elector.renewDeadline=16s -o json",
		"refused-csv":    "sweep crash --set elector.leaseDuration=15s,20s --set elector.renewDeadline=10s,16s -o csv",
		"unended":        "sweep crash --set duration=1m16s,1m17s,2m --seeds 1..20",
		"unended-csv":    "sweep crash --set duration=1m16s,1m17s,2m --seeds 1..20 -o csv",
		"one-seed":       "sweep crash --set elector.retryPeriod=1s,(default),4s",
	} {
		file := filepath.Join("testdata", "sweep", name+".golden")
		for _, cores := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, cores %d", name, cores), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				golden(t, file, args)
			})
		}
	}
}

// A row equals the results of separate runs of the changed scenario.
func TestSweepIsManyRuns(t *testing.T) {
	const seeds = 12
	source, err := leaselab("scenarios", "b02-three-second-margin")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "s.yaml")
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(source, "response: 4.9s", "response: 4.5s", 1)), 0o600))
	lines, _ := leaselab("run", file, "--seeds", "1..12", "-o", "json")
	two, requests, longest := 0, 0, 0.0
	for line := range strings.SplitSeq(strings.TrimSpace(lines), "\n") {
		var one struct {
			Requests            int
			DoubleLeaderSeconds float64
			LeaderChanges       []struct{ LeaderlessSeconds float64 }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &one))
		if one.DoubleLeaderSeconds > 0 {
			two++
		}
		requests += one.Requests
		for _, change := range one.LeaderChanges[1:] {
			longest = max(longest, change.LeaderlessSeconds)
		}
	}
	require.Positive(t, two)
	text, err := leaselab("sweep", "b02-three-second-margin", "--set", "actions[0].response=4.5s", "--seeds", "1..12", "-o", "json")
	require.NoError(t, err)
	var read struct {
		Runs              int
		Set               map[string]string
		TwoWorked         struct{ Runs int }
		LeaderlessSeconds struct{ Longest float64 }
		RequestsPerSecond float64
	}
	require.NoError(t, json.Unmarshal([]byte(text), &read))
	assert.Equal(t, seeds, read.Runs)
	assert.Equal(t, map[string]string{"actions[0].response": "4.5s"}, read.Set)
	assert.Equal(t, two, read.TwoWorked.Runs)
	assert.InDelta(t, longest, read.LeaderlessSeconds.Longest, 1e-12)
	assert.InDelta(t, float64(requests)/seeds/60, read.RequestsPerSecond, 1e-9)
}

// sweep refuses before it runs anything, with the path, the value and the rule.
func TestSweepRefuses(t *testing.T) {
	for _, c := range []struct {
		args string
		says string
	}{
		{"crash", "--set is missing"},
		{"crash --set elector.retryPeriod", `--set "elector.retryPeriod" must be PATH=VALUES`},
		{"crash --set elector.retryPerio=1s", `elector.retryPerio: unknown field; did you mean "retryPeriod"?`},
		{"crash --set elector.retryPeriod=1s,fast", `--set elector.retryPeriod=fast: elector.retryPeriod "fast" must`},
		{"crash --set elector.retryPeriod=1s,2", `elector.retryPeriod "2" must have a unit`},
		{"crash --set elector.leaseDuration=15s --set elector.renewDeadline=16s", `--set elector.leaseDuration=15s elector.renewDeadline=16s: elector.renewDeadline "16s" must be shorter than leaseDuration "15s"`},
		{"crash --set elector.leaseDuration=14s,15s --set elector.renewDeadline=16s,17s", `; the other 3 combinations break rules too`},
		{"crash --set candidates[0].clock.ratePpm=900000000", "candidates[0].clock.ratePpm 900000000 must be between"},
		{"crash --set elector.retryPeriod=", "elector.retryPeriod: a value is empty; write (default) for the field's default"},
		{"crash --set elector.dialect=[blindRelease]", `elector.dialect "[blindRelease]" must be JSON, such as ["a"]`},
		{"crash --set elector.retryPeriod=1s,,2s", "elector.retryPeriod: a value is empty"},
		{"crash --set elector.retryPeriod=1s..2s/x1", "xFACTOR with a FACTOR of at least 1.001"},
		{"crash --set elector.retryPeriod=0s..2s/x2", "FROM above 0"},
		{"crash --set elector.retryPeriod=1s..2s/log1", "logN with N from 2 to 10000"},
		{"crash --set duration=100s --seeds 1..1000000000000", "--seeds \"1..1000000000000\" has 1000000000000 seeds; the limit is 10000000"},
		{"crash --set duration=100s,101s --seeds 1..9000000 --shard 0/7 --resume x", "18000000 runs; the limit is 10000000: use fewer"},
		{"crash --set duration=100s --seeds 1..9000000 --shard 0/7 --resume x", "--shard 0/7: 1285715 runs; the limit is 1000000: make more shards"},
		{"crash --set duration=100s --shard 0/7", "--shard needs --resume FILE"},
		{"crash --set duration=100s --shard 7/7 --resume x", `--shard "7/7" must be I/N with 0 <= I < N`},
		{"crash --set duration=100s --shard 7 --resume x", `--shard "7" must be I/N with 0 <= I < N`},
		{"crash --set duration=100s --resume /", "--resume open /"},
		{"crash --set elector.retryPeriod=1s..3s/1s,2s", "--set elector.retryPeriod: the value 2s appears twice"},
		{"crash --set actions[7].at=1s", "actions[7]: no such entry"},
		{"crash --set actions[0].at=10s..20s", `--set actions[0].at: "10s..20s" must be a range FROM..TO/STEP`},
		{"crash --set actions[0].at=10s..20s/0s", "STEP above 0"},
		{"crash --set actions[0].at=20s..10s/1s", "FROM not above TO"},
		{"crash --set actions[0].at=10s..20s/1", "must be a range"},
		{"crash --set actions[0].at=0s..20s/1us", `"0s..20s/1us" has 20000001 values; the limit is 10000`},
		{"crash --set actions[0].at=0s..20s/10ms --set elector.jitterFactor=0..1/0.1", "22011 combinations; the limit is 10000"},
		{"crash --set actions[0].at=0s..20s/10ms --seeds 1..1000", "2001 combinations with 1000 seeds each are 2001000 runs; the limit is 1000000: use fewer values or seeds, or make shards"},
		{"crash --set seed=1,2", "use --seeds A..B instead"},
		{"crash --set duration=1m --set duration=2m", "the path appears twice"},
		{"crash --set duration=20s,30s", "lies after the end of the run"},
		{"crash --set duration=100s -o xml", `--output "xml" must be text, json or csv`},
		{"crash --set duration=100s --seeds 9..1", "1..600"},
		{"crash --set duration=100s --seeds 1..99999999", "has 99999999 seeds; the limit is 10000000"},
	} {
		out, err := leaselab(append([]string{"sweep"}, strings.Fields(c.args)...)...)
		require.Error(t, err, c.args)
		assert.Contains(t, err.Error(), c.says)
		assert.NotContains(t, err.Error(), "\n")
		assert.Empty(t, out, c.args)
	}
}

func TestSweepValues(t *testing.T) {
	for text, want := range map[string][]string{
		"1s,2s":            {"1s", "2s"},
		"(default),1s":     {"(default)", "1s"},
		"1s..10s/x2":       {"1s", "2s", "4s", "8s"},
		"1s..8s/x2":        {"1s", "2s", "4s", "8s"},
		"1ms..10s/log5":    {"1ms", "10ms", "100ms", "1s", "10s"},
		"100ms..1s/log4":   {"100ms", "215ms", "464ms", "1s"},
		"1..100/log3":      {"1", "10", "100"},
		"0.5..2/x2":        {"0.5", "1", "2"},
		"10s..12s/1s,1m":   {"10s", "11s", "12s", "1m"},
		"0s..1s/400ms":     {"0s", "400ms", "800ms"},
		"-1s..1s/1s":       {"-1s", "0s", "1s"},
		"0..1/0.25":        {"0", "0.25", "0.5", "0.75", "1"},
		"-2..2/2":          {"-2", "0", "2"},
		"5..5/1":           {"5"},
		"[0,0.5],[1],[]":   {"[0,0.5]", "[1]", "[]"},
		`{"a":[1,2]},true`: {`{"a":[1,2]}`, "true"},
	} {
		got, err := grid.Values(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}
