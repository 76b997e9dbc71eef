package rbac

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/wire"
)

// Config says who may send requests.
type Config struct {
	// Users maps bearer tokens to users.
	Users map[string]User
	// Open makes the administrator the sender of each request without a user's token. If Open is false, such a request
	// is anonymous or gets 401.
	Open bool
	// Anonymous treats requests without a token as requests of system:anonymous. It works only with a Policy.
	Anonymous bool
	// Policy says what users may do; nil allows everything.
	Policy *Policy
}

// Authority authenticates and authorizes requests.
type Authority struct {
	config Config
	users  tokens
}

// New returns the authority of a configuration.
func New(config Config) *Authority {
	a := &Authority{config: config, users: tokens{}}
	for token, u := range config.Users {
		a.users[sha256.Sum256([]byte(token))] = u
	}
	return a
}

// Guard decides about a request. Use it as a server's Guard.
func (a *Authority) Guard(r *apiserver.Request, asks apiserver.Attributes) (warnings []string,
	refused *apiserver.Refusal) {
	u, warnings, refused := a.sender(r, asks)
	if refused != nil {
		return warnings, refused
	}
	if allowed, reason := a.config.Policy.allows(u, asks); !allowed {
		return warnings, forbidden(u, asks, reason)
	}
	return warnings, nil
}

// GuardOf decides about a request that only a user of that name may send, such as a candidate's report about its work.
// If no token belongs to that user, GuardOf decides as Guard does.
func (a *Authority) GuardOf(name string) apiserver.Guard {
	if !a.knows(name) {
		return a.Guard
	}
	return func(r *apiserver.Request, asks apiserver.Attributes) ([]string, *apiserver.Refusal) {
		text, _ := token(r)
		u, known := a.users.user(text)
		switch {
		case !known:
			return nil, unauthorized()
		case u.Name != name:
			return nil, forbidden(u, asks, fmt.Sprintf("only the token of %q may", name))
		}
		return nil, nil
	}
}

// NodeOf returns the name of the node whose token a request has, or "". A program may claim in a header to be another
// node, but it cannot have another node's token.
func (a *Authority) NodeOf(r *http.Request) string {
	text, _ := token(&apiserver.Request{Header: map[string]string{"authorization": r.Header.Get("Authorization")}})
	if u, known := a.users.user(text); known && slices.Contains(u.Groups, Nodes) {
		return u.Name
	}
	return ""
}

// knows reports whether a token belongs to a user of that name.
func (a *Authority) knows(name string) bool {
	for _, u := range a.config.Users {
		if u.Name == name {
			return true
		}
	}
	return false
}

func unauthorized() *apiserver.Refusal {
	return &apiserver.Refusal{Code: 401, Reason: "Unauthorized", Message: "Unauthorized"}
}

// sender returns the user for whom a request acts, after impersonation.
func (a *Authority) sender(r *apiserver.Request, asks apiserver.Attributes) (u User, warnings []string,
	refused *apiserver.Refusal) {
	if u, warnings, refused = a.authenticate(r); refused != nil {
		return u, warnings, refused
	}
	wanted, refused := impersonatedUser(r)
	switch {
	case refused != nil || wanted == nil:
		return u, warnings, refused
	case a.config.Policy == nil && !asks.OnResource:
		// Discovery is the same for all users. kubectl would report a refusal of discovery as "unknown"; its next
		// request gets the full sentence.
		return u, warnings, nil
	case a.config.Policy == nil:
		// Deviation: upstream allows impersonation without RBAC, too. Then the impersonated user may do everything,
		// like all other users, so a test of rights would succeed whatever the rights are. Pinned by
		// TestImpersonationNeedsRBAC.
		about := apiserver.Attributes{OnResource: true, Resource: "users", Name: wanted.Name}
		refused = forbidden(u, about, "")
		refused.Message = escaper.Replace(
			fmt.Sprintf(
				"users %q is forbidden: User %q cannot impersonate, because authorization is off and every user may "+
					"do everything: start leaselab serve with --rbac FILE", wanted.Name, u.Name))
		return u, warnings, refused
	}
	u, refused = a.config.Policy.impersonate(u, wanted, asks)
	return u, warnings, refused
}

// authenticate returns the user whose token a request has.
// Source: apiserver v0.36 pkg/authentication/request bearertoken, anonymous; pkg/endpoints/filters authentication.go.
func (a *Authority) authenticate(r *apiserver.Request) (u User, warnings []string, refused *apiserver.Refusal) {
	token, spaced := token(r)
	if spaced {
		warnings = append(warnings,
			"the provided Authorization header contains extra space before the bearer token, and is ignored")
	}
	u, known := a.users.user(token)
	switch {
	case known:
		return u, warnings, nil
	case a.config.Open:
		return Admin(), nil, nil
	case token == "" && a.config.Anonymous && a.config.Policy != nil:
		return User{Name: anonymous, Groups: []string{unauthenticated}}, warnings, nil
	}
	return User{}, warnings, unauthorized()
}

// escaper escapes a client's text so that no browser reads it as HTML.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// `forbidden` returns the refusal of a request that a user may not make.
// Source: apiserver v0.36 pkg/endpoints/handlers/responsewriters errors.go ForbiddenStatusError; apimachinery v0.36
// pkg/api/errors errors.go NewForbidden.
func forbidden(u User, a apiserver.Attributes, reason string) *apiserver.Refusal {
	because := fmt.Sprintf("User %q cannot %s path %q", u.Name, a.Verb, a.Path)
	if a.OnResource {
		what, where := a.Resource, "at the cluster scope"
		if a.Subresource != "" {
			what += "/" + a.Subresource
		}
		if a.Namespace != "" {
			where = fmt.Sprintf("in the namespace %q", a.Namespace)
		}
		because = fmt.Sprintf("User %q cannot %s resource %q in API group %q %s", u.Name, a.Verb, what, a.Group, where)
	}
	because = escaper.Replace(because)
	if reason != "" {
		because += ": " + reason
	}
	asked := a.Resource
	if a.Group != "" {
		asked += "." + a.Group
	}
	refused := &apiserver.Refusal{Code: 403, Reason: "Forbidden", Details: wire.Map{}}
	switch {
	case !a.OnResource:
		refused.Message = "forbidden: " + because
		return refused
	case a.Name == "":
		refused.Message = asked + " is forbidden: " + because
	default:
		refused.Message = fmt.Sprintf("%s %q is forbidden: %s", asked, a.Name, because)
	}
	for member, value := range map[string]string{"name": a.Name, "group": a.Group, "kind": a.Resource} {
		if value != "" {
			refused.Details[member] = value
		}
	}
	return refused
}

// Identify returns the sender of a request, for a log. The first result is the user with the request's token, and the
// second is the user whom the request may impersonate; either may be nil. known is false if the request has no user's
// token and counts as the administrator's. For an anonymous request the first result is nil.
func (a *Authority) Identify(r *apiserver.Request, asks apiserver.Attributes) (u, as *User, known bool) {
	sent, _, refused := a.authenticate(r)
	if refused != nil {
		return nil, nil, true
	}
	text, _ := token(r)
	_, known = a.users.user(text)
	if wanted, refused := impersonatedUser(r); refused == nil && wanted != nil && a.config.Policy != nil {
		if acts, refused := a.config.Policy.impersonate(sent, wanted, asks); refused == nil {
			as = &acts
		}
	}
	return &sent, as, known || !a.config.Open
}
