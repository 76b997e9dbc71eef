//go:build unix

package main

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// badValues are mistakes in the flags of `leaselab serve`, and the part of the sentence that names the fix. Names in capitals are files.
var badValues = []struct {
	flags string // apart by bars
	says  string
}{
	{"--accept-hosts|(", "must be a host name or a regular expression"},
	{"--addr|8765", "must be HOST:PORT, such as 127.0.0.1:8765"},
	{"--addr|localhost", "must be HOST:PORT"},
	{"--addr|127.0.0.1:99999", "--addr 127.0.0.1:99999: listen tcp: address 99999: invalid port; use an address of this machine and a free port"},
	{"--addr|192.0.2.1:80", "use an address of this machine"},
	{"--addr|TAKEN", "or port 0 for any"},
	{"--addr|TAKEN|--faults|CALM|--record|RECORD", "or port 0 for any"},
	{"--tls|--tls-addr|TAKEN|--faults|CALM|--record|RECORD", "or --tls-addr 127.0.0.1:0 for a free port"},
	{"--anonymous-auth=maybe", "must be true or false"},
	{"--anonymous-auth=false", "add --rbac FILE or --token TOKEN"},
	{"--audit-level|Loud", "must be Metadata, Request or RequestResponse"},
	{"--audit-level|Metadata", "needs --audit-log-path FILE"},
	{"--audit-log-path|DIR", "name a file that leaselab may append to"},
	{"--audit-log-path|NONE/x", "create the folder first"},
	{"--audit-policy-file|POD", "--audit-policy-file was removed: --audit-level"},
	{"--authorization-mode|Node", "must be AlwaysAllow or RBAC"},
	{"--authorization-mode|RBAC", "add --kubeconfig FILE, which creates a token, or --token TOKEN"},
	{"--authorization-mode|AlwaysAllow|--rbac|POD|--token|x", "omit --authorization-mode"},
	{"--crds|NONE", "name a folder or a file with CustomResourceDefinitions"},
	{"--crds|EMPTY", "has no CustomResourceDefinition"},
	{"--crds|BROKEN", "/broken: document 1: yaml: line 1: did not find expected node content; correct it, or leave the file out"},
	{"--crds|CRD", "/crd: document 1: spec.names.kind: Required value; correct it, or leave the file out"},
	{"--crds|CRD|--scenario|crash", "omit one of them"},
	{"--crds|CRD|--faults|CALM", "correct it"},
	{"--data|DIR", "is not a regular file"},
	{"--data|NONE/x", "name a file in a folder that leaselab may write to"},
	{"--data|TEXT", "name another file, or restore a copy"},
	{"--data|NONE|--scenario|crash", "cannot be combined with --scenario: a simulation starts anew"},
	{"--data|NONE|--faults|CALM", "--record FILE keeps what happens"},
	{"--data|NONE|--kubeconfig|NONE", "name the same file"},
	{"--embed-from|example.com", "must be an origin, such as https://docs.example.com"},
	{"--embed-from|https://a/b", "scheme, host and optional port only"},
	{"--faults|none", "`leaselab scenarios` lists the shipped scenarios"},
	{"--faults|DIR", "is a folder; name a file in it"},
	{"--faults|EMPTY", "--faults: "},
	{"--faults|BROKEN", "the document is not YAML"},
	{"--faults|POD", `apiVersion "v1" must be "leaselab.dev/v1alpha1"`},
	{"--faults|CALM|--scenario|crash", "omit one of them"},
	{"--faults|SERVERS", "leave them out"},
	{"--faults|CALM|--fixture|POD", "create them with kubectl apply -f once the server runs"},
	{"--faults|CALM|--quota|5MiB", "omit --quota"},
	{"--faults|CALM|--speed|2", "--speed 2 needs --scenario NAME"},
	{"--faults|CALM|--seed|9999999999999999", "between 0 and 9,007,199,254,740,991"},
	{"--feature-gates|Fast=true", "the only one is CoordinatedLeaderElection"},
	{"--feature-gates|CoordinatedLeaderElection=maybe", "must be true or false"},
	{"--feature-gates|CoordinatedLeaderElection=true|--scenario|crash", "omit it"},
	{"--fixture|NONE", "name a file that leaselab may read"},
	{"--fixture|DIR", "name a file that leaselab may read"},
	{"--fixture|BROKEN", "the file must contain YAML or JSON"},
	{"--fixture|TEXT", "entry 1 is not an object with apiVersion, kind and metadata"},
	{"--fixture|WIDGET", `unknown kind "Widget" in "example.com/v1"; correct it, or leave it out`},
	{"--fixture|POD|--scenario|crash", "create more with kubectl once it runs"},
	{"--kubeconfig|DIR", "this is not a regular file; name a file"},
	{"--kubeconfig|NONE/x", "create the folder first"},
	{"--kubeconfig|TEXT", "so leaselab left it alone; name another file or move this one"},
	{"--nodes|a b", "must consist of at most 63 letters"},
	{"--nodes|a,a", "give each node its own name"},
	{"--nodes|../x", "must consist of at most 63 letters"},
	{"--quota|lots", "must be a number of bytes, or a number with the unit KiB, MiB or GiB"},
	{"--quota|-1", "such as 256MiB"},
	{"--rbac|NONE|--token|x", "name a file that leaselab may read"},
	{"--rbac|DIR|--token|x", "name a file that leaselab may read"},
	{"--rbac|BROKEN|--token|x", "; the file must contain YAML or JSON"},
	{"--rbac|POD|--token|x", "the file must contain Roles, ClusterRoles"},
	{"--rbac|POD", "add --kubeconfig FILE"},
	{"--record|NONE", "needs --faults FILE"},
	{"--record|DIR|--faults|CALM", "name a file in an existing folder"},
	{"--record|NONE/x|--faults|CALM", "name a file in an existing folder"},
	{"--record|TEXT|--faults|CALM", "the file exists and is not a record; name another file"},
	{"--record|NONE|--faults|CALM|--audit-log-path|NONE", "name the same file"},
	{"--run-controllers=maybe", "must be true or false"},
	{"--runtime-config|v1beta1=true", "must be coordination.k8s.io/v1beta1, /v1alpha2 or /v1alpha1"},
	{"--runtime-config|coordination.k8s.io/v1beta1=maybe", "must be true or false"},
	{"--runtime-config|coordination.k8s.io/v1alpha1=true,coordination.k8s.io/v1beta1=true", "add coordination.k8s.io/v1beta1=false"},
	{"--runtime-config|coordination.k8s.io/v1beta1=true|--scenario|crash", "omit it"},
	{"--scenario|none", "--scenario: no scenario or file is named"},
	{"--scenario|DIR", "is a folder; name a file in it"},
	{"--scenario|EMPTY", "--scenario: "},
	{"--scenario|BROKEN", "the document is not YAML"},
	{"--scenario|POD", "must be \"leaselab.dev/v1alpha1\""},
	{"--seed|-1", "must be a whole number from 0"},
	{"--seed|many", "must be a whole number from 0"},
	{"--seed|99999999999999999999", "to 18,446,744,073,709,551,615"},
	{"--seed|9999999999999999|--scenario|crash", "between 0 and 9,007,199,254,740,991"},
	{"--site|NONE", "`make site` builds the page"},
	{"--site|DIR", "`make site` builds the page"},
	{"--speed|2", "--speed 2 needs --scenario NAME"},
	{"--speed|fast|--scenario|crash", "must be a number"},
	{"--speed|0|--scenario|crash", "must lie between 0.001 and 1000"},
	{"--speed|NaN|--scenario|crash", "must lie between 0.001 and 1000"},
	{"--tls=maybe", "must be true or false"},
	{"--tls|--tls-addr|x", "must be HOST:PORT"},
	{"--tls|--tls-addr|127.0.0.1:99999", "--tls-addr 127.0.0.1:0 for a free port"},
	{"--tls-addr|127.0.0.1:0", "add --tls or --kubeconfig FILE"},
	{"--tls-cert-file|NONE|--tls-private-key-file|NONE", "name a PEM file that leaselab may read"},
	{"--tls-cert-file|DIR|--tls-private-key-file|DIR", "name a PEM file that leaselab may read"},
	{"--tls-cert-file|TEXT", "give both, or omit both for a new certificate"},
	{"--tls-private-key-file|TEXT", "give both, or omit both for a new certificate"},
	{"--tls-cert-file|TEXT|--tls-private-key-file|TEXT", "must contain certificates as PEM"},
	{"--token|a b", "must not contain spaces"},
	{"--token|a,,b", "one of the tokens is empty"},
	{"--user|a", "must be TOKEN=NAME"},
	{"--user|=x", "must be TOKEN=NAME"},
	{"--user|a=", "must be TOKEN=NAME"},
	{"--user|a=b|--token|a", "choose a token that --token does not use"},
	{"--user|a=b|--user|a=c", "give each user a different token"},
	{"--user|a b=c", "must not contain spaces"},
	{"extra", "unexpected argument"},
	{"--nosuch", "lists the flags"},
}

// badTests are mistakes in the flags of `leaselab test`.
var badTests = []struct{ flags, says string }{
	{"CALM|--addr|127.0.0.1:99999|--|true", "use an address of this machine"},
	{"CALM|--crds|CRD|--|true", "spec.names.kind: Required value"},
	{"CALM|--output|xml|--|true", "must be text, json, junit or markdown"},
	{"CALM|--record|DIR|--|true", "name a file in an existing folder"},
	{"CALM|--record|TEXT|--|true", "name another file"},
	{"CALM|--seed|x|--|true", "must be a whole number"},
	{"CALM|--seed|9999999999999999999|--|true", "between 0 and 9,007,199,254,740,991"},
	{"--suite|none|--|true", "must be operator, or a folder with scenarios"},
	{"CALM|--set|x|--|true", "must be PATH=VALUE"},
	{"--suite|operator|--parallel|0|--|true", "must be at least 1"},
	{"CALM|--work-lasts|x|--|true", "must be a duration, such as 15s"},
	{"CALM|--work-lasts|-1s|--|true", "must be longer than 0"},
	{"CALM|--works-from|x|--|true", "belong together"},
	{"CALM|--works-from|(|--works-until|x|--|true", "must be a Go regular expression"},
	{"CALM|--quiet=x|--|true", "must be true or false"},
	{"CALM|--tls=x|--|true", "must be true or false"},
	{"DIR|--|true", "is a folder; name a file in it"},
	{"SERVERS|--|true", "leave them out"},
	{"POD|--|true", "must be \"leaselab.dev/v1alpha1\""},
	{"CALM|--|TEXT", "chmod +x"},
	{"CALM|--|NONE", "cannot run the program"},
	{"CALM", "leaselab test pause.yaml -- ./operator"},
}

// aRecord is the beginning of a file that an earlier --record has left.
const aRecord = `{"record":"leaselab.dev/record/v1"}` + "\n"

// Each flag of `leaselab serve` and `leaselab test` refuses what it cannot take, with a sentence that names the fix, with exit code 1 and
// before the server answers anybody; and an empty value is never taken for a flag that is not given.
func TestBadFlags(t *testing.T) {
	dir := t.TempDir()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	places := []string{"NONE", filepath.Join(dir, "none"), "DIR", dir, "TAKEN", taken.Addr().String()}
	for name, text := range map[string]string{
		"EMPTY": "", "RECORD": aRecord, "BROKEN": "a: [", "TEXT": "hello\n", "POD": "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n",
		"WIDGET":  "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: x}\n",
		"CRD":     "---\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec: {group: example.com, names: {plural: widgets}}\n",
		"SERVERS": "apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nduration: 1m\napiServers: [{name: k}]\ncandidates: [{name: a}]\n",
		"CALM":    "apiVersion: leaselab.dev/v1alpha1\nkind: Scenario\nduration: 1m\ncandidates: [{name: a}]\n",
	} {
		path := filepath.Join(dir, strings.ToLower(name))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		places = append(places, name, path)
	}
	placed := strings.NewReplacer(places...)
	assertRefused := func(command, flags, says string) {
		t.Helper()
		args := []string{command}
		if command == "serve" && !strings.Contains(flags, "--addr") {
			args = append(args, "--addr", "127.0.0.1:0")
		}
		out, err := runToEnd(t, append(args, strings.Split(placed.Replace(flags), "|")...))
		require.Error(t, err, flags)
		assert.Contains(t, err.Error(), says, flags)
		assert.NotErrorAs(t, err, new(exitError), "its exit code is 1")
		assert.NotContains(t, out, "http://", flags)
	}
	for _, one := range badValues {
		assertRefused("serve", one.flags, one.says)
	}
	for _, one := range badTests {
		assertRefused("test", one.flags, one.says)
	}
	text, err := os.ReadFile(filepath.Join(dir, "text"))
	require.NoError(t, err)
	assert.Equal(t, "hello\n", string(text), "no file of the user's is touched")
	record, err := os.ReadFile(filepath.Join(dir, "record"))
	require.NoError(t, err)
	assert.Equal(t, aRecord, string(record), "a server that cannot begin empties no older record")

	for _, c := range command().Commands() {
		if c.Name() != "serve" && c.Name() != "test" {
			continue
		}
		tried := ""
		for _, one := range badValues {
			tried += "|" + one.flags + "|"
		}
		if c.Name() == "test" {
			tried = ""
			for _, one := range badTests {
				tried += "|" + one.flags + "|"
			}
		}
		everyFlag(c, func(f *pflag.Flag) {
			assert.True(t, strings.Contains(tried, "|--"+f.Name+"|") || strings.Contains(tried, "|--"+f.Name+"="), "%s --%s has a bad value", c.Name(), f.Name)
			if f.Name == "site" || f.Value.Type() == "bool" {
				return
			}
			args := []string{"serve", "--addr", "127.0.0.1:0", "--" + f.Name, ""}
			if c.Name() == "test" {
				args = []string{"test", filepath.Join(dir, "calm"), "--" + f.Name, "", "--", "true"}
			}
			_, err := runToEnd(t, args)
			if assert.Error(t, err, args) {
				assert.Contains(t, err.Error(), "--"+f.Name)
			}
		})
	}
}

func everyFlag(c *cobra.Command, each func(*pflag.Flag)) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" {
			each(f)
		}
	})
}

// runToEnd runs the command, which must end by itself.
func runToEnd(t *testing.T, args []string) (out string, err error) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		out, err = leaselab(args...)
	}()
	select {
	case <-ended:
		return out, err
	case <-time.After(30 * time.Second):
		require.FailNow(t, "it has begun to serve", "%q", args)
		return "", errors.New("it serves")
	}
}
