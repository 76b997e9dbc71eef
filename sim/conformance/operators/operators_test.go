// Package operators plays faults on operators from the module proxy, unmodified.
package operators

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

func TestMain(m *testing.M) {
	code := m.Run()
	served.Clean()
	os.Exit(code)
}

// operator is a program from the module proxy.
type operator struct {
	module, version, main string
	crds                  [2]string // the module and the folder of its CustomResourceDefinitions
	namespaces            string    // what runs in the program's namespaces before it
	stop                  string    // the scenario that stops the leader
	// The elector releases the Lease before it tells the program that it has lost it. Cut off, it waits 5 s for that request, and the
	// program works beyond its Lease, and sometimes beside the next leader.
	late      bool
	arguments func(t *testing.T, dir string) []string
}

const kueueConfig = `apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
namespace: default
health: {healthProbeBindAddress: "127.0.0.1:0"}
metrics: {bindAddress: "0"}
webhook: {port: %d, certDir: %s}
leaderElection: {leaderElect: true, resourceName: kueue, resourceNamespace: default}
internalCertManagement: {enable: false}
integrations: {frameworks: [batch/job]}
`

var operators = map[string]operator{
	"kuberay": {
		stop: "graceful-stop", module: "github.com/ray-project/kuberay/ray-operator", version: "v1.5.0", main: "github.com/ray-project/kuberay/ray-operator",
		crds: [2]string{"github.com/ray-project/kuberay/ray-operator", "config/crd/bases"},
		arguments: func(*testing.T, string) []string {
			return []string{"-leader-election-namespace=default", "-metrics-addr=127.0.0.1:0", "-health-probe-bind-address=127.0.0.1:0"}
		},
	},
	"snapshot-controller": {
		stop: "graceful-stop", module: "github.com/kubernetes-csi/external-snapshotter/v8", version: "v8.7.0",
		main: "github.com/kubernetes-csi/external-snapshotter/v8/cmd/snapshot-controller",
		crds: [2]string{"github.com/kubernetes-csi/external-snapshotter/client/v8", "config/crd"},
		arguments: func(*testing.T, string) []string {
			return []string{"--kubeconfig=$KUBECONFIG", "--leader-election", "--leader-election-namespace=default"}
		},
	},
	"kueue": {
		stop: "graceful-stop-release", late: true, module: "sigs.k8s.io/kueue", version: "v0.17.0", main: "sigs.k8s.io/kueue/cmd/kueue",
		crds:       [2]string{"sigs.k8s.io/kueue", "config/components/crd/bases"},
		namespaces: "mount -t tmpfs none /etc && mkdir -p /etc/kueue/metrics/certs && cp %s/tls.* /etc/kueue/metrics/certs && ",
		arguments: func(t *testing.T, dir string) []string {
			writeCertificate(t, dir)
			for _, node := range []string{"a", "b", "c"} {
				config := fmt.Sprintf(kueueConfig, freePort(t), dir)
				require.NoError(t, os.WriteFile(filepath.Join(dir, node+".yaml"), []byte(config), 0o600))
			}
			return []string{"--config=" + dir + "/$LEASELAB_NODE.yaml", "--feature-gates=VisibilityOnDemand=false"}
		},
	},
}

// freePort returns a port of this machine that nobody uses now.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// writeCertificate writes a certificate, which Kueue needs for its webhooks.
func writeCertificate(t *testing.T, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	for name, block := range map[string]*pem.Block{"tls.crt": {Type: "CERTIFICATE", Bytes: certificate}, "tls.key": {Type: "PRIVATE KEY", Bytes: private}} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
}

// notRun ends a test whose operator the module proxy does not have. The last line of `make conformance-long` names it.
func notRun(t *testing.T, because string) {
	t.Helper()
	fmt.Printf("not run: %s: %s\n", t.Name(), because)
	t.Skip(because)
}

// build fetches an operator and compiles it. It returns the program and the folder of its CustomResourceDefinitions.
func (o *operator) build(t *testing.T) (program, crds string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/operator\n\ngo 1.26.0\n"), 0o600))
	run := func(args ...string) string {
		c := exec.Command("go", args...)
		c.Dir, c.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath -mod=mod")
		var said strings.Builder
		c.Stderr = &said
		out, err := c.Output()
		if err != nil {
			lines := strings.Split(strings.TrimSpace(said.String()), "\n")
			notRun(t, fmt.Sprintf("go %s: %s", args[0], lines[len(lines)-1]))
		}
		return strings.TrimSpace(string(out))
	}
	run("get", o.main+"@"+o.version)
	program = filepath.Join(dir, "operator")
	run("build", "-o", program, o.main)
	return program, filepath.Join(run("list", "-m", "-f", "{{.Dir}}", o.crds[0]), o.crds[1])
}

// Real operators, three copies of each, elect one leader, and follow it under the faults of three scenarios.
func TestOperators(t *testing.T) {
	if testing.Short() {
		notRun(t, "it compiles three operators; make test-long runs it")
	}
	if out, err := exec.Command("unshare", "--map-root-user", "--mount", "--uts", "true").CombinedOutput(); err != nil {
		notRun(t, fmt.Sprintf("unshare: %v: %s", err, out))
	}
	t.Parallel()
	leaselab := served.BuildCommand(t)
	for name, o := range operators {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, crds := o.build(t)
			for _, scenario := range []string{"crash", "cut-off", o.stop} {
				t.Run(scenario, func(t *testing.T) {
					t.Parallel()
					o.play(t, leaselab, scenario, program, crds)
				})
			}
		})
	}
}

// play runs three copies through a scenario. Each copy has its own host name, which client-go takes for its identity.
func (o *operator) play(t *testing.T, leaselab, scenario, program, crds string) {
	dir := t.TempDir()
	before := o.namespaces
	if before != "" {
		before = fmt.Sprintf(before, dir)
	}
	shell := before + `hostname "$LEASELAB_NODE" && exec ` + program + " " + strings.Join(o.arguments(t, dir), " ")
	c := exec.Command(leaselab, "test", scenario, "--crds", crds, "--quiet", "--works-from", "(?i)successfully acquired lease",
		"--works-until", "(?i)stopped leading|leader election lost|waiting for leader election runnables", "--",
		"unshare", "--map-root-user", "--mount", "--uts", "sh", "-c", shell)
	out, err := c.CombinedOutput()
	if code := c.ProcessState.ExitCode(); o.late && scenario == "cut-off" {
		require.Contains(t, []int{0, 3, 4}, code, "%s", out) // 4: the finding beyondLease is a failed test
		assert.Contains(t, string(out), "worksBeyondLease (observation)")
	} else {
		require.NoError(t, err, "no rule is broken: %s", out)
	}
	changes := regexp.MustCompile(`(?m)^change \d+: .*`).FindAllString(string(out), -1)
	require.Len(t, changes, 2, "%s", out)
	assert.Regexp(t, `^change 1: [abc] at 00:0\d`, changes[0])
	assert.Regexp(t, `^change 2: [abc] → [abc] at `, changes[1])
	t.Log(strings.Join(append(changes, regexp.MustCompile(`(?m)^violation .*`).FindAllString(string(out), -1)...), "\n"))
}
