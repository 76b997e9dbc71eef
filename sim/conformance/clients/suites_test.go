package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

// manifest is a namespace with what a test suite puts into it, as a List.
const manifest = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Namespace
  metadata: {name: suite, labels: {made-by: tests}}
- apiVersion: coordination.k8s.io/v1
  kind: Lease
  metadata: {name: demo, namespace: suite}
  spec: {holderIdentity: a, leaseDurationSeconds: 15}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings, namespace: suite}
  data: {retryPeriod: 2s}
`

// What test suites do with kubectl, without a flag that they would not use with a cluster: Namespaces and Lists are applied and
// deleted, with validation, and kubectl returns; deletions with every cascade end; Events are described; and what kubectl prints
// is a fixture.
func TestKubectlInSuites(t *testing.T) {
	t.Parallel()
	a := served.Command(t)
	k := newKubectl(t, a)
	assert.Equal(t, "default\nkube-node-lease\nkube-public\nkube-system\n", strings.ReplaceAll(k.run("", "get", "ns", "-o", "name"), "namespace/", ""))

	assert.Equal(t, "namespace/suite created\nlease.coordination.k8s.io/demo created\nconfigmap/settings created\n", k.run(manifest, "apply", "-f", "-"))
	assert.Equal(t, "namespace/suite unchanged\nlease.coordination.k8s.io/demo unchanged\nconfigmap/settings unchanged\n", k.run(manifest, "apply", "-f", "-"))
	k.fails(`unknown field "data2"`, strings.Replace(manifest, " data:", " data2:", 1), "apply", "-f", "-")
	assert.Equal(t, "namespace/alone created\n", k.run("apiVersion: v1\nkind: Namespace\nmetadata: {name: alone}\n", "apply", "-f", "-"))
	assert.Equal(t, "namespace/alone serverside-applied\n", k.run("apiVersion: v1\nkind: Namespace\nmetadata: {name: alone}\n", "apply", "--server-side", "-f", "-"))
	assert.Contains(t, k.run("", "explain", "ns.status"), "phase\t<string>")
	assert.Equal(t, []string{"settings", "1"}, words(k.run("", "get", "cm", "-n", "suite", "--no-headers"))[0][:2])

	event := `apiVersion: v1
kind: Event
metadata: {name: demo.1, namespace: suite}
type: Normal
reason: LeaderElection
message: a became leader
source: {component: a}
involvedObject: {apiVersion: coordination.k8s.io/v1, kind: Lease, name: demo, namespace: suite, uid: UID}
firstTimestamp: "2026-01-01T00:00:00Z"
lastTimestamp: "2026-01-01T00:00:00Z"
count: 1
`
	event = strings.Replace(event, "UID", k.run("", "get", "lease", "demo", "-n", "suite", "-o", "jsonpath={.metadata.uid}"), 1)
	k.run(event, "create", "-f", "-")
	assert.Contains(t, k.run("", "describe", "lease", "demo", "-n", "suite"), "a became leader")
	assert.Contains(t, k.run("", "get", "events", "-n", "suite"), "lease/demo")
	assert.Contains(t, k.run("", "events", "-n", "suite", "--for", "lease/demo"), "a became leader")

	newer := `apiVersion: events.k8s.io/v1
kind: Event
metadata: {name: demo.2, namespace: suite}
type: Normal
reason: LeaderElection
action: Elect
note: b became leader
reportingController: leaselab.dev/b
reportingInstance: b-1
regarding: {apiVersion: coordination.k8s.io/v1, kind: Lease, name: demo, namespace: suite}
eventTime: "2026-01-01T00:00:01.000000Z"
`
	k.fails(`unknown field "message"`, newer+"message: text\n", "create", "-f", "-")
	k.run(newer, "create", "-f", "-")
	assert.Contains(t, k.run(newer, "apply", "--server-side", "-f", "-"), "demo.2 serverside-applied")
	assert.Len(t, words(k.run("", "get", "events.events.k8s.io", "-n", "suite", "--no-headers")), 2)
	assert.Contains(t, k.run("", "get", "events.events.k8s.io", "demo.2", "-n", "suite", "-o", "jsonpath={.note}"), "b became leader")
	explained := k.run("", "explain", "events", "--api-version", "events.k8s.io/v1")
	assert.Contains(t, explained, "regarding\t<ObjectReference>")
	assert.Contains(t, explained, "eventTime\t<string> -required-")
	assert.Contains(t, k.run("", "explain", "events.series.count", "--api-version", "events.k8s.io/v1"), "FIELD: count <integer>")

	printed := k.run("", "get", "ns,leases,configmaps,events", "-A", "-o", "yaml", "--show-managed-fields")
	fixture := filepath.Join(t.TempDir(), "printed.yaml")
	require.NoError(t, os.WriteFile(fixture, []byte(printed), 0o600))
	again := newKubectl(t, served.Command(t, "--fixture", fixture))
	for _, what := range []string{"leases", "configmaps"} {
		args := []string{"get", what, "-A", "-o", "jsonpath={range .items[*]}{.metadata.uid} {.metadata.name} {.metadata.creationTimestamp}{'\\n'}{end}"}
		assert.Equal(t, k.run("", args...), again.run("", args...))
	}

	for _, cascade := range []string{"background", "foreground", "orphan"} {
		assert.Contains(t, k.run("", "delete", "lease", "demo", "-n", "suite", "--cascade="+cascade), `"demo" deleted`)
		k.run(manifest, "apply", "-f", "-")
	}
	// The namespace may be empty before kubectl comes to its objects.
	assert.Contains(t, k.run(manifest, "delete", "--ignore-not-found", "-f", "-"), `namespace "suite" deleted`)
	assert.Contains(t, k.run("", "delete", "ns", "alone"), `namespace "alone" deleted`)
	k.fails(`namespaces "suite" not found`, "", "get", "ns", "suite")
}

// LeaseCandidates that kubectl makes are elected by the controllers, for each leaseName, in the versions that are served.
func TestKubectlCandidatesAreElected(t *testing.T) {
	t.Parallel()
	for version, how := range map[string]struct{ strategy, flag string }{
		"v1beta1":  {"strategy: OldestEmulationVersion", ""},
		"v1alpha2": {"strategy: OldestEmulationVersion", ""},
		"v1alpha1": {"preferredStrategies: [OldestEmulationVersion]", "coordination.k8s.io/v1alpha1=true,coordination.k8s.io/v1beta1=false,coordination.k8s.io/v1alpha2=false"},
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			var flags []string
			if how.flag != "" {
				flags = []string{"--runtime-config", how.flag}
			}
			k := newKubectl(t, served.Command(t, flags...))
			candidate := func(name, lease, emulates string) string {
				return fmt.Sprintf("apiVersion: coordination.k8s.io/%s\nkind: LeaseCandidate\nmetadata: {name: %s}\nspec: {leaseName: %s, binaryVersion: 1.36.0, emulationVersion: %s, %s, renewTime: %q}\n---\n",
					version, name, lease, emulates, how.strategy, time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"))
			}
			k.run(candidate("newer", "one", "1.36.0")+candidate("older", "one", "1.35.0")+candidate("alone", "two", "1.36.0"), "apply", "-f", "-")
			holder := func(lease string) string {
				out, _ := k.try("", "get", "lease", lease, "-o", "jsonpath={.spec.holderIdentity} {.spec.preferredHolder} {.spec.strategy}")
				return out
			}
			served.Until(t, 30*time.Second, "the older emulation version is the holder, or preferred to it", func() bool {
				now := holder("one")
				return now == "older  OldestEmulationVersion" || now == "newer older OldestEmulationVersion"
			})
			served.Until(t, 30*time.Second, "the other Lease has its holder", func() bool { return holder("two") == "alone  OldestEmulationVersion" })
		})
	}
	k := newKubectl(t, served.Command(t, "--run-controllers=false"))
	k.run(fmt.Sprintf("apiVersion: coordination.k8s.io/v1beta1\nkind: LeaseCandidate\nmetadata: {name: a}\nspec: {leaseName: one, binaryVersion: 1.36.0, emulationVersion: 1.36.0, strategy: OldestEmulationVersion, renewTime: %q}\n",
		time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")), "apply", "-f", "-")
	k.fails(`leases.coordination.k8s.io "one" not found`, "", "get", "lease", "one")
}
