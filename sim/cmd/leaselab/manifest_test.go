package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/leaselab/leaselab/sim/study/manifest"
)

// object is what these tests read of the manifest's objects.
type object struct {
	Kind string
	Data map[string]string
	Spec struct {
		Completions int
		Template    struct {
			Spec struct {
				Containers []struct {
					Args       []string
					WorkingDir string `yaml:"workingDir"`
				}
			}
		}
	}
}

// pods makes the runs of a Job's pods, as Kubernetes starts them, and returns the files that they leave.
func pods(t *testing.T, text string) []string {
	dir := t.TempDir()
	var job object
	in := yaml.NewDecoder(strings.NewReader(text))
	for {
		var one object
		if in.Decode(&one) != nil {
			break
		}
		for name, file := range one.Data {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(file), 0o600))
		}
		job = one
	}
	require.Equal(t, "Job", job.Kind)
	if container := &job.Spec.Template.Spec.Containers[0]; container.WorkingDir != "" {
		require.Equal(t, manifest.ScenarioFolder, container.WorkingDir)
		t.Chdir(dir)
	}
	var files []string
	for i := range job.Spec.Completions {
		args := slices.Clone(job.Spec.Template.Spec.Containers[0].Args)
		for k := range args {
			args[k] = strings.NewReplacer("$$", "$", "$(JOB_COMPLETION_INDEX)", fmt.Sprint(i), "/results/", dir+"/").Replace(args[k])
		}
		_, err := leaselab(args...)
		require.NoError(t, err, args)
		files = append(files, filepath.Join(dir, fmt.Sprint(i)+".runs"))
	}
	return files
}

// The pods of the manifest's Job make the sweep: their merged files are what the sweep itself prints, with replay commands that name
// the user's file.
func TestManifestMakesTheSweep(t *testing.T) {
	t.Chdir(t.TempDir())
	source, err := leaselab("scenarios", "crash")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("mine.yaml", []byte(strings.Replace(source, "name: crash", "name: my-crash", 1)), 0o600))
	for _, arg := range []string{"crash", "mine.yaml"} {
		sweep := []string{arg, "--set", "elector.retryPeriod=1s,2s,9s", "--set", "title=a $(HOME) b,c", "--seeds", "1..3", "--vary-phase"}
		text, err := leaselab(append([]string{"sweep", "manifest", "--shards", "3", "--image", "x"}, sweep...)...)
		require.NoError(t, err)
		want, err := leaselab(append([]string{"sweep", "-o", "csv"}, sweep...)...)
		require.NoError(t, err)
		assert.Contains(t, want, "leaselab run "+arg+" ")
		merged, err := leaselab(append([]string{"sweep", "merge", "-o", "csv"}, pods(t, text)...)...)
		require.NoError(t, err)
		assert.Equal(t, want, merged)
	}
}

// A scenario from standard input, or from a file whose name no ConfigMap allows, goes along as well.
func TestManifestOfOtherInputs(t *testing.T) {
	source, err := leaselab("scenarios", "crash")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "my file.yaml")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	in, err := os.Open(file)
	require.NoError(t, err)
	defer in.Close()
	before := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = before }()
	for _, arg := range []string{"-", file} {
		text, err := leaselab("sweep", "manifest", arg, "--set", "duration=100s", "--shards", "2", "--image", "x")
		require.NoError(t, err, arg)
		assert.Contains(t, text, "            - \"sweep\"\n            - \"crash.json\"\n")
		assert.Len(t, pods(t, text), 2)
	}
}

// manifest checks the sweep and says what is missing.
func TestManifestSweepRefuses(t *testing.T) {
	for args, says := range map[string]string{
		"crash --set duration=100s --shards 7":                              "--image is missing",
		"crash --set duration=100s --image x":                               "--shards is missing",
		"crash --shards 7 --image x":                                        "--set is missing",
		"crash --set duratio=100s --shards 7 --image x":                     `did you mean "duration"?`,
		"crash --set duration=100s --shards -1 --image x":                   "--shards -1 must be 1 to",
		"crash --set duration=100s --shards 7 --image x --name A_b":         `--name "A_b" must be lower case letters`,
		"crash --set duration=100s --shards 7 --image x --parallel -3":      "--parallel -3 must be 1 to 10000 pods at a time",
		"crash --set duration=100s --shards 7 --image x --namespace A_b":    `--namespace "A_b" must be lower case letters`,
		"crash --set duration=100s --shards 7 --image x --claim A_b":        `--claim "A_b" must be lower case letters`,
		"crash --set duration=100s --shards 7 --image x --cpu much":         `--cpu "much" must be a number of cores`,
		"crash --set duration=100s --shards 7 --image x --cpu 0m":           `--cpu "0m" must be a number of cores above 0`,
		"crash --set duration=100s --seeds 1..9000000 --shards 2 --image x": "make more shards",
	} {
		out, err := leaselab(append([]string{"sweep", "manifest"}, strings.Fields(args)...)...)
		require.ErrorContains(t, err, says, args)
		assert.Empty(t, out)
	}
	out, err := leaselab("sweep", "image")
	require.NoError(t, err)
	assert.Contains(t, out, "FROM scratch\n")
}

// A pod of an Indexed Job takes its shard from the environment.
func TestShardFromTheEnvironment(t *testing.T) {
	t.Setenv("JOB_COMPLETION_INDEX", "2")
	file := filepath.Join(t.TempDir(), "2.runs")
	out, err := leaselab("sweep", "crash", "--set", "duration=100s", "--seeds", "1..10", "--shard", "3", "--resume", file)
	require.NoError(t, err)
	assert.Contains(t, out, "shard 2/3: 3 of 3 runs in "+file)
	_, err = leaselab("sweep", "crash", "--set", "duration=100s", "--shard", "2", "--resume", file)
	assert.ErrorContains(t, err, `--shard 2 with JOB_COMPLETION_INDEX: "2/2" must be I/N`)
}
