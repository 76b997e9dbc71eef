package openapi

import "maps"

// coreRoot begins the paths of the core group.
const coreRoot = "/api/v1/"

// coreKinds are the kinds of the core group that a server can have.
var coreKinds = []kind{
	{version: "v1", name: "ConfigMap", plural: "configmaps"}, {version: "v1", name: "Event", plural: "events"},
	{version: "v1", name: "Namespace", plural: "namespaces"},
}

// core reports whether the kind belongs to the core group.
func (k kind) core() bool {
	return k.of == "" && (k.name == "ConfigMap" || k.name == "Event" || k.name == "Namespace")
}

// group returns the group of the kind.
func (k kind) group() string {
	switch {
	case k.core():
		return ""
	case k.of != "":
		return k.of
	}
	return group
}

// coreDocument returns the document of api/v1.
func coreDocument() []byte {
	paths, used := map[string]any{}, []schema{}
	paths[coreRoot] = members("get", discovery("core_v1", "getCoreV1APIResources", "APIResourceList"))
	for _, k := range coreKinds {
		maps.Copy(paths, k.paths())
		used = append(used, k.coreSchemas()...)
	}
	return document(paths, append(append(used, coreParts...), coreKinds[0].common()...))
}

// coreRootDocument returns the document of api.
func coreRootDocument() []byte {
	get := members("get", discovery("core", "getCoreAPIVersions", "APIVersions"))
	return document(map[string]any{"/api/": get}, []schema{serverAddress, {
		name: metaV1 + "APIVersions", text: "The versions of the core group.",
		kinds: []groupKind{{"", "v1", "APIVersions"}}, properties: []property{
			{name: "apiVersion", is: "string", text: apiVersionText},
			{name: "kind", is: "string", text: kindText},
			{name: "serverAddressByClientCIDRs", is: metaV1 + "ServerAddressByClientCIDR", list: "atomic", must: true,
				text: "The server's addresses, by the network of the client."},
			{name: "versions", is: "string", list: "atomic", must: true, text: "The versions that are served."},
		},
	}})
}

// coreSchemas returns the schemas of a kind and its list.
// Source: k8s.io/api v0.36 core/v1 types.go.
func (k kind) coreSchemas() []schema {
	own := coreObjects[k.name]
	properties := append([]property{
		{name: "apiVersion", is: "string", text: apiVersionText},
		{name: "kind", is: "string", text: kindText},
		{name: "metadata", is: metaV1 + "ObjectMeta", must: k.name == "Event", zero: true,
			text: "Standard object metadata."},
	}, own.properties...)
	return []schema{
		{name: k.schemaName(""), text: own.text, kinds: []groupKind{{"", "v1", k.name}}, properties: properties},
		k.list(),
	}
}

const coreV1 = "io.k8s.api.core.v1."

var coreObjects = map[string]schema{
	"ConfigMap": {text: "A ConfigMap holds named texts for programs to read.", properties: []property{
		{name: "binaryData", is: "map", text: "Binary values by name, in base64."},
		{name: "data", is: "map", text: "Texts by name."},
		{name: "immutable", is: "boolean", text: "If true, only the metadata can be changed."},
	}},
	"Event": {text: "An Event reports something that happened to an object. The server keeps it for an hour.",
		properties: []property{
			{name: "action", is: "string", text: "What was done, or failed."},
			{name: "count", is: "int32", text: "How many times it happened."},
			{name: "eventTime", is: metaV1 + "MicroTime", text: "When it was first observed."},
			{name: "firstTimestamp", is: metaV1 + "Time", text: "When it first happened."},
			{name: "involvedObject", is: coreV1 + "ObjectReference", must: true, zero: true,
				text: "The object to which it happened."},
			{name: "lastTimestamp", is: metaV1 + "Time", text: "When it last happened."},
			{name: "message", is: "string", text: "A sentence about it."},
			{name: "reason", is: "string", text: "A one-word reason for programs."},
			{name: "related", is: coreV1 + "ObjectReference", text: "Another object that takes part."},
			{name: "reportingComponent", is: "string", zero: true, text: "The controller that reports it."},
			{name: "reportingInstance", is: "string", zero: true, text: "The instance of that controller."},
			{name: "series", is: coreV1 + "EventSeries", text: "The series that it belongs to."},
			{name: "source", is: coreV1 + "EventSource", zero: true, text: "The component that reports it."},
			{name: "type", is: "string", text: "Normal, Warning, or a future type."},
		}},
	"Namespace": {text: "A Namespace is a scope for names.", properties: []property{
		{name: "spec", is: coreV1 + "NamespaceSpec", zero: true, text: "What keeps a deleted namespace alive."},
		{name: "status", is: coreV1 + "NamespaceStatus", zero: true, text: "Whether it is being deleted."},
	}},
}

// coreParts are the parts of these objects.
var coreParts = []schema{
	{name: coreV1 + "NamespaceSpec", text: "What keeps a deleted namespace alive.", properties: []property{
		{name: "finalizers", is: "string", list: "atomic", text: "They must be gone before the namespace is removed."},
	}},
	{name: coreV1 + "NamespaceStatus", text: "Whether a namespace is being deleted.", properties: []property{
		{name: "phase", is: "string", text: "Active or Terminating."},
	}},
	{name: coreV1 + "EventSource", text: "The source of an event.", properties: []property{
		{name: "component", is: "string", text: "The component."},
		{name: "host", is: "string", text: "The node on which it runs."},
	}},
	{name: coreV1 + "EventSeries", text: "A series of events.", properties: []property{
		{name: "count", is: "int32", text: "The number of occurrences."},
		{name: "lastObservedTime", is: metaV1 + "MicroTime", text: "When its last event was observed."},
	}},
	{name: coreV1 + "ObjectReference", text: "A reference to an object.", whole: true, properties: []property{
		{name: "apiVersion", is: "string", text: apiVersionText},
		{name: "fieldPath", is: "string", text: "A part of the object."},
		{name: "kind", is: "string", text: kindText}, {name: "name", is: "string", text: "The object's name."},
		{name: "namespace", is: "string", text: "The object's namespace."},
		{name: "resourceVersion", is: "string", text: "A version of the object."},
		{name: "uid", is: "string", text: "The object's uid."},
	}},
}
