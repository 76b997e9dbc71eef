package serve_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
)

// A fixture takes what the server and kubectl print, in every form, and a server that starts with it has the same
// objects.
func TestFixtureTakesWhatIsPrinted(t *testing.T) {
	now := time.Date(2026, 10, 1, 9, 30, 0, 0, time.UTC)
	config := apiserver.Config{Seed: 1, Coordinated: true, Versions: []string{"v1beta1"}}
	serve.Native(&config)
	ask := func(server *apiserver.Server, method, target, body string, more ...string) apiserver.Response {
		r := apiserver.Request{Method: method, Body: []byte(body), Header: map[string]string{"content-type": "application/json", "user-agent": "kubectl/1"}}
		for i := 0; i < len(more); i += 2 {
			r.Header[more[i]] = more[i+1]
		}
		r.Path, r.Query, _ = apiserver.ParseTarget(target)
		return server.Handle(now, &r)
	}
	const all, inMine = "/apis/coordination.k8s.io/v1/leases", "/apis/coordination.k8s.io/v1/namespaces/mine/leases"
	server := apiserver.New(config)
	require.NoError(t, serve.Prepare(server, now, ""))
	require.Equal(t, 201, ask(server, "POST", "/api/v1/namespaces", `{"metadata":{"name":"mine","labels":{"a":"b"}}}`).Status)
	for _, name := range []string{"x", "y", "gone"} {
		require.Equal(t, 201, ask(server, "POST", inMine, `{"metadata":{"name":"`+name+`"},"spec":{"holderIdentity":"h","leaseDurationSeconds":15}}`).Status)
	}
	require.Equal(t, 200, ask(server, "DELETE", inMine+"/gone", "").Status)
	require.Equal(t, 200, ask(server, "PATCH", inMine+"/x", `{"spec":{"holderIdentity":"i"}}`, "content-type", "application/merge-patch+json").Status)
	list, namespaces := ask(server, "GET", all, "").Body, ask(server, "GET", "/api/v1/namespaces", "").Body
	one, other := ask(server, "GET", inMine+"/x", "").Body, ask(server, "GET", inMine+"/y", "").Body
	var kubectl struct {
		Kind       string            `json:"kind"`
		APIVersion string            `json:"apiVersion"`
		Items      []json.RawMessage `json:"items"`
	}
	kubectl.Kind, kubectl.APIVersion, kubectl.Items = "List", "v1", []json.RawMessage{one, other, ask(server, "GET", "/api/v1/namespaces/mine", "").Body}
	listed, err := json.Marshal(kubectl)
	require.NoError(t, err)

	versions := regexp.MustCompile(`"resourceVersion":"\d+"`)
	state := func(server *apiserver.Server, target string) string {
		return versions.ReplaceAllString(string(ask(server, "GET", target, "").Body), "")
	}
	for name, printed := range map[string][]byte{
		"a LeaseList":                       list,
		"a List of kubectl":                 listed,
		"a LeaseList as YAML":               ask(server, "GET", all, "", "accept", "application/yaml").Body,
		"lists, one after the other":        append(append([]byte{}, list...), namespaces...),
		"objects after each other":          append(append([]byte{}, one...), other...),
		"YAML documents":                    append(append(ask(server, "GET", inMine+"/x", "", "accept", "application/yaml").Body, "---\n"...), ask(server, "GET", inMine+"/y", "", "accept", "application/yaml").Body...),
		"one object, without its namespace": one,
	} {
		file := filepath.Join(t.TempDir(), "fixture")
		require.NoError(t, os.WriteFile(file, printed, 0o600))
		again := apiserver.New(config)
		require.NoError(t, serve.Prepare(again, now, file), name)
		assert.Equal(t, state(server, inMine+"/x"), state(again, inMine+"/x"), name)
		if name != "one object, without its namespace" {
			assert.Equal(t, state(server, all), state(again, all), name)
		}
		assert.Contains(t, state(again, "/api/v1/namespaces/mine"), `"phase":"Active"`)
		if name == "lists, one after the other" || name == "a List of kubectl" {
			assert.Contains(t, state(again, "/api/v1/namespaces/mine"), `"a":"b"`)
		}
	}
}
