// Package openapi builds the OpenAPI v3 documents of coordination.k8s.io and of the core group, which kubectl explain
// and kubectl apply request. Documents serves them by path; V2 is the older document for kubectl's validation. Only
// the HTTP server links it; the page does not.
//
// Guarantee: paths, parameters and schemas equal kube-apiserver v1.36's, member by member in the same order.
// Non-guarantee: descriptions differ from upstream's and are shorter; operations and parameters have none. Source:
// kube-openapi pkg/builder3, k8s.io/api v0.36 and apimachinery v0.36 zz_generated.openapi.go.
package openapi

import (
	"sort"

	"github.com/leaselab/leaselab/core/wire"
)

// group is the name of the API group; rootPath begins the paths of its objects.
const (
	group    = "coordination.k8s.io"
	rootPath = "/apis/" + group + "/"
)

// versions maps each documented version to the kind that it serves.
var versions = map[string]kind{
	"v1":       {version: "v1", name: "Lease", plural: "leases"},
	"v1beta1":  {version: "v1beta1", name: "LeaseCandidate", plural: "leasecandidates"},
	"v1alpha2": {version: "v1alpha2", name: "LeaseCandidate", plural: "leasecandidates"},
	"v1alpha1": {version: "v1alpha1", name: "LeaseCandidate", plural: "leasecandidates"},
}

// kind is the kind that a version serves. The field "of" is the kind's group if that is neither the core group nor
// coordination.k8s.io.
type kind struct{ version, name, plural, of string }

// Documents returns a function from a path, such as apis/coordination.k8s.io/v1, to its document, or nil.
func Documents() func(path string) []byte {
	documents := map[string][]byte{"apis/" + group: groupDocument()}
	for name, k := range versions {
		documents["apis/"+group+"/"+name] = k.document()
	}
	documents["v2"] = V2()
	documents["api"], documents["api/v1"] = coreRootDocument(), coreDocument()
	documents["apis/"+newEvent.of], documents["apis/"+newEvent.of+"/v1"] = rootDocument(newEvent.of, "events",
		"getEventsAPIGroup"), newEventDocument()
	return func(path string) []byte { return documents[path] }
}

// members returns a JSON object with its members in the given order: name, value, name, value.
func members(pairs ...any) wire.Encoded {
	out := []byte{'{'}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(wire.Quote(out, pairs[i].(string)), ':')
		out = wire.Encode(out, pairs[i+1], nil)
	}
	return wire.Encoded(append(out, '}'))
}

// sortedObject returns a JSON object with its members sorted by name.
func sortedObject(values map[string]any) wire.Encoded {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	pairs := make([]any, 0, 2*len(names))
	for _, name := range names {
		pairs = append(pairs, name, values[name])
	}
	return members(pairs...)
}

// texts returns a JSON list of strings.
func texts(values ...string) []any {
	list := make([]any, len(values))
	for i := range values {
		list[i] = values[i]
	}
	return list
}

// document returns one complete document.
func document(paths map[string]any, used []schema) []byte {
	schemas := map[string]any{}
	for i := range used {
		schemas[used[i].name] = used[i].encode()
	}
	return []byte(members(
		"openapi", "3.0.0",
		"info", members("title", "Kubernetes", "version", "1.36"),
		"paths", sortedObject(paths),
		"components", members(
			"schemas", sortedObject(schemas),
			"securitySchemes", members("BearerToken",
				members("type", "apiKey", "description", "Bearer token", "name", "authorization", "in", "header")),
		),
	))
}

// groupDocument returns the document of the API group, such as apis/coordination.k8s.io.
func groupDocument() []byte { return rootDocument(group, "coordination", "getCoordinationAPIGroup") }

// rootDocument returns the document of a group without a version.
func rootDocument(group, tag, id string) []byte {
	get := members("get", discovery(tag, id, "APIGroup"))
	return document(map[string]any{"/apis/" + group + "/": get},
		[]schema{apiGroup, groupVersionForDiscovery, serverAddress})
}

// document returns the document of a version.
func (k kind) document() []byte { return document(k.paths(), append(k.schemas(), k.common()...)) }
