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
	return sorted(types)
}

// operation returns a method of a path. Discovery has no action.
func operation(tag, id string, params []any, body any, codes answers, media []string, action string,
	gvk ...any) wire.Encoded {
	responses := map[string]any{"401": members("description", reasons["401"])}
	for code, name := range codes {
		responses[code] = members("description", reasons[code], "content", content(media, name))
	}
	pairs := []any{"tags", texts(tag), "operationId", id, "parameters", listOrNone(params), "requestBody", body,
		"responses", sorted(responses)}
	if action != "" {
		pairs = append(pairs, "x-kubernetes-action", action, "x-kubernetes-group-version-kind", members(gvk...))
	}
	return members(pairs...)
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
	gvk := []any{"group", k.group(), "version", k.version, "kind", k.name}
	do := func(id string, params string, body any, codes answers, media []string, action string) wire.Encoded {
		return operation(tag, id, parameters(params), body, codes, media, action, gvk...)
	}
	sends := func(media []string, name string) wire.Encoded {
		return members("content", content(media, name), "required", true)
	}
	anyMedia := []string{"*/*"}
	watch := func(id, action, params string) wire.Encoded {
		return members("get", do(id, "", nil, answers{"200": metaV1 + "WatchEvent"}, streamEncodings, action),
			"parameters", parameters(params))
	}
	options := members("content", content(anyMedia, metaV1+"DeleteOptions"))
	status := metaV1 + "Status"
	if k.name == "Namespace" {
		return map[string]any{
			root + k.plural: members(
				"get", do("list"+id+k.name, listParams, nil, answers{"200": list}, streamEncodings, "list"),
				"post", do("create"+id+k.name, writeParams, sends(anyMedia, object),
					answers{"200": object, "201": object, "202": object}, encodings, "post"),
				"parameters", parameters("pretty")),
			root + k.plural + "/{name}": members(
				"get", do("read"+id+k.name, "", nil, answers{"200": object}, encodings, "get"),
				"put", do("replace"+id+k.name, writeParams, sends(anyMedia, object),
					answers{"200": object, "201": object}, encodings, "put"),
				"delete", do("delete"+id+k.name, deleteParams, options, answers{"200": status, "202": status},
					encodings, "delete"),
				"patch", do("patch"+id+k.name, patchParams, sends(patchEncodings, metaV1+"Patch"),
					answers{"200": object, "201": object}, encodings, "patch"),
				"parameters", parameters("name/path pretty")),
			root + k.plural + "/{name}/finalize": members(
				"put", do("replace"+id+k.name+"Finalize", "", sends(anyMedia, object),
					answers{"200": object, "201": object}, encodings, "put"),
				"parameters", parameters(writeParams+" name/path pretty")),
			root + "watch/" + k.plural: watch("watch"+id+k.name+"List", "watchlist", watchParams),
			root + "watch/" + k.plural +
				"/{name}": watch("watch"+id+k.name, "watch", withNamespace(watchParams, "name")),
		}
	}
	return map[string]any{
		root: members("get", operation(tag, "get"+id+"APIResources", nil, nil,
			answers{"200": metaV1 + "APIResourceList"}, encodings, "")),
		root + k.plural: members(
			"get", do("list"+id+k.name+"ForAllNamespaces", "", nil, answers{"200": list}, streamEncodings, "list"),
			"parameters", parameters(watchParams)),
		root + "namespaces/{namespace}/" + k.plural: members(
			"get", do("list"+id+"Namespaced"+k.name, listParams, nil, answers{"200": list}, streamEncodings, "list"),
			"post", do("create"+id+"Namespaced"+k.name, writeParams, sends(anyMedia, object),
				answers{"200": object, "201": object, "202": object}, encodings, "post"),
			"delete", do("delete"+id+"CollectionNamespaced"+k.name, collectionParams, options, answers{"200": status},
				encodings, "deletecollection"),
			"parameters", parameters(inNamespace)),
		root + "namespaces/{namespace}/" + k.plural + "/{name}": members(
			"get", do("read"+id+"Namespaced"+k.name, "", nil, answers{"200": object}, encodings, "get"),
			"put", do("replace"+id+"Namespaced"+k.name, writeParams, sends(anyMedia, object),
				answers{"200": object, "201": object}, encodings, "put"),
			"delete", do("delete"+id+"Namespaced"+k.name, deleteParams, options, answers{"200": status, "202": status},
				encodings, "delete"),
			"patch", do("patch"+id+"Namespaced"+k.name, patchParams, sends(patchEncodings, metaV1+"Patch"),
				answers{"200": object, "201": object}, encodings, "patch"),
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
