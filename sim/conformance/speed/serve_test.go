package speed

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/utils/ptr"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/conformance/served"
)

const (
	stored  = 1000 // number of Leases
	clients = 4
	path    = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
)

func newLease(i int) *coordinationv1.Lease {
	return &coordinationv1.Lease{
		TypeMeta:   metav1.TypeMeta{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"},
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("l-%04d", i), Namespace: "default"},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: ptr.To("somebody_6c1c3f0e"), LeaseDurationSeconds: ptr.To[int32](15), LeaseTransitions: ptr.To[int32](3),
			AcquireTime: &metav1.MicroTime{Time: time.Unix(1767225600, 0)}, RenewTime: &metav1.MicroTime{Time: time.Unix(1767225600, 0)},
		},
	}
}

func fillLeases(t testing.TB, leases coordinationclient.LeaseInterface) {
	for i := range stored {
		_, err := leases.Create(context.Background(), newLease(i), metav1.CreateOptions{})
		require.NoError(t, err)
	}
}

// rate returns how often per second several clients together can do something.
func rate(t testing.TB, do func(client, n int) error) float64 {
	var done atomic.Int64
	var all sync.WaitGroup
	start := time.Now()
	until := start.Add(much(2*time.Second, 20*time.Millisecond))
	for client := range clients {
		all.Go(func() {
			for n := 0; n == 0 || time.Now().Before(until); n++ {
				if !assert.NoError(t, do(client, n)) {
					return
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	return float64(done.Load()) / time.Since(start).Seconds()
}

// fetch sends a request over HTTP and reads the whole answer.
func fetch(method, url string, body []byte) ([]byte, error) {
	r, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != 200 {
		err = fmt.Errorf("%s %s: %d %s", method, url, answer.StatusCode, data)
	}
	return data, err
}

// revisedLease returns a Lease with another renewTime, at a revision.
func revisedLease(name string, n int, revision string) []byte {
	return leaseWithTransitions(name, n, revision, 3)
}

// leaseWithTransitions is revised with a number of leaseTransitions.
func leaseWithTransitions(name string, n int, revision string, transitions int) []byte {
	return fmt.Appendf(nil, `{"metadata":{"name":%q,"resourceVersion":%q},"spec":{"holderIdentity":"somebody_6c1c3f0e","leaseDurationSeconds":15,"leaseTransitions":%d,`+
		`"acquireTime":"2026-01-01T00:00:00.000000Z","renewTime":"2026-01-01T00:%02d:%02d.%06dZ"}}`, name, revision, transitions, n/60%60, n%60, n%1e6)
}

// revisionIn returns the resourceVersion of an object. It does not decode the object: that took the clients a quarter of the time,
// which the server needs.
func revisionIn(data []byte) (string, error) {
	_, rest, has := bytes.Cut(data, []byte(`"resourceVersion":"`))
	revision, _, ends := bytes.Cut(rest, []byte(`"`))
	if !has || !ends {
		return "", fmt.Errorf("no resourceVersion in %s", data)
	}
	return string(revision), nil
}

// The served API over loopback, the API as a function, and client-go's fake clientset, which most programs use in their
// tests.
func TestRequests(t *testing.T) {
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = clients
	ctx := context.Background()
	a := served.Start(t, 0)
	a.Quietly()
	fillLeases(t, a.Leases(t))
	naive := newFake().Leases("default")
	managed := fakedWithManagers().Leases("default") // it maintains managedFields, as the API does
	fillLeases(t, naive)
	fillLeases(t, managed)

	ask := func(r *apiserver.Request) ([]byte, error) {
		answer := a.Handle(r)
		if answer.Status != 200 {
			return nil, fmt.Errorf("%d %s", answer.Status, answer.Body)
		}
		if answer.Parts == nil {
			return answer.Body, nil
		}
		for part := range answer.Parts { // a long list is encoded as its caller reads it
			answer.Body = append(answer.Body, part...)
		}
		return answer.Body, nil
	}
	// updates returns an update of each client's own object, at the revision of its last update: a renewal, or a write that changes
	// leaseTransitions, too, of which the server knows nothing beforehand.
	updates := func(renews bool, put func(name string, body []byte) ([]byte, error)) func(client, n int) error {
		var revisions [clients]string
		return func(client, n int) error {
			name := fmt.Sprintf("l-%04d", client)
			if n == 0 {
				data, err := ask(&apiserver.Request{Method: "GET", Path: path + "/" + name})
				if err != nil {
					return err
				}
				if revisions[client], err = revisionIn(data); err != nil {
					return err
				}
			}
			transitions := 3
			if !renews {
				transitions += n
			}
			data, err := put(name, leaseWithTransitions(name, n, revisions[client], transitions))
			if err != nil {
				return err
			}
			revisions[client], err = revisionIn(data)
			return err
		}
	}
	out := newTable(fmt.Sprintf("Requests per second, %d clients with a connection each, %d Leases stored; clients and server share the process and its %d cores", clients, stored, runtime.GOMAXPROCS(0))+
		"\n(budget: 8,000 updates over HTTP)", "", "serve over HTTP", "as a function", "fake clientset", "serve ÷ fake", "fake with managedFields", "serve ÷ fake")
	row := func(what string, served float64, overHTTP, function func(client, n int) error, faked func(leases coordinationclient.LeaseInterface, client, n int) error) {
		of := func(leases coordinationclient.LeaseInterface) float64 {
			return rate(t, func(client, n int) error { return faked(leases, client, n) })
		}
		h, f, n, m := rate(t, overHTTP), rate(t, function), of(naive), of(managed)
		out.row(what, h, f, n, h/n, m, h/m)
		if *figures {
			assert.GreaterOrEqual(t, h, served, "%s over HTTP, per second", what)
		}
	}
	row("get", 0, func(client, n int) error {
		_, err := fetch("GET", a.URL+path+fmt.Sprintf("/l-%04d", n%stored), nil)
		return err
	}, func(client, n int) error {
		_, err := ask(&apiserver.Request{Method: "GET", Path: path + fmt.Sprintf("/l-%04d", n%stored)})
		return err
	}, func(leases coordinationclient.LeaseInterface, client, n int) error {
		_, err := leases.Get(ctx, fmt.Sprintf("l-%04d", n%stored), metav1.GetOptions{})
		return err
	})
	row("list of 1,000", 0, func(client, n int) error {
		_, err := fetch("GET", a.URL+path, nil)
		return err
	}, func(client, n int) error {
		_, err := ask(&apiserver.Request{Method: "GET", Path: path})
		return err
	}, func(leases coordinationclient.LeaseInterface, client, n int) error {
		list, err := leases.List(ctx, metav1.ListOptions{})
		if err == nil && len(list.Items) != stored {
			err = fmt.Errorf("%d items", len(list.Items))
		}
		return err
	})
	overHTTP := func(name string, body []byte) ([]byte, error) { return fetch("PUT", a.URL+path+"/"+name, body) }
	function := func(name string, body []byte) ([]byte, error) {
		return ask(&apiserver.Request{Method: "PUT", Path: path + "/" + name, Body: body})
	}
	fakedUpdate := func(leases coordinationclient.LeaseInterface, client, n int) error {
		lease := newLease(client)
		lease.Spec.RenewTime = &metav1.MicroTime{Time: time.Unix(int64(1767225600+n), 0)}
		_, err := leases.Update(ctx, lease, metav1.UpdateOptions{})
		return err
	}
	row("update", 8000, updates(true, overHTTP), updates(true, function), fakedUpdate)
	row("update of leaseTransitions", 0, updates(false, overHTTP), updates(false, function), fakedUpdate)
}

// The cost of one writer's updates until every watcher has received them. Each watcher has a connection; all share the process and its
// cores with the server.
func TestWatchFanOut(t *testing.T) {
	watchers, writes := much(1000, 20), much(100, 5)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := served.Start(t, 0)
	a.Quietly()
	leases := a.Leases(t)
	_, err := leases.Create(ctx, newLease(0), metav1.CreateOptions{})
	require.NoError(t, err)
	naive := newFake().Leases("default")
	_, err = naive.Create(ctx, newLease(0), metav1.CreateOptions{})
	require.NoError(t, err)

	measure := func(open func(seen func()), write func(n int) error) float64 {
		var all sync.WaitGroup
		var events atomic.Int64
		want := int64(watchers * writes)
		reached := make(chan struct{})
		for range watchers {
			open(func() {
				if events.Add(1) == want {
					close(reached)
				}
			})
		}
		start := time.Now()
		for n := range writes {
			require.NoError(t, write(n))
		}
		select {
		case <-reached:
		case <-time.After(2 * time.Minute):
			require.Fail(t, "a watcher has missed an event", "%d of %d", events.Load(), want)
		}
		all.Wait()
		return float64(want) / time.Since(start).Seconds()
	}
	list, err := leases.List(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	revision := list.Items[0].ResourceVersion
	overHTTP := measure(func(seen func()) {
		r, err := http.NewRequestWithContext(ctx, "GET", a.URL+path+"?watch=1&resourceVersion="+list.ResourceVersion, nil)
		require.NoError(t, err)
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.Equal(t, 200, answer.StatusCode)
		go func() {
			defer answer.Body.Close()
			for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
				seen()
			}
		}()
	}, func(n int) error {
		data, err := fetch("PUT", a.URL+path+"/l-0000", revisedLease("l-0000", n+1, revision))
		if err != nil {
			return err
		}
		revision, err = revisionIn(data)
		return err
	})
	faked := measure(func(seen func()) {
		w, err := naive.Watch(ctx, metav1.ListOptions{})
		require.NoError(t, err)
		go func() {
			for range w.ResultChan() {
				seen()
			}
		}()
	}, func(n int) error {
		lease := newLease(0)
		lease.Spec.RenewTime = &metav1.MicroTime{Time: time.Unix(int64(1767225600+n), 0)}
		_, err := naive.Update(ctx, lease, metav1.UpdateOptions{})
		return err
	})
	newTable(fmt.Sprintf("Events per second that arrive at %d watchers of one Lease, in the server's process", watchers),
		"serve over HTTP", "fake clientset", "serve ÷ fake").row(overHTTP, faked, overHTTP/faked)
}

// After a million renewals of one Lease the history and the memory are bounded.
func TestMemory(t *testing.T) {
	a := served.Start(t, 0)
	made := a.Handle(&apiserver.Request{Method: "POST", Path: path, Body: revisedLease("x", 0, "")})
	revision, err := revisionIn(made.Body)
	require.NoError(t, err)
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	out := newTable("Heap after so many updates of one Lease", "updates", "MiB", "updates/s")
	before, start, early := 0, time.Now(), 0.0
	for _, until := range much([]int{0, 65_536, 131_072, 500_000, 1_000_000}, []int{0, 1000}) {
		for n := before; n < until; n++ {
			answer := a.Handle(&apiserver.Request{Method: "PUT", Path: path + "/x", Body: revisedLease("x", n+1, revision)})
			require.Equal(t, 200, answer.Status, "%s", answer.Body)
			revision, err = revisionIn(answer.Body)
			require.NoError(t, err)
		}
		wall, used := time.Since(start), heap()
		out.row(until, used, float64(until-before)/wall.Seconds())
		if until == 65_536 {
			early = used
		}
		before, start = until, time.Now()
	}
	if early > 0 {
		assert.Less(t, heap(), early*2, "the server keeps 65,536 events, and at times twice as many")
	}
}
