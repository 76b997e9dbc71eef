package apiserver_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/testsupport/bounded"
)

// FuzzPatch sends any bytes as each kind of patch to an object that has every field. The server
// always answers, gives the same answer the second time, and can read the resulting object again. The cost of one patch is bounded, and where it
// has parts for bounded.Repeat, it grows no faster than n·log(n).
func FuzzPatch(f *testing.F) {
	for _, seed := range []string{
		`{"metadata":{"labels":{"a":null},"finalizers":["f/b"],"managedFields":[{}]},"spec":{"holderIdentity":"x"}}`,
		`{"metadata":{"$setElementOrder/finalizers":["f/b"],"finalizers":["f/b"],"$deleteFromPrimitiveList/finalizers":["f/a"],"ownerReferences":[{"uid":"u","$patch":"delete"}]}}`,
		`[{"op":"copy","from":"/metadata","path":"/metadata/annotations"},{"op":"test","path":"/spec","value":null},{"op":"remove","path":"/metadata/finalizers/-1"}]`,
		`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","finalizers":["f/b","f/b"],"ownerReferences":[{"name":"p"}]},"spec":{"leaseDurationSeconds":1e999}}`,
		`{"metadata":{"managedFields":[{"manager":"m","operation":"Update","apiVersion":"coordination.k8s.io/v1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:finalizers":{"v:1e999":{},"k:{\"a\":[1]}":{},"i:3":{},".":{}}}}}]}}`,
		"apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: x}\nspec: {a: &a [*a]}\n", `null`, `[]`, ``, `{"apiVersion":null}`,
		`[{"op":"copy","from":"/none","path":"y/z"},{"op":"test","path":""}]`, `{"$patch":"replace"}`,
	} {
		f.Add(seed)
	}
	for _, list := range grown {
		f.Add(list)
	}
	f.Fuzz(func(t *testing.T, patch string) {
		small := bounded.Repeat(patch, 3)
		var stored [][2]apiserver.Response
		answers := func() (all string) {
			patchCost.Do(t, len(small), func() {
				ask := patchable(t)
				for _, m := range patches {
					for _, query := range []string{"?fieldManager=m", "?fieldManager=kubectl&fieldValidation=Strict", "?fieldManager=m&fieldValidation=Ignore&force=1"} {
						if m != applyPatch && query[len(query)-1] == '1' {
							query = query[:len(query)-8]
						}
						answer := ask("PATCH", leasesA+"/x"+query, m, small)
						read := ask("GET", leasesA+"/x", "", "")
						stored = append(stored, [2]apiserver.Response{answer, read})
						all += string(answer.Body) + string(read.Body)
					}
				}
			})
			return all
		}
		require.Equal(t, answers(), answers())
		for _, s := range stored[:len(stored)/2] {
			requireStored(t, s[0], s[1])
		}
		if bounded.Repeats(patch) && !testing.Short() {
			for _, m := range patches {
				bounded.Growth(t, 128, 1024, func(n int) func() {
					ask, large, query := patchable(t), bounded.Repeat(patch, n), "?fieldManager=m"
					if m == applyPatch {
						query += "&force=true"
					}
					ask("PATCH", leasesA+"/x", mergePatch, large) // grows with n
					return func() { ask("PATCH", leasesA+"/x"+query, m, large) }
				})
			}
		}
	})
}

// requireStored asserts that the answer to a patch equals a later read, and that the server can load its own JSON as
// the same object.
func requireStored(t *testing.T, answer, read apiserver.Response) {
	t.Helper()
	require.Equal(t, 200, read.Status, "%s", read.Body)
	if answer.Status != 200 {
		require.GreaterOrEqual(t, answer.Status, 400, "%s", answer.Body)
		return
	}
	require.Equal(t, string(read.Body), string(answer.Body))
	s := apiserver.New(apiserver.Config{Coordinated: true, Seed: 1})
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, s.Load(at, []byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"ns-a"}}`)))
	require.NoError(t, s.Load(at, read.Body))
	path := leasesA + "/x"
	again := s.Handle(at, &apiserver.Request{Method: "GET", Path: path})
	require.Equal(t, 200, again.Status)
	before, after := withoutRevision(t, read.Body), withoutRevision(t, again.Body)
	if meta := before["metadata"].(map[string]any); meta["managedFields"] == nil { // a loaded object always gets managedFields
		delete(after["metadata"].(map[string]any), "managedFields")
	}
	require.Equal(t, before, after)
}

// withoutRevision returns an object without its resourceVersion.
func withoutRevision(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var o map[string]any
	require.NoError(t, json.Unmarshal(body, &o), "%s", body)
	delete(o["metadata"].(map[string]any), "resourceVersion")
	return o
}

var patches = []string{jsonPatch, mergePatch, strategicPatch, applyPatch}

// patchCost bounds what twelve patches and as many reads may allocate.
var patchCost = bounded.Limit{Fixed: 4 << 20, PerByte: 300}

// grown lists patches with parts for bounded.Repeat: long lists, wide and deep objects, and what the server refuses in
// them.
var grown = []string{
	`{"metadata":{"ownerReferences":[` + bounded.List + `{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u` + bounded.Index + `"}` + bounded.End + `]}}`,
	`{"metadata":{"ownerReferences":[` + bounded.List + `{"$patch":"delete","uid":"u` + bounded.Index + `"}` + bounded.End + `]}}`,
	`{"metadata":{"finalizers":[` + bounded.List + `"f/` + bounded.Index + `"` + bounded.End + `]}}`,
	`{"metadata":{"finalizers":[` + bounded.List + `"-` + bounded.Index + `"` + bounded.End + `]}}`,
	`{"metadata":{"$deleteFromPrimitiveList/finalizers":[` + bounded.List + `"f/` + bounded.Index + `"` + bounded.End + `]}}`,
	`{"metadata":{"labels":{` + bounded.List + `"l` + bounded.Index + `":"v"` + bounded.End + `}}}`,
	`{"metadata":{"labels":{` + bounded.List + `"-` + bounded.Index + `":"-"` + bounded.End + `}}}`,
	`{"metadata":{"annotations":{` + bounded.List + `"a` + bounded.Index + `":"v"` + bounded.End + `}}}`,
	`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"x","finalizers":[` + bounded.List + `"f/` + bounded.Index + `"` + bounded.End + `]}}`,
	`{` + bounded.List + `"u` + bounded.Index + `":1` + bounded.End + `}`,
	`{"spec":` + bounded.Chain + `{"a":` + bounded.End + `1` + bounded.Chain + `}` + bounded.End + `}`,
	bounded.Chain + `{"a":` + bounded.End + `1` + bounded.Chain + `}` + bounded.End,
	bounded.Chain + `[` + bounded.End + bounded.Chain + `]` + bounded.End,
	`[` + bounded.List + `{"op":"add","path":"/metadata/finalizers/-","value":"f/` + bounded.Index + `"}` + bounded.End + `]`,
	`[` + bounded.List + `{"op":"test","path":"/spec/holderIdentity","value":"h"}` + bounded.End + `]`,
}

// patchable returns a server with one Lease.
func patchable(t *testing.T) (ask func(method, target, media, body string) apiserver.Response) {
	s := apiserver.New(apiserver.Config{Coordinated: true, Seed: 1, YAML: yaml.YAMLToJSON, StrictYAML: func(data []byte) error {
		_, err := yaml.YAMLToJSONStrict(data)
		return err
	}})
	ask = func(method, target, media, body string) apiserver.Response {
		path, query, _ := apiserver.ParseTarget(target)
		return s.Handle(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), &apiserver.Request{
			Method: method, Path: path, Query: query, Body: []byte(body), Header: map[string]string{"content-type": media},
		})
	}
	ask("POST", "/api/v1/namespaces", "", `{"metadata":{"name":"ns-a"}}`)
	made := ask("POST", leasesA, "", `{"metadata":{"name":"x","labels":{"a":"1"},"finalizers":["f/a"],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]},"spec":{"holderIdentity":"h"}}`)
	require.Equal(t, 201, made.Status, "%s", made.Body)
	return ask
}
