package apiserver

import (
	"fmt"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// aggregating is the endpoint of the two roots of discovery, which can list all groups with all their resources at
// once. Source: apiserver v0.36 pkg/endpoints/discovery/aggregated negotiation.go.
var aggregating = endpoint{turns: func(_ string, to *groupKind) bool {
	return to != nil && to.group == "apidiscovery.k8s.io" && to.version == "v2" && to.kind == "APIGroupDiscoveryList"
}}

// aggregate sends an APIGroupDiscoveryList of apidiscovery.k8s.io/v2, or 304 if the client's ETag is current.
// Source: apiserver v0.36 pkg/endpoints/discovery/aggregated handler.go, etag.go.
func (c *call) aggregate(chosen choice, group string) Response {
	groups, items := []string{""}, []any{}
	if group != "" {
		groups = c.groupNames()
	}
	for _, name := range groups {
		named, versions := wire.Map{}, []any{}
		if name != "" {
			named["name"] = name
		}
		for _, v := range c.servedVersions(name) {
			versions = append(versions, wire.Map{"version": v, "resources": c.aggregatedResources(name, v),
				"freshness": "Current"})
		}
		items = append(items, wire.Map{"metadata": named, "versions": versions})
	}
	data := wire.Encode(nil, wire.Map{
		"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": wire.Map{},
		"items": items,
	}, aggregateType)
	tag := `"` + contentHash(data) + `"`
	var r Response
	if c.r.Header["if-none-match"] == tag {
		r = Response{Status: 304}
	} else {
		c.form = form{yaml: chosen.media == yamlMedia, pretty: chosen.pretty || c.r.pretty()}
		r = c.write(200, data)
		r.Header[0].Value += ";g=" + chosen.turn.group + ";v=" + chosen.turn.version + ";as=" + chosen.turn.kind
	}
	r.Header = append(r.Header, Param{"vary", "Accept"}, Param{"etag", tag}, Param{"cache-control", "public"})
	return r
}

// aggregatedResources returns the resources of a version.
func (s *Server) aggregatedResources(group, versionName string) []any {
	list := []any{}
	for _, r := range s.resourcesOf(group, versionName) {
		scope := "Namespaced"
		if !r.namespaced {
			scope = "Cluster"
		}
		entry := wire.Map{
			"resource": r.name, "responseKind": wire.Map{"group": "", "version": "", "kind": r.kind}, "scope": scope,
			"singularResource": r.singular, "verbs": r.verbs(),
		}
		if r.short != "" {
			entry["shortNames"] = []any{r.short}
		}
		list = append(list, r.describeWhole(entry))
	}
	return list
}

// contentHash returns the ETag of a document. Upstream uses SHA-512, but clients only compare ETags.
func contentHash(data []byte) string { return fmt.Sprintf("%016X", coordination.Hash64(string(data))) }
