package types

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/sim/study/manifest"
)

// The manifest of a study decodes strictly into the real types, and has what the API server's validation asks of an Indexed Job.
func TestManifestIsAnIndexedJob(t *testing.T) {
	j := manifest.Job{
		Name: "sweep-crash", Namespace: "lab", Image: "registry.example/leaselab:1", Claim: "results", CPU: "500m", Shards: 7, Parallel: 3,
		Arguments: []string{"sweep", "a.yaml", `--set=candidates[0].name=a: "b" $(HOME) ü`, "--seeds=1..600"}, ScenarioFile: "a.yaml", Scenario: []byte("name: a\n\n  # indented\nseed: 1"),
	}
	text, err := j.YAML()
	require.NoError(t, err)
	first, second, found := strings.Cut(text, "---\n")
	require.True(t, found)
	var config corev1.ConfigMap
	require.NoError(t, yaml.UnmarshalStrict([]byte(first), &config))
	assert.Equal(t, map[string]string{"a.yaml": "name: a\n\n  # indented\nseed: 1\n"}, config.Data)

	job := decodeJob(t, second)
	pod := &job.Spec.Template.Spec
	assert.Equal(t, []string{
		"sweep", "a.yaml", `--set=candidates[0].name=a: "b" $$(HOME) ü`, "--seeds=1..600",
		"--shard=$(JOB_COMPLETION_INDEX)/7", "--resume=/results/$(JOB_COMPLETION_INDEX).runs",
	}, pod.Containers[0].Args)
	assert.Equal(t, manifest.ScenarioFolder, pod.Containers[0].WorkingDir)
	assert.Equal(t, []int32{7, 3}, []int32{*job.Spec.Completions, *job.Spec.Parallelism})
	assert.Equal(t, config.Name, pod.Volumes[1].ConfigMap.Name)
	assert.Equal(t, config.Namespace, job.Namespace)
	assert.Equal(t, "results", pod.Volumes[0].PersistentVolumeClaim.ClaimName)

	j.ScenarioFile, j.Shards, j.Parallel = "", manifest.MaxShards, manifest.MaxParallel
	text, err = j.YAML()
	require.NoError(t, err)
	assert.Len(t, decodeJob(t, text).Spec.Template.Spec.Volumes, 1)
}

// decodeJob checks what ValidateJobSpec of pkg/apis/batch/validation does of an Indexed Job.
func decodeJob(t *testing.T, text string) *batchv1.Job {
	var job batchv1.Job
	require.NoError(t, yaml.UnmarshalStrict([]byte(text), &job))
	assert.Equal(t, "batch/v1", job.APIVersion)
	assert.Equal(t, "Job", job.Kind)
	spec := &job.Spec
	assert.Equal(t, batchv1.IndexedCompletion, *spec.CompletionMode)
	require.NotNil(t, spec.Completions)
	assert.LessOrEqual(t, *spec.Parallelism, int32(100_000))
	if *spec.Completions > 100_000 {
		assert.LessOrEqual(t, *spec.Parallelism, int32(10_000))
	}
	assert.Equal(t, corev1.RestartPolicyNever, spec.Template.Spec.RestartPolicy, "backoffLimitPerIndex needs it")
	hostname := fmt.Sprintf("%s-%d", job.Name, *spec.Completions-1)
	assert.Empty(t, validation.IsDNS1123Label(hostname), "the name of the pod with the largest index")
	volumes := map[string]bool{}
	for _, v := range spec.Template.Spec.Volumes {
		volumes[v.Name] = true
	}
	for _, c := range spec.Template.Spec.Containers {
		assert.Empty(t, validation.IsDNS1123Label(c.Name))
		for _, m := range c.VolumeMounts {
			assert.True(t, volumes[m.Name], m.Name)
		}
		assert.False(t, c.Resources.Requests.Cpu().IsZero())
	}
	return &job
}

// Names are made fit, and what does not fit is refused.
func TestManifestRefuses(t *testing.T) {
	for text, want := range map[string]string{"Sweep (my scenario)": "sweep-my-scenario", "ü": "", "a--b_": "a-b", strings.Repeat("x", 80): strings.Repeat("x", 56)} {
		assert.Equal(t, want, manifest.Name(text))
	}
	good := manifest.Job{Name: "a", Image: "x", Claim: "results", CPU: "1", Shards: 1, Parallel: 1}
	_, err := good.YAML()
	require.NoError(t, err)
	for _, cpu := range []string{"1", "0.5", "500m", "12"} { // what is accepted of the cpu is a quantity of the real type
		_, err := resource.ParseQuantity(cpu)
		require.NoError(t, err)
		j := good
		j.CPU = cpu
		_, err = j.YAML()
		require.NoError(t, err)
	}
	for says, change := range map[string]func(*manifest.Job){
		"lower case letters":     func(j *manifest.Job) { j.Name = "A b" },
		"namespace \"A_b\"":      func(j *manifest.Job) { j.Namespace = "A_b" },
		"image \"a b\"":          func(j *manifest.Job) { j.Image = "a b" },
		"claim \"A\"":            func(j *manifest.Job) { j.Claim = "A" },
		"cpu \"much\"":           func(j *manifest.Job) { j.CPU = "much" },
		"shards 0 ":              func(j *manifest.Job) { j.Shards = 0 },
		"parallel 0 ":            func(j *manifest.Job) { j.Parallel = 0 },
		"a ConfigMap takes only": func(j *manifest.Job) { j.Scenario = make([]byte, 2<<20) },
	} {
		j := good
		change(&j)
		_, err := j.YAML()
		assert.ErrorContains(t, err, says)
	}
}
