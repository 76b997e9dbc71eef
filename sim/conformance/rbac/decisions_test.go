// Package rbac compares the decisions of sim/serve/rbac with the decisions of kube-apiserver's authorizer.
package rbac

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	upstream "k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve/rbac"
)

var policies = flag.Uint64("policies", 100, "the number of random policies, each with 100 requests")

// draw is a stream of random policies and requests.
type draw struct{ *rand.Rand }

func (d draw) one(of ...string) string { return of[d.IntN(len(of))] }

// some draws a list with at least `least` items.
func (d draw) some(least int, of ...string) (list []string) {
	for range least + d.IntN(3) {
		list = append(list, d.one(of...))
	}
	return list
}

var (
	verbs      = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "use"}
	groups     = []string{"", "coordination.k8s.io", "apps", "example.com"}
	resources  = []string{"leases", "leasecandidates", "configmaps", "pods", "namespaces"}
	namespaces = []string{"ns-a", "ns-b", "ns-c"}
	objects    = []string{"x", "y", "z"}
	paths      = []string{"/metrics", "/logs", "/logs/a", "/logs/a/b", "/debug/pprof", "/"}
	people     = []string{"u", "v", "system:serviceaccount:ns-a:bot", "system:serviceaccount:ns-b:bot"}
	teams      = []string{"red", "blue", "system:authenticated", "system:serviceaccounts", "system:serviceaccounts:ns-a"}
)

func (d draw) rules(cluster bool) (rules []rbacv1.PolicyRule) {
	for range 1 + d.IntN(3) {
		r := rbacv1.PolicyRule{Verbs: d.some(1, append(verbs, "*", "*")...)}
		if cluster && d.IntN(4) == 0 {
			r.NonResourceURLs = d.some(1, append(paths, "*", "/logs/*", "/metrics*", "/debug/*")...)
		} else {
			r.APIGroups = d.some(1, append(groups, "*")...)
			r.Resources = d.some(1, append(resources, "*", "*/status", "leases/status", "pods/*", "leases/*")...)
			if d.IntN(3) == 0 {
				r.ResourceNames = d.some(1, append(objects, "")...)
			}
		}
		rules = append(rules, r)
	}
	return rules
}

func (d draw) subjects() (list []rbacv1.Subject) {
	for range 1 + d.IntN(2) {
		switch d.IntN(3) {
		case 0:
			list = append(list, rbacv1.Subject{Kind: "User", APIGroup: rbacv1.GroupName, Name: d.one(people...)})
		case 1:
			list = append(list, rbacv1.Subject{Kind: "Group", APIGroup: rbacv1.GroupName, Name: d.one(teams...)})
		default:
			list = append(list, rbacv1.Subject{Kind: "ServiceAccount", Name: "bot", Namespace: d.one("ns-a", "ns-b")})
		}
	}
	return list
}

// policy is a set of roles and bindings; no binding refers to a role that does not exist.
type policy struct {
	roles           []*rbacv1.Role
	bindings        []*rbacv1.RoleBinding
	clusterRoles    []*rbacv1.ClusterRole
	clusterBindings []*rbacv1.ClusterRoleBinding
}

func (d draw) policy() (p policy, items []any) {
	kind := func(kind string) metav1.TypeMeta {
		return metav1.TypeMeta{Kind: kind, APIVersion: rbacv1.SchemeGroupVersion.String()}
	}
	for _, name := range []string{"c0", "c1", "c2"} {
		r := &rbacv1.ClusterRole{TypeMeta: kind("ClusterRole"), ObjectMeta: metav1.ObjectMeta{Name: name}, Rules: d.rules(true)}
		p.clusterRoles, items = append(p.clusterRoles, r), append(items, r)
	}
	ref := func(kind, name string) rbacv1.RoleRef {
		return rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: kind, Name: name}
	}
	for _, namespace := range namespaces[:2] {
		r := &rbacv1.Role{TypeMeta: kind("Role"), ObjectMeta: metav1.ObjectMeta{Name: "r0", Namespace: namespace}, Rules: d.rules(false)}
		p.roles, items = append(p.roles, r), append(items, r)
		for _, to := range []rbacv1.RoleRef{ref("Role", "r0"), ref("ClusterRole", d.one("c0", "c1"))} {
			b := &rbacv1.RoleBinding{TypeMeta: kind("RoleBinding"), ObjectMeta: metav1.ObjectMeta{Name: to.Name, Namespace: namespace}, RoleRef: to, Subjects: d.subjects()}
			p.bindings, items = append(p.bindings, b), append(items, b)
		}
	}
	if d.IntN(2) == 0 {
		b := &rbacv1.ClusterRoleBinding{TypeMeta: kind("ClusterRoleBinding"), ObjectMeta: metav1.ObjectMeta{Name: "all"}, RoleRef: ref("ClusterRole", "c2"), Subjects: d.subjects()}
		p.clusterBindings, items = append(p.clusterBindings, b), append(items, b)
	}
	return p, items
}

func (d draw) asks() apiserver.Attributes {
	if d.IntN(6) == 0 {
		return apiserver.Attributes{Verb: d.one("get", "post", "put"), Path: d.one(paths...)}
	}
	a := apiserver.Attributes{OnResource: true, Verb: d.one(verbs...), Group: d.one(groups...), Resource: d.one(resources...),
		Namespace: d.one(append(namespaces, "")...), Name: d.one(append(objects, "")...)}
	if d.IntN(4) == 0 {
		a.Subresource = d.one("status", "log")
	}
	return a
}

// Under random roles and bindings, random requests get the decisions of kube-apiserver's RBAC authorizer.
func TestRandomDecisions(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a part of kube-apiserver")
	}
	const each = 100
	allowed := 0
	for n := range *policies {
		d := draw{rand.New(rand.NewPCG(n, 40))}
		p, items := d.policy()
		_, static := validation.NewTestRuleResolver(p.roles, p.bindings, p.clusterRoles, p.clusterBindings)
		theirs := upstream.New(static, static, static, static)

		list, err := json.Marshal(map[string]any{"kind": "List", "items": items})
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "roles.json")
		require.NoError(t, os.WriteFile(file, list, 0o600))
		loaded, err := rbac.Load(file)
		require.NoError(t, err, n)
		users := map[string]rbac.User{}
		for _, name := range people {
			users[name] = rbac.UserNamed(name, d.some(0, "red", "blue")...)
		}
		ours := rbac.New(rbac.Config{Users: users, Policy: loaded})
		for range each {
			name, asks := d.one(people...), d.asks()
			u := users[name]
			want, _, err := theirs.Authorize(t.Context(), authorizer.AttributesRecord{
				User: &user.DefaultInfo{Name: u.Name, Groups: u.Groups}, Verb: asks.Verb, Namespace: asks.Namespace,
				APIGroup: asks.Group, Resource: asks.Resource, Subresource: asks.Subresource, Name: asks.Name,
				ResourceRequest: asks.OnResource, Path: asks.Path,
			})
			require.NoError(t, err)
			_, refused := ours.Guard(&apiserver.Request{Header: map[string]string{"authorization": "Bearer " + name}}, asks)
			assert.Equal(t, want == authorizer.DecisionAllow, refused == nil, "policy %d: %s asks %+v\n%s", n, name, asks, list)
			if refused == nil {
				allowed++
			}
		}
	}
	total := int(*policies) * each
	assert.Greater(t, allowed, total/50)
	assert.Less(t, allowed, total/2)
	t.Logf("%d decisions, %d of them allow", total, allowed)
}
