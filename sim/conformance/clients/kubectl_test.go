package clients

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

// kubectl runs the program on the PATH, with a separate home directory.
type kubectl struct {
	t    *testing.T
	path string
	home string
}

func newKubectl(t *testing.T, a *served.API) *kubectl {
	t.Helper()
	path, err := exec.LookPath("kubectl")
	if err != nil {
		served.NotRun(t, "the PATH has no kubectl")
	}
	k := &kubectl{t: t, path: path, home: t.TempDir()}
	require.NoError(t, os.MkdirAll(filepath.Join(k.home, ".kube"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(k.home, ".kube", "config"), []byte(`apiVersion: v1
kind: Config
current-context: it
clusters: [{name: it, cluster: {server: "`+a.URL+`"}}]
contexts: [{name: it, context: {cluster: it, user: it, namespace: default}}]
users: [{name: it, user: {}}]
`), 0o600))
	return k
}

func (k *kubectl) command(ctx context.Context, stdin string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, k.path, args...)
	c.Env = []string{"HOME=" + k.home, "PATH=" + os.Getenv("PATH")}
	c.Dir = k.home
	c.Stdin = strings.NewReader(stdin)
	return c
}

// try runs a command and returns both outputs together.
func (k *kubectl) try(stdin string, args ...string) (string, error) {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	out, err := k.command(ctx, stdin, args...).CombinedOutput()
	return string(out), err
}

func (k *kubectl) run(stdin string, args ...string) string {
	k.t.Helper()
	out, err := k.try(stdin, args...)
	require.NoError(k.t, err, "kubectl %s: %s", strings.Join(args, " "), out)
	return out
}

// fails runs a command that the server must refuse.
func (k *kubectl) fails(want, stdin string, args ...string) {
	k.t.Helper()
	out, err := k.try(stdin, args...)
	assert.Error(k.t, err, out)
	assert.Contains(k.t, out, want)
}

// words splits the lines of a table into columns.
func words(text string) [][]string {
	var lines [][]string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		lines = append(lines, strings.Fields(line))
	}
	return lines
}

const kubectlLease = `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: demo, labels: {app: it}}
spec: {holderIdentity: a, leaseDurationSeconds: 15, renewTime: "2026-01-02T03:04:05.678901Z"}
`

// kubectl's verbs against the built command.
func TestKubectl(t *testing.T) {
	t.Parallel()
	a := served.Command(t)
	k := newKubectl(t, a)

	resources := k.run("", "api-resources", "--no-headers")
	assert.Regexp(t, `(?m)^leases\s+coordination\.k8s\.io/v1\s+true\s+Lease$`, resources)
	assert.Regexp(t, `(?m)^leasecandidates\s+coordination\.k8s\.io/v1beta1\s+true\s+LeaseCandidate$`, resources)
	assert.Contains(t, k.run("", "api-versions"), "coordination.k8s.io/v1alpha2\n")
	assert.Contains(t, k.run("", "version"), "Server Version: v1.36")
	explained := k.run("", "explain", "lease.spec.holderIdentity")
	assert.Contains(t, explained, "GROUP:      coordination.k8s.io")
	assert.Contains(t, explained, "holderIdentity <string>")
	assert.Contains(t, k.run("", "explain", "leasecandidates", "--recursive"), "emulationVersion\t<string>")

	assert.Equal(t, "lease.coordination.k8s.io/demo created\n", k.run(kubectlLease, "create", "-f", "-"))
	k.fails(`leases.coordination.k8s.io "demo" already exists`, kubectlLease, "create", "-f", "-")
	table := words(k.run("", "get", "leases"))
	assert.Equal(t, []string{"NAME", "HOLDER", "AGE"}, table[0])
	assert.Equal(t, []string{"demo", "a"}, table[1][:2])
	assert.Regexp(t, `^\d+s$`, table[1][2])
	assert.Equal(t, []string{"NAMESPACE", "NAME", "HOLDER", "AGE"}, words(k.run("", "get", "leases", "-A"))[0])
	assert.Equal(t, []string{"NAME", "HOLDER", "AGE", "LABELS"}, words(k.run("", "get", "lease", "demo", "-o", "wide", "--show-labels"))[0])
	assert.Equal(t, "lease.coordination.k8s.io/demo\n", k.run("", "get", "lease", "demo", "-o", "name"))
	assert.Equal(t, "a", k.run("", "get", "lease", "demo", "-o", "jsonpath={.spec.holderIdentity}"))
	var got struct{ Spec struct{ RenewTime string } }
	require.NoError(t, json.Unmarshal([]byte(k.run("", "get", "lease", "demo", "-o", "json")), &got))
	assert.Equal(t, "2026-01-02T03:04:05.678901Z", got.Spec.RenewTime)
	asYAML := k.run("", "get", "lease", "demo", "-o", "yaml", "--show-managed-fields")
	assert.Contains(t, asYAML, "  renewTime: \"2026-01-02T03:04:05.678901Z\"\n")
	assert.Contains(t, asYAML, "    manager: kubectl-create\n")
	assert.Contains(t, k.run("", "get", "leases", "-l", "app=other"), "No resources found in default namespace.")
	described := k.run("", "describe", "lease", "demo")
	assert.Regexp(t, `(?m)^  Holder Identity:\s+a$`, described)
	k.fails(`leases.coordination.k8s.io "nobody" not found`, "", "get", "lease", "nobody")

	assert.Equal(t, "lease.coordination.k8s.io/demo labeled\n", k.run("", "label", "lease", "demo", "tier=one"))
	assert.Equal(t, "lease.coordination.k8s.io/demo annotated\n", k.run("", "annotate", "lease", "demo", "note=why"))
	assert.Equal(t, "one why", k.run("", "get", "lease", "demo", "-o", "jsonpath={.metadata.labels.tier} {.metadata.annotations.note}"))

	for kind, patch := range map[string]string{
		"json":      `[{"op":"replace","path":"/spec/holderIdentity","value":"json"}]`,
		"merge":     `{"spec":{"holderIdentity":"merge"}}`,
		"strategic": `{"spec":{"holderIdentity":"strategic"}}`,
	} {
		assert.Equal(t, "lease.coordination.k8s.io/demo patched\n", k.run("", "patch", "lease", "demo", "--type", kind, "-p", patch))
		assert.Equal(t, kind, k.run("", "get", "lease", "demo", "-o", "jsonpath={.spec.holderIdentity}"))
	}

	applied := strings.NewReplacer("holderIdentity: a", "holderIdentity: applied").Replace(kubectlLease)
	k.fails(`conflict with "kubectl-patch" using coordination.k8s.io/v1: .spec.holderIdentity`, applied, "apply", "--server-side", "-f", "-")
	assert.Equal(t, "lease.coordination.k8s.io/demo serverside-applied\n", k.run(applied, "apply", "--server-side", "--force-conflicts", "-f", "-"))
	assert.Contains(t, k.run("", "get", "lease", "demo", "-o", "yaml", "--show-managed-fields"), "    operation: Apply\n")
	again := strings.NewReplacer("name: demo", "name: other").Replace(kubectlLease)
	assert.Contains(t, k.run(again, "apply", "-f", "-"), "created")
	assert.Contains(t, k.run(strings.Replace(again, "15", "20", 1), "apply", "-f", "-"), "configured")
	assert.Contains(t, k.run(strings.Replace(again, "15", "20", 1), "apply", "-f", "-"), "unchanged")

	editor := filepath.Join(k.home, "editor")
	require.NoError(t, os.WriteFile(editor, []byte("#!/bin/sh\nsed -i 's/holderIdentity: applied/holderIdentity: edited/' \"$1\"\n"), 0o755))
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	edit := k.command(ctx, "", "edit", "lease", "demo")
	edit.Env = append(edit.Env, "KUBE_EDITOR="+editor)
	out, err := edit.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, "lease.coordination.k8s.io/demo edited\n", string(out))
	assert.Equal(t, "edited", k.run("", "get", "lease", "demo", "-o", "jsonpath={.spec.holderIdentity}"))

	candidate := "apiVersion: coordination.k8s.io/v1beta1\nkind: LeaseCandidate\nmetadata: {name: c}\n" +
		"spec: {leaseName: demo, binaryVersion: 1.36.0, emulationVersion: 1.36.0, strategy: OldestEmulationVersion}\n"
	k.run(candidate, "create", "-f", "-")
	candidates := words(regexp.MustCompile(`(?m)^Warning:.*\n`).ReplaceAllString(k.run("", "get", "leasecandidates"), ""))
	assert.Equal(t, []string{"NAME", "LEASENAME", "BINARYVERSION", "EMULATIONVERSION", "AGE"}, candidates[0])
	assert.Equal(t, []string{"c", "demo", "1.36.0", "1.36.0"}, candidates[1][:4])

	assert.Contains(t, k.run("", "delete", "lease", "demo"), `lease.coordination.k8s.io "demo" deleted`)
	assert.Contains(t, k.run("", "delete", "leases", "--all"), `lease.coordination.k8s.io "other" deleted`)
	assert.Contains(t, k.run("", "get", "leases"), "No resources found in default namespace.")
	k.run("", "create", "namespace", "made")
	assert.Contains(t, k.run("", "get", "namespaces", "-o", "name"), "namespace/made\n")
}

// kubectl's watch shows every write after its start.
func TestKubectlWatches(t *testing.T) {
	t.Parallel()
	a := served.Command(t)
	k := newKubectl(t, a)
	k.run(kubectlLease, "create", "-f", "-")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watching := k.command(ctx, "", "get", "leases", "-w")
	out, err := watching.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, watching.Start())
	lines := make(chan []string, 100)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			lines <- strings.Fields(scanner.Text())
		}
	}()
	next := func() []string {
		select {
		case line, open := <-lines:
			require.True(t, open, "kubectl ended")
			return line
		case <-time.After(30 * time.Second):
			require.FailNow(t, "kubectl prints nothing")
			return nil
		}
	}
	assert.Equal(t, []string{"NAME", "HOLDER", "AGE"}, next())
	assert.Equal(t, []string{"demo", "a"}, next()[:2])
	leases := clientset(t, a).CoordinationV1().Leases("default")
	got, err := leases.Get(ctx, "demo", metav1.GetOptions{})
	require.NoError(t, err)
	*got.Spec.HolderIdentity = "b"
	_, err = leases.Update(ctx, got, metav1.UpdateOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"demo", "b"}, next()[:2])
	k.run("", "patch", "lease", "demo", "-p", `{"spec":{"holderIdentity":"c"}}`)
	assert.Equal(t, []string{"demo", "c"}, next()[:2])
	k.run("", "delete", "lease", "demo")
	assert.Equal(t, []string{"demo", "c"}, next()[:2], "the object before its deletion")
	cancel()
	_ = watching.Wait() // the test killed it
}
