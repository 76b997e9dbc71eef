//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// interrupt interrupts a server and returns what it has written to standard error.
func interrupt(t *testing.T, process *exec.Cmd) {
	t.Helper()
	require.NoError(t, process.Process.Signal(syscall.SIGTERM))
	require.NoError(t, process.Wait())
}

// Under --faults, candidates and others are users with tokens, whom roles allow what they allow without faults: refusals meet the
// network like other answers, and the replay of the record has the same hash.
func TestFaultsWithRoles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	roles, record := filepath.Join(dir, "roles.yaml"), filepath.Join(dir, "run.ndjson")
	require.NoError(t, os.WriteFile(roles, []byte(rolesOfA), 0o600))
	process, api, said := serving(t, "--faults", faultFile(t, "1m", "{at: 0s, act: fail, target: b, verb: get, error: http503}"),
		"--rbac", roles, "--token", "adm", "--user", "ta=a", "--user", "tb=b", "--record", record)
	a, b := api+"/leaselab/nodes/a", api+"/leaselab/nodes/b"
	const lease = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"demo"},"spec":{"holderIdentity":"a","leaseDurationSeconds":15}}`
	for _, c := range []struct {
		method, url, token, body string
		header                   string
		status                   int
		says                     string
	}{
		{"POST", a + defaultLeases, "ta", lease, "", 201, `"holderIdentity":"a"`},
		{"GET", a + defaultLeases, "ta", "", "", 403, `leases.coordination.k8s.io is forbidden: User \"a\" cannot list resource \"leases\"`},
		{"POST", b + defaultLeases, "tb", lease, "", 403, `User \"b\" cannot create resource \"leases\" in API group \"coordination.k8s.io\" in the namespace \"default\"`},
		{"GET", b + defaultLeases + "/demo", "tb", "", "", 503, "currently unable"},
		{"GET", a + defaultLeases + "/demo", "", "", "", 403, `User \"system:anonymous\" cannot get`},
		{"GET", a + defaultLeases + "/demo", "wrong", "", "", 401, "Unauthorized"},
		{"GET", api + defaultLeases, "adm", "", "", 200, `"items":[{`},
		{"GET", api + defaultLeases, "tb", "", "", 403, `User \"b\" cannot list`},
		{"GET", api + defaultLeases + "/demo", "adm", "", "Impersonate-User: a", 200, `"name":"demo"`},
		{"DELETE", api + defaultLeases + "/demo", "adm", "", "Impersonate-User: a", 403, `User \"a\" cannot delete`},
		{"GET", a + defaultLeases + "/demo", "ta", "", "Impersonate-User: b", 403, `cannot impersonate`},
		{"POST", a + "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "ta", `{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"resourceAttributes":{"namespace":"default","verb":"update","group":"coordination.k8s.io","resource":"leases"}}}`, "", 201, `"allowed":true`},
		{"PUT", a + "/leaselab/work", "ta", "", "", 204, ""},
		{"PUT", a + "/leaselab/work", "tb", "", "", 403, `only the token of \"a\" may`},
	} {
		var headers []string
		if c.header != "" {
			headers = append(headers, c.header)
		}
		status, text := ask(t, c.method, c.url, c.token, c.body, headers...)
		assert.Equal(t, c.status, status, "%s %s as %q: %s", c.method, c.url, c.token, text)
		assert.Contains(t, text, c.says)
	}
	interrupt(t, process)
	assert.Empty(t, said.String())
	data, err := os.ReadFile(record)
	require.NoError(t, err)
	assert.Contains(t, string(data), `"refused":403`)
	assert.NotContains(t, string(data), `"tb"`)
	text, err := leaselab("run", record)
	require.NoError(t, err, "its hash is that of the run")
	assert.Contains(t, text, "403")
}

// Without roles everybody is an administrator under --faults, too, and who impersonates is refused.
func TestFaultsWithoutRoles(t *testing.T) {
	t.Parallel()
	process, api, _ := serving(t, "--faults", faultFile(t, "1m", ""))
	for _, from := range []string{"", "/leaselab/nodes/a"} {
		status, text := ask(t, "GET", api+from+defaultLeases, "", "", "Impersonate-User: bob")
		assert.Equal(t, 403, status)
		assert.Contains(t, text, "start leaselab serve with --rbac FILE")
		status, _ = ask(t, "GET", api+from+"/apis/coordination.k8s.io/v1", "", "", "Impersonate-User: bob")
		assert.Equal(t, 200, status, "discovery is the same for all")
	}
	interrupt(t, process)
	process, api, _ = serving(t, "--faults", faultFile(t, "1m", ""), "--token", "adm")
	status, _ := ask(t, "GET", api+"/leaselab/nodes/a"+defaultLeases, "", "")
	assert.Equal(t, 401, status)
	status, _ = ask(t, "GET", api+"/leaselab/nodes/a"+defaultLeases, "adm", "")
	assert.Equal(t, 200, status)
	interrupt(t, process)
}

// Under --faults the controllers elect from LeaseCandidates of the versions that the flags ask for, by the clocks of the candidates; a
// deleted namespace is emptied; and the record replays.
func TestFaultsWithGates(t *testing.T) {
	t.Parallel()
	for flags, c := range map[string]struct{ version, wants, strategies string }{
		"":                                      {"v1beta1", "a", `"strategy":"OldestEmulationVersion"`},
		"CoordinatedLeaderElection=true":        {"v1alpha2", "a", `"strategy":"OldestEmulationVersion"`},
		"CoordinatedLeaderElection=false":       {"v1beta1", "", `"strategy":"OldestEmulationVersion"`},
		"CoordinatedLeaderElection=true alpha1": {"v1alpha1", "a", `"preferredStrategies":["OldestEmulationVersion"]`},
	} {
		record := filepath.Join(t.TempDir(), "run.ndjson")
		with := []string{"--faults", faultFile(t, "1m", ""), "--record", record}
		gate, old := strings.CutSuffix(flags, " alpha1")
		if gate != "" {
			with = append(with, "--feature-gates", gate)
		}
		if old {
			with = append(with, "--runtime-config", "coordination.k8s.io/v1alpha1=true,coordination.k8s.io/v1beta1=false,coordination.k8s.io/v1alpha2=false")
		}
		process, api, said := serving(t, with...)
		url := "/leaselab/nodes/a/apis/coordination.k8s.io/" + c.version + "/namespaces/default/leasecandidates"
		now := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")
		status, text := ask(t, "POST", api+url, "", `{"apiVersion":"coordination.k8s.io/`+c.version+`","kind":"LeaseCandidate","metadata":{"name":"a"},"spec":{"leaseName":"elected","binaryVersion":"1.36.0","emulationVersion":"1.36.0",`+c.strategies+`,"renewTime":"`+now+`"}}`)
		if c.wants == "" {
			assert.Equal(t, 404, status, flags)
			interrupt(t, process)
			continue
		}
		require.Equal(t, 201, status, "%s: %s", flags, text)
		assert.Eventually(t, func() bool {
			_, text = ask(t, "GET", api+defaultLeases+"/elected", "", "")
			return strings.Contains(text, `"holderIdentity":"`+c.wants+`"`)
		}, 10*time.Second, 20*time.Millisecond, "%s: %s", flags, text)
		assert.Contains(t, text, `"strategy":"OldestEmulationVersion"`)
		assert.Contains(t, text, `"renewTime":"`+now[:len("2006-01-02T15")], "by the clock of the candidates")
		status, text = ask(t, "POST", api+"/api/v1/namespaces", "", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"gone"}}`)
		require.Equal(t, 201, status, text)
		status, text = ask(t, "POST", api+"/api/v1/namespaces/gone/configmaps", "", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}`)
		require.Equal(t, 201, status, text)
		ask(t, "DELETE", api+"/api/v1/namespaces/gone", "", "")
		assert.Eventually(t, func() bool {
			status, _ = ask(t, "GET", api+"/api/v1/namespaces/gone", "", "")
			return status == 404
		}, 10*time.Second, 20*time.Millisecond)
		interrupt(t, process)
		assert.Empty(t, said.String())
		text, err := leaselab("run", record)
		require.NoError(t, err, text)
	}
}

// A simulation has its objects, a record none from before: flags that say otherwise are refused, with the way on.
func TestFaultsRefuse(t *testing.T) {
	calm := faultFile(t, "1s", "")
	for says, flags := range map[string][]string{
		"--scenario crash cannot be combined with --faults: one simulates candidates": {"--scenario", "crash"},
		"create them with kubectl apply -f once the server runs":                      {"--fixture", "objects.yaml"},
		"--record FILE keeps what happens":                                            {"--data", "objects.db"},
		`unknown feature gate "Fast"`:                                                 {"--feature-gates", "Fast=true"},
		"v1alpha1, with its list of strategies":                                       {"--runtime-config", "coordination.k8s.io/v1alpha1=true"},
		"the server needs an administrator":                                           {"--rbac", "roles.yaml"},
	} {
		_, err := leaselab(append([]string{"serve", "--addr", "127.0.0.1:0", "--faults", calm}, flags...)...)
		require.Error(t, err, says)
		assert.Contains(t, err.Error(), says)
	}
}

// The audit log has the user of a token, the one that it impersonates, and no more than the level asks for, under faults, too.
func TestAuditOfUsers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	roles, log := filepath.Join(dir, "roles.yaml"), filepath.Join(dir, "audit.jsonl")
	require.NoError(t, os.WriteFile(roles, []byte(rolesOfA), 0o600))
	for _, faults := range []bool{false, true} {
		require.NoError(t, os.RemoveAll(log))
		with := []string{"--rbac", roles, "--token", "adm", "--user", "ta=a", "--user", "tb=b", "--audit-log-path", log, "--audit-level", "Metadata"}
		from := ""
		if faults {
			from = "/leaselab/nodes/b"
			with = append(with, "--faults", faultFile(t, "1m", ""))
		}
		process, api, _ := serving(t, with...)
		ask(t, "GET", api+from+defaultLeases+"/demo", "ta", "")
		ask(t, "GET", api+defaultLeases, "adm", "", "Impersonate-User: a")
		ask(t, "GET", api+defaultLeases, "wrong", "")
		interrupt(t, process)
		data, err := os.ReadFile(log)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		require.Len(t, lines, 3, "%s", data)
		for i, has := range []string{
			`"user":{"username":"a","groups":["system:authenticated"]}`, `"impersonatedUser":{"username":"a"`, `"Authentication failed, attempted: bearer"`,
		} {
			assert.Contains(t, lines[i], has)
		}
		assert.Contains(t, lines[0], `"code":404`)
		assert.NotContains(t, lines[0], "responseObject")
		assert.Contains(t, lines[1], `"authorization.k8s.io/decision":"forbid"`)
	}
}
