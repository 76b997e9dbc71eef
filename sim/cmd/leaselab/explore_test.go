package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cutOff is an election of two in which the leader is cut off until its release waits.
const cutOff = "apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nname: cut-off-early\nduration: 40s\nelector: {releaseOnCancel: true}\n" +
	"candidates: [{name: a}, {name: b, startAt: 50ms}, {name: c, startAt: 100ms}]\nactions: [{at: 3s, act: cut, target: a, mode: hold, for: 15s}]\n"

func cutOffFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	require.NoError(t, os.WriteFile(path, []byte(cutOff), 0o600))
	return path
}

// A broken rule has its exit code, and its schedule as a scenario that the run of which breaks the rule and asserts that.
func TestExploreFindsAndWrites(t *testing.T) {
	path := cutOffFile(t)
	found := filepath.Join(t.TempDir(), "found here.yaml")
	out, err := leaselab("explore", path, "--set", "actions[0].for=10s..20s/2s", "--rule", "writeByNonHolder", "--window", "3s..25s", "--schedule", found)
	var exit exitError
	require.ErrorAs(t, err, &exit, out)
	assert.Equal(t, 3, exit.code)
	assert.Contains(t, out, "A schedule with 3 candidates breaks writeByNonHolder at 00:")
	assert.Contains(t, out, "set     actions[0].for is 16s")
	assert.Contains(t, out, "replay: leaselab run '"+found+"'\n")
	again, err := leaselab("run", found, "-q")
	require.NoError(t, err, "the assertion holds")
	assert.Contains(t, again, "safety: ")
	assert.Contains(t, again, "writes a Lease that it does not hold")

	claim, err := leaselab("explore", path, "--set", "actions[0].for=10s..20s/2s", "--set", "elector.releaseChecksHolder=true", "--rule", "writeByNonHolder", "--window", "3s..25s")
	require.NoError(t, err)
	assert.Contains(t, claim, "No schedule with 3 candidates breaks writeByNonHolder within 40.000 s, with choices from 3.000 s to 25.000 s (each wait before them is the one that seed 1 draws, each wait after them is the middle one), where ")
	assert.Contains(t, claim, "\ncomplete: ")

	_, err = leaselab("explore", "crash", "--rule", "leaderless>15s", "--window", "60s..66s", "-o", "yaml")
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 4, exit.code, "liveness")

	slow := "duration: 40s\nelector: {requestTimeout: 60s}\ncandidates: [{name: a}, {name: b, startAt: 50ms}]\n"
	require.NoError(t, os.WriteFile(path, []byte("apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\n"+slow), 0o600))
	out, err = leaselab("explore", path, "--delay", "14s", "--jitter", "none", "--order=false", "--window", "6s..7s", "--rule", "leaderless>2s")
	require.ErrorAs(t, err, &exit, out)
	assert.Contains(t, out, "\n1 choice leads there; all other choices take their defaults:\n")
	_, err = leaselab("explore", path, "--delay", "14s", "--set", "network.requestLatency=0s,1ms")
	require.ErrorContains(t, err, "--delay 14s of a message that takes no time")
}

// A search that stops at a bound of states is kept, and goes on to the same end.
func TestExploreGoesOn(t *testing.T) {
	path := cutOffFile(t)
	kept := filepath.Join(t.TempDir(), "kept")
	args := []string{"explore", path, "--window", "3s..20s", "--rule", "leaderless>30s", "-o", "json"}
	var whole, part, rest exploredReport
	read := func(into *exploredReport, args []string) {
		out, err := leaselab(args...)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal([]byte(out[strings.Index(out, "{"):strings.LastIndex(out, "}")+1]), &struct {
			*exploredReport
			From, To, Until any
		}{exploredReport: into}))
	}
	read(&whole, args)
	read(&part, append(args, "--states", "50", "--resume", kept))
	assert.False(t, part.Complete)
	assert.Equal(t, kept, part.Kept)
	assert.Contains(t, part.Claim, "The search stopped at its bound of 50 states")
	read(&rest, append(args, "--resume", kept))
	assert.True(t, rest.Complete)
	assert.Empty(t, rest.Kept)
	assert.Equal(t, [3]int64{whole.States, whole.Transitions, whole.Merged}, [3]int64{rest.States, rest.Transitions, rest.Merged})
	_, err := os.Stat(kept)
	assert.ErrorIs(t, err, os.ErrNotExist, "nothing is left to go on with")

	read(&part, append(args, "--states", "50", "--resume", kept))
	_, err = leaselab(append(args, "--depth", "3", "--resume", kept)...)
	assert.ErrorContains(t, err, "another scenario, or other arguments")
	text, err := os.ReadFile(kept)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	require.NoError(t, os.WriteFile(kept, []byte(lines[0]+lines[2]+lines[1]), 0o600))
	_, err = leaselab(append(args, "--resume", kept)...)
	assert.ErrorContains(t, err, "has another search: it is out of order; delete it and start again: leaselab explore "+path)
	require.NoError(t, os.WriteFile(kept, []byte(`{"format":"leaselab.dev/exploration/v2","engine":3,"plan":{}}`+"\n"), 0o600))
	_, err = leaselab(append(args, "--resume", kept)...)
	assert.ErrorContains(t, err, "an older leaselab wrote it")
	assert.ErrorContains(t, err, "start again: leaselab explore "+path)
}

// Bad bounds are refused by the name of their flag, with what to write instead.
func TestExploreRefuses(t *testing.T) {
	path := cutOffFile(t)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--jitter", "high,highest"}, `--jitter: "highest" must be low, middle, high or a draw`},
		{[]string{"--delay", "1"}, `--delay: "1" must be a length such as 500ms`},
		{[]string{"--window", "20s"}, `--window "20s" must be FROM..TO`},
		{[]string{"--window", "30s..50s"}, "--window 30s..50s must lie between 0 and the end of the schedules, 40s"},
		{[]string{"--until", "2m"}, "--until 2m0s must lie between 0 and the scenario's duration, 40s"},
		{[]string{"--rule", "needlessChange"}, `--rule: unknown rule "needlessChange"; explore knows`},
		{[]string{"--set", "actions[0].for=1ms..1000s/1ms"}, "the limit is 10000"},
		{[]string{"--set", "actions[7].for=1s"}, "actions[7]: no such entry; the list has 1"},
		{[]string{"--states", "0"}, "--states 0 must be 1 to"},
		{[]string{"--window", "50ms..51ms"}, "these bounds allow only 1 schedule: from 0.050 s to 0.051 s"},
		{[]string{"--jitter", "none", "--order=false"}, "nothing to choose"},
		{[]string{"-o", "csv"}, "must be text, json or yaml"},
		{[]string{"--resume", path}, "not a file of runs, and not empty"},
	} {
		_, err := leaselab(append([]string{"explore", path}, c.args...)...)
		require.Error(t, err, c.args)
		assert.Contains(t, err.Error(), c.says)
		var exit exitError
		assert.False(t, errors.As(err, &exit), "wrong usage")
	}
	_, err := leaselab("explore", "unanswered-ping")
	assert.ErrorContains(t, err, "apiServers: coordinated leader election has more state than explore compares")
}

// A claim says how candidates wait where the search does not choose that: by the seed.
func TestAClaimSaysTheSeedOfItsWaits(t *testing.T) {
	out, err := leaselab("explore", "b05-wiped-lease-fixed", "--jitter", "none", "--set", "actions[0].for=14s,15s", "--rule", "writeByNonHolder")
	require.NoError(t, err)
	assert.Contains(t, out, "No schedule with 3 candidates breaks writeByNonHolder")
	assert.Contains(t, out, "each wait before an attempt to acquire is the one that seed 3 draws")
}
