package apiserver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/selector"
	"github.com/leaselab/leaselab/core/apiserver/validate"
)

// route finds the resource that the path names. If the path names none, or its route lacks the method or the media
// type, route itself answers the request and reports that it is done. Source: apiserver v0.36 pkg/server handler.go
// director, pkg/endpoints installer.go.
func (c *call) route() (answer Response, done bool) {
	var room [usualSegments]string
	group, rest, known := c.groupOf(room[:0], c.r.Path)
	if !known || len(rest) < 2 {
		return c.elsewhere(), true
	}
	versionName, rest := rest[0], rest[1:]
	if len(rest) > 1 && rest[0] == "watch" {
		c.legacyWatch, rest = true, rest[1:]
	}
	inNamespace := false
	switch {
	case group == "" && rest[0] == "namespaces" && len(rest) == 3 && !c.legacyWatch &&
		slices.Contains(namespaces.subresources, rest[2]):
		c.subresource, rest = rest[2], rest[:2]
	case rest[0] == "namespaces" && len(rest) > 2:
		c.namespace, rest, inNamespace = rest[1], rest[2:], true
	}
	c.res, c.version = c.find(group, versionName, rest[0])
	if len(rest) == 3 && c.isSubresource(rest[2]) {
		rest = rest[:2]
	}
	named := len(rest) > 1
	if named {
		c.name = rest[1]
	}
	switch {
	case c.res == nil, len(rest) > 2, c.res.namespaced && !inNamespace && named, !c.res.namespaced && inNamespace:
		return c.sendFailure(noRoute()), true
	case !c.allows(inNamespace, named):
		return c.sendFailure(noMethod()), true
	}
	if c.verb == "patch" {
		if f := c.r.patchable(); f != nil {
			return c.sendFailure(f), true
		}
	}
	available := accepted
	if c.verb == "list" || c.verb == "watch" {
		available += ", " + streamed
	}
	if !matchesAccept(c.r.Header["accept"], jsonMedia, yamlMedia) {
		return c.sendFailure(c.r.notAcceptable(available)), true
	}
	return Response{}, false
}

// groupOf splits the path of a resource into its group and the following segments, without slashes at the end. The
// result known says whether the server has the group. groupOf appends the segments to the slice room.
func (s *Server) groupOf(room []string, path string) (group string, rest []string, known bool) {
	path = strings.TrimRight(path, "/")
	if after, core := strings.CutPrefix(path, "/api/"); core {
		return "", segments(room, after), true
	}
	after, _ := strings.CutPrefix(path, "/apis/")
	parts := segments(room, after)
	return parts[0], parts[1:], after != path && s.groupKnown(parts[0])
}

// usualSegments is the most segments that a resource's path usually has; splitting such a path needs no allocation.
const usualSegments = 8

// segments appends the parts of a path between its slashes, as strings.Split returns them.
func segments(out []string, path string) []string {
	for more := true; more; {
		var part string
		part, path, more = strings.Cut(path, "/")
		out = append(out, part)
	}
	return out
}

// allows reports whether a path supports a method.
func (c *call) allows(inNamespace, named bool) bool {
	if c.subresource == finalize {
		return c.r.Method == "PUT"
	}
	if c.res.review != nil {
		return c.r.Method == "POST" && !named
	}
	switch c.r.Method {
	case "GET":
		return true
	case "POST":
		return c.subresource == "" && !named && (inNamespace || !c.res.namespaced) && !c.legacyWatch
	case "PUT", "PATCH":
		return named && !c.legacyWatch
	case "DELETE":
		everywhere := !c.res.namespaced && c.res != namespaces
		return (named || inNamespace || everywhere) && !c.legacyWatch && c.subresource == ""
	}
	return false
}

// Attributes holds the verb and the resource of a request, parsed from its method, path and query, even if the server
// does not serve them. A Guard bases its decision on them, and the call gets its verb from them. Without OnResource,
// only Verb and Path have values. Source: apiserver v0.36 pkg/endpoints/request requestinfo.go.
type Attributes struct {
	OnResource                   bool
	Verb, Path                   string
	Group, Resource, Subresource string // Resource is the plural name
	Namespace, Name              string
}

// attributes parses the request. It returns a failure for a path that ends after a special verb.
func (r *Request) attributes() (Attributes, *failure) {
	a := Attributes{Path: r.Path}
	var room [usualSegments]string
	parts := segments(room[:0], strings.Trim(r.Path, "/"))
	if len(parts) < 3 || (parts[0] != "api" && parts[0] != "apis") || parts[0] == "apis" && len(parts) < 4 {
		a.Verb = strings.ToLower(r.Method)
		return a, nil
	}
	if parts[0] == "apis" {
		a.Group, parts = parts[1], parts[1:]
	}
	a.OnResource, parts = true, parts[2:]
	if special := parts[0]; special == "watch" || special == "proxy" {
		if len(parts) < 2 {
			a.Verb = strings.ToLower(r.Method)
			return a, r.noKind()
		}
		a.Verb, parts = special, parts[1:]
	} else {
		a.Verb = methodVerbs[r.Method]
	}
	if parts[0] == "namespaces" && len(parts) > 1 {
		a.Namespace = parts[1]
		if len(parts) > 2 && parts[2] != "status" && parts[2] != "finalize" {
			parts = parts[2:]
		}
	}
	a.Resource = parts[0]
	if len(parts) > 1 {
		a.Name = parts[1]
	}
	if len(parts) > 2 && a.Verb != "proxy" {
		a.Subresource = parts[2]
	}
	if a.Name == "" {
		r.attributesOfMany(&a)
	}
	return a, nil
}

var methodVerbs = map[string]string{"POST": "create", "GET": "get", "HEAD": "get", "PUT": "update", "PATCH": "patch",
	"DELETE": "delete"}

// attributesOfMany completes the attributes of a request without a name in its path: a selector may still name one
// object.
func (r *Request) attributesOfMany(a *Attributes) {
	switch a.Verb {
	case "delete":
		a.Verb = "deletecollection"
	case "get":
		a.Verb = "list"
		if r.truth("watch") {
			a.Verb = "watch"
		}
		if fields, err := selector.ParseFields(r.param("fieldSelector")); err == nil {
			if name, exact := fields.Exact("metadata.name"); exact && len(validate.PathSegmentName(name, false)) == 0 {
				a.Name = name
			}
		}
	}
}

// noKind is the failure for a path that names only a special verb.
func (r *Request) noKind() *failure {
	target := r.Path
	for i, p := range r.Query {
		between := "&"
		if i == 0 {
			between = "?"
		}
		target += between + p.Name + "=" + p.Value
	}
	return internal("%s",
		escape(
			fmt.Sprintf(
				"Internal Server Error: %q: failed to create RequestInfo: unable to determine kind and namespace "+
					"from url, %s", target, target)))
}

// text returns an answer in plain text.
func text(code int, body string) Response {
	return Response{Status: code, Header: []Param{{"content-type", "text/plain; charset=utf-8"}}, Body: []byte(body)}
}

// escape escapes a client's text so that no browser reads it as HTML.
func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
