package apiserver

import (
	"fmt"
	"strings"
)

// user is the sender of a request.
type user struct {
	name      string
	admin     bool
	anonymous bool
}

// authenticate returns the sender of a request, or the failure 401.
// Source: apiserver v0.36 pkg/authentication/request bearertoken, anonymous; pkg/endpoints/filters authentication.go.
func (c *call) authenticate() (user, *failure) {
	admin := user{name: "system:admin", admin: true}
	if len(c.config.Tokens) == 0 {
		return admin, nil
	}
	token, spaced := bearer(c.r.Header["authorization"])
	if spaced {
		c.warn("the provided Authorization header contains extra space before the bearer token, and is ignored")
	}
	// Compare every token, so that the time taken reveals nothing about them.
	known, name, stranger := false, "", false
	for _, t := range c.config.Tokens {
		known = c.config.same(token, t) || known
	}
	for t, n := range c.config.Strangers {
		if c.config.same(token, t) {
			name, stranger = n, true
		}
	}
	switch {
	case known && token != "":
		return admin, nil
	case token == "" && c.config.Roles && c.config.Anonymous:
		return user{name: "system:anonymous", anonymous: true}, nil
	case token != "" && c.config.Roles && stranger:
		return user{name: name}, nil
	}
	return user{}, fail(401, "Unauthorized", "Unauthorized")
}

func (c *Config) same(a, b string) bool {
	if c.SameToken == nil {
		return a == b
	}
	return c.SameToken(a, b)
}

// bearer returns the token of an Authorization header, "" if there is none. spaced reports two spaces before the token.
func bearer(header string) (token string, spaced bool) {
	parts := strings.SplitN(strings.TrimSpace(header), " ", 3)
	if len(parts) < 2 || strings.ToLower(parts[0]) != "bearer" {
		return "", false
	}
	return parts[1], parts[1] == "" && len(parts) == 3
}

// Non-resource paths that every user may read, and those that every authenticated user may read. A star matches any suffix.
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy policy.go.
var (
	publicPaths    = []string{"/healthz", "/livez", "/readyz", "/version", "/version/"}
	discoveryPaths = []string{"/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*"}
)

// authorize returns the failure 403 if the user may not make the request.
// Source: apiserver v0.36 pkg/endpoints/handlers/responsewriters errors.go ForbiddenStatusError.
func (s *Server) authorize(u user, a about, path string) *failure {
	if u.admin || !s.config.Roles {
		return nil
	}
	if !a.resource {
		if a.verb == "get" && (reads(publicPaths, path) || (!u.anonymous && reads(discoveryPaths, path))) {
			return nil
		}
		f := fail(403, "Forbidden", "forbidden: %s", escaped(fmt.Sprintf("User %q cannot %s path %q", u.name, a.verb, path)))
		f.details = detailsOf("", "", "")
		return f
	}
	what := a.kind
	if a.subresource != "" {
		what += "/" + a.subresource
	}
	where := "at the cluster scope"
	if a.namespace != "" {
		where = fmt.Sprintf("in the namespace %q", a.namespace)
	}
	because := escaped(fmt.Sprintf("User %q cannot %s resource %q in API group %q %s", u.name, a.verb, what, a.group, where))
	asked := a.kind
	if a.group != "" {
		asked += "." + a.group
	}
	if a.name != "" {
		asked += fmt.Sprintf(" %q", a.name)
	}
	f := fail(403, "Forbidden", "%s is forbidden: %s", asked, because)
	f.details = detailsOf(a.name, a.group, a.kind)
	return f
}

// reads reports whether one of the patterns matches a path.
func reads(patterns []string, path string) bool {
	for _, p := range patterns {
		begin, star := strings.CutSuffix(p, "*")
		if path == p || (star && strings.HasPrefix(path, begin)) {
			return true
		}
	}
	return false
}

// escaped escapes a client's text so that no browser reads it as HTML.
func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
