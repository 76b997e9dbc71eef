package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/words"
)

func TestCompare(t *testing.T) {
	out, err := leaselab("run", "graceful-stop", "--against", "graceful-stop-release")
	require.NoError(t, err)
	assert.Contains(t, out, "first difference at 00:20.000 (20 s)\n")
	assert.Contains(t, out, "nobody led                             16.060 s        0.143 s      −15.918 s\n")
	assert.Contains(t, out, "*   2  00:36.050  c, gap 16.050 s          00:20.133  c, gap 0.133 s\n")
	out, err = leaselab("run", "crash", "--against-seed", "7", "-o", "json")
	require.NoError(t, err)
	var report struct {
		B             struct{ Seed int }
		Same          bool
		LeaderChanges []struct{ GapSeconds float64 }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	assert.Equal(t, 7, report.B.Seed)
	assert.False(t, report.Same)
	require.Len(t, report.LeaderChanges, 2)
	assert.NotZero(t, report.LeaderChanges[1].GapSeconds)
	out, err = leaselab("run", "crash", "--against", "crash")
	require.NoError(t, err)
	assert.Contains(t, out, "no difference: both runs have the same events up to 02:00.000\n")
	_, err = leaselab("run", "crash", "--against", "crash", "--seeds", "1..3")
	assert.ErrorContains(t, err, "--seeds does not work together with --against")
	_, err = leaselab("run", "crash", "--against", "crush")
	assert.ErrorContains(t, err, `"crush"`)
}

// The totals of a comparison are the figures of the run: its changes and lengths, its violations and observations, each
// apart, its stale writes and its requests.
func TestCompareCountsAsRunDoes(t *testing.T) {
	for i, s := range shipped.List() {
		name := s.Name
		if testing.Short() && i%8 != 0 && name != "paused-leader" {
			continue
		}
		out, _ := leaselab("run", name, "-o", "json")
		var run struct {
			VirtualSeconds, LeaderlessSeconds, DoubleLeaderSeconds float64
			Requests                                               int
			LeaderChanges                                          []struct{}
			Violations                                             []struct{ Severity string }
			Checks                                                 []struct{ Rule, Figure string }
		}
		require.NoError(t, json.Unmarshal([]byte(out), &run), name)
		violations, observations := 0, 0
		for _, v := range run.Violations {
			if v.Severity == "observation" {
				observations++
			} else {
				violations++
			}
		}
		seconds := func(s float64) string { return words.Seconds(int64(math.Round(s * 1e9))) }
		want := map[string]string{
			"compared up to": seconds(run.VirtualSeconds), "leader changes": fmt.Sprint(len(run.LeaderChanges)), "nobody led": seconds(run.LeaderlessSeconds),
			"more than one active": seconds(run.DoubleLeaderSeconds), "violations": fmt.Sprint(violations), "observations": fmt.Sprint(observations), "requests": fmt.Sprint(run.Requests),
		}
		out, err := leaselab("run", name, "--against", name, "-o", "json")
		require.NoError(t, err, name)
		var compared struct {
			Totals []struct{ Label, A, B string }
		}
		require.NoError(t, json.Unmarshal([]byte(out), &compared), name)
		got, stale := map[string]string{}, map[string]string{}
		for _, total := range compared.Totals {
			assert.Equal(t, total.A, total.B, "%s: %s", name, total.Label)
			if _, asked := want[total.Label]; asked {
				got[total.Label] = total.A
			}
			if what, is := strings.CutPrefix(total.Label, "stale writes "); is {
				stale[what] = total.A
			}
		}
		assert.Equal(t, want, got, name)
		if len(stale) > 0 {
			told := fmt.Sprintf("stale: %s attempted, %s accepted", stale["attempted"], stale["accepted"])
			assert.True(t, slices.ContainsFunc(run.Checks, func(c struct{ Rule, Figure string }) bool {
				return strings.Contains(strings.ReplaceAll(c.Figure, ",", ""), strings.ReplaceAll(told, ",", ""))
			}), "%s: %s", name, told)
		}
	}
}

// A comparison says the settings that differ, a first difference that shows, and the stale writes.
func TestCompareSaysTheDifference(t *testing.T) {
	write := func(name, rest string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nseed: 1\nduration: 2m\ncandidates: [{name: a}, {name: b, startAt: 500ms}]\n"+rest), 0o600))
		return path
	}
	const paused = "actions: [{at: 30s, act: pause, target: holder, for: 25s}]\n"
	a := write("a.yaml", "resource: {fence: none, writeEvery: 500ms}\n"+paused)
	b := write("b.yaml", "resource: {fence: leaseTransitions, writeEvery: 500ms}\n"+paused)
	out, err := leaselab("run", a, "--against", b)
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^resource.fence +none +leaseTransitions$`, out)
	first := regexp.MustCompile(`first difference.*\n  a: (.*)\n  b: (.*)\n`).FindStringSubmatch(out)
	require.NotNil(t, first)
	assert.NotEqual(t, first[1], first[2], "the difference, not one sentence twice")
	taken := regexp.MustCompile(`(?m)^stale writes accepted +(\d+) +(\d+)`).FindStringSubmatch(out)
	require.NotNil(t, taken)
	assert.NotEqual(t, "0", taken[1])
	assert.Equal(t, "0", taken[2])
	out, err = leaselab("run", write("c.yaml", "elector: {releaseOnCancel: true}\nprocess: {drainAfterCancel: 20s}\nactions: [{at: 30s, act: stop, target: holder}]\n"),
		"--against", write("d.yaml", "elector: {releaseOnCancel: true, releaseAfterWork: true}\nprocess: {drainAfterCancel: 20s}\nactions: [{at: 30s, act: stop, target: holder}]\n"))
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^elector.releaseAfterWork +- +true$`, out)
	first = regexp.MustCompile(`first difference.*\n  a: (.*)\n  b: (.*)\n`).FindStringSubmatch(out)
	require.NotNil(t, first)
	assert.NotEqual(t, first[1], first[2])
}
