package clients

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

// The dynamic client finds its resources through discovery.
func TestDynamicClient(t *testing.T) {
	t.Parallel()
	testBoth(t, func(t *testing.T, a *served.API) {
		ctx := deadline(t)
		found, err := discovery.NewDiscoveryClientForConfig(config(a))
		require.NoError(t, err)
		mapping, err := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(found)).RESTMapping(schema.GroupKind{Group: "coordination.k8s.io", Kind: "Lease"})
		require.NoError(t, err)
		assert.Equal(t, schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}, mapping.Resource)
		client, err := dynamic.NewForConfig(config(a))
		require.NoError(t, err)
		leases := client.Resource(mapping.Resource).Namespace("default")

		w, err := client.Resource(mapping.Resource).Watch(ctx, metav1.ListOptions{})
		require.NoError(t, err)
		defer w.Stop()
		object := func(holder string) *unstructured.Unstructured {
			return &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": map[string]any{"name": "x"}, "spec": map[string]any{"holderIdentity": holder},
			}}
		}
		made, err := leases.Create(ctx, object("a"), metav1.CreateOptions{})
		require.NoError(t, err)
		require.NoError(t, unstructured.SetNestedField(made.Object, "b", "spec", "holderIdentity"))
		updated, err := leases.Update(ctx, made, metav1.UpdateOptions{})
		require.NoError(t, err)
		_, err = leases.Update(ctx, made, metav1.UpdateOptions{})
		assert.True(t, apierrors.IsConflict(err), "%v", err)
		_, err = leases.Patch(ctx, "x", types.MergePatchType, []byte(`{"metadata":{"labels":{"l":"v"}}}`), metav1.PatchOptions{})
		require.NoError(t, err)
		_, err = leases.Apply(ctx, "x", object("c"), metav1.ApplyOptions{FieldManager: "m"})
		assert.True(t, apierrors.IsConflict(err), "%v", err)
		applied, err := leases.Apply(ctx, "x", object("c"), metav1.ApplyOptions{FieldManager: "m", Force: true})
		require.NoError(t, err)
		got, err := leases.Get(ctx, "x", metav1.GetOptions{})
		require.NoError(t, err)
		assert.Equal(t, applied, got)
		list, err := client.Resource(mapping.Resource).List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=x"})
		require.NoError(t, err)
		require.Len(t, list.Items, 1)
		assert.Equal(t, *got, list.Items[0])
		require.NoError(t, leases.Delete(ctx, "x", metav1.DeleteOptions{}))
		require.NoError(t, leases.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
		_, err = leases.UpdateStatus(ctx, updated, metav1.UpdateOptions{})
		assert.True(t, apierrors.IsNotFound(err), "leases have no status: %v", err)
		for _, want := range []watch.EventType{watch.Added, watch.Modified, watch.Modified, watch.Modified, watch.Deleted} {
			assert.Equal(t, want, event(t, w).Type)
		}
	})
}

// Discovery lists what the server serves, in every form that clients request.
func TestDiscovery(t *testing.T) {
	t.Parallel()
	testBoth(t, func(t *testing.T, a *served.API) {
		client, err := discovery.NewDiscoveryClientForConfig(config(a))
		require.NoError(t, err)
		legacy := *client
		legacy.UseLegacyDiscovery = true
		for name, client := range map[string]*discovery.DiscoveryClient{"aggregated": client, "legacy": &legacy} {
			t.Run(name, func(t *testing.T) {
				groups, resources, err := client.ServerGroupsAndResources()
				require.NoError(t, err)
				versions := map[string][]string{}
				for _, g := range groups {
					for _, v := range g.Versions {
						versions[g.Name] = append(versions[g.Name], v.Version)
					}
				}
				assert.Equal(t, []string{"v1", "v1beta1", "v1alpha2"}, versions["coordination.k8s.io"])
				verbs := map[string]metav1.Verbs{}
				for _, list := range resources {
					for _, r := range list.APIResources {
						verbs[list.GroupVersion+" "+r.Name] = r.Verbs
					}
				}
				all := metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
				assert.Equal(t, all, verbs["coordination.k8s.io/v1 leases"])
				assert.Equal(t, all, verbs["coordination.k8s.io/v1beta1 leasecandidates"])
				assert.Equal(t, all, verbs["coordination.k8s.io/v1alpha2 leasecandidates"])
			})
		}
		preferred, err := client.ServerPreferredNamespacedResources()
		require.NoError(t, err)
		kinds := map[string]string{}
		for _, list := range preferred {
			for _, r := range list.APIResources {
				kinds[r.Kind] = list.GroupVersion
			}
		}
		assert.Equal(t, "coordination.k8s.io/v1", kinds["Lease"])
		assert.Equal(t, "coordination.k8s.io/v1beta1", kinds["LeaseCandidate"])
		version, err := client.ServerVersion()
		require.NoError(t, err)
		assert.Equal(t, "36", version.Minor)

		documents, err := client.OpenAPIV3().Paths()
		require.NoError(t, err)
		require.Contains(t, documents, "apis/coordination.k8s.io/v1")
		schema, err := documents["apis/coordination.k8s.io/v1"].Schema("application/json")
		require.NoError(t, err)
		assert.Contains(t, string(schema), "io.k8s.api.coordination.v1.Lease")

		groups, err := restmapper.GetAPIGroupResources(client)
		require.NoError(t, err)
		mapper := restmapper.NewShortcutExpander(restmapper.NewDiscoveryRESTMapper(groups), client, nil)
		resource, err := mapper.ResourceFor(resourceNamed("", "", "lease"))
		require.NoError(t, err)
		assert.Equal(t, resourceNamed("coordination.k8s.io", "v1", "leases"), resource)
		kind, err := mapper.KindFor(resourceNamed("", "", "leasecandidates"))
		require.NoError(t, err)
		assert.Equal(t, "LeaseCandidate", kind.Kind)
		resource, err = mapper.ResourceFor(resourceNamed("", "", "ns"))
		require.NoError(t, err)
		assert.Equal(t, "namespaces", resource.Resource)
	})
}

func resourceNamed(group, version, resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
}
