package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const checkedOnce = "../../evidence/checkup/testdata/once.json"

func TestCheckupText(t *testing.T) {
	text, err := leaselab("checkup", checkedOnce, "../../evidence/checkup/testdata/again.json", "--stall", "12s",
		"--setting", "csi/external-resizer-ebs-csi-aws-com=15/10/5")
	require.NoError(t, err)
	for _, want := range []string{
		"13 Leases at 2026-11-27T18:00:59Z\n",
		"default/flapping  elector, held by worker-2\n    leaseDuration 15 s, in the Lease; renewDeadline 10 s, assumed as in client-go",
		"  ! leaseTransitions climbs from 12 to 15 within 60 s.\n",
		"  ! Nobody holds the Lease",
		"node heartbeat without a warning: 2\n",
		"If the API refuses all requests for 12 s:\n",
		"loses    csi/external-resizer-ebs-csi-aws-com: stops 10 s to 15 s after the start, back within 49 s",
		"survives 5 Leases: the holder renews in time\n",
		"Everybody is back at most 49 s after the start.\n",
	} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, "kube-node-lease/node-a", "the healthy ones are counted")
	assert.NotContains(t, text, "may expire")
}

func TestCheckupRefusals(t *testing.T) {
	logs := filepath.Join(t.TempDir(), "a.txt")
	require.NoError(t, os.WriteFile(logs, []byte("hello\n"), 0o600))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{}, "a file of `kubectl get leases -A -o json`, or - for standard input is missing"},
		{[]string{logs}, "found no Lease: give the output of kubectl get leases -A -o json"},
		{[]string{checkedOnce, "--stall", "0s"}, "--stall 0s must be longer than 0, such as 30s"},
		{[]string{checkedOnce, "--for", "5s"}, "--for needs --context"},
		{[]string{checkedOnce, "--context", "production"}, "unexpected argument"},
		{[]string{checkedOnce, "--setting", "scheduler"}, `--setting "scheduler" must be NAMESPACE/NAME=LEASE/DEADLINE/RETRY, such as kube-system/kube-scheduler=15s/10s/2s`},
		{[]string{checkedOnce, "--setting", "a/b=15/10/2"}, "--setting a/b: the files show no such Lease"},
		{[]string{checkedOnce, "--setting", "a/b=5/10/2"}, "--setting a/b: leaseDuration 5s: client-go refuses it"},
	} {
		_, err := leaselab(append([]string{"checkup"}, c.args...)...)
		assert.ErrorContains(t, err, c.says)
	}
}

// With --context, the command asks kubectl once, reads what it prints until the time is over, and quotes its errors.
func TestCheckupContext(t *testing.T) {
	dir := t.TempDir()
	data, err := filepath.Abs(checkedOnce)
	require.NoError(t, err)
	script := "#!/bin/sh\n[ \"$2\" = wrong ] && { echo 'error: context \"wrong\" does not exist' >&2; exit 1; }\n" +
		"echo \"$@\" > " + dir + "/args\ncat " + data + "\nexec sleep 60\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	text, err := leaselab("checkup", "--context", "production", "--for", "300ms", "-o", "json")
	require.NoError(t, err)
	assert.Contains(t, text, `"name":"kube-system/kube-scheduler"`)
	args, err := os.ReadFile(filepath.Join(dir, "args"))
	require.NoError(t, err)
	assert.Equal(t, "--context production get leases -A --watch -o json\n", string(args))
	_, err = leaselab("checkup", "--context", "wrong")
	assert.ErrorContains(t, err, `kubectl --context wrong: exit status 1: error: context "wrong" does not exist`)
}
