package apiserver_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
)

const (
	jsonPatch      = "application/json-patch+json"
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"
	applyPatch     = "application/apply-patch+yaml"
)

// A strategic merge patch leaves the same object or error as apimachinery. The 850 random patches have every directive
// in every place; they were recorded with apimachinery v0.36.2 pkg/util/strategicpatch and pkg/runtime converter.go.
func TestRecordedStrategicPatches(t *testing.T) {
	f, err := os.Open("testdata/strategic.json.gz")
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var patches []struct {
		Live  struct{ Metadata, Spec json.RawMessage }
		Patch json.RawMessage
		Error string
		Want  struct {
			Labels          map[string]string
			Finalizers      []string
			OwnerReferences []any
			Spec            map[string]any
		}
	}
	require.NoError(t, json.NewDecoder(z).Decode(&patches))
	assert.Len(t, patches, 850)
	for _, p := range patches {
		c := newClient(t)
		c.make(leasesA, `{"metadata":`+string(p.Live.Metadata)+`,"spec":`+string(p.Live.Spec)+`}`)
		r := c.do("PATCH", leasesA+"/x?fieldValidation=Strict", string(p.Patch), "content-type", strategicPatch)
		var have struct {
			Message  string
			Metadata struct {
				Labels          map[string]string
				Finalizers      []string
				OwnerReferences []any
			}
			Spec map[string]any
		}
		require.NoError(t, json.Unmarshal(r.Body, &have), "%s", r.Body)
		at := string(p.Live.Metadata) + " and " + string(p.Patch)
		require.Equal(t, p.Error, have.Message, at)
		if p.Error != "" {
			continue
		}
		require.Equal(t, p.Want.Labels, have.Metadata.Labels, at)
		require.Equal(t, p.Want.Finalizers, have.Metadata.Finalizers, at)
		require.Equal(t, p.Want.OwnerReferences, have.Metadata.OwnerReferences, at)
		require.Equal(t, p.Want.Spec, have.Spec, at)
	}
}

func TestListsUnderAStrategicPatch(t *testing.T) {
	for _, test := range []struct{ live, patch, want string }{
		{"a,b,c", `{"finalizers":["x/d"]}`, "d,a,b,c"},
		{"a,b,c", `{"finalizers":["x/c","x/d"]}`, "a,b,c,d"},
		{"a,b,c", `{"$deleteFromPrimitiveList/finalizers":["x/b","x/z"]}`, "a,c"},
		{"a,b,c", `{"$setElementOrder/finalizers":["x/c","x/a"]}`, "b,c,a"},
		{"a,b,c", `{"$setElementOrder/finalizers":["x/c","x/d"],"finalizers":["x/d"]}`, "a,b,c,d"},
		{"a,b,c", `{"finalizers":null}`, ""},
	} {
		c := newClient(t)
		finalizers := func(names string) []string {
			var list []string
			for _, n := range strings.Split(names, ",") {
				if n != "" {
					list = append(list, "x/"+n)
				}
			}
			return list
		}
		live, err := json.Marshal(finalizers(test.live))
		require.NoError(t, err)
		c.make(leasesA, `{"metadata":{"name":"x","finalizers":`+string(live)+`}}`)
		made := c.ask("PATCH", leasesA+"/x", `{"metadata":`+test.patch+`}`, "content-type", strategicPatch)
		assert.Equal(t, finalizers(test.want), made.Metadata.Finalizers, test.patch)
	}
}

// The router refuses a Content-Type that no route accepts; the handler refuses one that only the router accepts.
func TestMediaTypesOfPatches(t *testing.T) {
	c := newClient(t)
	c.lease("x")
	const types = "application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml"
	for media, want := range map[string]string{
		mergePatch + "; charset=utf-8": "",
		"":                             "415: Unsupported Media Type",
		"application/json":             "415: Unsupported Media Type",
		"Application/Merge-Patch+JSON": "415: Unsupported Media Type",
		"application/apply-patch+cbor": "415: Unsupported Media Type",
		mergePatch + " ;charset=utf-8": "the body of the request was in an unknown format - accepted media types include: " + types,
		"*/*":                          "415: Unsupported Media Type",
		"text/plain, " + mergePatch:    "the body of the request was in an unknown format - accepted media types include: " + types,
	} {
		r := c.ask("PATCH", leasesA+"/x", `{}`, "content-type", media)
		assert.Equal(t, want, r.Message, media)
		if want != "" {
			assert.Equal(t, 415, r.Status, media)
		}
	}
	r := c.do("PATCH", leasesA+"/x", `{}`, "content-type", "text/plain", "accept", "text/html")
	assert.Equal(t, 415, r.Status, "the server checks the body's type before that of the answer")
}

// The server decodes the result of a patch as the kind that it names. Without an apiVersion that is upstream's internal
// type, which has Go's names.
func TestKindsThatPatchesMake(t *testing.T) {
	c := newClient(t)
	c.lease("x")
	for patch, want := range map[string]string{
		`{"kind":null}`: "",
		`{"apiVersion":"coordination.k8s.io/v1beta1"}`: "",
		`{"apiVersion":null}`:                          "the name of the object (x based on URL) was undeterminable: name must be provided",
		`{"apiVersion":"v1"}`:                          `no kind "Lease" is registered for version "v1" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"`,
		`{"apiVersion":null,"kind":"Pod"}`:             `no kind "Pod" is registered for the internal version of group "coordination.k8s.io" in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"`,
		`{"apiVersion":"apps/v1","kind":"Deployment"}`: "converting (v1.Deployment) to (coordination.Lease): unknown conversion",
		`{"apiVersion":"a/b/c"}`:                       "unexpected GroupVersion string: a/b/c",
		`{"kind":5}`:                                   "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
	} {
		r := c.ask("PATCH", leasesA+"/x", patch, "content-type", mergePatch)
		assert.True(t, strings.HasSuffix(r.Message, want), "%s: %s", patch, r.Message)
		assert.Equal(t, want == "", r.Status == 200, patch)
	}
	live := c.ask("GET", leasesA+"/x", "")
	r := c.ask("PATCH", leasesA+"/x?fieldValidation=Strict", `[{"op":"replace","path":"","value":{"name":"x","resourceVersion":"`+live.Metadata.ResourceVersion+`","Spec":{"HolderIdentity":"h"}}}]`, "content-type", jsonPatch)
	assert.Equal(t, 200, r.Status, r.Message)
	assert.Equal(t, map[string]any{"holderIdentity": "h"}, r.Spec)
}

func TestJSONPatchesThatUpstreamDoesNotSurvive(t *testing.T) {
	c := newClient(t)
	c.lease("x")
	r := c.do("PATCH", leasesA+"/x", `[{"op":"copy","from":"/none","path":"y/z"},{"op":"test","path":""}]`, "content-type", jsonPatch)
	assert.Equal(t, 500, r.Status)
	assert.Equal(t, "This request caused apiserver to panic. Look in the logs for details.\n", string(r.Body))
	many := "[" + strings.Repeat(`{"op":"test","path":"/kind","value":"Lease"},`, 10000) + `{"op":"test","path":"/kind","value":"Lease"}]`
	assert.Equal(t, 413, c.ask("PATCH", leasesA+"/x", many, "content-type", jsonPatch).Status)
	doubling := "[" + strings.Repeat(`{"op":"copy","from":"/metadata","path":"/metadata/labels"},`, 64) + `{"op":"test","path":"/kind","value":"Lease"}]`
	assert.Equal(t, 422, c.ask("PATCH", leasesA+"/x", doubling, "content-type", jsonPatch).Status, "copies add at most three megabytes")
}

// An order of a primitive list must not contain objects or lists: upstream uses the items as map keys.
func TestStrategicPatchesThatUpstreamDoesNotSurvive(t *testing.T) {
	c := newClient(t)
	c.make(leasesA, `{"metadata":{"name":"x","finalizers":["f/a"]}}`)
	for _, order := range []string{`["f/a",{}]`, `[["f/a"]]`} {
		r := c.do("PATCH", leasesA+"/x", `{"metadata":{"$setElementOrder/finalizers":`+order+`}}`, "content-type", strategicPatch)
		assert.Equal(t, 500, r.Status, order)
		assert.Equal(t, "This request caused apiserver to panic. Look in the logs for details.\n", string(r.Body))
	}
}

func TestApplyReadsYAML(t *testing.T) {
	c := newClient(t, func(config *apiserver.Config) {
		config.StrictYAML = func(data []byte) error {
			_, err := yaml.YAMLToJSONStrict(data)
			return err
		}
	})
	const doc = "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n  name: x\nspec:\n  holderIdentity: a\n  holderIdentity: b\n"
	r := c.do("PATCH", leasesA+"/x?fieldManager=m", doc, "content-type", applyPatch)
	require.Equal(t, 201, r.Status, "%s", r.Body)
	assert.Equal(t, `299 - "line 7: key \"holderIdentity\" already set in map"`, r.Get("warning"))
	assert.Contains(t, string(r.Body), `"holderIdentity":"b"`)
	again := c.ask("PATCH", leasesA+"/z?fieldManager=m&fieldValidation=Strict", strings.Replace(doc, "name: x", "name: z", 1), "content-type", applyPatch)
	assert.Equal(t, "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 7: key \"holderIdentity\" already set in map", again.Message)
	assert.Equal(t, 404, c.ask("GET", leasesA+"/z", "").Status)
}

func TestApplyThatNamesAnObjectWhichIsNotThere(t *testing.T) {
	c := newClient(t)
	const doc = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","uid":"u"}}`
	r := c.ask("PATCH", leasesA+"/x?fieldManager=m", doc, "content-type", applyPatch)
	assert.Equal(t, 409, r.Status)
	assert.Equal(t, `Operation cannot be fulfilled on leases.coordination.k8s.io "x": uid mismatch: the provided object specified uid u, and no existing object was found`, r.Message)
}

func TestRepeatedOwnersOfAPatch(t *testing.T) {
	c := newClient(t)
	c.lease("x")
	const owner = `{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}`
	r := c.do("PATCH", leasesA+"/x", `{"metadata":{"ownerReferences":[`+owner+`,`+owner+`]}}`, "content-type", mergePatch)
	assert.Contains(t, string(r.Body), `"ownerReferences":[`+owner+`]`)
	assert.Contains(t, r.Get("warning"), "contains duplicate entries after mutating admission happens;")
}
