package controllertest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/leaselab/leaselab/sim/electiontest"
	"github.com/leaselab/leaselab/sim/electiontest/controllertest"
)

const sponges = `
kind: CustomResourceDefinition
apiVersion: apiextensions.k8s.io/v1
metadata: {name: sponges.sea.example.com}
spec:
  group: sea.example.com
  scope: Namespaced
  names: {plural: sponges, kind: Sponge}
  versions: [{name: v1, served: true, storage: true, subresources: {status: {}}}]
`

func sponge(name string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(schema.GroupVersionKind{Group: "sea.example.com", Version: "v1", Kind: "Sponge"})
	o.SetNamespace("default")
	o.SetName(name)
	return o
}

// reconcileSponges adds two controllers to a manager. One makes a ConfigMap for each Sponge; the other writes the Sponge's status.
func reconcileSponges(n *electiontest.Node, m ctrl.Manager) error {
	maps := func(ctx context.Context, r ctrl.Request) (ctrl.Result, error) {
		defer n.Work(ctx)()
		o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: r.Namespace, Name: r.Name}, Data: map[string]string{"by": n.Name()}}
		return ctrl.Result{}, client.IgnoreAlreadyExists(m.GetClient().Create(ctx, o))
	}
	status := func(ctx context.Context, r ctrl.Request) (ctrl.Result, error) {
		defer n.Work(ctx)()
		o := sponge(r.Name)
		if err := m.GetClient().Get(ctx, r.NamespacedName, o); err != nil {
			return ctrl.Result{}, err
		}
		o.Object["status"] = map[string]any{"by": n.Name()}
		return ctrl.Result{RequeueAfter: 10 * time.Second}, m.GetClient().Status().Update(ctx, o)
	}
	if err := ctrl.NewControllerManagedBy(m).Named("maps").For(sponge("")).Owns(&corev1.ConfigMap{}).Complete(reconciler(maps)); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(m).Named("status").For(sponge("")).Complete(reconciler(status))
}

type reconciler func(ctx context.Context, r ctrl.Request) (ctrl.Result, error)

func (f reconciler) Reconcile(ctx context.Context, r ctrl.Request) (ctrl.Result, error) {
	return f(ctx, r)
}

// The controllers of a manager work in virtual time on kinds of the cluster and on their own kind. After a crash the other manager does.
func TestControllersOfOwnKinds(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "sponges.yaml"), []byte(sponges), 0o600))
	by := func(c *electiontest.Cluster, n *electiontest.Node, name string) []string {
		set, err := kubernetes.NewForConfig(controllertest.Config(n))
		require.NoError(t, err)
		o, err := set.CoreV1().ConfigMaps("default").Get(n.Context(), name, metav1.GetOptions{})
		require.NoError(t, err)
		return []string{o.Data["by"], c.Holder()}
	}
	create := func(n *electiontest.Node, name string) {
		own, err := client.New(controllertest.Config(n), client.Options{})
		require.NoError(t, err)
		require.NoError(t, own.Create(n.Context(), sponge(name)))
	}
	begun := time.Now()
	r := electiontest.Run(t, with(t, "actions: [{at: 30s, act: crash, target: holder}]"), func(c *electiontest.Cluster) {
		c.Start(func(ctx context.Context, n *electiontest.Node) {
			m, err := controllertest.Manager(n)
			if assert.NoError(t, err) && assert.NoError(t, reconcileSponges(n, m)) {
				assert.NoError(t, m.Start(ctx))
			}
		})
		c.Until(5 * time.Second)
		b := c.Node("b")
		create(b, "bob")
		c.Until(10 * time.Second)
		assert.Equal(t, []string{"a", "a"}, by(c, b, "bob"))
		c.Until(60 * time.Second)
		create(b, "sandy")
		c.Until(65 * time.Second)
		assert.Equal(t, []string{"b", "b"}, by(c, b, "sandy"))
		o := sponge("bob")
		own, err := client.New(controllertest.Config(b), client.Options{})
		require.NoError(t, err)
		require.NoError(t, own.Get(b.Context(), client.ObjectKeyFromObject(o), o))
		written, _, err := unstructured.NestedString(o.Object, "status", "by")
		require.NoError(t, err)
		assert.Equal(t, "b", written)
	}, electiontest.CRDs(folder), electiontest.Allow("leaderlessTooLong", "noRecovery"))
	require.NotEmpty(t, r.Changes)
	assert.Equal(t, "a", r.Changes[0].To)
	assert.Less(t, time.Since(begun), 20*time.Second, "no request waits for a mutex")
}
