package kubectl

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// request makes a request to copy.
func request(method, target, body, contentType string) *WireRequest {
	r := &WireRequest{Method: method, Target: target, Body: body}
	if contentType != "" {
		r.Headers = []string{"Content-Type: " + contentType}
	}
	return r
}

func TestAsKubectl(t *testing.T) {
	for _, one := range []struct {
		request *WireRequest
		want    string
	}{
		{request("GET", leases, "", ""), "get leases -n default -o yaml"},
		{request("GET", leases+"/demo", "", ""), "get lease demo -n default -o yaml"},
		{request("GET", "/apis/coordination.k8s.io/v1/leases", "", ""), "get leases -A -o yaml"},
		{request("GET", leases+"?watch=true&labelSelector=a%3Db", "", ""), "get leases -n default -l a=b -w -o yaml"},
		{request("GET", "/api/v1/namespaces/default", "", ""), "get namespace default -o yaml"},
		{request("GET", "/apis/coordination.k8s.io/v1alpha2/namespaces/x/leasecandidates/c", "", ""), "get leasecandidate.v1alpha2.coordination.k8s.io c -n x -o yaml"},
		{request("GET", "/version", "", ""), "get --raw /version"},
		{request("POST", leases, `{"kind":"Lease"}`, ""), "create -n default -f - <<'EOF'\n{\"kind\":\"Lease\"}\nEOF"},
		{request("PUT", leases+"/demo?fieldManager=me", "{}", ""), "replace -n default --field-manager=me -f - <<'EOF'\n{}\nEOF"},
		{request("PATCH", leases+"/demo", `{"a":1}`, patchTypes["merge"]), `patch lease demo -n default --type=merge -p '{"a":1}'`},
		{request("PATCH", leases+"/demo?dryRun=All", "[]", patchTypes["json"]), "patch lease demo -n default --type=json --dry-run=server -p '[]'"},
		{request("PATCH", leases+"/demo?fieldManager=me&force=true", "kind: Lease", "application/apply-patch+yaml"),
			"apply --server-side -n default --field-manager=me --force-conflicts -f - <<'EOF'\nkind: Lease\nEOF"},
		{request("DELETE", leases+"/demo", "", ""), "delete lease demo -n default"},
		{request("DELETE", leases, "", ""), "delete leases -n default --all"},
		{request("DELETE", leases+"?labelSelector=a", "", ""), "delete leases -n default -l a"},
	} {
		assert.Equal(t, "kubectl --server http://127.0.0.1:8001 "+one.want, Copy(one.request).Kubectl)
	}
	assert.Equal(t, "# kubectl has no command for PATCH /version, use curl.", Copy(request("PATCH", "/version", "{}", "")).Kubectl)
}

func TestAsCurl(t *testing.T) {
	for _, one := range []struct {
		request *WireRequest
		want    string
	}{
		{request("GET", leases, "", ""), "curl http://127.0.0.1:8001" + leases},
		{request("GET", leases+"?watch=true", "", ""), "curl -N 'http://127.0.0.1:8001" + leases + "?watch=true'"},
		{request("GET", leases+"/../x/./y?l=a[1]", "", ""), "curl -g --path-as-is 'http://127.0.0.1:8001" + leases + "/../x/./y?l=a[1]'"},
		{request("GET", "@example.com/", "", ""), "curl http://127.0.0.1:8001/@example.com/"},
		{request("HEAD", "/version", "", ""), "curl -I http://127.0.0.1:8001/version"},
		{request("POST", leases, "{\"a\":\"it's\"}\n", typeJSON),
			"curl -X POST http://127.0.0.1:8001" + leases + " \\\n  -H 'Content-Type: application/json' \\\n  --data-binary '{\"a\":\"it'\\''s\"}'"},
	} {
		assert.Equal(t, one.want, Copy(one.request).Curl)
	}
}

// The word that ends a body is in none of its lines.
func TestFromInput(t *testing.T) {
	assert.Equal(t, "x -f - <<'EOF3'\nEOF\nEOF2\nEOF3", fromInput("x", strings.Join([]string{"EOF", "EOF2"}, "\n")))
}
