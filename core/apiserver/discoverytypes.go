package apiserver

import "github.com/leaselab/leaselab/core/wire"

func textFields(names ...string) []wire.Field {
	fields := make([]wire.Field, len(names))
	for i, name := range names {
		fields[i] = wire.Field{Name: name, Type: wire.StringType}
	}
	return fields
}

func listType(t *wire.Type) *wire.Type { return &wire.Type{Shape: wire.AList, Elem: t} }

func structType(fields ...wire.Field) *wire.Type {
	return &wire.Type{Shape: wire.AStruct, Fields: fields}
}

// The documents of discovery, with their members in the order of upstream's types.
// Source: apimachinery v0.36 pkg/apis/meta/v1 types.go, api v0.36 apidiscovery/v2 types.go, version types.go.
var (
	groupVersionType = structType(textFields("groupVersion", "version")...)
	groupType        = structType(append(textFields("kind", "apiVersion", "name"),
		wire.Field{Name: "versions", Type: listType(groupVersionType)},
		wire.Field{Name: "preferredVersion", Type: groupVersionType})...)
	groupListType = structType(append(textFields("kind", "apiVersion"),
		wire.Field{Name: "groups", Type: listType(groupType)})...)
	coreType = structType(append(textFields("kind", "versions"),
		wire.Field{Name: "serverAddressByClientCIDRs",
			Type: listType(structType(textFields("clientCIDR", "serverAddress")...))})...)
	resourceListType = structType(append(textFields("kind", "apiVersion", "groupVersion"),
		wire.Field{Name: "resources", Type: listType(structType(textFields("name", "singularName", "namespaced",
			"group", "version", "kind", "verbs", "shortNames", "categories", "storageVersionHash")...))})...)
	versionType = structType(textFields("major", "minor", "emulationMajor", "emulationMinor", "minCompatibilityMajor",
		"minCompatibilityMinor",
		"gitVersion", "gitCommit", "gitTreeState", "buildDate", "goVersion", "compiler", "platform")...)
	namedType     = structType(textFields("name")...)
	kindType      = structType(textFields("group", "version", "kind")...)
	aggregateType = structType(wire.Field{Name: "kind"}, wire.Field{Name: "apiVersion"}, wire.Field{Name: "metadata"},
		wire.Field{Name: "items", Type: listType(structType(wire.Field{Name: "metadata", Type: namedType},
			wire.Field{Name: "versions", Type: listType(structType(wire.Field{Name: "version"},
				wire.Field{Name: "resources",
					Type: listType(structType(wire.Field{Name: "resource"},
						wire.Field{Name: "responseKind", Type: kindType},
						wire.Field{Name: "scope"}, wire.Field{Name: "singularResource"}, wire.Field{Name: "verbs"},
						wire.Field{Name: "shortNames"}, wire.Field{Name: "categories"},
						wire.Field{Name: "subresources", Type: listType(structType(wire.Field{Name: "subresource"},
							wire.Field{Name: "responseKind", Type: kindType}, wire.Field{Name: "verbs"}))}))},
				wire.Field{Name: "freshness"}))}))})
)

// versionInfo is the answer of /version: the release that this server reproduces.
// Source: kubernetes v1.36.2.
var versionInfo = wire.Map{
	"major": "1", "minor": "36", "emulationMajor": "1", "emulationMinor": "36", "minCompatibilityMajor": "1",
	"minCompatibilityMinor": "35",
	"gitVersion":            "v1.36.2", "gitCommit": "98b35193b2ac7a23a673325f5e9b830ecd5ba406",
	"gitTreeState": "clean",
	"buildDate":    "2026-06-01T00:00:00Z",
	"goVersion":    "go1.26.8", "compiler": "gc", "platform": "linux/amd64",
}
