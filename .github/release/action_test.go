package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// step is a step of the action, as GitHub's runner reads it.
type step struct {
	Name, Shell, If, Run string
	Env                  map[string]string
}

// steps returns the steps of action.yml.
func steps(t *testing.T) []step {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	require.NoError(t, err)
	var action struct {
		Name, Description string
		Runs              struct {
			Using string
			Steps []step
		}
	}
	require.NoError(t, yaml.Unmarshal(data, &action))
	require.Equal(t, "composite", action.Runs.Using)
	require.NotEmpty(t, action.Name)
	require.Len(t, action.Runs.Steps, 2)
	return action.Runs.Steps
}

// runner runs steps as GitHub's runner does: bash without other settings, and files in which a step leaves values.
type runner struct {
	folder string
	env    []string
}

func newRunner(t *testing.T, more ...string) runner {
	t.Helper()
	r := runner{folder: t.TempDir()}
	arch := map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH]
	r.env = append(os.Environ(), "RUNNER_OS=Linux", "RUNNER_ARCH="+arch, "RUNNER_TEMP="+r.folder,
		"GITHUB_PATH="+filepath.Join(r.folder, "path"), "GITHUB_OUTPUT="+filepath.Join(r.folder, "output"),
		"GITHUB_STEP_SUMMARY="+filepath.Join(r.folder, "summary"))
	r.env = append(r.env, more...)
	return r
}

// run runs a step with the values of its inputs. Then it adds the folders that the step asks for to PATH.
func (r *runner) run(s step, values ...string) (string, error) {
	c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
	c.Dir, c.Env = r.folder, append(r.env, values...)
	out, err := c.CombinedOutput()
	if added, e := os.ReadFile(filepath.Join(r.folder, "path")); e == nil {
		r.env = append(r.env, "PATH="+strings.ReplaceAll(string(added), "\n", ":")+os.Getenv("PATH"))
	}
	return string(out), err
}

// host serves a release's folder at the addresses that GitHub has.
func host(t *testing.T, folder, version string) string {
	t.Helper()
	all := http.NewServeMux()
	all.Handle("/latest", http.RedirectHandler("/tag/"+version, http.StatusFound))
	all.HandleFunc("/tag/"+version, func(http.ResponseWriter, *http.Request) {})
	all.Handle("/download/"+version+"/", http.StripPrefix("/download/"+version, http.FileServer(http.Dir(folder))))
	server := httptest.NewServer(all)
	t.Cleanup(server.Close)
	return server.URL
}

// The action installs the release and tests a program with it: the scenario, the further arguments and the program's own
// arguments arrive unchanged.
func TestAction(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not run: the steps of the action: this is not Linux")
	}
	release, folder, _ := released(t)
	all, r := steps(t), newRunner(t)
	for _, s := range all {
		require.Equal(t, "bash", s.Shell)
	}
	assert.Equal(t, "${{ inputs.version || github.action_ref }}", all[0].Env["VERSION"])
	assert.Equal(t, address+"/releases", all[0].Env["RELEASES"])
	at := host(t, folder, release.Version)
	for _, version := range []string{"VERSION=main", "VERSION=" + release.Version} { // a branch: the newest release
		said, err := r.run(all[0], version, "RELEASES="+at)
		require.NoError(t, err, "%s", said)
	}
	if os.Getenv("LEASELAB_RELEASE") != "" {
		testReal(t, &r, all[1])
		return
	}
	const operator, asGiven = "PROGRAM=./operator --id '{name}'", "<-->\n<bash>\n<-c>\n<exec ./operator --id '{name}'>\n"
	said, err := r.run(all[1], "SCENARIO=pause.yaml", "ARGUMENTS=-o json --works-from 'became leader'", operator)
	require.NoError(t, err, "%s", said)
	record := r.folder + "/leaselab.ndjson"
	assert.Equal(t, "leaselab version v9.8.7\n<test>\n<pause.yaml>\n<--record>\n<"+record+">\n<-o>\n<json>\n"+
		"<--works-from>\n<became leader>\n"+asGiven, said)
	assert.Equal(t, "record="+record+"\n", r.read(t, "output"))
	said, err = r.run(all[1], "SUITE=operator", "ARGUMENTS=", operator)
	require.NoError(t, err, "%s", said)
	assert.Equal(t, "leaselab version v9.8.7\n<test>\n<--suite>\n<operator>\n<-o>\n<markdown>\n"+asGiven, said)
	assert.Equal(t, said, r.read(t, "summary"))
}

// read returns what the steps left in a file.
func (r *runner) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.folder, name))
	require.NoError(t, err)
	return string(data)
}

// testReal tests a program that never asks for the Lease, with the command of a real release. The
// run proves nothing, so the step fails.
func testReal(t *testing.T, r *runner, s step) {
	t.Helper()
	scenario := "apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nduration: 3s\ncandidates: [{name: a}]\n"
	require.NoError(t, os.WriteFile(filepath.Join(r.folder, "idle.yaml"), []byte(scenario), 0o644))
	for _, asked := range []string{"SCENARIO=idle.yaml", "SUITE=" + r.folder} {
		said, err := r.run(s, asked, "ARGUMENTS=", "PROGRAM=sleep 60")
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "%s", said)
		assert.Equal(t, 1, exit.ExitCode(), said)
	}
	assert.FileExists(t, filepath.Join(r.folder, "leaselab.ndjson"))
	assert.NotEmpty(t, r.read(t, "summary"))
}

// The action refuses an archive whose checksum is wrong, and a system that has no archive.
func TestActionRefuses(t *testing.T) {
	folder := small(t)
	at := host(t, folder, "v9.8.7")
	for _, system := range systems {
		if strings.HasPrefix(system, "linux") {
			require.NoError(t, os.WriteFile(filepath.Join(folder, "leaselab-v9.8.7-"+system+".tar.gz"), []byte("no"), 0o644))
		}
	}
	r := newRunner(t)
	said, err := r.run(steps(t)[0], "VERSION=v9.8.7", "RELEASES="+at)
	require.Error(t, err)
	assert.Contains(t, said, "FAILED")
	r = newRunner(t, "RUNNER_ARCH=ARM")
	_, err = r.run(steps(t)[0], "VERSION=v9.8.7", "RELEASES="+at)
	require.Error(t, err)
	assert.NoFileExists(t, filepath.Join(r.folder, "path"))
}
