package apiserver

import (
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

// groupKnown reports whether the server has a group.
func (s *Server) groupKnown(group string) bool {
	for _, r := range s.served() {
		if r.group == group && s.offers(r) {
			return group != ""
		}
	}
	return false
}

// The method elsewhere answers non-resource paths: discovery, health, version and OpenAPI. It answers 404 for all
// others.
//
// Deviation: upstream lists twenty more groups and all of the core group; this server lists only what it serves. Pinned
// by TestOnlyServedGroupsAreListed. Source: apiserver v0.36 pkg/server handler.go, pkg/endpoints/discovery;
// kube-aggregator v0.36 pkg/apiserver.
func (c *call) elsewhere() Response {
	path := c.r.Path
	if document, is := strings.CutPrefix(path, "/openapi/v3"); is && c.config.OpenAPI != nil &&
		(document == "" || document[0] == '/') {
		return c.openAPI(document)
	}
	group, rest, known := c.groupOf(nil, path)
	switch {
	case path == "/openapi/v2" && c.offersV2():
		return c.openAPIv2()
	case path == "/" || path == "/index.html":
		return c.raw(wire.Encode(nil, wire.Map{"paths": c.paths()}, nil))
	case path == "/apis":
		return c.discover(groupListType, c.groups(), coordination.Group)
	case path == "/apis/":
		return c.discover(groupListType, c.groups(), "-")
	case path == "/api" || path == "/api/":
		return c.onlyGet(accepted, func() Response { return c.discover(coreType, c.coreVersions(), "") })
	case path == "/version" || path == "/version/":
		return c.onlyGet(jsonMedia, func() Response { return c.raw(wire.Encode(nil, versionInfo, versionType)) })
	case IsHealthPath(path):
		return text(200, c.r.health(path))
	case path == "/api/v1" || path == "/api/v1/", known && group != "" && len(rest) == 1 && c.serves(group, rest[0]):
		return c.onlyGet(accepted, func() Response {
			return c.discover(resourceListType, c.resourceList(group, rest[0]), "-")
		})
	case known && group != "" && len(rest) == 0 && strings.Count(strings.TrimPrefix(path, "/apis/"+group), "/") <= 1:
		return c.discover(groupType, c.group(group), "-")
	case known, strings.HasPrefix(path, "/api/"), strings.HasPrefix(path, "/version/"):
		return c.sendFailure(noRoute())
	}
	return text(404, "404 page not found\n")
}

// onlyGet answers a path that supports GET only, in one of the given media types.
func (c *call) onlyGet(available string, answer func() Response) Response {
	types := []string{jsonMedia, yamlMedia}
	if available == jsonMedia {
		types = types[:1]
	}
	switch {
	case c.r.Method != "GET":
		return c.sendFailure(noMethod())
	case !matchesAccept(c.r.Header["accept"], types...):
		return c.sendFailure(c.r.notAcceptable(available))
	}
	return answer()
}

// raw sends JSON unchanged, for paths without content negotiation.
func (c *call) raw(data []byte) Response { return c.respond(200, jsonMedia, wire.Indent(data)) }

// discover sends a discovery document. If the client asks for an aggregated document, discover sends the one for the
// group that the argument "aggregated" names. If this argument is "-", the path has no aggregated document.
func (c *call) discover(t *wire.Type, document wire.Map, aggregated string) Response {
	if chosen, fine := choose(c.r.Header["accept"], aggregating); fine && chosen.turn != nil && aggregated != "-" {
		return c.aggregate(chosen, aggregated)
	}
	chosen, fine := choose(c.r.Header["accept"], plain)
	if !fine {
		return c.sendFailure(negotiationFailure(accepted))
	}
	c.form = form{yaml: chosen.media == yamlMedia, pretty: chosen.pretty || c.r.pretty()}
	return c.write(200, wire.Encode(nil, document, t))
}

// servedVersions returns the enabled versions of a group, preferred first.
func (s *Server) servedVersions(group string) []string {
	var names []string
	for _, r := range s.served() {
		for i := range r.versions {
			name := r.versions[i].name
			if r.group == group && s.serves(group, name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// group is metav1.APIGroup.
func (s *Server) group(name string) wire.Map {
	g := wire.Map{"kind": "APIGroup", "apiVersion": "v1", "name": name}
	versions := []any{}
	for _, v := range s.servedVersions(name) {
		versions = append(versions, wire.Map{"groupVersion": name + "/" + v, "version": v})
	}
	g["versions"], g["preferredVersion"] = versions, versions[0]
	return g
}

// groups is metav1.APIGroupList.
func (s *Server) groups() wire.Map {
	all := []any{}
	for _, name := range s.groupNames() {
		g := s.group(name)
		delete(g, "kind")
		delete(g, "apiVersion")
		all = append(all, g)
	}
	return wire.Map{"kind": "APIGroupList", "apiVersion": "v1", "groups": all}
}

// coreVersions is metav1.APIVersions.
func (s *Server) coreVersions() wire.Map {
	return wire.Map{"kind": "APIVersions", "versions": []any{"v1"}, "serverAddressByClientCIDRs": []any{
		wire.Map{"clientCIDR": "0.0.0.0/0", "serverAddress": s.config.Address},
	}}
}

// resourceList is metav1.APIResourceList.
func (s *Server) resourceList(group, versionName string) wire.Map {
	list := []any{}
	for _, r := range s.resourcesOf(group, versionName) {
		entry := wire.Map{
			"name": r.name, "singularName": r.singular, "namespaced": r.namespaced, "kind": r.kind, "verbs": r.verbs(),
		}
		if r.storageHash != "" {
			entry["storageVersionHash"] = r.storageHash
		}
		if r.short != "" {
			entry["shortNames"] = []any{r.short}
		}
		list = append(append(list, r.describe(entry)), r.listBelow()...)
	}
	m := wire.Map{"kind": "APIResourceList", "groupVersion": versionName, "resources": list}
	if group != "" {
		m["apiVersion"], m["groupVersion"] = "v1", group+"/"+versionName
	}
	return m
}

// resourcesOf returns the resources of a version.
func (s *Server) resourcesOf(group, versionName string) []*resource {
	var found []*resource
	for _, r := range s.served() {
		if _, v := s.find(group, versionName, r.name); v != nil {
			found = append(found, r)
		}
	}
	return found
}

// verbs returns the verbs of a resource, sorted.
func (r *resource) verbs() []any {
	if r.review != nil {
		return []any{"create"}
	}
	if r == namespaces {
		return []any{"create", "delete", "get", "list", "patch", "update", "watch"}
	}
	return []any{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
}

// paths returns the paths that the root lists.
func (s *Server) paths() []any {
	paths := []any{"/api", "/api/v1", "/apis"}
	for _, group := range s.groupNames() {
		paths = append(paths, "/apis/"+group)
		for _, v := range s.servedVersions(group) {
			paths = append(paths, "/apis/"+group+"/"+v)
		}
	}
	paths = append(paths, "/healthz", "/healthz/ping", "/livez", "/livez/ping")
	if s.config.OpenAPI != nil {
		paths = append(paths, "/openapi/v3", "/openapi/v3/")
	}
	paths = append(paths, "/readyz", "/readyz/ping", "/version")
	slices.SortFunc(paths, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	return paths
}
