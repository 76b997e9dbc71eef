package clients

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/utils/ptr"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

// freeAddress returns an address of this machine at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

// An informer runs on while the server is killed and started again over the same file, again and again, under writes. It ends
// with exactly the objects that there are.
func TestInformerAcrossRestartsWithData(t *testing.T) {
	t.Parallel()
	address, file := freeAddress(t), filepath.Join(t.TempDir(), "objects")
	start := func() *served.API { return served.Command(t, "--addr", address, "--data", file) }
	a := start()
	// A reflector whose server is away tries again after 0.8 s, then after twice as long each time, at most 30 s, and up to as much
	// again by jitter (client-go v0.37.2 tools/cache reflector.go): on a busy machine several tries of each restart fail.
	const longestBackoff = 60 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), 5*longestBackoff)
	defer cancel()
	c := clientset(t, a)
	informer := informers.NewSharedInformerFactory(c, 0).Coordination().V1().Leases().Informer()
	go informer.RunWithContext(ctx)
	served.Until(t, 30*time.Second, "the informer has synced", informer.HasSynced)

	leases := c.CoordinationV1().Leases("default")
	for range 3 {
		writing, stop := context.WithCancel(ctx)
		var writers sync.WaitGroup
		for k := range 4 {
			r := rand.New(rand.NewPCG(uint64(k), 1))
			writers.Go(func() { scribble(writing, leases, k, r) })
		}
		time.Sleep(300 * time.Millisecond) // of writes, before the kill
		a.Kill(t)
		stop()
		writers.Wait()
		a = start()
		served.Until(t, longestBackoff+10*time.Second, "the informer shows exactly what is stored", func() bool {
			list, err := leases.List(ctx, metav1.ListOptions{})
			return err == nil && same(list.Items, informer.GetStore().List())
		})
	}
	list, err := leases.List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	assert.NotEmpty(t, list.Items)

	// A server without the file begins with a higher revision than the informer has seen: the informer drops everything.
	a.Kill(t)
	served.Command(t, "--addr", address)
	served.Until(t, longestBackoff+10*time.Second, "the informer shows no object", func() bool { return len(informer.GetStore().ListKeys()) == 0 })
}

// scribble creates, changes and deletes Leases until ctx ends or the server is gone.
func scribble(ctx context.Context, leases coordinationclient.LeaseInterface, k int, r *rand.Rand) {
	for ctx.Err() == nil {
		name := fmt.Sprintf("w%d-%d", k, r.IntN(20))
		var err error
		switch r.IntN(3) {
		case 0:
			_, err = leases.Create(ctx, lease(name, nil), metav1.CreateOptions{})
		case 1:
			err = leases.Delete(ctx, name, metav1.DeleteOptions{})
		default:
			var got *coordinationv1.Lease
			if got, err = leases.Get(ctx, name, metav1.GetOptions{}); err == nil {
				got.Spec.LeaseTransitions = ptr.To(r.Int32N(1000))
				_, err = leases.Update(ctx, got, metav1.UpdateOptions{})
			}
		}
		var refused *net.OpError
		if errors.As(err, &refused) {
			return
		}
	}
}

// same reports whether an informer's store has exactly these Leases, at their resourceVersions.
func same(stored []coordinationv1.Lease, shown []any) bool {
	versions := map[string]string{}
	for i := range stored {
		versions[stored[i].Name] = stored[i].ResourceVersion
	}
	for _, o := range shown {
		l := o.(*coordinationv1.Lease)
		if versions[l.Name] != l.ResourceVersion {
			return false
		}
	}
	return len(shown) == len(versions)
}
