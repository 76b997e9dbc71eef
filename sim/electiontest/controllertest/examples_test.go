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

// moduleDir is the directory of a module's source.
func moduleDir(t *testing.T, path string) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path).Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(dir))
}

// exampleTest runs two processes of the example beside an elector that leads first and dies. The example ends with the
// process of the test, as it ends its own: it has no other way out.
const exampleTest = `package main

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/electiontest/controllertest"
)

// config is the rest.Config of the process that starts next.
var config *rest.Config

func TestExample(t *testing.T) {
	s := electiontest.YAML(t, ` + "`" + `
apiVersion: leaselab.dev/v1alpha1
kind: Scenario
duration: 5m
lease: {namespace: default, name: example}
candidates: [{name: old}, {name: b, startAt: 1s}, {name: c, startAt: 2s}]
actions: [{at: 60s, act: crash, target: old}]
` + "`" + `)
	electiontest.Run(t, s, func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
				Lock: &resourcelock.LeaseLock{
					LeaseMeta:  metav1.ObjectMeta{Namespace: n.Settings.Namespace, Name: n.Settings.Lease},
					Client:     clientset.NewForConfigOrDie(controllertest.Config(n)).CoordinationV1(),
					LockConfig: resourcelock.ResourceLockConfig{Identity: n.Settings.Identity},
				},
				LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
				Callbacks: leaderelection.LeaderCallbacks{
					OnStartedLeading: func(ctx context.Context) {
						defer n.Work(ctx)()
						<-ctx.Done()
					},
					OnStoppedLeading: func() {},
				},
			})
		}, "old")
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			config = controllertest.Config(n)
			begin(n)
			main()
		}, "b", "c")
		for _, at := range instants {
			c.Until(at)
			fmt.Printf("%s: %s holds\n", at, c.Holder())
		}
		os.Exit(0)
	})
}
`

// clientGo gives the example of client-go its flags.
const clientGo = `package main

import (
	"flag"
	"os"
	"time"

	"github.com/leaselab/leaselab/sim/electiontest"
)

var instants = []time.Duration{59 * time.Second, 100 * time.Second, 280 * time.Second}

func begin(n *electiontest.Node) {
	flag.CommandLine = flag.NewFlagSet(n.Name(), flag.PanicOnError)
	os.Args = []string{n.Name(), "-id", n.Settings.Identity, "-lease-lock-name", n.Settings.Lease, "-lease-lock-namespace", n.Settings.Namespace}
}
`

// controllerRuntime switches leader election on in the example of controller-runtime, which has none, and its listener off.
//
// The API of the test has no Ingresses, which the example watches: its cache gives up two minutes after it leads.
const controllerRuntime = `package main

import (
	"time"

	"github.com/leaselab/leaselab/sim/electiontest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var (
	options  ctrl.Options
	instants = []time.Duration{59 * time.Second, 100 * time.Second}
)

func begin(n *electiontest.Node) {
	metricsserver.DefaultBindAddress = "0"
	options = ctrl.Options{LeaderElection: true, LeaderElectionID: n.Settings.Lease, LeaderElectionNamespace: n.Settings.Namespace}
}
`

// runExample runs a program of one file with the test, and returns what it prints.
func runExample(t *testing.T, program, begins string) string {
	t.Helper()
	o := newOutside(t)
	o.write(t, "main.go", program)
	o.write(t, "begin_test.go", begins)
	o.write(t, "main_test.go", exampleTest)
	out, err := o.run("go", "test", "-c", "-o", "example.test", ".")
	require.NoError(t, err, "%s", out)
	out, err = o.run("./example.test")
	require.NoError(t, err, "%s", out)
	assert.Contains(t, out, "59s: old holds")
	return out
}

// controller-runtime's own example of a manager, as its module has it in examples/typed/main.go, runs with the node's
// rest.Config and with leader election switched on: it follows a leader that dies, and leads after it.
func TestExampleOfControllerRuntime(t *testing.T) {
	inTestLong(t)
	t.Parallel()
	example, err := os.ReadFile(filepath.Join(moduleDir(t, "sigs.k8s.io/controller-runtime"), "examples/typed/main.go"))
	require.NoError(t, err)
	const made = "ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})"
	require.Contains(t, string(example), made)
	text := strings.Replace(string(example), made, "ctrl.NewManager(config, options)", 1)
	// It can be started once in a process: its handler of signals refuses a second one.
	text = strings.Replace(text, "func main() {", "var started bool\n\nfunc main() {\n\tif started {\n\t\treturn\n\t}\n\tstarted = true", 1)
	out := runExample(t, text, strings.Replace(controllerRuntime, "import (", "import (\n\tctrl \"sigs.k8s.io/controller-runtime\"", 1))
	assert.Regexp(t, `1m40s: (b|.*_[0-9a-f-]{36}) holds\n`, out)
}

// client-go's own example of leader election, as its module has it in examples/leader-election/main.go, runs with the node's
// rest.Config in place of the one that it builds from a kubeconfig: it follows a leader that dies, leads after it and stays.
func TestExampleOfClientGo(t *testing.T) {
	inTestLong(t)
	t.Parallel()
	example, err := os.ReadFile(filepath.Join(moduleDir(t, "k8s.io/client-go"), "examples/leader-election/main.go"))
	require.NoError(t, err)
	build := regexp.MustCompile(`(?s)func buildConfig\(.*?\n}\n`)
	require.Len(t, build.FindAll(example, -1), 1)
	text := build.ReplaceAllString(string(example), "func buildConfig(string) (*rest.Config, error) { return config, nil }\n")
	text = strings.Replace(text, "\t\"k8s.io/client-go/tools/clientcmd\"\n", "", 1)

	out := runExample(t, text, clientGo)
	after := regexp.MustCompile(`1m40s: ([bc]) holds\n`).FindStringSubmatch(out)
	require.NotNil(t, after, "%s", out)
	assert.Contains(t, out, "4m40s: "+after[1]+" holds", "it stays")
	assert.Contains(t, out, "Controller loop...", "its own work has begun")
}
