//go:debug randautoseed=0

// Package calls draws random cases of sim/testsupport/recorded/requests from client-go itself, under testing/synctest: an elector over its
// LeaseLock over rest.Request over an http.Client, with every fault that a case can have. Our run of each case must be the same.
//
// Guarantee: client-go's jitter comes from math/rand with seed 1, so every run of the whole package has the same runs. An exchange, an
// answer or a callback that differs by one nanosecond fails.
// Non-guarantee: two timers of one instant fire in any order under synctest, so the cases avoid such instants.
package calls

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/leaselab/leaselab/sim/testsupport/recorded/requests"
)

const (
	cases         = 200
	firstRevision = 1007 // as in the recordings
)

// TestRandomCases compares client-go's runs with ours.
func TestRandomCases(t *testing.T) {
	draw := rand.New(rand.NewPCG(20261122, 0))
	said := map[string]int{}
	for n := range cases {
		c := drawCase(draw, n)
		var real requests.Recording
		var attemptsNs []int64
		synctest.Test(t, func(t *testing.T) { real, attemptsNs = measure(t, c) })
		ours := requests.RunWith(&c, attemptsNs)
		same := assert.Equal(t, real.Exchanges, ours.Exchanges, "%+v", c)
		same = assert.Equal(t, real.Events, ours.Events, "%+v", c) && same
		if !same {
			t.Logf("our run and client-go's differ in case %d:\n%s", n, requests.JSON([]requests.Recording{real}, false))
		}
		for i := range real.Exchanges {
			if e := &real.Exchanges[i]; e.RetryAfter != "" {
				said["Retry-After"]++
			} else {
				said[e.Error]++
			}
		}
	}
	// The cases reach what they are for.
	for _, what := range []string{"", "Retry-After", "EOF", "context deadline exceeded", "context canceled", broken["reset"].Error(), broken["refused"].Error()} {
		assert.NotZero(t, said[what], what)
	}
}

// A wait that is wrong by a millisecond is seen.
func TestAMillisecondIsSeen(t *testing.T) {
	c := requests.Case{
		Name: "late", DurationMs: 30000, LeaseDurationMs: 15000, RenewDeadlineMs: 10000, RetryPeriodMs: 2000, ClientTimeoutMs: 5000,
		Faults: []requests.Fault{{FromMs: 6000, ToMs: 9000, Status: 429, RetryAfter: "1"}},
	}
	var real requests.Recording
	synctest.Test(t, func(t *testing.T) { real, _ = measure(t, c) })
	require.Equal(t, real.Exchanges, requests.Run(&real).Exchanges)
	late := real
	late.Exchanges = slices.Clone(real.Exchanges)
	i := slices.IndexFunc(late.Exchanges, func(e requests.Exchange) bool { return e.RetryAfter != "" })
	late.Exchanges[i+1].SentNs += int64(time.Millisecond)
	assert.NotEqual(t, late.Exchanges, requests.Run(&late).Exchanges)
}

// drawCase returns a random case.
func drawCase(r *rand.Rand, n int) requests.Case {
	settings := [][3]int64{{15000, 10000, 2000}, {60000, 40000, 5000}, {137000, 107000, 26000}, {8000, 5000, 1000}}[r.IntN(4)]
	c := requests.Case{
		Name: fmt.Sprintf("random-%d", n), LeaseDurationMs: settings[0], RenewDeadlineMs: settings[1], RetryPeriodMs: settings[2],
		DurationMs:      settings[0]*3 + settings[2]*int64(r.IntN(8)) + 1,
		ClientTimeoutMs: []int64{0, settings[1] / 2, settings[1] / 4, 1500 + r.Int64N(40), 30000}[r.IntN(5)],
		ReleaseOnCancel: r.IntN(2) == 0,
	}
	if r.IntN(4) == 0 {
		c.QPS, c.Burst = []float64{0.2, 0.37, 1.3, 7.1, 19}[r.IntN(5)], int64(1+r.IntN(10))
	}
	if r.IntN(3) == 0 {
		c.StopAtMs = 1 + 2*r.Int64N(c.DurationMs/2) // answers come at even instants
	}
	for range r.IntN(3) - 1 {
		c.DeleteAtMs = append(c.DeleteAtMs, 1+2*r.Int64N(c.DurationMs/2))
	}
	for range 1 + r.IntN(3) {
		c.Faults = append(c.Faults, drawnFault(r, c.DurationMs))
	}
	return c
}

func drawnFault(r *rand.Rand, durationMs int64) requests.Fault {
	f := requests.Fault{Method: []string{"", "", "", "GET", "PUT", "POST"}[r.IntN(6)]}
	if r.IntN(3) > 0 {
		f.FromMs = r.Int64N(durationMs)
	}
	f.ToMs = f.FromMs + 300 + r.Int64N(20000)
	if r.IntN(2) == 0 {
		f.Status = []int{401, 403, 409, 429, 429, 500, 502, 503, 504}[r.IntN(9)]
		f.RetryAfter = []string{"", "0", "1", "1", "2", "5", "30", "Sat, 01 Jan 2000 00:00:09 GMT"}[r.IntN(8)]
		return f
	}
	if r.IntN(4) == 0 {
		f.DelayMs = 900 + r.Int64N(5000)
		return f
	}
	f.Error = []string{"refused", "reset", "eof", "drop", "lost", "broken", "empty"}[r.IntN(7)]
	return f
}

// measure runs client-go's elector through a case, in the synctest bubble in which it is called.
// It returns the run and the instants at which an attempt called the lock.
func measure(t *testing.T, c requests.Case) (requests.Recording, []int64) {
	s := &server{began: time.Now(), faults: c.Faults, revision: firstRevision}
	var mu sync.Mutex
	events := []requests.Event{}
	tell := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, requests.Event{Ns: s.now(), What: what})
	}
	ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	config := &rest.Config{
		Host: "http://127.0.0.1:6443", Transport: s, Timeout: ms(c.ClientTimeoutMs), QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: "application/json", AcceptContentTypes: "application/json"},
	}
	if c.QPS > 0 {
		config.QPS, config.Burst = float32(c.QPS), int(c.Burst)
	}
	client, err := coordinationclient.NewForConfig(config)
	require.NoError(t, err)
	lock := &notedLock{s: s, Interface: &resourcelock.LeaseLock{
		LeaseMeta: metav1.ObjectMeta{Name: "demo", Namespace: "default"}, Client: client,
		LockConfig: resourcelock.ResourceLockConfig{Identity: "a"},
	}}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:          lock,
		LeaseDuration: ms(c.LeaseDurationMs), RenewDeadline: ms(c.RenewDeadlineMs) - 1, RetryPeriod: ms(c.RetryPeriodMs),
		ReleaseOnCancel: c.ReleaseOnCancel, Name: "demo",
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				tell("startedLeading")
				<-ctx.Done()
				tell("leadingDone")
			},
			OnStoppedLeading: func() { tell("stoppedLeading") },
			OnNewLeader:      func(identity string) { tell("newLeader " + identity) },
		},
	})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(logr.NewContext(context.Background(), logr.Discard()))
	var all sync.WaitGroup
	all.Go(func() {
		elector.Run(ctx)
		tell("runReturned")
	})
	for _, at := range c.DeleteAtMs {
		all.Go(func() {
			time.Sleep(ms(at))
			tell(fmt.Sprintf("deleted %d", s.delete()))
		})
	}
	if c.StopAtMs > 0 {
		all.Go(func() {
			time.Sleep(ms(c.StopAtMs))
			tell("stop")
			cancel()
		})
	}
	time.Sleep(ms(c.DurationMs))
	cancel()
	all.Wait()
	time.Sleep(time.Hour) // what the server still does
	return recording(c, s, events), lock.callsNs
}

// notedLock notes when the elector calls the lock: an attempt of the acquire loop begins with such a call, however long the limiter
// then waits.
type notedLock struct {
	resourcelock.Interface
	s       *server
	callsNs []int64
}

func (l *notedLock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	l.callsNs = append(l.callsNs, l.s.now())
	return l.Interface.Get(ctx)
}

func (l *notedLock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	l.callsNs = append(l.callsNs, l.s.now())
	return l.Interface.Update(ctx, record)
}

// recording leaves out what happens at the end of the case or later.
func recording(c requests.Case, s *server, events []requests.Event) requests.Recording {
	endNs := c.DurationMs * int64(time.Millisecond)
	exchanges := slices.DeleteFunc(slices.Clone(s.exchanges), func(e requests.Exchange) bool { return e.EndNs >= endNs })
	events = slices.DeleteFunc(events, func(e requests.Event) bool { return e.Ns >= endNs })
	slices.SortStableFunc(events, func(a, b requests.Event) int { return cmp.Or(cmp.Compare(a.Ns, b.Ns), cmp.Compare(a.What, b.What)) })
	if exchanges == nil {
		exchanges = []requests.Exchange{}
	}
	return requests.Recording{Case: c, Exchanges: exchanges, Events: events}
}

var _ http.RoundTripper = (*server)(nil)
