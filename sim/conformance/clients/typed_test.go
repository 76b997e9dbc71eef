package clients

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1alpha2 "k8s.io/api/coordination/v1alpha2"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/watch"
	applyv1 "k8s.io/client-go/applyconfigurations/coordination/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

// TestMain silences the clients' warnings about deprecations and unhandled events.
func TestMain(m *testing.M) {
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	klog.SetLogger(logr.Discard())
	ctrl.SetLogger(logr.Discard())
	code := m.Run()
	served.Clean()
	os.Exit(code)
}

// config returns a client's configuration; only the address differs from the defaults.
func config(a *served.API) *rest.Config {
	return &rest.Config{Host: a.URL, QPS: 1000, Burst: 1000}
}

func clientset(t testing.TB, a *served.API) *kubernetes.Clientset {
	t.Helper()
	c, err := kubernetes.NewForConfig(config(a))
	require.NoError(t, err)
	return c
}

// deadline returns a context that ends long after every test should have.
func deadline(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func lease(name string, labels map[string]string) *coordinationv1.Lease {
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: ptr.To("h"), LeaseDurationSeconds: ptr.To[int32](15)},
	}
}

// event returns the next event of a watch.
func event(t testing.TB, w watch.Interface) watch.Event {
	t.Helper()
	select {
	case e, open := <-w.ResultChan():
		require.True(t, open, "the watch ended")
		return e
	case <-time.After(20 * time.Second):
		require.FailNow(t, "no event")
		return watch.Event{}
	}
}

// testBoth runs a test against the API in this process and against the built command.
func testBoth(t *testing.T, test func(t *testing.T, a *served.API)) {
	t.Run("in process", func(t *testing.T) { test(t, served.Start(t, 0)) })
	t.Run("leaselab serve", func(t *testing.T) { test(t, served.Command(t)) })
}

// Every verb of client-go's typed client.
func TestTypedClient(t *testing.T) {
	t.Parallel()
	testBoth(t, func(t *testing.T, a *served.API) {
		ctx := deadline(t)
		leases := clientset(t, a).CoordinationV1().Leases("default")

		w, err := leases.Watch(ctx, metav1.ListOptions{})
		require.NoError(t, err)
		defer w.Stop()

		sent := lease("x", map[string]string{"app": "a"})
		sent.Spec.RenewTime = &metav1.MicroTime{Time: time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)}
		made, err := leases.Create(ctx, sent, metav1.CreateOptions{})
		require.NoError(t, err)
		assert.NotEmpty(t, made.UID)
		assert.True(t, made.Spec.RenewTime.Equal(sent.Spec.RenewTime))
		_, err = leases.Create(ctx, sent, metav1.CreateOptions{})
		assert.True(t, apierrors.IsAlreadyExists(err), "%v", err)
		_, err = leases.Create(ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "Not A Name"}}, metav1.CreateOptions{})
		assert.True(t, apierrors.IsInvalid(err), "%v", err)
		generated, err := leases.Create(ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{GenerateName: "g-"}}, metav1.CreateOptions{DryRun: []string{"All"}})
		require.NoError(t, err)
		assert.Regexp(t, "^g-.{5}$", generated.Name)

		got, err := leases.Get(ctx, "x", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, made, got)
		_, err = leases.Get(ctx, "y", metav1.GetOptions{})
		assert.True(t, apierrors.IsNotFound(err), "%v", err)

		got.Spec.LeaseTransitions = ptr.To[int32](1)
		updated, err := leases.Update(ctx, got, metav1.UpdateOptions{})
		require.NoError(t, err)
		assert.NotEqual(t, made.ResourceVersion, updated.ResourceVersion)
		_, err = leases.Update(ctx, got, metav1.UpdateOptions{})
		assert.True(t, apierrors.IsConflict(err), "a stale write: %v", err)

		patched, err := leases.Patch(ctx, "x", types.JSONPatchType, []byte(`[{"op":"replace","path":"/spec/holderIdentity","value":"json"}]`), metav1.PatchOptions{})
		require.NoError(t, err)
		assert.Equal(t, "json", *patched.Spec.HolderIdentity)
		patched, err = leases.Patch(ctx, "x", types.MergePatchType, []byte(`{"spec":{"holderIdentity":"merge","leaseTransitions":null}}`), metav1.PatchOptions{})
		require.NoError(t, err)
		assert.Equal(t, "merge", *patched.Spec.HolderIdentity)
		assert.Nil(t, patched.Spec.LeaseTransitions)
		patched, err = leases.Patch(ctx, "x", types.StrategicMergePatchType, []byte(`{"metadata":{"finalizers":["example.com/f"]},"spec":{"holderIdentity":"strategic"}}`), metav1.PatchOptions{})
		require.NoError(t, err)
		assert.Equal(t, []string{"example.com/f"}, patched.Finalizers)
		patched, err = leases.Patch(ctx, "x", types.StrategicMergePatchType, []byte(`{"metadata":{"$deleteFromPrimitiveList/finalizers":["example.com/f"]}}`), metav1.PatchOptions{})
		require.NoError(t, err)
		assert.Empty(t, patched.Finalizers)
		_, err = leases.Patch(ctx, "x", types.ApplyPatchType, []byte(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","spec":{"holderIdentity":"applied"}}`), metav1.PatchOptions{FieldManager: "m"})
		assert.True(t, apierrors.IsConflict(err), "%v", err)
		patched, err = leases.Patch(ctx, "x", types.ApplyPatchType, []byte("apiVersion: coordination.k8s.io/v1\nkind: Lease\nspec: {holderIdentity: applied}\n"), metav1.PatchOptions{FieldManager: "m", Force: ptr.To(true)})
		require.NoError(t, err)
		assert.Equal(t, "applied", *patched.Spec.HolderIdentity)

		typed := applyv1.Lease("x", "default").WithLabels(map[string]string{"by": "apply"}).WithSpec(applyv1.LeaseSpec().WithHolderIdentity("typed"))
		_, err = leases.Apply(ctx, typed, metav1.ApplyOptions{FieldManager: "other"})
		require.True(t, apierrors.IsConflict(err), "%v", err)
		assert.True(t, apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict))
		applied, err := leases.Apply(ctx, typed, metav1.ApplyOptions{FieldManager: "other", Force: true})
		require.NoError(t, err)
		assert.Equal(t, "apply", applied.Labels["by"])
		extracted, err := applyv1.ExtractLease(applied, "other")
		require.NoError(t, err)
		assert.Equal(t, typed.Spec, extracted.Spec, "a manager owns the fields that it applied")

		_, err = leases.Create(ctx, lease("y", map[string]string{"app": "b"}), metav1.CreateOptions{})
		require.NoError(t, err)
		list, err := leases.List(ctx, metav1.ListOptions{LabelSelector: "app in (a,c)"})
		require.NoError(t, err)
		require.Len(t, list.Items, 1)
		assert.Equal(t, applied, &list.Items[0])
		list, err = leases.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=y"})
		require.NoError(t, err)
		require.Len(t, list.Items, 1)
		page, err := leases.List(ctx, metav1.ListOptions{Limit: 1})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		assert.EqualValues(t, 1, *page.RemainingItemCount)
		page, err = leases.List(ctx, metav1.ListOptions{Limit: 1, Continue: page.Continue})
		require.NoError(t, err)
		assert.Equal(t, "y", page.Items[0].Name)
		assert.Empty(t, page.Continue)

		err = leases.Delete(ctx, "x", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("another")})
		assert.True(t, apierrors.IsConflict(err), "%v", err)
		require.NoError(t, leases.Delete(ctx, "x", *metav1.NewPreconditionDeleteOptions(string(made.UID))))
		require.NoError(t, leases.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "app=b"}))
		list, err = leases.List(ctx, metav1.ListOptions{})
		require.NoError(t, err)
		assert.Empty(t, list.Items)

		for _, want := range []struct {
			kind watch.EventType
			name string
		}{
			{watch.Added, "x"}, {watch.Modified, "x"}, {watch.Modified, "x"}, {watch.Modified, "x"}, {watch.Modified, "x"}, {watch.Modified, "x"},
			{watch.Modified, "x"}, {watch.Modified, "x"}, {watch.Added, "y"}, {watch.Deleted, "x"}, {watch.Deleted, "y"},
		} {
			e := event(t, w)
			assert.Equal(t, want.kind, e.Type)
			assert.Equal(t, want.name, e.Object.(*coordinationv1.Lease).Name)
		}
	})
}

// Watches begin at the requested revision, end at their timeout, and send bookmarks.
func TestTypedWatch(t *testing.T) {
	t.Parallel()
	a := served.Start(t, 0)
	ctx := deadline(t)
	leases := clientset(t, a).CoordinationV1().Leases("default")
	first, err := leases.Create(ctx, lease("a", nil), metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = leases.Create(ctx, lease("b", nil), metav1.CreateOptions{})
	require.NoError(t, err)

	w, err := leases.Watch(ctx, metav1.ListOptions{ResourceVersion: first.ResourceVersion, TimeoutSeconds: ptr.To[int64](3), AllowWatchBookmarks: true})
	require.NoError(t, err)
	e := event(t, w)
	assert.Equal(t, watch.Added, e.Type)
	assert.Equal(t, "b", e.Object.(*coordinationv1.Lease).Name)
	elsewhere, err := clientset(t, a).CoordinationV1().Leases("kube-system").Create(ctx, lease("b", nil), metav1.CreateOptions{})
	require.NoError(t, err)
	e = event(t, w)
	require.Equal(t, watch.Bookmark, e.Type)
	assert.Equal(t, elsewhere.ResourceVersion, e.Object.(*coordinationv1.Lease).ResourceVersion)
	for e := range w.ResultChan() { // until the server ends it
		assert.Equal(t, watch.Bookmark, e.Type)
	}

	w, err = leases.Watch(ctx, metav1.ListOptions{
		SendInitialEvents: ptr.To(true), ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan, AllowWatchBookmarks: true,
	})
	require.NoError(t, err)
	defer w.Stop()
	assert.Equal(t, "a", event(t, w).Object.(*coordinationv1.Lease).Name)
	assert.Equal(t, "b", event(t, w).Object.(*coordinationv1.Lease).Name)
	e = event(t, w)
	require.Equal(t, watch.Bookmark, e.Type)
	assert.Equal(t, "true", e.Object.(*coordinationv1.Lease).Annotations[metav1.InitialEventsAnnotationKey])

	a.Restart()
	served.Until(t, time.Minute, "the client has noticed that its connections are gone", func() bool {
		_, err = leases.Create(ctx, lease("c", nil), metav1.CreateOptions{})
		return err == nil
	})
	w, err = leases.Watch(ctx, metav1.ListOptions{ResourceVersion: first.ResourceVersion})
	require.NoError(t, err)
	defer w.Stop()
	e = event(t, w)
	require.Equal(t, watch.Error, e.Type)
	assert.True(t, apierrors.IsResourceExpired(apierrors.FromObject(e.Object)), "%v", e.Object)
}

// Both versions of a LeaseCandidate show one stored object.
func TestTypedCandidates(t *testing.T) {
	t.Parallel()
	a := served.Start(t, 0)
	ctx := deadline(t)
	c := clientset(t, a)
	made, err := c.CoordinationV1beta1().LeaseCandidates("default").Create(ctx, &coordinationv1beta1.LeaseCandidate{
		ObjectMeta: metav1.ObjectMeta{Name: "candidate"},
		Spec: coordinationv1beta1.LeaseCandidateSpec{
			LeaseName: "x", BinaryVersion: "1.36.0", EmulationVersion: "1.35.0", Strategy: coordinationv1.OldestEmulationVersion,
		},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	old := c.CoordinationV1alpha2().LeaseCandidates("default")
	got, err := old.Get(ctx, "candidate", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, coordinationv1alpha2.LeaseCandidateSpec(made.Spec), got.Spec)
	assert.Equal(t, made.UID, got.UID)
	w, err := old.Watch(ctx, metav1.ListOptions{ResourceVersion: got.ResourceVersion})
	require.NoError(t, err)
	defer w.Stop()
	patched, err := c.CoordinationV1beta1().LeaseCandidates("default").Patch(ctx, "candidate", types.MergePatchType, []byte(`{"spec":{"binaryVersion":"1.37.0"}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	assert.Equal(t, "1.37.0", patched.Spec.BinaryVersion)
	assert.Equal(t, "1.37.0", event(t, w).Object.(*coordinationv1alpha2.LeaseCandidate).Spec.BinaryVersion)
	require.NoError(t, old.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	list, err := old.List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	assert.Empty(t, list.Items)
}

// Namespaces exist as far as creates need them.
func TestTypedNamespaces(t *testing.T) {
	t.Parallel()
	a := served.Start(t, 0)
	ctx := deadline(t)
	c := clientset(t, a)
	_, err := c.CoordinationV1().Leases("new").Create(ctx, lease("x", nil), metav1.CreateOptions{})
	assert.True(t, apierrors.IsNotFound(err), "%v", err)
	_, err = c.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "new"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = c.CoordinationV1().Leases("new").Create(ctx, lease("x", nil), metav1.CreateOptions{})
	require.NoError(t, err)
	require.NoError(t, c.CoreV1().Namespaces().Delete(ctx, "new", metav1.DeleteOptions{}))
	_, err = c.CoordinationV1().Leases("new").Create(ctx, lease("y", nil), metav1.CreateOptions{})
	assert.True(t, apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause), "%v", err)
}

// Typed clients send objects in protobuf. The server keeps every member of a kind without a schema, and has its status and its scale.
func TestTypedKinds(t *testing.T) {
	testBoth(t, func(t *testing.T, a *served.API) {
		set, ctx := clientset(t, a), deadline(t)
		meta := metav1.ObjectMeta{Name: "x"}
		secret, err := set.CoreV1().Secrets("default").Create(ctx, &corev1.Secret{ObjectMeta: meta, Data: map[string][]byte{"a": {0, 255}}}, metav1.CreateOptions{})
		require.NoError(t, err)
		assert.Equal(t, []byte{0, 255}, secret.Data["a"])
		_, err = set.CoreV1().ConfigMaps("default").Create(ctx, &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{"a": "b"}}, metav1.CreateOptions{})
		require.NoError(t, err)
		_, err = set.CoreV1().Events("default").Create(ctx, &corev1.Event{ObjectMeta: meta, InvolvedObject: corev1.ObjectReference{Namespace: "default"}, Count: 1}, metav1.CreateOptions{})
		require.NoError(t, err)

		spec := corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{{
			Name: "c", Ports: []corev1.ContainerPort{{ContainerPort: 80}}, Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("500m")}},
			LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromInt32(80)}}},
		}}}
		deployments := set.AppsV1().Deployments("default")
		sent := &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Replicas: ptr.To[int32](0), Template: corev1.PodTemplateSpec{Spec: spec}}}
		_, err = deployments.Create(ctx, sent, metav1.CreateOptions{})
		require.NoError(t, err)
		made, err := deployments.Get(ctx, "x", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, sent.Spec, made.Spec)
		made.Status.ReadyReplicas, made.Spec.Paused = 2, true
		made, err = deployments.UpdateStatus(ctx, made, metav1.UpdateOptions{})
		require.NoError(t, err)
		assert.Equal(t, []any{int32(2), false, int64(1)}, []any{made.Status.ReadyReplicas, made.Spec.Paused, made.Generation})
		scale, err := deployments.GetScale(ctx, "x", metav1.GetOptions{})
		require.NoError(t, err)
		scale.Spec.Replicas = 3
		_, err = deployments.UpdateScale(ctx, "x", scale, metav1.UpdateOptions{})
		require.NoError(t, err)
		made, err = deployments.Get(ctx, "x", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, []any{int32(3), int64(2)}, []any{*made.Spec.Replicas, made.Generation})
	})
}
