package rbac

import "slices"

// `everything` has the rules of a user who may do everything.
var everything = []Rule{
	{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
	{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
}

var (
	reads  = []string{"get", "list", "watch"}
	writes = []string{"create", "delete", "deletecollection", "patch", "update"}
	health = []string{"/healthz", "/livez", "/readyz", "/version", "/version/"}
)

// Defaults returns the policy that every server starts with.
//
// Deviation: the roles admin, edit and view, and the roles of components, have only rules for resources that exist
// here. Pinned by TestDefaults. Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy policy.go.
func Defaults() *Policy {
	core, events, coordination := []string{""}, []string{"", "events.k8s.io"}, []string{"coordination.k8s.io"}
	both := slices.Concat([]string{}, writes, reads)
	slices.Sort(both)
	view := []Rule{
		{Verbs: reads, APIGroups: core, Resources: []string{"configmaps"}},
		{Verbs: reads, APIGroups: core, Resources: []string{"namespaces/status"}},
		{Verbs: reads, APIGroups: core, Resources: []string{"namespaces"}},
		{Verbs: reads, APIGroups: events, Resources: []string{"events"}},
	}
	edit := append([]Rule{
		{Verbs: []string{"impersonate"}, APIGroups: core, Resources: []string{"serviceaccounts"}},
		{Verbs: writes, APIGroups: core, Resources: []string{"configmaps"}},
		{Verbs: writes, APIGroups: events, Resources: []string{"events"}},
		{Verbs: both, APIGroups: coordination, Resources: []string{"leases"}},
	}, view...)
	everybody := []subject{group(authenticated), group(unauthenticated)}
	return &Policy{
		roles: []role{
			{name: "cluster-admin", rules: everything},
			{name: "system:discovery", rules: []Rule{
				{Verbs: []string{"get"},
					NonResourceURLs: slices.Concat([]string{"/api", "/api/*", "/apis", "/apis/*", "/openapi",
						"/openapi/*"}, health)},
			}},
			{name: "system:basic-user", rules: []Rule{
				{Verbs: []string{"create"}, APIGroups: []string{"authorization.k8s.io"},
					Resources: []string{"selfsubjectaccessreviews", "selfsubjectrulesreviews"}},
				{Verbs: []string{"create"}, APIGroups: []string{"authentication.k8s.io"},
					Resources: []string{"selfsubjectreviews"}},
			}},
			{name: "system:public-info-viewer", rules: []Rule{{Verbs: []string{"get"}, NonResourceURLs: health}}},
			{name: "admin", rules: edit}, {name: "edit", rules: edit}, {name: "view", rules: view},
		},
		bindings: []binding{
			clusterBinding("cluster-admin", group(Masters)), clusterBinding("system:discovery", group(authenticated)),
			clusterBinding("system:basic-user", group(authenticated)),
			clusterBinding("system:public-info-viewer", everybody...),
		},
	}
}

func group(name string) subject { return subject{Kind: "Group", Name: name} }

// clusterBinding returns a ClusterRoleBinding with the name of its role.
func clusterBinding(name string, subjects ...subject) binding {
	return binding{name: name, ref: roleRef{Kind: "ClusterRole", Name: name}, subjects: subjects}
}
