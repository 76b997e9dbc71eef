package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const shorthands = `apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 4m
preset: controller-runtime
elector: {releaseOnCancel: true}
process: {drainAfterCancel: 40s}
candidates: [{name: a}, {name: m, replicas: 2, startAt: 50ms}]
actions:
  - {at: 20s, act: crash, target: m-0, for: 5s}
  - {at: 60s, act: stop, target: a, grace: 30s}
  - {at: 100s, act: crash, target: holder, for: 5s}
  - {at: 2m, act: rollingUpdate}
`

var seedAndLeaders = regexp.MustCompile(`(?m)^.* leads.*$`)

// What shorthands stand for is printed, and what is printed does the same.
func TestExpand(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	path := write("short.yaml", shorthands)
	text, err := leaselab("run", path, "--expand")
	require.NoError(t, err)
	for _, says := range []string{
		"# every candidate: preset controller-runtime is a manager: leaseDuration 15s, ",
		"# stop of a at 1m0s stands for:\n#   1m0s stop a\n#   1m30s crash a, if it has not ended: SIGKILL\n",
		"#   1m45s restart the same, if it is still down\n",
		"# rollingUpdate at 2m0s stands for:\n#   2m0s add a-v2\n#   2m10s stop a, grace 30s\n#   2m10s add m-0-v2\n",
		"\nseed: 1\n", "\n  leaseDuration: 15s\n", "\n  releaseAfterWork: true\n",
	} {
		assert.Contains(t, text, says)
	}
	assert.NotRegexp(t, `(?m)^preset:|rollingUpdate$|grace:`, text)
	short, err := leaselab("run", path, "-q")
	require.NoError(t, err)
	long, err := leaselab("run", write("long.yaml", text), "-q")
	require.NoError(t, err)
	assert.Equal(t, seedAndLeaders.FindAllString(short, -1), seedAndLeaders.FindAllString(long, -1))
	assert.Regexp(t, `seed 1, engine \d`, short, "the seed that it left out can be replayed")
}
