package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const manyRuns = "b05-wiped-lease --set actions[0].for=14s..16s/1s,90s --set elector.retryPeriod=2s,3s --seeds 1..7 --vary-phase" // 56 runs

// writeShards makes the shards of a sweep and returns their files.
func writeShards(t *testing.T, of int) []string {
	dir, files := t.TempDir(), make([]string, of)
	for i := range of {
		files[i] = filepath.Join(dir, fmt.Sprintf("%d.runs", i))
		out, err := leaselab(strings.Fields(fmt.Sprintf("sweep %s --shard %d/%d --resume %s", manyRuns, i, of, files[i]))...)
		require.NoError(t, err)
		if of > 1 {
			assert.Contains(t, out, fmt.Sprintf("shard %d/%d: ", i, of))
		}
	}
	return files
}

// Merged shards are byte for byte what the sweep without shards prints, in each format, for any number of shards and order of files.
func TestMergeEqualsUnsharded(t *testing.T) {
	for _, of := range []int{1, 2, 7, 200} { // some of 200 have no run
		if of > 7 && testing.Short() {
			continue
		}
		files := writeShards(t, of)
		files[0], files[of/2] = files[of/2], files[0]
		for _, format := range []string{"text", "json", "csv"} {
			want, err := leaselab(strings.Fields("sweep " + manyRuns + " -o " + format)...)
			require.NoError(t, err)
			got, err := leaselab(append([]string{"sweep", "merge", "-o", format}, files...)...)
			require.NoError(t, err)
			assert.Equal(t, want, got, "%d shards, %s", of, format)
		}
	}
}

// Where the scenario is a file, its path does not belong to the study: a shard that a Job made from another place joins one made here, and the
// commands name the first.
func TestMergeAcrossPlaces(t *testing.T) {
	dir := t.TempDir()
	text, err := leaselab("scenarios", "crash")
	require.NoError(t, err)
	var files []string
	for i, name := range []string{"own file.yaml", "elsewhere.yaml"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		files = append(files, filepath.Join(dir, fmt.Sprintf("%d.runs", i)))
		_, err = leaselab("sweep", path, "--set", "elector.retryPeriod=1s,2s", "--vary-phase", "--seeds", "1..6", "--shard", fmt.Sprintf("%d/2", i), "--resume", files[i])
		require.NoError(t, err)
	}
	want, err := leaselab("sweep", filepath.Join(dir, "own file.yaml"), "--set", "elector.retryPeriod=1s,2s", "--vary-phase", "--seeds", "1..6")
	require.NoError(t, err)
	got, err := leaselab("sweep", "merge", files[0], files[1])
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Contains(t, got, "leaselab run '"+filepath.Join(dir, "own file.yaml")+"' --seed 1", "an argument with a space is quoted")
}

// Of seven shards one is lost and one was made twice: merge names the lost one, and with it the answer is the unsharded one.
func TestSevenShardsOneLostOneTwice(t *testing.T) {
	files := writeShards(t, 7)
	twice := filepath.Join(t.TempDir(), "again.runs")
	_, err := leaselab(strings.Fields("sweep " + manyRuns + " --shard 5/7 --resume " + twice)...)
	require.NoError(t, err)
	lost, err := os.ReadFile(files[3])
	require.NoError(t, err)
	there := append(append([]string{"sweep", "merge"}, files[:3]...), append(files[4:], twice)...)

	out, err := leaselab(there...)
	assert.EqualError(t, err, "shard 3/7 is lost: no file has its 8 runs; make them again with `leaselab sweep … --shard I/N --resume FILE`")
	assert.Empty(t, out)
	out, err = leaselab(append(there, "--partial")...)
	assert.ErrorContains(t, err, "shard 3/7 is lost")
	assert.Contains(t, out, "only")

	lines := strings.SplitAfter(string(lost), "\n")
	require.NoError(t, os.WriteFile(files[3], []byte(strings.Join(lines[:5], "")+lines[5][:20]), 0o600)) // killed while it wrote
	_, err = leaselab(append(there, files[3])...)
	assert.ErrorContains(t, err, "shard 3/7 in "+files[3]+" lacks 4 of 8 runs")
	_, err = leaselab(strings.Fields("sweep " + manyRuns + " --shard 3/7 --resume " + files[3])...)
	require.NoError(t, err)
	again, err := os.ReadFile(files[3])
	require.NoError(t, err)
	assert.Equal(t, strings.Count(string(lost), "\n"), strings.Count(string(again), "\n"), "only the lost runs are made again")

	want, err := leaselab(strings.Fields("sweep " + manyRuns)...)
	require.NoError(t, err)
	got, err := leaselab(append(there, files[3])...)
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

// merge refuses what does not belong together.
func TestMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	for name, args := range map[string]string{"a": "--set duration=100s --seeds 1..4", "b": "--set duration=101s --seeds 1..4"} {
		_, err := leaselab(strings.Fields("sweep crash " + args + " --shard 0/2 --resume " + file(name))...)
		require.NoError(t, err)
	}
	a, err := os.ReadFile(file("a"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"other":  strings.Replace(string(a), `"leaderlessNs":`, `"leaderlessNs":1`, 1),
		"hunt":   strings.Replace(string(a), `"sweep"`, `"dance"`, 1),
		"text":   "no runs\n",
		"twice":  string(a) + strings.Replace(strings.SplitAfter(string(a), "\n")[1], `"leaderlessNs":`, `"leaderlessNs":1`, 1),
		"seeds":  strings.NewReplacer(`"seeds":4`, `"seeds":0`, `"runs":4`, `"runs":0`).Replace(string(a)),
		"huge":   strings.NewReplacer(`"seeds":4`, `"seeds":4000000000000`, `"runs":4`, `"runs":4000000000000`).Replace(string(a)),
		"broken": strings.Replace(string(a), "\n{", "\n[", 1),
		"plan":   strings.Replace(string(a), `"sets":["duration=100s"]`, `"sets":["duratio=100s"]`, 1),
	} {
		require.NoError(t, os.WriteFile(file(name), []byte(text), 0o600))
	}
	for names, says := range map[string]string{
		"a b":     "contain runs of different studies: another scenario, or other arguments",
		"a other": "differs from the same run elsewhere",
		"twice":   " differs from the same run elsewhere in the files",
		"seeds":   "the header's plan has 0 runs; it must have 1 to 10000000",
		"huge":    "the header's plan has 4000000000000 runs; it must have 1 to 10000000",
		"hunt":    "the file keeps the runs of a dance",
		"text":    "not a file of runs",
		"broken":  ":2: not a run",
		"plan":    "duratio: unknown field",
		"none":    "no such file or directory",
		"a":       "shard 1/2 is lost: no file has its 2 runs",
	} {
		args := []string{"sweep", "merge"}
		for _, name := range strings.Fields(names) {
			args = append(args, file(name))
		}
		out, err := leaselab(args...)
		require.Error(t, err, names)
		assert.Contains(t, strings.ToLower(err.Error()), strings.ToLower(says), names)
		assert.Empty(t, out)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// The same command goes on where it stopped, makes no run twice, and prints what one command without a stop prints.
func TestResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.runs")
	args := strings.Fields("sweep " + manyRuns + " --resume " + file)
	want, err := leaselab(args...)
	require.NoError(t, err)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(whole), "\n")
	for _, left := range []int{1, 20, len(lines) - 1} {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines[:left], "")), 0o600))
		got, err := leaselab(args...)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		again, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, len(lines), len(strings.SplitAfter(string(again), "\n")))
	}
	_, err = leaselab(append(args, "--set", "duration=90s")...)
	assert.ErrorContains(t, err, "keeps the runs of another study")
}
