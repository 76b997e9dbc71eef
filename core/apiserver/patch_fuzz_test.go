package apiserver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/leaselab/leaselab/core/apiserver"
)

// FuzzPatch sends anything as each kind of patch to an object with everything in it. Whatever comes, there is an answer,
// it is the same the second time, and an object that came out can be read again.
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
	media := []string{
		"application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml",
	}
	f.Fuzz(func(t *testing.T, patch string) {
		run := func() (all string) {
			s := apiserver.New(apiserver.Config{Coordinated: true, Seed: 1, YAML: yaml.YAMLToJSON, StrictYAML: func(data []byte) error {
				_, err := yaml.YAMLToJSONStrict(data)
				return err
			}})
			send := func(method, target, media, body string) apiserver.Response {
				path, query, _ := apiserver.ParseTarget(target)
				return s.Handle(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), &apiserver.Request{
					Method: method, Path: path, Query: query, Body: []byte(body), Header: map[string]string{"content-type": media},
				})
			}
			const leases = "/apis/coordination.k8s.io/v1/namespaces/a/leases"
			send("POST", "/api/v1/namespaces", "", `{"metadata":{"name":"a"}}`)
			made := send("POST", leases, "", `{"metadata":{"name":"x","labels":{"a":"1"},"finalizers":["f/a"],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]},"spec":{"holderIdentity":"h"}}`)
			require.Equal(t, 201, made.Status, "%s", made.Body)
			for _, m := range media {
				for _, query := range []string{"?fieldManager=m", "?fieldManager=kubectl&fieldValidation=Strict", "?fieldManager=m&fieldValidation=Ignore&force=1"} {
					if m != media[3] && query[len(query)-1] == '1' {
						query = query[:len(query)-8]
					}
					answer := send("PATCH", leases+"/x"+query, m, patch)
					read := send("GET", leases+"/x", "", "")
					all += string(answer.Body) + string(read.Body)
				}
			}
			return all
		}
		require.Equal(t, run(), run())
	})
}
