package measured

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/study/numbers"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/figures"
)

// The takeovers that package numbers measures are client-go's: each of 40 settings has the distribution of client-go's
// own elections, and none of those exceeds the bound.
func TestNumbers(t *testing.T) {
	elections := 300
	if testing.Short() {
		elections = 20
	}
	base, known := shipped.ByName(numbers.Base)
	require.True(t, known)
	var settings []numbers.Setting
	for _, retry := range []time.Duration{200e6, 500e6, 1e9, 2e9, 3e9, 5e9, 10e9, 26e9} {
		for _, tenths := range []time.Duration{13, 20, 33, 50, 80} {
			renew := retry * tenths / 10
			lease := renew*(105+10*tenths)/100/time.Second*time.Second + 2*time.Second
			settings = append(settings, numbers.Setting{LeaseDuration: lease, RenewDeadline: renew, RetryPeriod: retry})
		}
	}
	require.Len(t, settings, 40)
	for _, s := range settings {
		plan, err := numbers.NewPlan(base, s, 3)
		require.NoError(t, err)
		ours := make(figures.Spread, 10*elections)
		for i := range ours {
			ours[i] = plan.Run(i)
		}
		f := figures.Failover{LeaseDuration: s.LeaseDuration, RenewDeadline: s.RenewDeadline, RetryPeriod: s.RetryPeriod,
			RequestTimeout: s.RenewDeadline / 2, CutAt: 10*s.RetryPeriod + time.Second, Phase: max(s.RetryPeriod, time.Second)}
		within := 100 * time.Millisecond
		if s.RetryPeriod < time.Second {
			within = time.Second
		}
		theirs := failovers(t, f, elections, 2500*time.Microsecond, within)
		distance, p := figures.Apart(ours, theirs)
		t.Logf("%v: ours %v, client-go %v, at most %.3f apart (p = %.3f)", s, ours, theirs, distance, p)
		assert.Greater(t, p, figures.Unlikely, "%v: the probability that samples of one distribution differ this much", s)
		bound := time.Duration(s.Closed(3).Takeover.Max)
		assert.Less(t, theirs.At(100), bound.Seconds(), "%v", s)
		assert.Less(t, ours.At(100), bound.Seconds(), "%v", s)
	}
}

// failovers measures client-go's times from the leader's cut to its successor's start.
func failovers(t *testing.T, f figures.Failover, elections int, oneWay, startWithin time.Duration) figures.Spread {
	return measureElections(t, elections, func(t *testing.T, starts *rand.Rand) (gap time.Duration) {
		at := time.Now().Add(f.CutAt + time.Duration(starts.Float64()*float64(f.Phase)))
		election{settings: f, oneWay: oneWay, startWithin: startWithin, watch: func(started, stopped <-chan *line) {
			old := <-started
			time.Sleep(time.Until(at))
			old.sever()
			<-started
			gap = time.Since(at)
		}}.run(t, starts)
		return gap
	})
}
