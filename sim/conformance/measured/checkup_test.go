package measured

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/leaselab/leaselab/sim/conformance/memory"
	"github.com/leaselab/leaselab/sim/evidence"
	"github.com/leaselab/leaselab/sim/evidence/checkup"
	"github.com/leaselab/leaselab/sim/run/summary"
	"github.com/leaselab/leaselab/sim/study/numbers"
)

// refusing refuses all requests of an interval, and passes each stored Lease on.
type refusing struct {
	*memory.Lease
	from, to time.Time
	stored   func(*coordinationv1.Lease)
}

func (r *refusing) Leases(string) coordinationclient.LeaseInterface { return r }

func (r *refusing) answer(do func() (*coordinationv1.Lease, error)) (*coordinationv1.Lease, error) {
	time.Sleep(2 * time.Millisecond)
	if now := time.Now(); !now.Before(r.from) && now.Before(r.to) {
		return nil, errors.New("the server is currently unable to handle the request")
	}
	return do()
}

func (r *refusing) Get(ctx context.Context, name string, o metav1.GetOptions) (*coordinationv1.Lease, error) {
	return r.answer(func() (*coordinationv1.Lease, error) { return r.Lease.Get(ctx, name, o) })
}

func (r *refusing) Create(ctx context.Context, l *coordinationv1.Lease, o metav1.CreateOptions) (*coordinationv1.Lease, error) {
	return r.answer(func() (*coordinationv1.Lease, error) { r.stored(l); return r.Lease.Create(ctx, l, o) })
}

func (r *refusing) Update(ctx context.Context, l *coordinationv1.Lease, o metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	sent := *l
	return r.answer(func() (*coordinationv1.Lease, error) { r.stored(&sent); return r.Lease.Update(ctx, &sent, o) })
}

// stalling is what client-go did in a stall, and what the check-up of the time before it predicts.
type stalling struct {
	predicted checkup.Stalled
	stops     []time.Duration // from the start of the stall
	back      time.Duration
}

// stallOnce runs one elector, whose process restarts with another identity when it stops leading.
func stallOnce(t *testing.T, set numbers.Setting, given bool, settled, lasts time.Duration) (out stalling) {
	r := &refusing{Lease: &memory.Lease{}, from: time.Now().Add(settled), to: time.Now().Add(settled + lasts)}
	reader := evidence.NewReader(evidence.Options{})
	r.stored = func(l *coordinationv1.Lease) {
		if now := time.Now(); now.Before(r.from) {
			l.APIVersion, l.Kind, l.Name, l.Namespace = "coordination.k8s.io/v1", "Lease", "demo", "ns"
			text, err := json.Marshal(l)
			require.NoError(t, err)
			reader.Feed("watch.json", append(text, '\n'))
		} else if out.back == 0 && now.After(r.to) {
			out.back = now.Sub(r.from)
		}
	}
	ctx, stop := context.WithCancel(logr.NewContext(context.Background(), logr.Discard()))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for process := 0; ctx.Err() == nil; process++ {
			elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
				Lock: &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Name: "demo", Namespace: "ns"}, Client: r,
					LockConfig: resourcelock.ResourceLockConfig{Identity: fmt.Sprintf("p-%d", process)}},
				// At the instant of the deadline, synctest would toss a coin between it and the attempt.
				LeaseDuration: set.LeaseDuration, RenewDeadline: set.RenewDeadline - 1, RetryPeriod: set.RetryPeriod, Name: "demo",
				Callbacks: leaderelection.LeaderCallbacks{
					OnStartedLeading: func(context.Context) {},
					OnStoppedLeading: func() { out.stops = append(out.stops, time.Since(r.from)) },
				},
			})
			require.NoError(t, err)
			elector.Run(ctx)
		}
	}()
	time.Sleep(settled)
	synctest.Wait()
	reader.End("watch.json")
	options := checkup.Options{}
	if given {
		options.Given = map[string]numbers.Setting{"ns/demo": set}
	}
	report := checkup.Check(reader, options)
	predicted := report.Predict(lasts)
	require.Len(t, predicted.Leases, 1, "%v: %+v", set, report.Leases)
	out.predicted = predicted.Leases[0]
	time.Sleep(lasts + 5*set.LeaseDuration)
	synctest.Wait()
	out.stops = out.stops[:len(out.stops):len(out.stops)]
	stop()
	<-done
	return out
}

// checkedUp are 12 settings: defaults of known programs, settings in client-go's proportions, and settings that the
// caller gives.
var checkedUp = []struct {
	setting string
	given   bool
}{
	{"15/10/2", false}, {"15/10/5", false}, {"137/107/26", false}, {"60/40/15", false}, {"35/30/5", false}, {"30/15/7.5", false},
	{"30/20/4", false}, {"45/30/3", false}, {"6/4/1", false},
	{"20/12/3", true}, {"25/24/4", true}, {"18/8/0.5", true},
}

// client-go's electors do in a stall what the check-up predicts from their Leases, whenever the stall begins. It predicts
// "either" only within one retryPeriod of the limit, and then both happen.
func TestCheckup(t *testing.T) {
	phases := 40
	if testing.Short() {
		phases = 4
	}
	random := rand.New(rand.NewPCG(1, 41))
	for _, c := range checkedUp {
		set, err := numbers.Parse(c.setting)
		require.NoError(t, err)
		limit := time.Duration(*set.Closed(1).APIOutage)
		either := map[bool]int{}
		stalls := []time.Duration{5e9, 12e9, 30e9, 60e9, limit, limit + set.RetryPeriod/2, limit + set.RetryPeriod + 100*time.Millisecond}
		for _, lasts := range stalls {
			for range phases {
				settled := 6*set.RetryPeriod + time.Duration(random.Float64()*float64(set.RetryPeriod))
				synctest.Test(t, func(t *testing.T) {
					got := stallOnce(t, set, c.given, settled, lasts)
					stopped := len(got.stops) > 1 || len(got.stops) == 1 && got.stops[0] < lasts+set.RetryPeriod
					says := fmt.Sprintf("%s, %v: %+v, client-go %v, back %v", c.setting, lasts, got.predicted, got.stops, got.back)
					switch got.predicted.Outcome {
					case checkup.Loses:
						assert.True(t, stopped, says)
					case checkup.Survives:
						assert.False(t, stopped, says)
					case checkup.Either:
						assert.Greater(t, lasts, limit, says)
						assert.Less(t, lasts, limit+set.RetryPeriod, says)
						either[stopped]++
					default:
						assert.Fail(t, says)
					}
					if stopped {
						const slack = 10 * time.Millisecond // requests
						span := *got.predicted.Stops
						assert.GreaterOrEqual(t, summary.Seconds(got.stops[0]+slack), span.From, says)
						assert.LessOrEqual(t, summary.Seconds(got.stops[0]-slack), span.To, says)
					}
					assert.Positive(t, got.back, says)
					assert.LessOrEqual(t, summary.Seconds(got.back-10*time.Millisecond), got.predicted.Back, says)
				})
			}
		}
		if !testing.Short() {
			assert.Len(t, either, 2, "%s: both happen", c.setting)
		}
	}
}
