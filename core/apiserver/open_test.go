package apiserver_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// someKinds is a table with a kind of every sort.
const someKinds = `- v1 namespaces Namespace cluster status ns - Q3oi5N2YM8M=
- v1 nodes Node cluster status no - XwShjMxG9Fs=
- v1 secrets Secret namespaced - - - S6u1pOWzb84=
apps v1 deployments Deployment namespaced scale,status deploy all 8aSe+NMegvE=
authentication.k8s.io v1 tokenreviews TokenReview created - - - -
autoscaling v2,v1 horizontalpodautoscalers HorizontalPodAutoscaler namespaced status hpa all oQlkt7f5j/A=
apiextensions.k8s.io v1 customresourcedefinitions CustomResourceDefinition cluster status crd,crds api-extensions jfWCUB31mvA=
coordination.k8s.io v1 leases Lease namespaced - - - gqkMMb/YqFM=
`

func withKinds(config *apiserver.Config) { config.Kinds = apiserver.ParseKinds(someKinds) }

const (
	deployments = "/apis/apps/v1/namespaces/ns-a/deployments"
	definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	asMerge     = "application/merge-patch+json"
)

// object returns an answer as a tree, without managedFields.
func (c *client) object(method, target, body string, more ...string) wire.Map {
	c.t.Helper()
	n, err := wire.Parse(c.do(method, target, body, more...).Body)
	require.NoError(c.t, err)
	o, _ := wire.Tree(n).(wire.Map)
	wire.Set(o, nil, "metadata", "managedFields")
	return o
}

// An object of a kind without a schema keeps every member; its status has its own path, and its generation counts the changes of the rest.
func TestOpenKinds(t *testing.T) {
	c := newClient(t, withKinds)
	made := c.object("POST", deployments, `{"metadata":{"name":"x","labels":{"app":"it"}},"spec":{"replicas":2,"template":{"spec":{"containers":[{"name":"a"},{"name":"b"}],
		"none":null}}},"status":{"replicas":9},"more":[1.5]}`)
	assert.Equal(t, []any{"Deployment", "apps/v1"}, []any{made["kind"], made["apiVersion"]})
	assert.Equal(t, `{"replicas":2,"template":{"spec":{"containers":[{"name":"a"},{"name":"b"}],"none":null}}}`, string(wire.Encode(nil, made["spec"], nil)))
	assert.Equal(t, []any{1.5}, made["more"], "the server knows no members")
	assert.Nil(t, made["status"], "a status has its own path")
	assert.NotEmpty(t, wire.Text(made, "metadata", "uid"))
	generation := func(o wire.Map) any { return wire.Get(o, "metadata", "generation") }
	assert.EqualValues(t, 1, generation(made))

	labeled := c.object("PATCH", deployments+"/x", `{"metadata":{"labels":{"app":"other"}}}`, "content-type", asMerge)
	assert.EqualValues(t, 1, generation(labeled), "metadata does not count")
	status := c.object("PATCH", deployments+"/x/status", `{"spec":{"replicas":7},"metadata":{"labels":{"app":"no"}},"status":{"replicas":1}}`, "content-type", asMerge)
	assert.EqualValues(t, 1, generation(status))
	assert.EqualValues(t, 2, wire.Get(status, "spec", "replicas"), "/status changes nothing else")
	assert.Equal(t, "other", wire.Text(status, "metadata", "labels", "app"))
	assert.EqualValues(t, 1, wire.Get(status, "status", "replicas"))
	changed := c.object("PATCH", deployments+"/x", `{"spec":{"paused":true},"status":null}`, "content-type", asMerge)
	assert.EqualValues(t, 2, generation(changed))
	assert.EqualValues(t, 1, wire.Get(changed, "status", "replicas"), "the object's path does not change the status")
	assert.Equal(t, 404, c.do("GET", "/api/v1/namespaces/ns-a/secrets/x/status", "").Status, "a Secret has no status")
	assert.Equal(t, 405, c.do("DELETE", deployments+"/x/status", "").Status)

	strategic := "application/strategic-merge-patch+json"
	merged := c.object("PATCH", deployments+"/x", `{"spec":{"template":{"spec":{"containers":[{"name":"b","image":"i"}],"none":null}}}}`, "content-type", strategic)
	assert.Equal(t, `{"containers":[{"image":"i","name":"b"}]}`, string(wire.Encode(nil, wire.Get(merged, "spec", "template", "spec"), nil)), "its lists are replaced")
	merged = c.object("PATCH", deployments+"/x", `{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"c"},{"name":"b"}],"containers":[{"name":"c"},{"name":"b","tty":true}]}}}}`, "content-type", strategic)
	assert.Equal(t, `{"containers":[{"name":"c"},{"image":"i","name":"b","tty":true}]}`, string(wire.Encode(nil, wire.Get(merged, "spec", "template", "spec"), nil)), "unless the patch names their key, as kubectl's does")

	list := c.ask("GET", deployments+"?labelSelector=app%3Dother&fieldSelector=metadata.name%3Dx", "")
	assert.Equal(t, "DeploymentList x", list.Kind+" "+list.names())
	table := c.object("GET", deployments, "", "accept", "application/json;as=Table;g=meta.k8s.io;v=v1")
	assert.Equal(t, []any{"x", "0s"}, table["rows"].([]any)[0].(wire.Map)["cells"])
	older := c.object("POST", "/apis/autoscaling/v1/namespaces/ns-a/horizontalpodautoscalers", `{"metadata":{"name":"h"}}`)
	assert.Equal(t, "autoscaling/v1", older["apiVersion"])
	assert.Equal(t, "autoscaling/v2", c.object("GET", "/apis/autoscaling/v2/namespaces/ns-a/horizontalpodautoscalers/h", "")["apiVersion"])
	assert.Equal(t, 404, c.do("POST", "/apis/authentication.k8s.io/v1/tokenreviews", `{}`).Status, "nobody answers this review")

	c.make("/api/v1/nodes", `{"metadata":{"name":"n","finalizers":["f/a"]}}`)
	assert.Equal(t, 200, c.do("DELETE", "/api/v1/nodes", "").Status, "a collection of a cluster goes, too")
	assert.NotEmpty(t, wire.Text(c.object("GET", "/api/v1/nodes/n", ""), "metadata", "deletionTimestamp"), "a finalizer keeps it")
	c.object("PATCH", "/api/v1/nodes/n", `{"metadata":{"finalizers":null}}`, "content-type", asMerge)
	assert.Equal(t, 404, c.do("GET", "/api/v1/nodes/n", "").Status)
	assert.Equal(t, 404, newClient(t).do("GET", "/api/v1/nodes", "").Status, "a server without kinds has none")
}

// Watches of kinds without a schema send their objects and bookmarks.
func TestOpenKindsAreWatched(t *testing.T) {
	c := newClient(t, withKinds)
	w := c.watch(deployments + "?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
	assert.Regexp(t, `^BOOKMARK \d+ initial-end$`, c.pollText(w))
	c.make(deployments, `{"metadata":{"name":"x"},"spec":{"replicas":1}}`)
	assert.Regexp(t, `^ADDED x \d+$`, c.pollText(w))
	c.do("DELETE", deployments+"/x", "")
	assert.Regexp(t, `^DELETED x \d+$`, c.pollText(w))
}

// Server-side apply owns the members of maps without a schema, and lists as a whole. A manager of the status is another manager.
func TestOpenKindsAreApplied(t *testing.T) {
	c := newClient(t, withKinds)
	apply := func(manager, path, spec string) answer {
		return c.ask("PATCH", path+"?fieldManager="+manager, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x"},`+spec+`}`,
			"content-type", "application/apply-patch+yaml")
	}
	require.Equal(t, 201, apply("m", deployments+"/x", `"spec":{"a":1,"b":{"c":"d"},"list":[1,2]}`).Status)
	conflict := apply("n", deployments+"/x", `"spec":{"b":{"c":"e"}}`)
	assert.Equal(t, []any{409, `Apply failed with 1 conflict: conflict with "m": .spec.b.c`}, []any{conflict.Status, conflict.Message})
	assert.Equal(t, 409, apply("n", deployments+"/x", `"spec":{"list":[1]}`).Status, "a list has one owner")
	require.Equal(t, 200, apply("n", deployments+"/x", `"spec":{"b":{"f":true}}`).Status)
	require.Equal(t, 200, apply("m", deployments+"/x/status", `"status":{"ready":true}`).Status)
	removed := apply("m", deployments+"/x", `"spec":{"a":1}`)
	assert.Equal(t, map[string]any{"a": 1.0, "b": map[string]any{"f": true}}, removed.Spec, "what m does not apply any more goes")
	assert.Equal(t, true, wire.Get(c.object("GET", deployments+"/x", ""), "status", "ready"))
}

// A Scale shows the replicas of an object, and changes them.
func TestScale(t *testing.T) {
	c := newClient(t, withKinds)
	c.make(deployments, `{"metadata":{"name":"x"},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"it","b":"c"}}}}`)
	scale := c.object("GET", deployments+"/x/scale", "")
	assert.Equal(t, []any{"Scale", "autoscaling/v1", "x", "app=it,b=c"}, []any{scale["kind"], scale["apiVersion"], wire.Text(scale, "metadata", "name"), wire.Text(scale, "status", "selector")})
	assert.EqualValues(t, 2, wire.Get(scale, "spec", "replicas"))
	c.object("PATCH", deployments+"/x/scale", `{"spec":{"replicas":5}}`, "content-type", asMerge)
	wire.Set(scale, int64(0), "spec", "replicas")
	assert.Equal(t, 409, c.do("PUT", deployments+"/x/scale", string(wire.Encode(nil, scale, nil))).Status, "its resourceVersion is old")
	changed := c.object("GET", deployments+"/x", "")
	assert.EqualValues(t, 5, wire.Get(changed, "spec", "replicas"))
	assert.EqualValues(t, 2, wire.Get(changed, "metadata", "generation"))
	assert.Equal(t, 400, c.do("PATCH", deployments+"/x/scale?fieldManager=m", `{}`, "content-type", "application/apply-patch+yaml").Status)
	assert.Equal(t, 404, c.do("GET", deployments+"/y/scale", "").Status)
}

// aDefinition defines a kind in two versions.
const aDefinition = `{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"sponges.sea.example.com"},"spec":{"group":"sea.example.com",
	"scope":"Namespaced","names":{"plural":"sponges","kind":"Sponge","shortNames":["sp"],"categories":["all","sea"]},"versions":[
	{"name":"v1alpha1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object"}}},
	{"name":"v1","served":true,"storage":true,"subresources":{"status":{},"scale":{"specReplicasPath":".spec.pores","statusReplicasPath":".status.pores"}}},
	{"name":"v2","served":false,"storage":false}]}}`

// The server serves a kind from the moment when its definition exists.
func TestDefinitions(t *testing.T) {
	const sponges = "/apis/sea.example.com/v1/namespaces/ns-a/sponges"
	c := newClient(t, withKinds)
	assert.Equal(t, 404, c.do("GET", sponges, "").Status)
	made := c.object("POST", definitions, aDefinition)
	assert.Equal(t, "Established", wire.Text(wire.List(made, "status", "conditions")[1].(wire.Map), "type"))
	assert.NotContains(t, string(wire.Encode(nil, made, nil)), "openAPIV3Schema")
	assert.Equal(t, []any{"v1"}, wire.Get(made, "status", "storedVersions"))
	c.make(sponges, `{"metadata":{"name":"bob"},"spec":{"pores":3}}`)
	assert.EqualValues(t, 3, wire.Get(c.object("GET", sponges+"/bob/scale", ""), "spec", "replicas"))
	assert.Equal(t, 404, c.do("GET", strings.Replace(sponges, "v1", "v2", 1), "").Status, "v2 is not served")
	assert.Equal(t, "sea.example.com/v1alpha1", c.object("GET", strings.Replace(sponges, "v1", "v1alpha1", 1)+"/bob", "")["apiVersion"])
	var group struct{ Versions []struct{ Version string } }
	require.NoError(t, json.Unmarshal(c.do("GET", "/apis/sea.example.com", "").Body, &group))
	assert.Equal(t, "v1", group.Versions[0].Version, "the stable version comes first")
	assert.Equal(t, 422, c.do("PUT", sponges+"/bob", `{"metadata":{"name":"bob"}}`).Status, "an update of a custom kind needs a resourceVersion")
	selected := c.ask("GET", sponges+"?fieldSelector=spec.pores%3D3", "")
	assert.Equal(t, []any{400, `"spec.pores" is not a known field selector: only "metadata.name", "metadata.namespace"`}, []any{selected.Status, selected.Message})

	c.do("DELETE", definitions+"/sponges.sea.example.com", "")
	assert.Equal(t, 404, c.do("GET", sponges, "").Status)
	c.make(definitions, aDefinition)
	assert.Equal(t, 200, c.do("GET", sponges+"/bob", "").Status, "its objects stay in the store")
	short := strings.Replace(aDefinition, `"group":"sea.example.com",`, "", 1)
	refused := c.ask("POST", definitions, short)
	assert.Equal(t, []any{422, `CustomResourceDefinition.apiextensions.k8s.io "sponges.sea.example.com" is invalid: spec.group: Required value`}, []any{refused.Status, refused.Message})

	n, err := wire.Parse([]byte(aDefinition))
	require.NoError(t, err)
	d, err := apiserver.Definition(time.Unix(0, 0), wire.Tree(n).(wire.Map))
	require.NoError(t, err)
	begun := newClient(t, withKinds, func(config *apiserver.Config) { config.Definitions = []wire.Map{d} })
	begun.make(sponges, `{"metadata":{"name":"bob"}}`)
	assert.Equal(t, "sponges.sea.example.com", wire.Text(begun.object("GET", definitions+"/sponges.sea.example.com", ""), "metadata", "name"))
	first := &client{t: t, server: apiserver.New(apiserver.Config{Kinds: apiserver.ParseKinds(someKinds)})}
	assert.Equal(t, 404, first.do("GET", "/apis/sea.example.com", "").Status)
	first.make(definitions, aDefinition)
	assert.Equal(t, 200, first.do("GET", "/apis/sea.example.com", "").Status, "the first write of a server may be a definition")
	for field, change := range map[string][2]string{
		"spec.scope":          {`"scope":"Namespaced",`, ""},
		"spec.names.plural":   {`"plural":"sponges",`, ""},
		"spec.versions":       {`"served":true`, `"served":false`},
		"metadata.name":       {`"sponges.sea`, `"sponge.sea`},
		"spec.versions[0].na": {`"name":"v1alpha1"`, `"title":"v1alpha1"`},
	} {
		n, err := wire.Parse([]byte(strings.ReplaceAll(aDefinition, change[0], change[1])))
		require.NoError(t, err)
		_, err = apiserver.Definition(time.Unix(0, 0), wire.Tree(n).(wire.Map))
		assert.ErrorContains(t, err, field)
	}
}
