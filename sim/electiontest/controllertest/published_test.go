package controllertest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	leaselabModule = "github.com/leaselab/leaselab"
	ownModule      = leaselabModule + "/sim/electiontest/controllertest"
)

// newest is the version of a release: the version that go.mod requires.
func newest(t *testing.T) string {
	t.Helper()
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	line := regexp.MustCompile(`\t` + leaselabModule + ` (v\S+)\n`).FindSubmatch(mod)
	require.NotNil(t, line)
	return string(line[1])
}

// published commits the tree to a new git repository, tags it as a release, and returns the environment in which the go
// command finds that repository at the public address. Every other module comes from this machine's module cache.
//
// The go command keeps what it fetches in a separate module cache, because this machine's cache must not keep a
// version that is not released.
func published(t *testing.T) []string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	repository := t.TempDir()
	release := exec.Command("bash", "-euc", `git init -q && git add -A &&
		git -c user.name=t -c user.email=t@example.com commit -qm release && make -s tag`)
	release.Dir = root
	release.Env = append(os.Environ(), "GIT_DIR="+repository, "GIT_WORK_TREE="+root, "MAKEFLAGS=",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.compression", "GIT_CONFIG_VALUE_0=0")
	said, err := release.CombinedOutput()
	require.NoError(t, err, "%s", said)
	settings, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	cache, proxies, _ := strings.Cut(strings.TrimSpace(string(settings)), "\n")
	modules := t.TempDir()
	t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+w", modules).Run() }) // the go command writes read-only folders
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath", "GOMODCACHE="+modules, "GOSUMDB=off",
		"GOPRIVATE="+leaselabModule, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://"+repository+".insteadOf",
		"GIT_CONFIG_VALUE_0=https://"+leaselabModule,
		"GOPROXY=file://"+cache+"/cache/download,"+proxies)
}

// stranger makes a new module that has nothing of leaselab, and returns a function that runs commands in it.
func stranger(t *testing.T, env []string) func(args ...string) string {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		c := exec.Command(args[0], args[1:]...)
		c.Dir, c.Env = dir, env
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s\n%s", strings.Join(args, " "), out)
		return string(out)
	}
	run("go", "mod", "init", "example.com/operator")
	return run
}

// A stranger requires controllertest, and the go command finds both modules at the version of the release, without a
// replace line. The packages of electiontest load from there. A version that nobody tagged does not resolve. The page of
// the documentation does the same with `go get`, in make test-long.
func TestAStrangerRequiresBothModules(t *testing.T) {
	t.Parallel()
	version := newest(t)
	run := stranger(t, append(published(t), "GOFLAGS=-mod=mod"))
	assert.Equal(t, ownModule+" "+version+"\n", run("go", "list", "-m", ownModule+"@latest"))
	run("go", "mod", "edit", "-require="+ownModule+"@"+version)
	assert.Equal(t, leaselabModule+" "+version+"\n", run("go", "list", "-m", leaselabModule))
	assert.Contains(t, run("go", "list", "-deps", leaselabModule+"/sim/electiontest"), leaselabModule+"/sim/world\n")
	assert.Contains(t, run("go", "list", "-m", "-e", "-f", "{{.Error}}", leaselabModule+"@v99.0.0"),
		"unknown revision v99.0.0")
}

// The lines to copy for CI name the release.
func TestThePageNamesTheRelease(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../web/docs/ci.md")
	require.NoError(t, err)
	named := regexp.MustCompile(`v\d+\.\d+\.\d+`).FindAllString(string(page), -1)
	assert.Greater(t, len(named), 4)
	for _, version := range named {
		assert.Equal(t, newest(t), version, "make version sets it")
	}
}

// `go install` makes the command from the release, and the command tells its version.
func TestAStrangerInstallsTheCommand(t *testing.T) {
	inTestLong(t)
	t.Parallel()
	run := stranger(t, append(published(t), "GOBIN="+t.TempDir()))
	run("go", "install", leaselabModule+"/sim/cmd/leaselab@"+newest(t))
	bin := strings.TrimSpace(run("go", "env", "GOBIN"))
	assert.Contains(t, run(filepath.Join(bin, "leaselab"), "--version"), "leaselab version "+newest(t)+", ")
	assert.Contains(t, run(filepath.Join(bin, "leaselab"), "run", "a-leader-dies", "-q"), "no violations")
}

// The command links the same versions of the same modules with go.work and without it. Otherwise a release would differ
// from what the tests see.
func TestTheWorkspaceChangesNoVersion(t *testing.T) {
	t.Parallel()
	linked := func(work string) string {
		t.Helper()
		c := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}{{end}}",
			"./sim/cmd/leaselab", "./wasm/bridge")
		c.Dir, c.Env = "../../..", append(os.Environ(), work)
		out, err := c.Output()
		require.NoError(t, err)
		return string(out)
	}
	assert.Equal(t, linked("GOWORK=off"), linked("GOWORK="))
	assert.Contains(t, linked("GOWORK="), "golang.org/x/sys v")
}

// Each module of the tree resolves all of its imports with go.work and without it.
func TestEachModuleResolvesAlone(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{".", "sim/conformance", "sim/conformance/types", "sim/electiontest/controllertest",
		".github/release"} {
		for _, work := range []string{"GOWORK=", "GOWORK=off"} {
			c := exec.Command("go", "list", "-deps", "-test", "-f", "{{with .Error}}{{.}}{{end}}", "./...")
			c.Dir, c.Env = filepath.Join("../../..", dir), append(os.Environ(), work, "GOFLAGS=-mod=readonly")
			said, err := c.CombinedOutput()
			require.NoError(t, err, "%s %s: %s", dir, work, said)
		}
	}
}
