package clients

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

const electorRoles = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: elector, namespace: default}
rules: [{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, create, update, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: electors, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: elector}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: "leaselab:nodes"}
- {kind: ServiceAccount, name: bot}
`

// serveSecurely runs `leaselab serve` with HTTPS, roles and nodes, and returns the paths of the administrator's
// kubeconfig and of node a's.
func serveSecurely(t *testing.T) (a *served.API, admin, node string) {
	t.Helper()
	folder := t.TempDir()
	roles, config := filepath.Join(folder, "roles.yaml"), filepath.Join(folder, "lab.yaml")
	require.NoError(t, os.WriteFile(roles, []byte(electorRoles), 0o600))
	a = served.Command(t, "--kubeconfig", config, "--nodes", "a,b", "--rbac", roles)
	return a, config, filepath.Join(folder, "lab-a.yaml")
}

// kubectl over HTTPS with the kubeconfig files that the server has written: what RBAC allows, and what `kubectl auth`
// says of it.
func TestKubectlWithRBAC(t *testing.T) {
	t.Parallel()
	a, admin, node := serveSecurely(t)
	k := newKubectl(t, a)
	as := func(config string, args ...string) []string { return append([]string{"--kubeconfig", config}, args...) }
	const forbidden = `leases.coordination.k8s.io is forbidden: User "a" cannot list resource "leases" in API group "coordination.k8s.io" in the namespace "default"`

	assert.Contains(t, k.run(kubectlLease, as(node, "create", "-f", "-")...), "demo created")
	assert.Contains(t, k.run("", as(node, "get", "lease", "demo")...), "demo")
	k.fails(forbidden, "", as(node, "get", "leases")...)
	k.fails(`cannot delete resource "leases"`, "", as(node, "delete", "lease", "demo")...)
	k.fails(`User "a" cannot create resource "namespaces" in API group "" at the cluster scope`, "", as(node, "create", "namespace", "x")...)
	assert.Contains(t, k.run("", as(admin, "get", "leases", "-A")...), "demo")

	assert.Contains(t, k.run("", as(admin, "auth", "whoami")...), "system:masters")
	assert.Regexp(t, `Username +a\nGroups +\[leaselab:nodes system:authenticated\]`, k.run("", as(node, "auth", "whoami")...))
	assert.Equal(t, "yes\n", k.run("", as(node, "auth", "can-i", "update", "leases")...))
	k.fails("no", "", as(node, "auth", "can-i", "delete", "leases")...)
	assert.Regexp(t, `leases\.coordination\.k8s\.io +\[\] +\[\] +\[get create update watch\]`, k.run("", as(node, "auth", "can-i", "--list")...))

	bot := "system:serviceaccount:default:bot"
	assert.Equal(t, "yes\n", k.run("", as(admin, "auth", "can-i", "create", "leases", "--as", bot)...))
	assert.Contains(t, k.run("", as(admin, "auth", "whoami", "--as", bot)...), "system:serviceaccounts:default")
	k.fails(`User "bob" cannot list resource "leases"`, "", as(admin, "get", "leases", "--as", "bob")...)
	k.fails(`User "a" cannot impersonate-on:user-info:get resource "leases"`, "", as(node, "get", "lease", "demo", "--as", "bob")...)

	out, err := k.try("", "get", "leases") // plain HTTP, without a token
	assert.Error(t, err, out)
	open := served.Command(t, "--kubeconfig", filepath.Join(k.home, "open.yaml"))
	require.NotEmpty(t, open.URL)
	k.fails("start leaselab serve with --rbac FILE", "", as(filepath.Join(k.home, "open.yaml"), "get", "leases", "--as", "bob", "-v=0")...)
}

// client-go over HTTPS, from a kubeconfig file: objects and reviews in protobuf, a watch, an update, and what is
// forbidden.
func TestClientGoWithRBAC(t *testing.T) {
	t.Parallel()
	_, _, node := serveSecurely(t)
	config, err := clientcmd.BuildConfigFromFlags("", node)
	require.NoError(t, err)
	c, err := kubernetes.NewForConfig(config)
	require.NoError(t, err)
	ctx := deadline(t)

	holder := "a"
	leases := c.CoordinationV1().Leases("default")
	made, err := leases.Create(ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "demo"}, Spec: coordinationv1.LeaseSpec{HolderIdentity: &holder}}, metav1.CreateOptions{})
	require.NoError(t, err)
	watch, err := leases.Watch(ctx, metav1.ListOptions{ResourceVersion: made.ResourceVersion})
	require.NoError(t, err)
	defer watch.Stop()
	*made.Spec.HolderIdentity = "b"
	_, err = leases.Update(ctx, made, metav1.UpdateOptions{})
	require.NoError(t, err)
	select {
	case event := <-watch.ResultChan():
		assert.Equal(t, "b", *event.Object.(*coordinationv1.Lease).Spec.HolderIdentity)
	case <-time.After(10 * time.Second):
		assert.Fail(t, "no event over HTTPS")
	}
	_, err = leases.List(ctx, metav1.ListOptions{})
	assert.True(t, apierrors.IsForbidden(err), err)

	who, err := c.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, "a", who.Status.UserInfo.Username)
	access, err := c.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: "default", Verb: "get", Group: "coordination.k8s.io", Resource: "leases"},
	}}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.Equal(t, `RBAC: allowed by RoleBinding "electors/default" of Role "elector" to Group "leaselab:nodes"`, access.Status.Reason)
	rules, err := c.AuthorizationV1().SelfSubjectRulesReviews().Create(ctx, &authorizationv1.SelfSubjectRulesReview{Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: "default"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	assert.NotEmpty(t, rules.Status.ResourceRules)
	assert.False(t, rules.Status.Incomplete)

	config.Impersonate.UserName = "bob"
	c, err = kubernetes.NewForConfig(config)
	require.NoError(t, err)
	_, err = c.CoordinationV1().Leases("default").Get(ctx, "demo", metav1.GetOptions{})
	assert.True(t, apierrors.IsForbidden(err), "never ignored: %v", err)
}
