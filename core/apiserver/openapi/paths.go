package openapi

import (
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// The media types of responses.
var (
	encodings       = []string{"application/json", "application/vnd.kubernetes.protobuf", "application/yaml"}
	streamEncodings = []string{"application/json", "application/json;stream=watch",
		"application/vnd.kubernetes.protobuf",
		"application/vnd.kubernetes.protobuf;stream=watch", "application/yaml"}
	patchEncodings = []string{"application/apply-patch+yaml", "application/json-patch+json",
		"application/merge-patch+json", "application/strategic-merge-patch+json"}
)

// The parameters of lists and watches, of writes, of deletions, and of deletions of collections.
const (
	listParams = "allowWatchBookmarks:boolean continue fieldSelector labelSelector limit:integer " +
		"resourceVersion resourceVersionMatch sendInitialEvents:boolean shardSelector timeoutSeconds:integer " +
		"watch:boolean"
	watchParams = "allowWatchBookmarks:boolean continue fieldSelector labelSelector limit:integer pretty " +
		"resourceVersion resourceVersionMatch sendInitialEvents:boolean shardSelector timeoutSeconds:integer " +
		"watch:boolean"
	writeParams  = "dryRun fieldManager fieldValidation"
	patchParams  = writeParams + " force:boolean"
	deleteParams = "dryRun gracePeriodSeconds:integer ignoreStoreReadErrorWithClusterBreakingPotential:boolean " +
		"orphanDependents:boolean propagationPolicy"
	collectionParams = "continue dryRun fieldSelector gracePeriodSeconds:integer " +
		"ignoreStoreReadErrorWithClusterBreakingPotential:boolean labelSelector limit:integer " +
		"orphanDependents:boolean propagationPolicy resourceVersion resourceVersionMatch sendInitialEvents:boolean " +
		"shardSelector timeoutSeconds:integer"
	inNamespace = "namespace/path pretty"
	ofObject    = "name/path namespace/path pretty"
)

// parameters returns parameters by name. Each is a string in the query unless listed otherwise.
func parameters(names string) []any {
	var list []any
	for _, name := range strings.Fields(names) {
		name, shape, has := strings.Cut(name, ":")
		if !has {
			shape = "string"
		}
		name, place, required := strings.Cut(name, "/")
		var must any
		if must = true; !required {
			place, must = "query", nil
		}
		list = append(list, members("name", name, "in", place, "required", must, "schema",
			members("type", shape, "uniqueItems", true)))
	}
	return list
}

// withNamespace inserts the path parameters into the sorted names.
func withNamespace(names string, more ...string) string {
	all := strings.Fields(names)
	for _, name := range more {
		at := 0
		for at < len(all) && all[at] < name {
			at++
		}
		all = append(all[:at], append([]string{name + "/path"}, all[at:]...)...)
	}
	return strings.Join(all, " ")
}

// answers maps response codes to schemas.
type answers map[string]string

var reasons = map[string]string{"200": "OK", "201": "Created", "202": "Accepted", "401": "Unauthorized"}

// content returns one schema for several media types.
func content(media []string, name string) wire.Encoded {
	types := map[string]any{}
	for _, m := range media {
		types[m] = members("schema", reference(name))
	}
	return sortedObject(types)
}

// method is a method of a path.
type method struct {
	tag, id string
	params  string
	action  string // "" for discovery
	answers answers
}

// operation returns a method of a path. The action determines the parameters and the responses.
func (k kind) operation(m method) wire.Encoded {
	media := encodings
	var body any
	switch m.action {
	case "list", "watch", "watchlist":
		media = streamEncodings
	case "post", "put":
		body = members("content", content([]string{"*/*"}, k.schemaName("")), "required", true)
	case "patch":
		body = members("content", content(patchEncodings, metaV1+"Patch"), "required", true)
	case "delete", "deletecollection":
		body = members("content", content([]string{"*/*"}, metaV1+"DeleteOptions"))
	}
	responses := map[string]any{"401": members("description", reasons["401"])}
	for code, name := range m.answers {
		responses[code] = members("description", reasons[code], "content", content(media, name))
	}
	pairs := []any{"tags", texts(m.tag), "operationId", m.id, "parameters", listOrNone(parameters(m.params)),
		"requestBody", body, "responses", sortedObject(responses)}
	if m.action != "" {
		pairs = append(pairs, "x-kubernetes-action", m.action, "x-kubernetes-group-version-kind",
			members("group", k.group(), "version", k.version, "kind", k.name))
	}
	return members(pairs...)
}

// discovery returns the method that lists what the server serves, as an object of meta/v1.
func discovery(tag, id, kindName string) wire.Encoded {
	return kind{}.operation(method{tag: tag, id: id, answers: answers{"200": metaV1 + kindName}})
}

func listOrNone(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list
}

// paths returns all paths of a version, as upstream's installer makes them for a namespaced resource.
func (k kind) paths() map[string]any {
	root, id, tag := rootPath+k.version+"/", "Coordination"+strings.ToUpper(k.version[:1])+k.version[1:],
		"coordination_"+k.version
	if k.core() {
		root, id, tag = coreRoot, "CoreV1", "core_v1"
	}
	if k.of != "" {
		root, id, tag = "/apis/"+k.of+"/v1/", "EventsV1", "events_v1"
	}
	object, list := k.schemaName(""), k.schemaName("List")
	do := func(action, id, params string, codes answers) wire.Encoded {
		return k.operation(method{tag: tag, id: id, params: params, action: action, answers: codes})
	}
	watch := func(id, action, params string) wire.Encoded {
		return members("get", do(action, id, "", answers{"200": metaV1 + "WatchEvent"}),
			"parameters", parameters(params))
	}
	status := metaV1 + "Status"
	if k.name == "Namespace" {
		return map[string]any{
			root + k.plural: members(
				"get", do("list", "list"+id+k.name, listParams, answers{"200": list}),
				"post", do("post", "create"+id+k.name, writeParams,
					answers{"200": object, "201": object, "202": object}),
				"parameters", parameters("pretty")),
			root + k.plural + "/{name}": members(
				"get", do("get", "read"+id+k.name, "", answers{"200": object}),
				"put", do("put", "replace"+id+k.name, writeParams, answers{"200": object, "201": object}),
				"delete", do("delete", "delete"+id+k.name, deleteParams, answers{"200": status, "202": status}),
				"patch", do("patch", "patch"+id+k.name, patchParams, answers{"200": object, "201": object}),
				"parameters", parameters("name/path pretty")),
			root + k.plural + "/{name}/finalize": members(
				"put", do("put", "replace"+id+k.name+"Finalize", "", answers{"200": object, "201": object}),
				"parameters", parameters(writeParams+" name/path pretty")),
			root + "watch/" + k.plural: watch("watch"+id+k.name+"List", "watchlist", watchParams),
			root + "watch/" + k.plural +
				"/{name}": watch("watch"+id+k.name, "watch", withNamespace(watchParams, "name")),
		}
	}
	return map[string]any{
		root: members("get", discovery(tag, "get"+id+"APIResources", "APIResourceList")),
		root + k.plural: members(
			"get", do("list", "list"+id+k.name+"ForAllNamespaces", "", answers{"200": list}),
			"parameters", parameters(watchParams)),
		root + "namespaces/{namespace}/" + k.plural: members(
			"get", do("list", "list"+id+"Namespaced"+k.name, listParams, answers{"200": list}),
			"post", do("post", "create"+id+"Namespaced"+k.name, writeParams,
				answers{"200": object, "201": object, "202": object}),
			"delete", do("deletecollection", "delete"+id+"CollectionNamespaced"+k.name, collectionParams,
				answers{"200": status}),
			"parameters", parameters(inNamespace)),
		root + "namespaces/{namespace}/" + k.plural + "/{name}": members(
			"get", do("get", "read"+id+"Namespaced"+k.name, "", answers{"200": object}),
			"put", do("put", "replace"+id+"Namespaced"+k.name, writeParams, answers{"200": object, "201": object}),
			"delete", do("delete", "delete"+id+"Namespaced"+k.name, deleteParams,
				answers{"200": status, "202": status}),
			"patch", do("patch", "patch"+id+"Namespaced"+k.name, patchParams, answers{"200": object, "201": object}),
			"parameters", parameters(ofObject)),
		root + "watch/" + k.plural: watch("watch"+id+k.name+"ListForAllNamespaces",
			"watchlist", watchParams),
		root + "watch/namespaces/{namespace}/" +
			k.plural: watch("watch"+id+"Namespaced"+k.name+"List", "watchlist",
			withNamespace(watchParams, "namespace")),
		root + "watch/namespaces/{namespace}/" + k.plural +
			"/{name}": watch("watch"+id+"Namespaced"+k.name, "watch", withNamespace(watchParams, "name", "namespace")),
	}
}
