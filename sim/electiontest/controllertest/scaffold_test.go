package controllertest_test

import (
	"encoding/json"
	"fmt"
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

// kubebuilder is the version whose scaffold is run. Nothing of it is kept here: the test fetches it.
const kubebuilder = "sigs.k8s.io/kubebuilder/v4@v4.10.1"

// controllerGen is the generator of CustomResourceDefinitions that this kubebuilder scaffolds.
const controllerGen = "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.19.0"

// notRun ends a test whose modules cannot be fetched. The last line of `make conformance` counts and names these tests.
func notRun(t *testing.T, because string) {
	t.Helper()
	fmt.Printf("not run: %s: %s\n", t.Name(), because)
	t.Skip(because)
}

// inTestLong ends a test of make test that compiles another program.
func inTestLong(t *testing.T) {
	t.Helper()
	if testing.Short() {
		notRun(t, "it compiles another program; make test-long runs it")
	}
}

// fetch runs a command that may need the network, and ends the test if it fails.
func (o outside) fetch(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir = o.dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -buildvcs=false")
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(said.String()+"\n"+string(out)), "\n")
		notRun(t, fmt.Sprintf("%s: %v: %s", strings.Join(args[:min(len(args), 3)], " "), err, lines[max(0, len(lines)-1)]))
	}
	return string(out)
}

// scaffold is the project that `kubebuilder init` and `kubebuilder create api` write, with leaselab and this module required beside its own
// modules.
func scaffold(t *testing.T) outside {
	t.Helper()
	here, err := os.Getwd()
	require.NoError(t, err)
	o, tool := outside{dir: t.TempDir()}, filepath.Join(t.TempDir(), "kubebuilder")
	var module struct{ Dir string }
	require.NoError(t, json.Unmarshal([]byte(o.fetch(t, "go", "mod", "download", "-json", kubebuilder)), &module))
	build := exec.Command("go", "build", "-o", tool, ".")
	build.Dir, build.Env = module.Dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly -buildvcs=false")
	if out, err := build.CombinedOutput(); err != nil {
		notRun(t, "kubebuilder does not build: "+string(out))
	}
	o.fetch(t, tool, "init", "--domain", "example.com", "--repo", "example.com/guestbook", "--skip-go-version-check", "--fetch-deps=false")
	o.fetch(t, tool, "create", "api", "--group", "webapp", "--version", "v1", "--kind", "Guestbook", "--resource", "--controller", "--make=false")

	const root, own = "github.com/leaselab/leaselab", "github.com/leaselab/leaselab/sim/electiontest/controllertest"
	o.fetch(t, "go", "mod", "edit", "-require", root+"@v0.0.0", "-require", own+"@v0.0.0",
		"-replace", root+"="+filepath.Join(here, "../../.."), "-replace", own+"="+here)
	o.write(t, "cmd/imports_test.go", "package main\n\nimport (\n\t_ \""+own+"\"\n\t_ \""+root+"/sim/electiontest\"\n)\n")
	o.fetch(t, "go", "list", "-deps", "-test", "./cmd")
	o.fetch(t, "go", "run", controllerGen, "object", "crd", "paths=./api/...", "output:crd:artifacts:config=config/crd/bases")
	return o
}

// inPod makes a command that runs another one as in a pod of the namespace default: controller-runtime reads its namespace from a file.
func inPod(t *testing.T, args ...string) []string {
	t.Helper()
	const dir = "/var/run/secrets/kubernetes.io/serviceaccount"
	pod := []string{"unshare", "--map-root-user", "--mount", "sh", "-c",
		`mount -t tmpfs none "$(readlink -f /var/run)" && mkdir -p ` + dir + ` && printf default >` + dir + `/namespace && exec "$0" "$@"`}
	if out, err := exec.Command(pod[0], append(pod[1:], "true")...).CombinedOutput(); err != nil {
		notRun(t, fmt.Sprintf("unshare: %v: %s", err, out))
	}
	return append(pod, args...)
}

// The manager that kubebuilder scaffolds follows a leader that dies: two of them in virtual time, and two processes of it, unchanged, in
// real time.
func TestScaffoldOfKubebuilder(t *testing.T) {
	inTestLong(t)
	t.Parallel()
	o := scaffold(t)
	data, err := os.ReadFile(filepath.Join(o.dir, "cmd/main.go"))
	require.NoError(t, err)
	id := regexp.MustCompile(`LeaderElectionID:\s+"([^"]+)"`).FindStringSubmatch(string(data))
	require.NotNil(t, id)
	out, err := o.run("go", "build", "-o", "manager", "./cmd")
	require.NoError(t, err, "%s", out)
	t.Run("in virtual time", func(t *testing.T) {
		t.Parallel()
		scaffoldInVirtualTime(t, o, string(data), id[1])
	})
	t.Run("as processes", func(t *testing.T) {
		t.Parallel()
		scaffoldAsProcesses(t, o, id[1])
	})
}

// scaffoldTest runs two managers of the scaffold. Its main is called for each: it reads its flags, its configuration and its context
// before any time passes.
const scaffoldTest = `package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"k8s.io/client-go/rest"
	ctrlconfig "sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/electiontest/controllertest"
)

var (
	config   *rest.Config
	stopping context.Context
	work     manager.Runnable
	yes      = true
	twice    = ctrlconfig.Controller{SkipNameValidation: &yes} // two managers share a process
)

func TestScaffold(t *testing.T) { play(t, electiontest.CRDs("config/crd/bases")) }

func TestWithoutDefinitions(t *testing.T) { play(t) }

func play(t *testing.T, options ...electiontest.Option) {
	s := electiontest.YAML(t, ` + "`" + `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 5m
lease: {namespace: default, name: ID}
candidates: [{name: a}, {name: b, startAt: 1s}]
actions: [{at: 60s, act: crash, target: holder}]
` + "`" + `)
	result := electiontest.Run(t, s, func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			flag.CommandLine = flag.NewFlagSet(n.Name(), flag.PanicOnError)
			os.Args = []string{n.Name(), "--leader-elect", "--metrics-bind-address=0", "--health-probe-bind-address=0"}
			config, stopping = controllertest.Config(n), ctx
			work = controllertest.Runnable(n, func(ctx context.Context) error {
				<-ctx.Done()
				return nil
			})
			main()
		})
	}, options...)
	for _, change := range result.Changes {
		fmt.Printf("%d ms: %q after %q\n", change.At.Milliseconds(), change.To, change.From)
	}
}
`

// What is changed in the scaffold's main.go: its configuration, the context that ends when its process shall stop (a bubble of virtual
// time cannot send one of its processes a signal), the check that a process has one controller of a name, and, where kubebuilder adds a
// project's controllers, work that needs the election.
var scaffoldChanges = [][2]string{
	{"ctrl.GetConfigOrDie()", "config"},
	{"ctrl.SetupSignalHandler()", "stopping"},
	{"ctrl.Options{", "ctrl.Options{Controller: twice,"},
	{"// +kubebuilder:scaffold:builder", "utilruntime.Must(mgr.Add(work))"},
}

func scaffoldInVirtualTime(t *testing.T, o outside, program, id string) {
	for _, change := range scaffoldChanges {
		require.Equal(t, 1, strings.Count(program, change[0]), change[0])
		program = strings.Replace(program, change[0], change[1], 1)
	}
	overlay := struct{ Replace map[string]string }{map[string]string{
		filepath.Join(o.dir, "cmd/main.go"):         filepath.Join(o.dir, "main.go.changed"),
		filepath.Join(o.dir, "cmd/imports_test.go"): filepath.Join(o.dir, "main_test.go.made"),
	}}
	data, err := json.Marshal(overlay)
	require.NoError(t, err)
	o.write(t, "overlay.json", string(data))
	o.write(t, "main.go.changed", program)
	o.write(t, "main_test.go.made", strings.Replace(scaffoldTest, "ID", id, 1))
	out, err := o.run("go", "test", "-c", "-overlay", "overlay.json", "-o", "scaffold.test", "./cmd")
	require.NoError(t, err, "%s", out)

	begun := time.Now()
	out, err = o.run(inPod(t, "./scaffold.test", "-test.v", "-test.run", "WithoutDefinitions")...)
	require.Error(t, err)
	assert.Contains(t, out, "a program asks for /apis/webapp.example.com/v1, which the API server does not have")
	assert.Less(t, time.Since(begun), 20*time.Second, "an unknown kind fails at once")
	out, err = o.run(inPod(t, "./scaffold.test", "-test.v", "-test.run", "Scaffold")...)
	require.NoError(t, err, "%s", out)
	assert.Contains(t, out, "--- PASS: TestScaffold", "no rule is broken, and both programs end")
	assert.Regexp(t, `(?m)^\d\d ms: "a" after ""$`, out)
	assert.Regexp(t, `(?m)^(6[5-9]|7\d|8[01])\d{3} ms: "b" after "a"$`, out, "b waits for the lease of 15 s, and up to 4.4 s more")
	assert.Len(t, regexp.MustCompile(`ms: `).FindAllString(out, -1), 2, "%s", out)
}

// processScenario kills the leader. The scaffold's elector has client-go's durations, and does not release.
const processScenario = `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
name: scaffold
duration: 32s
lease: {namespace: default, name: ID}
candidates: [{name: a}, {name: b, startAt: 300ms}]
actions: [{at: 5s, act: crash, target: holder}]
expect: [{changes: 2}]
`

func scaffoldAsProcesses(t *testing.T, o outside, id string) {
	here, err := os.Getwd()
	require.NoError(t, err)
	leaselab := filepath.Join(o.dir, "leaselab")
	build := exec.Command("go", "build", "-o", leaselab, "./sim/cmd/leaselab")
	build.Dir = filepath.Join(here, "../../..")
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	o.write(t, "scaffold.yaml", strings.Replace(processScenario, "ID", id, 1))
	args := append([]string{leaselab, "test", "scaffold.yaml", "--crds", "config/crd/bases", "--works-from", "(?i)successfully acquired lease", "--works-until", "leader election lost", "--"},
		inPod(t, filepath.Join(o.dir, "manager"), "--leader-elect", "--metrics-bind-address=0", "--health-probe-bind-address=0")...)
	out, err := o.run(args...)
	require.NoError(t, err, "%s", out)
	assert.Regexp(t, `change 2: (a → b|b → a) at 00:`, out)
	assert.Regexp(t, `00:05\.000  [ab] crashed at 00:05\.000\.`, out)
	assert.Contains(t, out, "no violations")
}
