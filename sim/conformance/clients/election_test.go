package clients

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/leaselab/leaselab/sim/conformance/served"
)

const (
	leaseDuration = 3 * time.Second
	renewDeadline = 2 * time.Second
	retryPeriod   = 500 * time.Millisecond
)

// cutting is a network connection that the test can cut.
type cutting struct {
	next http.RoundTripper
	cut  atomic.Bool
}

func (c *cutting) RoundTrip(r *http.Request) (*http.Response, error) {
	if c.cut.Load() {
		return nil, errors.New("the network is cut")
	}
	return c.next.RoundTrip(r)
}

// member is one of the electors.
type member struct {
	name    string
	elector *leaderelection.LeaderElector
	network *cutting
	stop    context.CancelFunc
	ended   chan struct{}
	leads   atomic.Bool
	started chan time.Time
	stopped chan time.Time
}

// elections runs electors of one Lease and counts how many lead at once.
type elections struct {
	t *testing.T
	a *served.API

	mu            sync.Mutex
	leading, most int
}

func (e *elections) lead(by int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.leading += by
	e.most = max(e.most, e.leading)
}

// join starts a real elector.
func (e *elections) join(name string, release bool) *member {
	m := &member{name: name, network: &cutting{}, ended: make(chan struct{}), started: make(chan time.Time, 10), stopped: make(chan time.Time, 10)}
	c := rest.CopyConfig(config(e.a))
	c.UserAgent = name
	c.Wrap(func(next http.RoundTripper) http.RoundTripper {
		m.network.next = next
		return m.network
	})
	client, err := kubernetes.NewForConfig(c)
	require.NoError(e.t, err)
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, "default", "demo", client.CoreV1(), client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: name})
	require.NoError(e.t, err)
	m.elector, err = leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: leaseDuration, RenewDeadline: renewDeadline, RetryPeriod: retryPeriod, ReleaseOnCancel: release, Name: name,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				e.lead(1)
				m.leads.Store(true)
				m.started <- time.Now()
				<-ctx.Done()
				m.leads.Store(false)
				e.lead(-1)
			},
			OnStoppedLeading: func() { m.stopped <- time.Now() },
		},
	})
	require.NoError(e.t, err)
	ctx, stop := context.WithCancel(logr.NewContext(context.Background(), logr.Discard()))
	m.stop = stop
	e.t.Cleanup(stop)
	go func() {
		defer close(m.ended)
		m.elector.Run(ctx)
	}()
	return m
}

// leader waits until one of the electors leads and returns when it started.
func (e *elections) leader(within time.Duration, of ...*member) (*member, time.Time) {
	var leader *member
	served.Until(e.t, within, "nobody leads", func() bool {
		for _, m := range of {
			if m.leads.Load() {
				leader = m
			}
		}
		return leader != nil
	})
	return leader, <-leader.started
}

func others(all []*member, not *member) []*member {
	var rest []*member
	for _, m := range all {
		if m != not {
			rest = append(rest, m)
		}
	}
	return rest
}

// Three real electors in real time: the first leader dies without a release, the next is cut off from the API, the last
// releases the Lease. Each time another leads after the time that client-go's settings imply.
func TestThreeElectorsFailOver(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func() *served.API{
		"in process":     func() *served.API { return served.Start(t, 0) },
		"leaselab serve": func() *served.API { return served.Command(t) },
	} {
		a := start()
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &elections{t: t, a: a}
			members := []*member{e.join("a", true), e.join("b", true), e.join("c", true)}
			leases := clientset(t, a).CoordinationV1().Leases("default")
			first, _ := e.leader(10*time.Second, members...)

			// Cut off and then ended, it cannot release: for the others it died.
			renewed := func() time.Time {
				got, err := leases.Get(context.Background(), "demo", metav1.GetOptions{})
				require.NoError(t, err)
				return got.Spec.RenewTime.Time
			}
			served.Until(t, 10*time.Second, "the first renewal", func() bool {
				got, err := leases.Get(context.Background(), "demo", metav1.GetOptions{})
				return err == nil && got.Spec.RenewTime.After(got.Spec.AcquireTime.Time)
			})
			first.network.cut.Store(true)
			first.stop()
			<-first.ended
			last := renewed()
			members = others(members, first)
			second, at := e.leader(30*time.Second, members...)
			assert.GreaterOrEqual(t, at.Sub(last), leaseDuration, "no elector acquires a Lease that may be valid")
			checkLease(t, leases.Get, second.name, 1)

			// An elector that is only cut off steps down before another may lead.
			second.network.cut.Store(true)
			var stepped time.Time
			select {
			case stepped = <-second.stopped:
			case <-time.After(30 * time.Second):
				require.Fail(t, "the elector that is cut off still leads")
			}
			last = renewed()
			assert.Less(t, stepped.Sub(last), leaseDuration)
			members = others(members, second)
			third, at := e.leader(30*time.Second, members...)
			assert.True(t, at.After(stepped))
			checkLease(t, leases.Get, third.name, 2)

			// A release saves the wait for the Lease to expire.
			fourth := e.join("d", true)
			served.Until(t, 10*time.Second, "the new elector does not observe the leader", func() bool { return fourth.elector.GetLeader() == third.name })
			third.stop()
			<-third.ended
			said := time.Now()
			_, at = e.leader(20*time.Second, fourth)
			assert.Less(t, at.Sub(said), leaseDuration, "a released Lease is acquired at once")
			checkLease(t, leases.Get, "d", 3)
			assert.Equal(t, 1, e.most, "two led at once")
		})
	}
}

func checkLease(t *testing.T, get func(context.Context, string, metav1.GetOptions) (*coordinationv1.Lease, error), holder string, transitions int32) {
	t.Helper()
	got, err := get(context.Background(), "demo", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, holder, *got.Spec.HolderIdentity)
	assert.Equal(t, transitions, *got.Spec.LeaseTransitions)
}

// client-go's LeaseCandidate creates its object, acknowledges a ping, and creates the object again after a deletion.
func TestLeaseCandidateClient(t *testing.T) {
	t.Parallel()
	a := served.Start(t, 0)
	ctx := deadline(t)
	c := clientset(t, a)
	candidate, synced, err := leaderelection.NewCandidate(c, "default", "candidate", "demo", "1.36.0", "1.35.0", coordinationv1.OldestEmulationVersion)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		candidate.Run(ctx)
	}()
	defer func() {
		stop()
		<-ended
	}()
	_ = synced
	candidates := c.CoordinationV1beta1().LeaseCandidates("default")
	var before metav1.MicroTime
	served.Until(t, 10*time.Second, "no candidate", func() bool {
		got, err := candidates.Get(ctx, "candidate", metav1.GetOptions{})
		if err == nil {
			before = *got.Spec.RenewTime
		}
		return err == nil
	})
	ping := before.Add(time.Millisecond).UTC().Format(metav1.RFC3339Micro)
	_, err = candidates.Patch(ctx, "candidate", types.MergePatchType, []byte(`{"spec":{"pingTime":"`+ping+`"}}`), metav1.PatchOptions{})
	require.NoError(t, err)
	served.Until(t, 10*time.Second, "the ping is not acknowledged", func() bool {
		got, err := candidates.Get(ctx, "candidate", metav1.GetOptions{})
		return err == nil && got.Spec.RenewTime.After(got.Spec.PingTime.Time)
	})
}

// Of two managers of controller-runtime one leads; when it ends, the other does.
func TestControllerRuntimeManagers(t *testing.T) {
	t.Parallel()
	a := served.Start(t, 0)
	type running struct {
		manager.Manager
		stop  context.CancelFunc
		ended chan error
	}
	start := func() *running {
		duration, deadline, period := leaseDuration, renewDeadline, retryPeriod
		m, err := ctrl.NewManager(config(a), manager.Options{
			LeaderElection: true, LeaderElectionID: "controllers", LeaderElectionNamespace: "default", LeaderElectionReleaseOnCancel: true,
			LeaseDuration: &duration, RenewDeadline: &deadline, RetryPeriod: &period,
			Metrics: metricsserver.Options{BindAddress: "0"},
		})
		require.NoError(t, err)
		ctx, stop := context.WithCancel(context.Background())
		r := &running{Manager: m, stop: stop, ended: make(chan error, 1)}
		t.Cleanup(stop)
		go func() { r.ended <- m.Start(ctx) }()
		return r
	}
	elected := func(r *running) func() bool {
		return func() bool {
			select {
			case <-r.Elected():
				return true
			default:
				return false
			}
		}
	}
	one := start()
	served.Until(t, 10*time.Second, "the first manager leads", elected(one))
	two := start()
	leases := clientset(t, a).CoordinationV1().Leases("default")
	before, err := leases.Get(context.Background(), "controllers", metav1.GetOptions{})
	require.NoError(t, err)
	asks := func() (n int) {
		for _, asked := range a.Requests() {
			if strings.HasPrefix(asked, "GET") && strings.Contains(asked, "/leases/controllers") {
				n++
			}
		}
		return n
	}
	seen := asks() // a leader does not read the Lease
	served.Until(t, 10*time.Second, "the second manager reads the Lease", func() bool { return asks() >= seen+2 })
	assert.False(t, elected(two)())
	one.stop()
	require.NoError(t, <-one.ended)
	served.Until(t, 20*time.Second, "the second manager leads", elected(two))
	after, err := leases.Get(context.Background(), "controllers", metav1.GetOptions{})
	require.NoError(t, err)
	assert.NotEqual(t, *before.Spec.HolderIdentity, *after.Spec.HolderIdentity)
	assert.Equal(t, *before.Spec.LeaseTransitions+1, *after.Spec.LeaseTransitions)
	two.stop()
	require.NoError(t, <-two.ended)
}
