package clients

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"

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

// The Role that the documentation gives for “is forbidden” is enough for client-go's elector, which needs each of
// its verbs on leases.
func TestElectorWithTheRoleOfTheDocumentation(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../web/docs/q/is-forbidden.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(page), "```yaml\n")
	require.True(t, found)
	role, _, _ := strings.Cut(rest, "```")

	events := "- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [create, patch]\n"
	for _, c := range []struct {
		name, change, to       string
		leads, stays, recorded bool
	}{
		{name: "as on the page", leads: true, stays: true, recorded: true},
		{name: "without events", change: events, leads: true, stays: true},
		{name: "without get", change: "[get, update]", to: "[update]"},
		{name: "without create", change: "[create]", to: "[list]"},
		{name: "create by name", change: "verbs: [create]\n", to: "resourceNames: [my-operator]\n  verbs: [create]\n"},
		{name: "without update", change: "[get, update]", to: "[get]", leads: true, recorded: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(role, c.change, c.to, 1)
			require.Equal(t, c.change == "", changed == role)
			admin, elector, refused := electorWith(t, changed)
			assert.Equal(t, c.leads, elector.IsLeader(), "%v", refused())
			if !c.stays {
				assert.ErrorContains(t, refused(), `leases.coordination.k8s.io`)
				assert.True(t, apierrors.IsForbidden(refused()), "%v", refused())
			}
			recorded := func() bool {
				list, err := admin.CoreV1().Events("default").List(deadline(t), metav1.ListOptions{})
				return err == nil && len(list.Items) > 0
			}
			if c.recorded {
				assert.Eventually(t, recorded, 10*time.Second, 50*time.Millisecond)
			} else {
				assert.False(t, recorded())
			}
		})
	}
}

// electorWith runs client-go's elector as the service account my-operator with these roles, until it leads or a request
// is forbidden. It returns an administrator's client, the elector, and the last answer 403.
func electorWith(t *testing.T, roles string) (kubernetes.Interface, *leaderelection.LeaderElector, func() error) {
	t.Helper()
	folder := t.TempDir()
	file, kubeconfig := filepath.Join(folder, "roles.yaml"), filepath.Join(folder, "lab.yaml")
	require.NoError(t, os.WriteFile(file, []byte(roles), 0o600))
	served.Command(t, "--kubeconfig", kubeconfig, "--rbac", file)
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	require.NoError(t, err)
	admin, err := kubernetes.NewForConfig(config)
	require.NoError(t, err)

	own := rest.CopyConfig(config)
	own.Impersonate.UserName = "system:serviceaccount:default:my-operator"
	operator, err := kubernetes.NewForConfig(own)
	require.NoError(t, err)
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: operator.CoreV1().Events("default")})
	t.Cleanup(broadcaster.Shutdown)
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "my-operator"})
	lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, "default", "my-operator",
		resourcelock.ResourceLockConfig{Identity: "a", EventRecorder: recorder}, own, renewDeadline)
	require.NoError(t, err)
	watched := &forbiddenLock{Interface: lock}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: watched, LeaseDuration: leaseDuration, RenewDeadline: renewDeadline, RetryPeriod: retryPeriod,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
	})
	require.NoError(t, err)
	go elector.Run(deadline(t))
	// Two renewals show whether it stays.
	require.Eventually(t, func() bool { return watched.answers.Load() > 4 }, 20*time.Second, 50*time.Millisecond)
	return admin, elector, watched.last
}

// forbiddenLock counts the answers to a lock's requests, and keeps the last 403.
type forbiddenLock struct {
	resourcelock.Interface
	answers   atomic.Int64
	forbidden atomic.Pointer[error]
}

func (l *forbiddenLock) saw(err error) error {
	if apierrors.IsForbidden(err) {
		l.forbidden.Store(&err)
	}
	l.answers.Add(1)
	return err
}

func (l *forbiddenLock) last() error {
	if err := l.forbidden.Load(); err != nil {
		return *err
	}
	return nil
}

func (l *forbiddenLock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	r, raw, err := l.Interface.Get(ctx)
	return r, raw, l.saw(err)
}

func (l *forbiddenLock) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.saw(l.Interface.Create(ctx, r))
}

func (l *forbiddenLock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.saw(l.Interface.Update(ctx, r))
}
