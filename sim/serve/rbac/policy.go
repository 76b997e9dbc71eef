package rbac

import (
	"fmt"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
)

// Rule is a PolicyRule of rbac.authorization.k8s.io/v1.
type Rule struct {
	Verbs           []string `json:"verbs"`
	APIGroups       []string `json:"apiGroups,omitempty"`
	Resources       []string `json:"resources,omitempty"`
	ResourceNames   []string `json:"resourceNames,omitempty"`
	NonResourceURLs []string `json:"nonResourceURLs,omitempty"`
}

// role is a Role or, with an empty namespace, a ClusterRole.
type role struct {
	namespace, name string
	rules           []Rule
}

// binding is a RoleBinding or, with an empty namespace, a ClusterRoleBinding.
type binding struct {
	namespace, name string
	ref             roleRef
	subjects        []subject
}

type roleRef struct {
	APIGroup string `json:"apiGroup"`
	Kind     string `json:"kind"`
	Name     string `json:"name"`
}

type subject struct {
	Kind      string `json:"kind"`
	APIGroup  string `json:"apiGroup"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// Policy is a set of roles and bindings. A nil policy allows everything, as upstream's AlwaysAllow does.
type Policy struct {
	roles    []role
	bindings []binding
}

// `allows` reports whether a user may make a request, and why. The reason is empty if no rule allows it.
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac rbac.go Authorize.
func (p *Policy) allows(u User, a apiserver.Attributes) (allowed bool, reason string) {
	if p == nil {
		return true, ""
	}
	p.visit(u, a.Namespace, func(source string, rule *Rule) bool {
		if rule.allows(a) {
			allowed, reason = true, "RBAC: allowed by "+source
		}
		return !allowed
	})
	return allowed, reason
}

// rulesFor returns the rules of a user in a namespace.
func (p *Policy) rulesFor(u User, namespace string) []Rule {
	if p == nil {
		return defaultPolicy().roles[0].rules // of cluster-admin
	}
	var rules []Rule
	p.visit(u, namespace, func(_ string, rule *Rule) bool {
		rules = append(rules, *rule)
		return true
	})
	return rules
}

// `visit` calls the function see with each rule of a user and the rule's binding, until the function returns false.
// ClusterRoleBindings come first, then the namespace's bindings, each in order. In upstream, the order within each is
// random, because it comes from a map. Source: kubernetes v1.36 pkg/registry/rbac/validation rule.go VisitRulesFor.
func (p *Policy) visit(u User, namespace string, see func(source string, rule *Rule) bool) {
	scopes := []string{""}
	if namespace != "" {
		scopes = append(scopes, namespace)
	}
	for _, scope := range scopes {
		for i := range p.bindings {
			b := &p.bindings[i]
			if b.namespace != scope {
				continue
			}
			at := slices.IndexFunc(b.subjects, func(s subject) bool { return s.is(u, scope) })
			if at < 0 {
				continue
			}
			source := b.describe(b.subjects[at])
			rules := p.find(b.ref, scope).rules
			for k := range rules {
				if !see(source, &rules[k]) {
					return
				}
			}
		}
	}
}

// `find` returns the role that a binding in a namespace refers to, or nil.
func (p *Policy) find(ref roleRef, namespace string) *role {
	if ref.Kind == "ClusterRole" {
		namespace = ""
	}
	for i := range p.roles {
		if r := &p.roles[i]; r.name == ref.Name && r.namespace == namespace {
			return r
		}
	}
	return nil
}

// `is` reports whether the subject of a binding in a namespace is this user.
func (s subject) is(u User, namespace string) bool {
	switch s.Kind {
	case "User":
		return u.Name == s.Name
	case "Group":
		return slices.Contains(u.Groups, s.Name)
	}
	if s.Namespace != "" {
		namespace = s.Namespace
	}
	return namespace != "" && u.Name == serviceAccount+namespace+":"+s.Name
}

// `describe` puts a binding, and the subject through which it applies, into words.
func (b *binding) describe(s subject) string {
	kind, name, who := "ClusterRoleBinding", b.name, s.Name
	if b.namespace != "" {
		kind, name = "RoleBinding", b.name+"/"+b.namespace
	}
	if s.Kind == "ServiceAccount" {
		namespace := s.Namespace
		if namespace == "" {
			namespace = b.namespace
		}
		who += "/" + namespace
	}
	return fmt.Sprintf("%s %q of %s %q to %s %q", kind, name, b.ref.Kind, b.ref.Name, s.Kind, who)
}

// `allows` reports whether a rule allows a request.
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac rbac.go RuleAllows, pkg/apis/rbac/v1 evaluation_helpers.go.
func (r *Rule) allows(a apiserver.Attributes) bool {
	if !a.OnResource {
		return has(r.Verbs, a.Verb) && r.hasPath(a.Path)
	}
	return has(r.Verbs, a.Verb) && has(r.APIGroups, a.Group) && r.hasResource(a.Resource, a.Subresource) &&
		(len(r.ResourceNames) == 0 || slices.Contains(r.ResourceNames, a.Name))
}

// `has` reports whether a list contains a text or "*".
func has(list []string, text string) bool {
	return slices.Contains(list, "*") || slices.Contains(list, text)
}

func (r *Rule) hasResource(name, sub string) bool {
	if sub == "" {
		return has(r.Resources, name)
	}
	return has(r.Resources, name+"/"+sub) || slices.Contains(r.Resources, "*/"+sub)
}

func (r *Rule) hasPath(path string) bool {
	for _, url := range r.NonResourceURLs {
		if url == path || (strings.HasSuffix(url, "*") && strings.HasPrefix(path, strings.TrimRight(url, "*"))) {
			return true
		}
	}
	return false
}
