package apiserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A deletion writes its propagation policy as a finalizer, and a later deletion may change it.
func TestPropagation(t *testing.T) {
	c := newClient(t)
	c.make(leasesA, `{"metadata":{"name":"a","finalizers":["example.com/x"],"generation":3}}`)
	for _, step := range []struct {
		query string
		code  int
		want  []string
	}{
		{"?orphanDependents=false", 202, []string{"example.com/x"}},
		{"?propagationPolicy=Foreground", 200, []string{"example.com/x", "foregroundDeletion"}},
		{"", 200, []string{"example.com/x", "foregroundDeletion"}},
		{"?orphanDependents=true", 200, []string{"example.com/x", "orphan"}},
		{"?propagationPolicy=Background", 200, []string{"example.com/x"}},
	} {
		answer := c.ask("DELETE", leasesA+"/a"+step.query, "")
		assert.Equal(t, step.code, answer.Status, step.query)
		assert.Equal(t, step.want, answer.Metadata.Finalizers, step.query)
	}
	assert.Contains(t, string(c.do("GET", leasesA+"/a", "").Body), `"generation":4`, "only the first deletion raises it")

	// An object whose only finalizers belong to the garbage collector disappears as soon as a client removes them.
	c.lease("b")
	assert.Equal(t, []string{"orphan"}, c.ask("DELETE", leasesA+"/b", `{"propagationPolicy":"Orphan"}`).Metadata.Finalizers)
	tried := c.do("DELETE", leasesA+"/b?propagationPolicy=Background&dryRun=All", "")
	assert.Equal(t, `{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{},"spec":{}}`+"\n", string(tried.Body))
	assert.Equal(t, "Status", c.ask("DELETE", leasesA+"/b?propagationPolicy=Background", "").Kind)
	assert.Equal(t, 404, c.ask("GET", leasesA+"/b", "").Status)
}

func TestDeleteOptions(t *testing.T) {
	c := newClient(t)
	for body, want := range map[string]string{
		`null`: "", `{"kind":"DeleteOptions"}`: "", `{"apiVersion":"any/v9"}`: "", `{"dryRun":[]}`: "",
		` `:              "couldn't get version/kind; json parse error: unexpected end of JSON input",
		`{"kind":"Pod"}`: `no kind "Pod" is registered for version "meta.k8s.io/v1" in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`,
		`{"kind":"Pod","apiVersion":"g/__internal"}`:         `no kind "Pod" is registered for the internal version of group "g" in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`,
		`{"kind":"Status","apiVersion":"v1"}`:                "converting (v1.Status) to (v1.DeleteOptions): unknown conversion",
		`{"apiVersion":"a/b/c"}`:                             "unexpected GroupVersion string: a/b/c",
		`{"apiVersion":"g/"}`:                                `Object 'apiVersion' is missing in '{"apiVersion":"g/"}'`,
		`{"preconditions":{"uid":1}}`:                        "json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID",
		`{"dryRun":["All","x"]}`:                             `DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["All","x"]: supported values: "All"`,
		`{"propagationPolicy":"x","orphanDependents":false}`: `DeleteOptions.meta.k8s.io "" is invalid: [propagationPolicy: Invalid value: "x": orphanDependents and deletionPropagation cannot be both set, propagationPolicy: Unsupported value: "x": supported values: "Foreground", "Background", "Orphan", "nil"]`,
		`{"preconditions":{"uid":""}}`:                       "precondition",
	} {
		c.lease("a")
		answer := c.ask("DELETE", leasesA+"/a", body)
		switch want {
		case "":
			assert.Equal(t, 200, answer.Status, body)
			continue
		case "precondition":
			assert.Equal(t, 409, answer.Status, body)
		default:
			assert.Equal(t, want, answer.Message, body)
		}
		require.Equal(t, 200, c.do("DELETE", leasesA+"/a", "").Status)
	}
	assert.Equal(t, `Name parameter invalid: "a%b": may not contain '%'`, c.ask("DELETE", leasesA+"/a%25b", "").Message)
}

// A deletion of a collection goes in order and stops at the first object that it cannot delete. The answer is the list
// from before.
func TestDeleteCollection(t *testing.T) {
	c := newClient(t)
	c.lease("a", "b", "c")
	got := c.ask("GET", leasesA+"/b", "")
	revision := got.Metadata.ResourceVersion
	refused := c.ask("DELETE", leasesA, `{"preconditions":{"resourceVersion":"4"}}`)
	assert.Equal(t, 409, refused.Status)
	assert.Contains(t, refused.Message, `Lease.coordination.k8s.io "b"`, "a has that revision")
	list := c.ask("GET", leasesA, "")
	assert.Equal(t, "b c", list.names())
	assert.Equal(t, revision, list.Items[0].Metadata.ResourceVersion)

	deleted := c.ask("DELETE", leasesA+"?limit=1", "")
	assert.Equal(t, "b", deleted.names())
	deleted = c.ask("DELETE", leasesA+"?limit=1&continue="+deleted.Metadata.Continue, "")
	assert.Equal(t, "c", deleted.names())
	assert.Empty(t, deleted.Metadata.Continue)
}

// A collection of several pages disappears completely. The answer has the metadata of the first page.
func TestDeleteLargeCollection(t *testing.T) {
	if testing.Short() {
		t.Skip("it creates 10,001 Leases: runs without -short")
	}
	c := newClient(t)
	c.many(10001)
	deleted := c.ask("DELETE", leasesA, "")
	assert.Len(t, deleted.Items, 10001)
	assert.NotEmpty(t, deleted.Metadata.Continue)
	list := c.ask("GET", leasesA, "")
	assert.Empty(t, list.names())
}

func TestNamespaceTerminates(t *testing.T) {
	c := newClient(t)
	const path = "/api/v1/namespaces/ns-a"
	c.lease("a")
	w := c.watch("/api/v1/namespaces?watch=1&resourceVersion=4")
	uid := c.ask("DELETE", path+"?uid=x", "")
	assert.Regexp(t, `^Operation cannot be fulfilled on namespaces "ns-a": Precondition failed: UID in precondition: x, UID in object meta: [0-9a-f-]{36}$`, uid.Message)

	marked := c.do("DELETE", path, "")
	assert.Equal(t, 200, marked.Status)
	assert.Contains(t, string(marked.Body), `"deletionTimestamp":"2026-10-01T09:30:00Z"`)
	assert.Contains(t, string(marked.Body), `"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Terminating"}}`)
	assert.Equal(t, string(marked.Body), string(c.do("DELETE", path, "").Body), "again")
	assert.Equal(t, 403, c.ask("POST", leasesA, `{"metadata":{"name":"b"}}`).Status)
	list := c.ask("GET", leasesA, "")
	assert.Equal(t, "a", list.names(), "no controller empties it")

	finalized := c.ask("PUT", path+"/finalize", `{"metadata":{"name":"ns-a"},"spec":{"finalizers":[]}}`)
	assert.Equal(t, 200, finalized.Status, finalized.Message)
	assert.Equal(t, 404, c.ask("GET", path, "").Status)
	assert.Equal(t, "MODIFIED ns-a 5, DELETED ns-a 6", c.pollText(w))
	update := c.ask("PUT", leasesA+"/a", fmt.Sprintf(`{"metadata":{"name":"a","resourceVersion":%q},"spec":{"holderIdentity":"x"}}`, list.Items[0].Metadata.ResourceVersion))
	assert.Equal(t, `namespaces "ns-a" not found`, update.Message)
	assert.Equal(t, 200, c.ask("DELETE", leasesA+"/a", "").Status)
}

func TestNamespaceRules(t *testing.T) {
	c := newClient(t)
	assert.Equal(t, `namespaces "default" is forbidden: this namespace may not be deleted`, c.ask("DELETE", "/api/v1/namespaces/default", "").Message)
	assert.Equal(t, 404, c.ask("PUT", "/api/v1/namespaces/new", `{"metadata":{"name":"new"}}`).Status, "a replace creates no namespace")
	assert.Equal(t, 405, c.ask("DELETE", "/api/v1/namespaces", "").Status)
	made := c.ask("POST", "/api/v1/namespaces", `{"metadata":{"generateName":"x-"}}`)
	assert.Equal(t, made.Metadata.Name, made.Metadata.Labels["kubernetes.io/metadata.name"])
	bad := c.ask("POST", "/api/v1/namespaces", `{"metadata":{"name":"a.b"}}`)
	assert.Equal(t, 422, bad.Status)
	finalizers := c.ask("POST", "/api/v1/namespaces", `{"metadata":{"name":"n"},"spec":{"finalizers":["x"]}}`)
	assert.Equal(t, `Namespace "n" is invalid: spec.finalizers: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified`, finalizers.Message)
	tried := c.do("DELETE", "/api/v1/namespaces/ns-b?dryRun=All", "")
	assert.Contains(t, string(tried.Body), `"phase":"Terminating"`)
	assert.Contains(t, string(c.do("GET", "/api/v1/namespaces/ns-b", "").Body), `"phase":"Active"`)
	foreground := c.ask("DELETE", "/api/v1/namespaces/ns-b?propagationPolicy=Foreground", "")
	assert.Equal(t, []string{"foregroundDeletion"}, foreground.Metadata.Finalizers)
}

// The client that creates a namespace owns its name label.
func TestNamespaceLabelHasAnOwner(t *testing.T) {
	c := newClient(t)
	body := string(c.do("POST", "/api/v1/namespaces", `{"metadata":{"name":"x"}}`).Body)
	assert.Contains(t, body, `"fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:kubernetes.io/metadata.name":{}}}}`)
}

// A write to a namespace, to its status and to /finalize each changes only its own part, and owns nothing else.
func TestNamespaceSubresources(t *testing.T) {
	c := newClient(t)
	const path, condition = "/api/v1/namespaces/ns-a", `{"type":"Empty","status":"True"}`
	whole := func(phase string) string {
		return `{"metadata":{"name":"ns-a"},"spec":{"finalizers":["x/y"]},"status":{"phase":"` + phase + `","conditions":[` + condition + `]}}`
	}
	unchanged := string(c.do("GET", path, "").Body)
	for _, media := range []string{mergePatch, "application/strategic-merge-patch+json"} {
		assert.Equal(t, unchanged, string(c.do("PATCH", path, `{"status":{"phase":"Terminating"},"metadata":{"labels":null}}`, "content-type", media).Body), media)
	}
	refused := c.ask("PUT", path+"/status", whole("Terminating"))
	assert.Equal(t, "Namespace \"ns-a\" is invalid: status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty", refused.Message)

	wrote := string(c.do("PUT", path+"/status", whole("Active")).Body)
	assert.Contains(t, wrote, `"fieldsV1":{"f:status":{"f:conditions":{".":{},"k:{\"type\":\"Empty\"}":{".":{},"f:status":{},"f:type":{}}}}},"subresource":"status"}`)
	assert.Contains(t, wrote, `"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active","conditions":[`+condition+`]}}`)
	assert.Equal(t, wrote, string(c.do("GET", path+"/status", "").Body))
	added := string(c.do("PATCH", path+"/status", `{"status":{"conditions":[{"type":"Other","status":"False"}]}}`, "content-type", "application/strategic-merge-patch+json").Body)
	assert.Contains(t, added, `"conditions":[{"type":"Other","status":"False"},`+condition+`]`, "merged by type")

	finalized := string(c.do("PUT", path+"/finalize", whole("Terminating")).Body)
	assert.Contains(t, finalized, `"spec":{"finalizers":["x/y"]},"status":{"phase":"Active","conditions":[{"type":"Other"`)
	assert.Contains(t, finalized, `{"f:spec":{"f:finalizers":{}}},"subresource":"finalize"}`)
	applied := string(c.do("PATCH", path+"?fieldManager=m", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"ns-a","labels":{"a":"b"}},"status":{"phase":"Terminating"}}`,
		"content-type", "application/apply-patch+yaml").Body)
	assert.Contains(t, applied, `"manager":"m","operation":"Apply","apiVersion":"v1","time":"2026-10-01T09:30:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{"f:a":{}}}}}`)

	for _, other := range []string{"GET /finalize", "PATCH /finalize", "DELETE /status", "POST /status"} {
		method, below, _ := strings.Cut(other, " ")
		assert.Equal(t, 405, c.do(method, path+below, "{}", "content-type", mergePatch).Status, other)
	}
	c.do("DELETE", path, "")
	refused = c.ask("PUT", path+"/status", whole("Active"))
	assert.Contains(t, refused.Message, "may only be 'Terminating' if `deletionTimestamp` is not empty")
}
