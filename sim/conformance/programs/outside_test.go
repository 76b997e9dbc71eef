package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A module outside the tree tests its operator with ten lines. The test fails, because the operator's work ignores its context, and its
// message says so.
func TestAModuleOutside(t *testing.T) {
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	ours, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	module := strings.NewReplacer(
		"module github.com/leaselab/leaselab/sim/conformance", "module example.com/operator", "=> ../..", "=> "+root,
	).Replace(string(ours))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o600))
	for from, to := range map[string]string{
		"../go.sum": "go.sum", "testdata/operator/operator.go.txt": "operator.go", "testdata/operator/operator_test.go.txt": "operator_test.go",
	} {
		data, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, to), data, 0o600))
	}
	begun := time.Now()
	test := exec.Command("go", "test", "-count=1", "./...")
	test.Dir = dir
	test.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "LEASELAB_DIR="+dir, "LEASELAB_SEED=")
	data, err := test.CombinedOutput()
	said := string(data)
	require.Error(t, err, "the operator is broken")
	t.Logf("%s\n%s", time.Since(begun), said)

	assert.Regexp(t, `both lead, for \d+\.\d{3} s\. \[moreThanOneActive, safety\]`, said)
	assert.Regexp(t, `'s context ended at 0\d:\d\d\.\d{3}, but its work went on\.`, said)
	assert.Regexp(t, `Seed \d+\. Run it again: LEASELAB_SEED=\d+ go test -run '\^TestLeaderIsCutOff\$' example\.com/operator`, said)
	file := regexp.MustCompile(`The scenario: (\S+);`).FindStringSubmatch(said)
	require.NotNil(t, file, said)
	assert.FileExists(t, file[1])
}
