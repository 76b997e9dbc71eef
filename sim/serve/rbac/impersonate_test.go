package rbac_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/leaselab/leaselab/sim/serve/rbac"
)

// What a user may impersonate: by the verb impersonate, and since v1.36 by a mode's verbs for one kind of request.
func TestImpersonation(t *testing.T) {
	const core, authentication = `apiGroups: [""]`, `apiGroups: [authentication.k8s.io]`
	for _, c := range []struct {
		rules   string
		headers []string
		want    string // the user and groups that act, or the refusal
	}{
		{`{` + core + `, resources: [users], resourceNames: [bob], verbs: [impersonate]}`, []string{"impersonate-user", "bob"}, "bob [system:authenticated]"},
		{
			`{` + core + `, resources: [users], resourceNames: [bob], verbs: [impersonate]}`, []string{"impersonate-user", "eve"},
			`selfsubjectreviews.authentication.k8s.io is forbidden: User "u" cannot impersonate-on:user-info:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope`,
		},
		{`{` + core + `, resources: [users, groups], verbs: [impersonate]}`, []string{"impersonate-user", "bob", "impersonate-group", "g\nh,i"}, "bob [g h,i system:authenticated]"},
		{
			`{` + core + `, resources: [users], verbs: [impersonate]}, {` + authentication + `, resources: [selfsubjectreviews], verbs: [create]}`, []string{"impersonate-user", "system:anonymous"},
			`selfsubjectreviews.authentication.k8s.io is forbidden: User "system:anonymous" cannot create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope`,
		},
		{
			`{` + core + `, resources: [serviceaccounts], verbs: [impersonate]}`, []string{"impersonate-user", "system:serviceaccount:ns:bot"},
			"system:serviceaccount:ns:bot [system:serviceaccounts system:serviceaccounts:ns system:authenticated]",
		},
		{
			`{` + authentication + `, resources: [selfsubjectreviews], verbs: ["impersonate-on:user-info:create"]}, {` + authentication + `, resources: [users, groups], verbs: ["impersonate:user-info"]}`,
			[]string{"impersonate-user", "bob", "impersonate-group", "system:masters"},
			`groups.authentication.k8s.io "system:masters" is forbidden: User "u" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed`,
		},
		{
			`{` + authentication + `, resources: [selfsubjectreviews], verbs: ["impersonate-on:arbitrary-node:create"]}, {` + authentication + `, resources: [nodes], resourceNames: [n1], verbs: ["impersonate:arbitrary-node"]}`,
			[]string{"impersonate-user", "system:node:n1"}, "system:node:n1 [system:nodes system:authenticated]",
		},
	} {
		l := newLab(t, rbac.Config{Users: users("u"), Policy: policy(t, grant(c.rules))})
		_, answer := l.ask("u", "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}", c.headers...)
		assert.Equal(t, c.want, acts(answer), c.rules)
	}
}

// acts prints the user of a SelfSubjectReview, or why it was refused.
func acts(answer map[string]any) string {
	status, is := answer["status"].(map[string]any)
	if !is {
		return answer["message"].(string)
	}
	info := status["userInfo"].(map[string]any)
	text := info["username"].(string) + " ["
	for i, group := range info["groups"].([]any) {
		if i > 0 {
			text += " "
		}
		text += group.(string)
	}
	return text + "]"
}
