package rbac

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/apiserver/validate"
)

// impersonatedUser returns the user that a request wants to impersonate, or nil. In the header of a Request, newlines
// separate the values of a repeated Impersonate-… header. Source: apiserver v0.36 pkg/endpoints/filters/impersonation
// constrained_impersonation.go processImpersonationHeaders.
func impersonatedUser(r *apiserver.Request) (*User, *apiserver.Refusal) {
	first := func(name string) string {
		value, _, _ := strings.Cut(r.Header[name], "\n")
		return value
	}
	wanted := User{Name: first("impersonate-user"), UID: first("impersonate-uid")}
	if groups, has := r.Header["impersonate-group"]; has {
		wanted.Groups = strings.Split(groups, "\n")
	}
	const extra = "impersonate-extra-"
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if key, is := strings.CutPrefix(name, extra); is {
			if unescaped, err := url.PathUnescape(key); err == nil {
				key = unescaped
			}
			if wanted.Extra == nil {
				wanted.Extra = map[string][]string{}
			}
			wanted.Extra[key] = append(wanted.Extra[key], strings.Split(r.Header[name], "\n")...)
		}
	}
	switch {
	case wanted.Name != "":
		return &wanted, nil
	case wanted.UID != "" || wanted.Groups != nil || wanted.Extra != nil:
		type DefaultInfo struct { // upstream prints its own type
			Name, UID string
			Groups    []string
			Extra     map[string][]string
		}
		shown := strings.Replace(fmt.Sprintf("%#v",
			&DefaultInfo{UID: wanted.UID, Groups: wanted.Groups, Extra: wanted.Extra}), "&rbac.", "&user.", 1)
		return nil, &apiserver.Refusal{Code: 400, Reason: "BadRequest", Message: "requested " + shown +
			" without impersonating a user name"}
	}
	return nil, nil
}

// mode is one of the ways in which upstream allows a user to impersonate another. Upstream tries the modes in order.
type mode struct {
	name  string // "" means only the verb impersonate, as before v1.35
	takes func(wanted *User) bool
}

// modes are upstream's modes except associated-node, which is for service accounts with the name of a node. Here no
// such account has a token.
//
// Deviation: upstream first tries the mode that last succeeded, so upstream's refusal after a success may name that
// mode's verb. Pinned by TestImpersonation. Source: apiserver v0.36 pkg/endpoints/filters/impersonation mode.go.
var modes = []mode{
	{"arbitrary-node", func(w *User) bool { return w.onlyNamed() && isNode(w.Name) }},
	{"serviceaccount", func(w *User) bool { return w.onlyNamed() && isAccount(w.Name) }},
	{"user-info", func(w *User) bool { return !isNode(w.Name) && !isAccount(w.Name) }},
	{"", func(*User) bool { return true }},
}

func (u *User) onlyNamed() bool { return u.UID == "" && u.Groups == nil && u.Extra == nil }

func isAccount(user string) bool {
	_, _, is := accountOf(user)
	return is
}

func isNode(user string) bool {
	name, is := strings.CutPrefix(user, nodePrefix)
	return is && len(validate.SubdomainName(name, false)) == 0
}

// impersonate returns wanted as the user of a request if the sender may impersonate that user for this request.
// Otherwise it returns why not.
func (p *Policy) impersonate(sender User, wanted *User, a apiserver.Attributes) (User, *apiserver.Refusal) {
	var first *apiserver.Refusal
	for _, m := range modes {
		if !m.takes(wanted) {
			continue
		}
		refused := m.check(p, sender, wanted, a)
		if refused == nil {
			return m.become(*wanted), nil
		}
		if first == nil {
			first = refused
		}
	}
	return User{}, first
}

// check returns the reason why a mode does not allow an impersonation.
func (m mode) check(p *Policy, sender User, wanted *User, a apiserver.Attributes) *apiserver.Refusal {
	ask := func(a apiserver.Attributes) *apiserver.Refusal {
		if allowed, reason := p.allows(sender, a); !allowed {
			return forbidden(sender, a, reason)
		}
		return nil
	}
	verb, named := "impersonate", "" // the API group of users and groups
	if m.name != "" {
		on := a
		on.Verb = "impersonate-on:" + m.name + ":" + a.Verb
		if refused := ask(on); refused != nil {
			return refused
		}
		verb, named = "impersonate:"+m.name, "authentication.k8s.io"
	}
	for _, one := range wanted.parts(named, m.name != "") {
		one.OnResource, one.Verb = true, verb
		if m.name != "" {
			if because := unfit(one); because != "" {
				return forbidden(sender, one, because)
			}
		}
		if refused := ask(one); refused != nil {
			return refused
		}
	}
	return nil
}

// `parts` returns the requests that must be allowed before a sender may impersonate a user, one for each part of the
// user. `constrained` is true for the modes with a name.
//
// Deviation: for four or more groups or extras, upstream first asks for all of them at once, with the name "*".
// Pinned by TestImpersonation.
func (u *User) parts(named string, constrained bool) []apiserver.Attributes {
	first := apiserver.Attributes{Group: named, Resource: "users", Name: u.Name}
	if namespace, name, is := accountOf(u.Name); is {
		first.Resource, first.Namespace, first.Name = "serviceaccounts", namespace, name
	} else if constrained && isNode(u.Name) {
		first.Resource, first.Name = "nodes", strings.TrimPrefix(u.Name, nodePrefix)
	}
	parts := []apiserver.Attributes{first}
	const authentication = "authentication.k8s.io"
	if u.UID != "" {
		parts = append(parts, apiserver.Attributes{Group: authentication, Resource: "uids", Name: u.UID})
	}
	for _, group := range u.Groups {
		parts = append(parts, apiserver.Attributes{Group: named, Resource: "groups", Name: group})
	}
	for _, key := range slices.Sorted(maps.Keys(u.Extra)) {
		for _, value := range u.Extra[key] {
			parts = append(parts, apiserver.Attributes{Group: authentication, Resource: "userextras", Subresource: key,
				Name: value})
		}
	}
	return parts
}

// `unfit` returns why no constrained mode allows a part, or "" if one may.
func unfit(part apiserver.Attributes) string {
	switch {
	case part.Resource == "groups" && part.Name == "":
		return "impersonating the empty string group is not allowed"
	case part.Resource == "groups" && part.Name == Masters:
		return fmt.Sprintf("impersonating the %s group is not allowed", Masters)
	case part.Resource == "userextras" && part.Name == "":
		return "impersonating the empty string value in extra is not allowed"
	}
	return ""
}

// `become` adds the groups that an impersonated user gets.
func (m mode) become(u User) User {
	namespace, _, account := accountOf(u.Name)
	switch {
	case m.name == "arbitrary-node":
		u.Groups = []string{"system:nodes"}
	case account && len(u.Groups) == 0:
		u.Groups = accountGroups(namespace)
	}
	switch {
	case u.Name == anonymous:
		u.Groups = with(u.Groups, unauthenticated)
	case !slices.Contains(u.Groups, unauthenticated):
		u.Groups = with(u.Groups, authenticated)
	}
	return u
}
