package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/study/grid"
)

// Seeds that share one phase of the fault miss the worst of it: a leader that dies just after a renewal is missed longest. With
// --vary-phase each seed draws its instant, and each row is replayed by the command that it prints, to the same hash.
func TestVaryPhase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.yaml")
	require.NoError(t, os.WriteFile(path, []byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nseed: 1\nduration: 5m\n"+
		"elector: {leaseDuration: 24s, renewDeadline: 20s, retryPeriod: 6s}\n"+
		"candidates: [{name: a}, {name: b, startAt: 500ms}, {name: c, startAt: 1s}]\nactions: [{at: 100s, act: crash, target: holder}]\n"), 0o600))
	p99 := func(args ...string) float64 {
		out, err := leaselab(append([]string{"sweep", path, "--set", "elector.releaseOnCancel=false", "--seeds", "1..400", "-o", "json"}, args...)...)
		require.NoError(t, err)
		var row struct{ LeaderlessSeconds struct{ P99 float64 } }
		require.NoError(t, json.Unmarshal([]byte(out), &row))
		return row.LeaderlessSeconds.P99
	}
	shared, drawn := p99(), p99("--vary-phase")
	assert.Greater(t, drawn, shared+1, "one phase of the renewals is not the worst")

	set := []string{"--set", "elector.retryPeriod=5s", "--set", "elector.releaseOnCancel=(default)"}
	out, _ := leaselab(append(set, "run", path, "--seeds", "1..3", "--vary-phase", "-o", "json")...)
	hashes := map[string]bool{}
	for line := range strings.Lines(out) {
		var row struct{ Hash, Replay string }
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		require.Contains(t, row.Replay, "--set 'actions[0].at=")
		args := strings.Fields(strings.ReplaceAll(strings.TrimPrefix(row.Replay, "leaselab "), "'", ""))
		again, _ := leaselab(append(args, "-o", "json")...)
		var same struct{ Hash string }
		require.NoError(t, json.Unmarshal([]byte(again), &same))
		assert.Equal(t, row.Hash, same.Hash, row.Replay)
		hashes[row.Hash] = true
	}
	assert.Len(t, hashes, 3)
	_, err := leaselab("run", path, "--vary-phase")
	assert.ErrorContains(t, err, "needs --seeds")
}

// An empty value is refused with what to write instead, and that leaves the field at its default.
func TestAnEmptyValueIsRefused(t *testing.T) {
	_, err := leaselab("run", "crash", "-q", "--set", "elector.retryPeriod=")
	assert.EqualError(t, err, `--set elector.retryPeriod: the value is empty; write "elector.retryPeriod=(default)" for the field's default`)
	want, err := leaselab("run", "crash", "-q", "--set", "elector.retryPeriod=2s")
	require.NoError(t, err)
	got, err := leaselab("run", "crash", "-q", "--set", "elector.retryPeriod=(default)")
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

// A row of a sweep over retryPeriod draws its instants within its own retryPeriod, as a scenario that has that one does: with the
// scenario's 2 s the p99 of a long retryPeriod would be too good.
func TestSweepVariesThePhaseOfEachRow(t *testing.T) {
	spread := func(sets ...string) string {
		args := []string{"sweep", "crash", "--vary-phase", "--seeds", "1..100", "-o", "json", "--set", "duration=5m"}
		out, err := leaselab(append(args, sets...)...)
		require.NoError(t, err)
		var row struct{ LeaderlessSeconds json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(out), &row))
		return string(row.LeaderlessSeconds)
	}
	assert.Equal(t, spread("--set", "elector.retryPeriod=8s", "--set", "actions[0].within=8s"), spread("--set", "elector.retryPeriod=8s"))
}

// A cancelled sweep does not say of all runs what holds of some.
func TestFindingsOfSomeRuns(t *testing.T) {
	f := sweepFlags{sets: []string{"duration=100s,101s"}, seeds: "1..2"}
	w, err := f.study("crash")
	require.NoError(t, err)
	for rows, says := range map[int]string{0: "", 1: "\nNo rule was broken in 2 of 4 runs.\n", 2: "\nNo rule was broken.\n"} {
		all := make([]*grid.Row, 2)
		for i := range rows {
			all[i] = &grid.Row{Runs: 2}
		}
		var out strings.Builder
		writeFindings(painter{Writer: &out}, w, all)
		assert.Equal(t, says, out.String())
	}
}

// Where the first act is drawn past another one, some seeds have them the other way round: that is said.
func TestVaryPhaseKeepsTheOrder(t *testing.T) {
	s, err := load("crash")
	require.NoError(t, err)
	restart := scenario.Action{At: s.Actions[0].At + 1e9, Act: "restart", Target: "a"}
	for within, says := range map[scenario.Duration]string{
		0:   "--vary-phase draws the instant of act 1 from 1m0s to 1m2s, but with some seeds act 2 at 1m1s comes first; move that act, or give act 1 a shorter `within`",
		1e9: "", // its own
	} {
		before := s.Clone()
		before.Actions[0].Within = within
		before.Actions = append(before.Actions, restart)
		varied, err := grid.VaryPhase(before)
		require.NoError(t, err)
		assert.Equal(t, says, overtaken(&before, &varied))
	}
	varied, err := grid.VaryPhase(s)
	require.NoError(t, err)
	assert.Empty(t, overtaken(&s, &varied))
}
