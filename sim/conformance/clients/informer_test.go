package clients

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

// lists counts the lists, and the watches that replace a list.
func lists(a *served.API) int {
	n := 0
	for _, asked := range a.Requests() {
		if strings.HasPrefix(asked, "GET") && strings.Contains(asked, "/leases?") && (!strings.Contains(asked, "watch=") || strings.Contains(asked, "sendInitialEvents=true")) {
			n++
		}
	}
	return n
}

// listing makes an informer list before it watches, as it did before watch lists.
type listing struct{ *cache.ListWatch }

func (listing) IsWatchListSemanticsUnSupported() bool { return true }

// An informer continues after its connection was killed, without another list. It lists again if the server no longer
// keeps the missed events (410).
func TestInformerAcrossADroppedWatchAnd410(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]struct {
		kept  int
		lists bool
	}{
		"restarted": {}, "compacted": {kept: 8}, "list and watch": {lists: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := served.Start(t, how.kept)
			ctx := deadline(t)
			c := clientset(t, a)
			leases := c.CoordinationV1().Leases("default")
			write := func(transitions int32) {
				got, err := leases.Get(ctx, "x", metav1.GetOptions{})
				if apierrors.IsNotFound(err) {
					got, err = leases.Create(ctx, lease("x", nil), metav1.CreateOptions{})
				}
				require.NoError(t, err)
				got.Spec.LeaseTransitions = ptr.To(transitions)
				_, err = leases.Update(ctx, got, metav1.UpdateOptions{})
				require.NoError(t, err)
			}
			write(1)

			informer := informers.NewSharedInformerFactory(c, 0).Coordination().V1().Leases().Informer()
			if how.lists {
				informer = cache.NewSharedIndexInformer(listing{&cache.ListWatch{
					ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
						return c.CoordinationV1().Leases("").List(ctx, o)
					},
					WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
						return c.CoordinationV1().Leases("").Watch(ctx, o)
					},
				}}, &coordinationv1.Lease{}, 0, nil)
			}
			go informer.RunWithContext(ctx)
			shows := func(transitions int32) func() bool {
				return func() bool {
					o, has, err := informer.GetStore().GetByKey("default/x")
					return err == nil && has && ptr.Deref(o.(*coordinationv1.Lease).Spec.LeaseTransitions, 0) == transitions
				}
			}
			served.Until(t, 10*time.Second, "the first list", shows(1))
			write(2)
			served.Until(t, 10*time.Second, "an event", shows(2))

			before := lists(a)
			a.Drop()
			write(3)
			served.Until(t, 20*time.Second, "an event from the time without a connection", shows(3))
			require.Equal(t, before, lists(a), "no event was missed, so it does not list again")

			// Keep the client from reconnecting until the missed events are gone.
			release := a.Refuse("watch=")
			a.Drop()
			for i := range int32(20) {
				write(4 + i)
			}
			require.NoError(t, leases.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
			write(100)
			if how.kept == 0 {
				a.Restart()
			}
			release()
			served.Until(t, 30*time.Second, "the object from the second list", shows(100))
			require.Greater(t, lists(a), before, "missed events cause a list")
			write(101)
			served.Until(t, 10*time.Second, "an event after the second list", shows(101))
		})
	}
}
