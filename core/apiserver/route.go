package apiserver

import (
	"fmt"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver/selector"
	"github.com/leaselab/leaselab/core/apiserver/validate"
)

// route finds out which resource a path asks for. It answers by itself where the path is no resource's, and where the
// path's route does not have the method or the media type.
// Source: apiserver v0.36 pkg/server handler.go director, pkg/endpoints installer.go.
func (c *call) route() *Response {
	group, rest, known := c.groupOf(c.r.Path)
	if !known || len(rest) < 2 {
		answer := c.elsewhere()
		return &answer
	}
	versionName, rest := rest[0], rest[1:]
	if len(rest) > 1 && rest[0] == "watch" {
		c.legacyWatch, rest = true, rest[1:]
	}
	inNamespace := false
	switch {
	case group == "" && rest[0] == "namespaces" && len(rest) == 3 && rest[2] == "finalize" && !c.legacyWatch:
		c.finalizes, rest = true, rest[:2]
	case rest[0] == "namespaces" && len(rest) > 2:
		c.namespace, rest, inNamespace = rest[1], rest[2:], true
	}
	c.res, c.version = c.find(group, versionName, rest[0])
	named := len(rest) > 1
	if named {
		c.name = rest[1]
	}
	switch {
	case c.res == nil, len(rest) > 2, c.res.namespaced && !inNamespace && named, !c.res.namespaced && inNamespace:
		return c.refuse(noRoute())
	case !c.allowed(inNamespace, named):
		return c.refuse(noMethod())
	}
	c.verb = c.verbOf(named)
	if c.verb == "patch" {
		if f := c.patchable(); f != nil {
			return c.refuse(f)
		}
	}
	available := accepted
	if c.verb == "list" || c.verb == "watch" {
		available += ", " + streamed
	}
	if !produced(c.r.Header["accept"], jsonMedia, yamlMedia) {
		return c.refuse(c.notAcceptable(available))
	}
	return nil
}

func (c *call) refuse(f *failure) *Response {
	answer := c.failed(f)
	return &answer
}

// groupOf splits the path of a resource into its group and what comes after it. Only the group is compared as it is
// written: everything after it may end in slashes.
func (c *call) groupOf(path string) (group string, rest []string, known bool) {
	path = strings.TrimRight(path, "/")
	if after, core := strings.CutPrefix(path, "/api/"); core {
		return "", strings.Split(after, "/"), true
	}
	after, _ := strings.CutPrefix(path, "/apis/")
	parts := strings.Split(after, "/")
	return parts[0], parts[1:], after != path && groupKnown(parts[0])
}

// verbOf is the verb of the API that a method stands for.
func (c *call) verbOf(named bool) string {
	switch c.r.Method {
	case "GET":
		switch {
		case c.legacyWatch:
			return "watch"
		case named:
			return "get"
		case c.watches():
			return "watch"
		}
		return "list"
	case "POST":
		return "create"
	case "PUT":
		return "update"
	case "PATCH":
		return "patch"
	}
	if named {
		return "delete"
	}
	return "deletecollection"
}

// watches reads the parameter watch: anything but 0 and false, even nothing, is yes.
func (c *call) watches() bool {
	if !c.r.has("watch") {
		return false
	}
	value := strings.ToLower(c.r.param("watch"))
	return value != "0" && value != "false"
}

// allowed reports whether a path has a method.
func (c *call) allowed(inNamespace, named bool) bool {
	if c.finalizes {
		return c.r.Method == "PUT"
	}
	switch c.r.Method {
	case "GET":
		return true
	case "POST":
		return !named && (inNamespace || !c.res.namespaced) && !c.legacyWatch
	case "PUT", "PATCH":
		return named && !c.legacyWatch
	case "DELETE":
		return (named || inNamespace) && !c.legacyWatch
	}
	return false
}

// about is what a request is about before anybody knows whether there is such a thing. Who may do what is decided by it.
// Source: apiserver v0.36 pkg/endpoints/request requestinfo.go.
type about struct {
	resource                     bool
	verb                         string
	group, kind, subresource     string // kind is the plural
	namespace, name, versionName string
}

// about reads the path. It fails for a path that ends where the special verbs begin.
func (c *call) about() (about, *Response) {
	a := about{verb: strings.ToLower(c.r.Method)}
	parts := strings.Split(strings.Trim(c.r.Path, "/"), "/")
	if len(parts) < 3 || (parts[0] != "api" && parts[0] != "apis") {
		return a, nil
	}
	if parts[0] == "apis" {
		if len(parts) < 4 {
			return a, nil
		}
		a.group, parts = parts[1], parts[1:]
	}
	a.resource, a.versionName, parts = true, parts[1], parts[2:]
	if special := parts[0]; special == "watch" || special == "proxy" {
		if len(parts) < 2 {
			return a, c.noKind()
		}
		a.verb, parts = special, parts[1:]
	} else {
		a.verb = methodVerbs[c.r.Method]
	}
	if parts[0] == "namespaces" && len(parts) > 1 {
		a.namespace = parts[1]
		if len(parts) > 2 && parts[2] != "status" && parts[2] != "finalize" {
			parts = parts[2:]
		}
	}
	a.kind = parts[0]
	if len(parts) > 1 {
		a.name = parts[1]
	}
	if len(parts) > 2 && a.verb != "proxy" {
		a.subresource = parts[2]
	}
	if a.name == "" {
		c.aboutMany(&a)
	}
	return a, nil
}

var methodVerbs = map[string]string{"POST": "create", "GET": "get", "HEAD": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}

// aboutMany finishes what a request without a name is about: a selector may still name one object.
func (c *call) aboutMany(a *about) {
	switch a.verb {
	case "delete":
		a.verb = "deletecollection"
	case "get":
		a.verb = "list"
		if c.watches() {
			a.verb = "watch"
		}
		if fields, err := selector.ParseFields(c.r.param("fieldSelector")); err == nil {
			if name, exact := fields.Exact("metadata.name"); exact && len(validate.PathSegmentName(name, false)) == 0 {
				a.name = name
			}
		}
	}
}

// noKind is the answer to a path that names a special verb and nothing else.
func (c *call) noKind() *Response {
	target := c.r.Path
	for i, p := range c.r.Query {
		between := "&"
		if i == 0 {
			between = "?"
		}
		target += between + p.Name + "=" + p.Value
	}
	return text(500, escaped(fmt.Sprintf("Internal Server Error: %q: failed to create RequestInfo: unable to determine kind and namespace from url, %s", target, target))+"\n")
}

// text is an answer in plain text.
func text(code int, body string) *Response {
	return &Response{Status: code, Header: []Param{{"content-type", "text/plain; charset=utf-8"}}, Body: []byte(body)}
}
